// The help of `acc-client` and of each command.
import type { Language } from '@acc/contract/labels/enumOf'

type Page = Record<Language, string>

const GENERAL: Page = {
  en: `acc-client - the command-line client of ACC

  acc-client [OPTIONS] COMMAND [ARGUMENTS]

Commands
  login ID               sign in, and register this PC
  password ID            change your password
  policy                 show the policy that applies to you
  request FILE...        request the export of files, and upload them
  status [IDX]           show your requests
  download IDX           download the files of an approved request
  cancel IDX             cancel a request that is not decided
  report-blocks FILE     report blocked connections
  watch                  stay signed in and report changes
  update                 compare with the deployed client, or download it
  logout                 sign out

Options
  --server URL           the server (or ACC_SERVER; else the one you signed in to, else http://127.0.0.1:8080)
  --insecure             allow a server by http: everybody on the network reads passwords and files
  --state FILE           where the sign-in is kept (else in your state directory)
  --json                 one JSON document on standard output; errors as {errorCode, message}
  --help                 this text, or the help of a command
  --version              the version

Exit status: 0 done, 1 the server refused or something failed here, 2 wrong command line, 3 network.
With --json every error exits with 1.`,
  ko: `acc-client - ACC 명령줄 클라이언트

  acc-client [옵션] 명령 [값]

명령
  login ID               로그인하고 이 PC를 등록합니다
  password ID            비밀번호를 변경합니다
  policy                 적용되는 정책을 봅니다
  request FILE...        파일 반출을 요청하고 파일을 올립니다
  status [IDX]           내 요청을 봅니다
  download IDX           승인된 요청의 파일을 다운로드합니다
  cancel IDX             처리되지 않은 요청을 취소합니다
  report-blocks FILE     차단된 연결을 보고합니다
  watch                  로그인을 유지하며 변화를 알립니다
  update                 배포된 클라이언트와 비교하거나 다운로드합니다
  logout                 로그아웃합니다

옵션
  --server URL           서버 주소 (또는 ACC_SERVER, 없으면 로그인한 서버, 없으면 http://127.0.0.1:8080)
  --insecure             http 서버 허용: 네트워크에서 비밀번호와 파일이 노출됨
  --state FILE           로그인 상태를 보관할 파일 (없으면 사용자의 상태 디렉터리)
  --json                 표준 출력에 JSON 문서 하나. 오류는 {errorCode, message}
  --help                 이 도움말, 명령과 함께 쓰면 그 명령의 도움말
  --version              버전

종료 상태: 0 성공, 1 서버의 거부 또는 이 PC의 오류, 2 잘못된 명령줄, 3 네트워크.
--json에서는 모든 오류가 1입니다.`,
}

const COMMANDS: Record<string, Page> = {
  login: {
    en: `acc-client login ID [OPTIONS]

Signs in and registers this PC. Asks for the password, and for a code if one is required.

  --password-stdin       read the password from standard input
  --otp CODE             the 6-digit verification code
  --device-id TEXT       the id of this PC (else generated once and kept)
  --device-name TEXT     the name of this PC (else the host's)
  --client-version X.Y.Z the version to report (else the program's own)`,
    ko: `acc-client login ID [옵션]

로그인하고 이 PC를 등록합니다. 비밀번호를 묻고, 필요하면 인증번호를 묻습니다.

  --password-stdin       표준 입력에서 비밀번호를 읽습니다
  --otp CODE             6자리 인증번호
  --device-id TEXT       이 PC의 식별자 (없으면 한 번 만들어 보관합니다)
  --device-name TEXT     이 PC의 이름 (없으면 호스트 이름)
  --client-version X.Y.Z 보고할 버전 (없으면 프로그램의 버전)`,
  },
  password: {
    en: `acc-client password ID [OPTIONS]

Replaces your current or temporary password. Asks for both passwords, and for a code where one is needed. Every session
of the account ends.

  --password-stdin       read two lines from standard input: the current password and the new one
  --otp CODE             the 6-digit verification code`,
    ko: `acc-client password ID [옵션]

현재 비밀번호 또는 임시 비밀번호를 새 비밀번호로 변경합니다. 두 비밀번호를 묻고, 필요하면 인증번호를 묻습니다.
이 계정의 모든 세션이 종료됩니다.

  --password-stdin       표준 입력에서 현재 비밀번호와 새 비밀번호를 한 줄씩 읽습니다
  --otp CODE             6자리 인증번호`,
  },
  policy: {
    en: 'acc-client policy\n\nShows the policy that applies to you, and its owner.',
    ko: 'acc-client policy\n\n적용되는 정책과 그 정책의 주인을 봅니다.',
  },
  request: {
    en: `acc-client request --purpose TEXT [--type export|import] FILE...
acc-client request --resume IDX FILE...

Reads the files, requests their export, and uploads them. If the connection breaks or the server restarts, the program
retries for about a minute; the upload then continues where it stopped. If the program itself was stopped, --resume
continues the same request: give the files that are still missing (acc-client status IDX lists them). They are
recognized by their content, wherever they are now. A file that has changed needs a new request.

With --urgent, an export that needs an approval is allowed at once if your policy has urgent exports. An approver reviews
it afterwards; an objection closes the files.

  --purpose TEXT         what the files are for
  --type export|import   the direction (export)
  --urgent REASON        why it cannot wait for an approval, at least 20 characters
  --resume IDX           continue an incomplete request`,
    ko: `acc-client request --purpose TEXT [--type export|import] FILE...
acc-client request --resume IDX FILE...

파일을 읽어 반출을 요청하고 올립니다. 연결이 끊기거나 서버가 다시 시작되면 1분쯤 기다려 멈춘 곳부터 이어서
올립니다. 프로그램이 중단되었다면 --resume으로 같은 요청을 이어 갑니다. 남은 파일을 지정해 주세요
(acc-client status IDX로 확인). 파일은 위치와 관계없이 내용으로 알아봅니다. 내용이 변경된 파일은 새로 요청해야 합니다.

긴급 반출을 허용하는 정책이면 --urgent로 승인 전에 바로 반출할 수 있습니다. 승인자가 나중에 검토하며, 이의를 제기하면
더 이상 파일을 다운로드할 수 없습니다.

  --purpose TEXT         요청 사유
  --type export|import   방향 (export)
  --urgent REASON        승인을 기다릴 수 없는 사유 (20자 이상)
  --resume IDX           업로드가 끝나지 않은 요청을 이어서 올립니다`,
  },
  status: {
    en: `acc-client status [IDX] [--rows N]

Lists your requests, the newest first, or shows one with its files.

  --rows N               how many to list (20)`,
    ko: `acc-client status [IDX] [--rows N]

내 요청을 최근 순으로 보거나, 한 요청을 파일과 함께 봅니다.

  --rows N               보여 줄 개수 (20)`,
  },
  download: {
    en: `acc-client download IDX [--to DIR] [--force]

Saves the files of an approved or auto-approved request. Each is verified against its SHA-256 before it gets its name.
Existing files with the same content are kept.

  --to DIR               where to (the current directory)
  --force                replace other files of the same names`,
    ko: `acc-client download IDX [--to DIR] [--force]

승인 또는 자동 승인된 요청의 파일을 저장합니다. SHA-256을 확인한 뒤에 이름을 붙입니다.
내용이 같은 파일이 이미 있으면 그대로 둡니다.

  --to DIR               저장할 디렉터리 (현재 디렉터리)
  --force                이름이 같은 다른 파일을 바꿉니다`,
  },
  cancel: {
    en: 'acc-client cancel IDX\n\nCancels a request of yours that is not decided.',
    ko: 'acc-client cancel IDX\n\n처리되지 않은 내 요청을 취소합니다.',
  },
  'report-blocks': {
    en: `acc-client report-blocks FILE

Reports blocked connections from a JSON file, or from standard input if FILE is "-":

  [{"type": 0, "targetIp": "203.0.113.7", "blockDT": "2026-01-31T09:30:00+09:00", "processName": "curl.exe"}]

type is 0 for the virtual network, 1 for the local one; processName may be left out. A file that is reported again by
the same user from the same PC is ignored by the server.`,
    ko: `acc-client report-blocks FILE

차단된 연결을 JSON 파일에서, FILE이 "-"이면 표준 입력에서 읽어 보고합니다.

  [{"type": 0, "targetIp": "203.0.113.7", "blockDT": "2026-01-31T09:30:00+09:00", "processName": "curl.exe"}]

type은 가상 네트워크 0, 로컬 네트워크 1입니다. processName은 없어도 됩니다. 같은 사용자가 같은 PC에서 같은 파일을
다시 보고하면 서버가 무시합니다.`,
  },
  watch: {
    en: `acc-client watch [--interval SECONDS]

Keeps the session and prints a line when the policy, a deployed version or one of your requests changes. Ends with
Ctrl-C or when the session ends. Not together with --json.

  --interval SECONDS     how often to check (30)`,
    ko: `acc-client watch [--interval SECONDS]

세션을 유지하며 정책, 배포 버전, 내 요청이 바뀌면 한 줄씩 알립니다. Ctrl-C 또는 세션 종료로 끝납니다.
--json과 함께 쓸 수 없습니다.

  --interval SECONDS     확인 주기 (30)`,
  },
  update: {
    en: `acc-client update --check
acc-client update --to DIR [--force]

Compares the version that you reported at sign-in with the deployed client, or saves that one. A download that was
stopped continues where it ended; the program gets its name only after its size and SHA-256 were verified.

  --check                only compare
  --to DIR               where to save it
  --force                replace another file of the same name`,
    ko: `acc-client update --check
acc-client update --to DIR [--force]

로그인할 때 보고한 버전을 배포된 클라이언트와 비교하거나, 배포된 클라이언트를 저장합니다. 중단된 다운로드는 이어서
받으며, 크기와 SHA-256을 확인한 뒤에 이름을 붙입니다.

  --check                비교만 합니다
  --to DIR               저장할 디렉터리
  --force                이름이 같은 다른 파일을 바꿉니다`,
  },
  logout: {
    en: 'acc-client logout\n\nEnds the session on the server and deletes it from this PC.',
    ko: 'acc-client logout\n\n서버의 세션을 끝내고 여기에서도 지웁니다.',
  },
}

export const helpOf = (command: string | undefined, language: Language): string =>
  (COMMANDS[command ?? ''] ?? GENERAL)[language]
