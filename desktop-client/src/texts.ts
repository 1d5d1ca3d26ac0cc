// The messages of `acc-client` in Korean, if the terminal's locale is Korean, and English.
// Errors of the server are in errors.texts.ts, the policy's words in policy.texts.ts, the help in help.ts.
import type { Label, Language } from '@acc/contract/labels/enumOf'
import { RequestBlock, requestStateLabel, Transfer, UPLOADING_LABEL } from '@acc/contract/labels/requests'
import type { RequestStatus } from '@acc/contract/requestState'

/** Returns the language of the terminal, by the rules of POSIX: LC_ALL before LC_MESSAGES before LANG. */
export function languageOf(env: NodeJS.ProcessEnv): Language {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return locale.toLowerCase().startsWith('ko') ? 'ko' : 'en'
}

/** Returns an enumeration's label for use within a line: English in lower case. */
const wordsOf = (labels: Readonly<Record<number, Label>>, language: Language): Record<number, string> =>
  Object.fromEntries(Object.entries(labels).map(([value, label]) => [value, label[language].toLowerCase()]))

/** The state of a request in the words of the console. */
const stateIn = (language: Language) => (request: RequestStatus) => requestStateLabel(request)[language].toLowerCase()

const en = {
  // command line
  unknownCommand: (name: string, near?: string) =>
    `Unknown command "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`} See acc-client --help.`,
  noCommand: 'Enter a command: acc-client COMMAND. See acc-client --help.',
  wrongOptions: (reason: string) => `${reason} See acc-client --help.`,
  tooFewArguments: (command: string) => `Missing argument after "${command}". See acc-client ${command} --help.`,
  tooManyArguments: (argument: string) => `Unexpected argument "${argument}".`,
  badNumber: (text: string) => `"${text}" is not a request number.`,
  badRange: (option: string, min: number, max: number) => `--${option} takes a number from ${min} to ${max}.`,
  badServer: (text: string) => `"${text}" is not the address of a server, such as https://acc.example.com.`,
  insecureServer: (text: string) => `"${text}" sends your password unencrypted: use https, or --insecure to allow it.`,
  badType: (text: string) => `--type takes export or import, not "${text}".`,
  badOtp: '--otp takes 6 digits.',
  badValue: (option: string) => `--${option} does not match the format.`,
  purposeMissing: 'Enter the purpose: --purpose TEXT.',
  badPurpose: (max: number) =>
    `--purpose takes at most ${max} characters, without control characters and direction marks.`,
  resumeAlone: '--resume continues an existing request: it takes no --type, --purpose and --urgent.',
  urgentImport: '--urgent is for exports only.',
  badUrgent: (min: number, max: number) =>
    `--urgent takes a reason of ${min} to ${max} characters, without control characters and direction marks.`,
  watchNoJson: 'watch prints line by line: it cannot be used with --json.',
  passwordMissing: 'There is no terminal to ask for the password. Give it on standard input with --password-stdin.',
  passwordEmpty: 'The password on standard input is empty.',
  twoPasswords: 'Standard input must have two lines: the current password and the new one.',
  passwordsDiffer: 'The new passwords do not match.',
  // errors
  interrupted: 'Interrupted.',
  unreachable: 'The server could not be reached. Check its address and your network, and try again.',
  notReady: 'The server is not ready (HTTP 503). Try again in a moment.',
  httpStatus: (status: number, text: string) =>
    `The server answered HTTP ${status} (${text}). Is this the right address?`,
  unknownAnswer: (code: number, text: string) => `The server answered ${code} (${text}).`,
  retryAfter: (seconds: number) => `Try again in ${seconds} s.`,
  refusals: {
    count: 'Its number of downloads is used up.',
    days: 'The period for downloads has ended.',
  } as Readonly<Record<string, string>>,
  stateUnreadable: (path: string) =>
    `The state file ${path} holds no state of acc-client. Remove it or name another with --state.`,
  fileFault: (path: string, reason: string) => `${path}: ${reason}`,
  serverAddress: (server: string) => `Server address: ${server}`,
  reasons: {
    ENOENT: 'There is no such file or folder.',
    EACCES: 'You do not have permission.',
    EPERM: 'You do not have permission.',
    EISDIR: 'This is a folder.',
    ENOSPC: 'The disk is full.',
  } as Readonly<Record<string, string>>,
  notAFile: (path: string) => `${path} is not a file.`,
  badFileName: (path: string) =>
    `${path}: this name cannot be sent. Use a name without \\ and control characters, of at most 255 characters.`,
  hiddenInFileName: (path: string, code: string) =>
    `${path}: this name cannot be sent. It contains an invisible character (${code}) and could be read as another name. Rename the file.`,
  tooManyFiles: (max: number) => `One request takes at most ${max} files.`,
  tooLarge: (path: string) => `${path} is larger than a request may hold.`,
  fileChanged: (path: string) => `${path} changed while it was being read.`,
  notOfRequest: (path: string, idx: number) => `${path} is not one of the files that request ${idx} still waits for.`,
  nothingToResume: (idx: number) => `Request ${idx} has all its files.`,
  exists: (path: string) =>
    `${path} already exists and is a different file. Nothing was downloaded; --force replaces it.`,
  damaged: (name: string) => `The downloaded ${name} differs from the server's file and was discarded. Try again.`,
  notJson: (path: string) => `${path} is not a JSON array.`,
  badBlock: (position: number, fields: string) => `Entry ${position} does not match the format (${fields}).`,
  noBlocks: (path: string) => `${path} holds no entries.`,
  resumeAdvice: (idx: number) =>
    `Request ${idx} is incomplete. Continue with: acc-client request --resume ${idx} FILE...`,
  urgentRefused: 'Your policy does not allow urgent exports now. Request the export without --urgent.',
  urgentUnneeded: 'Your policy allows this export without an approval, so it needs no review.',
  statusAdvice: (idx: number) =>
    `Check whether request ${idx} arrived completely: acc-client status ${idx}. If not: acc-client request --resume ${idx} FILE...`,
  changedAdvice: (idx: number) =>
    `Request ${idx} waits for the file as it was. Cancel it with: acc-client cancel ${idx} - and create a new one.`,
  countedAdvice: (idx: number) =>
    `Downloads of this file are limited, and this one may have counted. See how many are left: acc-client status ${idx}`,
  // answers
  password: (id: string) => `Password of ${id}: `,
  otp: 'Verification code: ',
  mailedOtp: 'Verification code from the email: ',
  newPassword: 'New password: ',
  newPasswordAgain: 'New password again: ',
  passwordChanged: 'The password was changed. Sign in with the new one.',
  passwordChangedOtp:
    'The password was changed. Sign in to the portal with the new one to register an authenticator app.',
  signedIn: (server: string, name: string, id: string, group: string) =>
    `Signed in to ${server} as ${name} (${id}), ${group}.`,
  signedOut: 'Signed out.',
  wasSignedOut: 'You were not signed in.',
  policyOf: (owner: string, revision: string) => `Policy of ${owner}, revision ${revision}`,
  singlePC: 'Your account is limited to one PC.',
  canceled: (idx: number) => `Request ${idx} was canceled.`,
  reported: (blocks: number, accepted: number) =>
    `Blocked connections: ${blocks} in the file, ${accepted} new to the server.`,
  downloaded: (path: string) => `Saved ${path}`,
  alreadyThere: (path: string) => `Already there: ${path}`,
  checkOrTo: 'update takes either --check or --to DIR.',
  noneDeployed: 'No client version is deployed.',
  isCurrent: ({ current }: { current: string }) => `This client is up to date (${current}).`,
  isOlder: ({ current, deployed }: { current: string; deployed: string }) =>
    `Version ${deployed} is deployed; this client is ${current}. Download it with: acc-client update --to DIR`,
  noRequests: 'You have made no requests.',
  more: (shown: number, total: string) => `The newest ${shown} of ${total}; --rows shows more.`,
  // words
  stateOf: stateIn('en'),
  types: wordsOf(Transfer.labels, 'en'),
  head: {
    idx: 'No.',
    type: 'Type',
    state: 'State',
    requestDT: 'Requested',
    files: 'Files',
    size: 'Size',
    purpose: 'Purpose',
  },
  request: (idx: number) => `Request ${idx}`,
  uploading: UPLOADING_LABEL.en.toLowerCase(),
  blockedNote: RequestBlock.labels[RequestBlock.POLICY].en.toLowerCase(),
  blocked: 'Your policy blocks file exports. The files can be downloaded once that ends.',
  filesRemoved: (when: string) => `files removed ${when}`,
  received: (part: string) => `${part} uploaded`,
  purpose: 'Purpose',
  urgentReason: 'Urgent reason',
  reviewDue: 'Review due',
  reason: 'Reason',
  requested: 'Requested',
  decided: 'Decided',
  approvers: 'Approvers',
  downloadEnd: 'Download until',
  downloadsLeft: (count: number) => (count === 1 ? '1 download left' : `${count} downloads left`),
  expires: 'Expires',
  nobody: 'Nobody can decide this request now. Ask your administrator.',
  andMore: (names: string, count: number) => `${names} and ${count} more`,
  hashing: (name: string) => `Reading ${name}`,
  // watch
  watching: (server: string) => `Watching ${server}. Ctrl-C ends it.`,
  policyChanged: (revision: string) => `The policy changed (revision ${revision}).`,
  clientDeployed: (version: string) => `Client version ${version} is deployed.`,
  stateChanged: (idx: number, state: string) => `Request ${idx}: ${state}`,
  connectionLost: 'The server cannot be reached; trying again.',
  connectionBack: 'The server can be reached again.',
  signOutRequested: 'The server asked this PC to sign out.',
}

export type Texts = typeof en

const ko: Texts = {
  unknownCommand: (name, near) =>
    `"${name}" 명령이 없습니다.${near === undefined ? '' : ` "${near}" 명령을 찾으셨나요?`} acc-client --help를 참고해 주세요.`,
  noCommand: '명령을 입력해 주세요: acc-client COMMAND. acc-client --help를 참고해 주세요.',
  wrongOptions: (reason) => `${reason} acc-client --help를 참고해 주세요.`,
  tooFewArguments: (command) => `"${command}" 뒤에 필요한 값이 없습니다. acc-client ${command} --help를 참고해 주세요.`,
  tooManyArguments: (argument) => `"${argument}": 필요 없는 값입니다.`,
  badNumber: (text) => `"${text}": 요청 번호가 아닙니다.`,
  badRange: (option, min, max) => `--${option}: ${min}부터 ${max}까지의 숫자를 입력해 주세요.`,
  badServer: (text) => `"${text}": 서버 주소가 아닙니다. 예: https://acc.example.com`,
  insecureServer: (text) =>
    `"${text}": 비밀번호가 암호화되지 않고 전송됩니다. https를 사용하거나 --insecure로 허용해 주세요.`,
  badType: (text) => `--type은 export 또는 import입니다: "${text}"`,
  badOtp: '--otp: 숫자 6자리를 입력해 주세요.',
  badValue: (option) => `--${option}: 형식에 맞지 않습니다.`,
  purposeMissing: '요청 사유를 입력해 주세요: --purpose TEXT',
  badPurpose: (max) => `--purpose: 제어 문자와 글자 방향을 바꾸는 문자 없이 ${max}자까지 입력할 수 있습니다.`,
  resumeAlone: '--resume은 이미 만든 요청을 이어서 올립니다. --type, --purpose, --urgent와 함께 쓸 수 없습니다.',
  urgentImport: '--urgent는 반출에만 쓸 수 있습니다.',
  badUrgent: (min, max) =>
    `--urgent: 제어 문자와 글자 방향을 바꾸는 문자 없이 ${min}자 이상 ${max}자 이하의 사유를 입력해 주세요.`,
  watchNoJson: 'watch는 일어나는 일을 한 줄씩 출력하므로 --json과 함께 쓸 수 없습니다.',
  passwordMissing: '비밀번호를 물어볼 터미널이 없습니다. --password-stdin으로 표준 입력에 넣어 주세요.',
  passwordEmpty: '표준 입력의 비밀번호가 비어 있습니다.',
  twoPasswords: '표준 입력에 현재 비밀번호와 새 비밀번호를 한 줄씩 입력해 주세요.',
  passwordsDiffer: '새 비밀번호가 서로 다릅니다.',
  interrupted: '중단되었습니다.',
  unreachable: '서버에 연결할 수 없습니다. 주소와 네트워크를 확인하고 다시 시도해 주세요.',
  notReady: '서버가 아직 준비되지 않았습니다 (HTTP 503). 잠시 후 다시 시도해 주세요.',
  httpStatus: (status, text) => `서버가 HTTP ${status} (${text})로 응답했습니다. 주소가 맞는지 확인해 주세요.`,
  unknownAnswer: (code, text) => `서버가 ${code} (${text})로 응답했습니다.`,
  retryAfter: (seconds) => `${seconds}초 후 다시 시도해 주세요.`,
  refusals: {
    count: '허용된 횟수를 모두 사용했습니다.',
    days: '다운로드 기간이 끝났습니다.',
  },
  stateUnreadable: (path) =>
    `${path}: acc-client의 상태 파일이 아닙니다. 지우거나 --state로 다른 파일을 지정해 주세요.`,
  fileFault: (path, reason) => `${path}: ${reason}`,
  serverAddress: (server) => `서버 주소: ${server}`,
  reasons: {
    ENOENT: '파일이나 폴더가 없습니다.',
    EACCES: '권한이 없습니다.',
    EPERM: '권한이 없습니다.',
    EISDIR: '폴더입니다.',
    ENOSPC: '디스크에 공간이 없습니다.',
  },
  notAFile: (path) => `${path}: 파일이 아닙니다.`,
  badFileName: (path) => `${path}: 보낼 수 없는 이름입니다. \\와 제어 문자가 없는 255자 이하의 이름을 써 주세요.`,
  hiddenInFileName: (path, code) =>
    `${path}: 보낼 수 없는 이름입니다. 보이지 않는 문자(${code})가 들어 있어 다른 이름으로 읽힐 수 있습니다. 파일 이름을 바꿔 주세요.`,
  tooManyFiles: (max) => `한 요청에는 파일을 ${max}개까지 넣을 수 있습니다.`,
  tooLarge: (path) => `${path}: 요청할 수 있는 크기를 넘었습니다.`,
  fileChanged: (path) => `${path}: 읽는 동안 파일이 변경되었습니다.`,
  notOfRequest: (path, idx) => `${path}: 요청 ${idx}에 남은 파일이 아닙니다.`,
  nothingToResume: (idx) => `요청 ${idx}의 파일은 모두 올라갔습니다.`,
  exists: (path) =>
    `${path}: 내용이 다른 파일이 이미 있습니다. 아무것도 다운로드하지 않았습니다. --force로 바꿀 수 있습니다.`,
  damaged: (name) => `${name}: 받은 내용이 서버의 파일과 달라 버렸습니다. 다시 시도해 주세요.`,
  notJson: (path) => `${path}: JSON 배열이 아닙니다.`,
  badBlock: (position, fields) => `${position}번째 항목이 형식에 맞지 않습니다 (${fields}).`,
  noBlocks: (path) => `${path}: 항목이 없습니다.`,
  resumeAdvice: (idx) =>
    `요청 ${idx}의 업로드가 끝나지 않았습니다. 이어서 올리기: acc-client request --resume ${idx} FILE...`,
  urgentRefused: '지금 적용되는 정책에서는 긴급으로 반출할 수 없습니다. --urgent 없이 요청해 주세요.',
  urgentUnneeded: '승인 없이 반출할 수 있는 정책이므로 검토가 필요하지 않습니다.',
  statusAdvice: (idx) =>
    `요청 ${idx}의 파일이 모두 올라갔는지 확인: acc-client status ${idx}. 이어서 올리기: acc-client request --resume ${idx} FILE...`,
  changedAdvice: (idx) =>
    `요청 ${idx}에는 변경 전의 파일이 필요합니다. acc-client cancel ${idx}로 취소하고 다시 요청해 주세요.`,
  countedAdvice: (idx) =>
    `다운로드 횟수가 제한된 파일이며, 이번 다운로드도 횟수에 포함되었을 수 있습니다. 남은 횟수 확인: acc-client status ${idx}`,
  password: (id) => `${id}의 비밀번호: `,
  otp: '인증번호: ',
  mailedOtp: '이메일로 받은 인증번호: ',
  newPassword: '새 비밀번호: ',
  newPasswordAgain: '새 비밀번호 확인: ',
  passwordChanged: '비밀번호를 변경했습니다. 새 비밀번호로 로그인해 주세요.',
  passwordChangedOtp: '비밀번호를 변경했습니다. 새 비밀번호로 포털에 로그인하여 인증 앱을 등록해 주세요.',
  signedIn: (server, name, id, group) => `${server}에 로그인했습니다: ${name} (${id}), ${group}`,
  signedOut: '로그아웃했습니다.',
  wasSignedOut: '로그인되어 있지 않았습니다.',
  policyOf: (owner, revision) => `${owner}의 정책, 개정 ${revision}`,
  singlePC: '이 계정은 PC 1대에서만 사용할 수 있습니다.',
  canceled: (idx) => `${idx}번 요청을 취소했습니다.`,
  reported: (blocks, accepted) => `차단된 연결: 파일에 ${blocks}건, 서버에 새로 등록 ${accepted}건`,
  downloaded: (path) => `저장: ${path}`,
  alreadyThere: (path) => `이미 있음: ${path}`,
  checkOrTo: 'update에는 --check 또는 --to DIR 중 하나가 필요합니다.',
  noneDeployed: '배포된 클라이언트 버전이 없습니다.',
  isCurrent: ({ current }) => `최신 버전입니다 (${current}).`,
  isOlder: ({ current, deployed }) =>
    `${deployed} 버전이 배포되어 있습니다. 이 클라이언트는 ${current}입니다. 다운로드: acc-client update --to DIR`,
  noRequests: '요청이 없습니다.',
  more: (shown, total) => `전체 ${total}건 중 최근 ${shown}건입니다. --rows로 더 볼 수 있습니다.`,
  stateOf: stateIn('ko'),
  types: wordsOf(Transfer.labels, 'ko'),
  head: {
    idx: '번호',
    type: '구분',
    state: '상태',
    requestDT: '요청 일시',
    files: '파일 수',
    size: '크기',
    purpose: '요청 사유',
  },
  request: (idx) => `요청 ${idx}`,
  uploading: UPLOADING_LABEL.ko,
  blockedNote: RequestBlock.labels[RequestBlock.POLICY].ko,
  blocked: '정책에서 파일 반출을 차단하고 있습니다. 차단이 끝나면 파일을 다운로드할 수 있습니다.',
  filesRemoved: (when) => `파일 삭제 ${when}`,
  received: (part) => `${part} 업로드됨`,
  purpose: '요청 사유',
  urgentReason: '긴급 사유',
  reviewDue: '검토 기한',
  reason: '처리 사유',
  requested: '요청 일시',
  decided: '처리 일시',
  approvers: '승인 가능자',
  downloadEnd: '다운로드 기한',
  downloadsLeft: (count) => `${count}회 남음`,
  expires: '만료 예정',
  nobody: '지금 이 요청을 처리할 수 있는 사람이 없습니다. 관리자에게 문의해 주세요.',
  andMore: (names, count) => `${names} 외 ${count}명`,
  hashing: (name) => `읽는 중: ${name}`,
  watching: (server) => `변경 사항을 확인하고 있습니다: ${server}. Ctrl-C로 종료합니다.`,
  policyChanged: (revision) => `정책이 변경되었습니다 (개정 ${revision}).`,
  clientDeployed: (version) => `클라이언트 ${version} 버전이 배포되었습니다.`,
  stateChanged: (idx, state) => `요청 ${idx}: ${state}`,
  connectionLost: '서버에 연결할 수 없어 다시 시도합니다.',
  connectionBack: '서버에 다시 연결되었습니다.',
  signOutRequested: '서버가 이 PC의 로그아웃을 요청했습니다.',
}

export const TEXTS: Record<Language, Texts> = { ko, en }
