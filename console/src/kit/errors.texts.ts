// What each error says to the person, and what to do about it. The type demands both languages for every name.
import type { ErrorName } from '@acc/contract/errors'
import type { Bilingual } from './texts.ts'

export const ERROR_TEXTS: Record<ErrorName, Bilingual> = {
  WRONG_CREDENTIALS: {
    ko: '아이디 또는 비밀번호가 일치하지 않습니다.',
    en: 'The ID or password is wrong.',
  },
  PASSWORD_ATTEMPTS_EXCEEDED: {
    ko: '비밀번호를 여러 번 잘못 입력하여 계정이 잠겼습니다. 관리자에게 문의하세요.',
    en: 'The account is disabled after too many wrong passwords. Ask your administrator.',
  },
  ACCOUNT_DISABLED: {
    ko: '정지된 계정입니다. 관리자에게 문의하세요.',
    en: 'This account is suspended. Ask your administrator.',
  },
  ACCOUNT_EXPIRED: {
    ko: '사용 기간이 끝난 계정입니다. 관리자에게 문의하세요.',
    en: 'This account has expired. Ask your administrator.',
  },
  PASSWORD_CHANGE_REQUIRED: {
    ko: '임시 비밀번호를 사용 중입니다. 다시 로그인하여 비밀번호를 변경하세요.',
    en: 'You are using a temporary password. Sign in again and change it.',
  },
  OTP_MAILED: { ko: '인증번호를 이메일로 보냈습니다.', en: 'A verification code was sent to your e-mail.' },
  WRONG_OTP: { ko: '인증번호가 일치하지 않습니다.', en: 'The verification code is wrong.' },
  OTP_EXPIRED: {
    ko: '인증번호가 만료되었습니다. 다시 요청하세요.',
    en: 'The verification code has expired. Ask for a new one.',
  },
  UNSUITABLE_PASSWORD: {
    ko: '새 비밀번호가 비밀번호 규칙에 맞지 않습니다.',
    en: 'The new password does not meet the password rules.',
  },
  OTP_ATTEMPTS_EXCEEDED: {
    ko: '인증번호를 여러 번 잘못 입력하여 계정이 잠겼습니다. 관리자에게 문의하세요.',
    en: 'The account is disabled after too many wrong codes. Ask your administrator.',
  },
  OTP_NOT_REGISTERED: {
    ko: '인증 앱이 등록되지 않았습니다. 다시 로그인하여 등록하세요.',
    en: 'No authenticator app is registered. Sign in again to register one.',
  },
  OTP_ALREADY_REGISTERED: {
    ko: '인증 앱이 이미 등록되어 있습니다.',
    en: 'An authenticator app is registered already.',
  },
  OTP_REQUIRED: { ko: '인증 앱의 번호를 입력하세요.', en: 'Enter the code from your authenticator app.' },
  TOO_MANY_REQUESTS: {
    ko: '요청이 너무 많습니다. 잠시 후 다시 시도하세요.',
    en: 'Too many requests. Wait a moment and try again.',
  },
  OTP_ALREADY_SENT: {
    ko: '이미 보낸 인증번호가 아직 유효합니다. 이메일을 확인하세요.',
    en: 'The code sent before is still valid. Check your e-mail.',
  },
  OTP_FAILED: { ko: '인증번호를 만들지 못했습니다.', en: 'The verification code could not be made.' },
  NO_EMAIL: { ko: '사용자에게 이메일 주소가 없습니다.', en: 'The user has no e-mail address.' },
  TEMPORARY_PASSWORD_MISMATCH: {
    ko: '임시 비밀번호가 일치하지 않습니다.',
    en: 'The temporary password does not match.',
  },
  DUPLICATE_ID: { ko: '이미 사용 중인 아이디입니다.', en: 'This ID is in use already.' },
  DUPLICATE_EMAIL: { ko: '이미 사용 중인 이메일입니다.', en: 'This e-mail address is in use already.' },
  NO_GROUP: {
    ko: '선택한 그룹이 없습니다. 다른 그룹을 선택하세요.',
    en: 'The chosen group does not exist any more. Choose another.',
  },
  DISABLED_USER: {
    ko: '정지된 사용자의 비밀번호와 OTP는 초기화할 수 없습니다.',
    en: 'The password and OTP of a suspended user cannot be reset.',
  },
  NO_OTP_TO_RESET: { ko: 'OTP를 등록하지 않은 사용자입니다.', en: 'The user has no OTP to reset.' },
  SELF_ACTION: { ko: '자기 자신에게는 할 수 없습니다.', en: 'You cannot do this to yourself.' },
  ADMIN_SELECTED: {
    ko: '시스템 관리자는 선택할 수 없습니다.',
    en: 'A system administrator cannot be selected.',
  },
  DUPLICATE_NAME: { ko: '이미 사용 중인 이름입니다.', en: 'This name is in use already.' },
  DUPLICATE_KEY: { ko: '이미 사용 중인 키입니다.', en: 'This key is in use already.' },
  GROUP_ACTION_REFUSED: {
    ko: '이 그룹에는 할 수 없는 작업입니다.',
    en: 'This cannot be done to this group.',
  },
  DUPLICATE_IP: { ko: '이미 등록된 IP입니다.', en: 'This IP address is registered already.' },
  NO_LICENSE_LEFT: { ko: '남은 라이선스가 없습니다.', en: 'All licences are in use.' },
  OTHER_PC: { ko: '다른 PC에 등록된 사용자입니다.', en: 'This user is tied to another PC.' },
  DEVICE_REMOVED: { ko: '관리자가 제거한 PC입니다.', en: 'This PC was removed by an administrator.' },
  REQUEST_STATE: {
    ko: '이미 처리되었거나 처리할 수 없는 상태의 요청입니다.',
    en: 'The request has been decided meanwhile, or cannot be decided now.',
  },
  UPLOAD_OFFSET: { ko: '업로드 위치가 맞지 않습니다.', en: 'The upload did not go on where it stopped.' },
  UPLOAD_MISMATCH: { ko: '올린 파일이 원본과 다릅니다.', en: 'The uploaded file differs from the original.' },
  LOGIN_TYPE_REFUSED: {
    ko: '아이디와 비밀번호로 로그인할 수 없는 계정입니다.',
    en: 'This account cannot sign in with ID and password.',
  },
  CLIENT_REQUIRED: {
    ko: '협력사 사용자는 클라이언트를 통해 접속해야 합니다.',
    en: 'Supplier staff must connect through the client.',
  },
  SSO_REFUSED: {
    ko: 'SSO로 로그인할 수 없는 계정입니다.',
    en: 'This account cannot use single sign-on.',
  },
  NO_SESSION: { ko: '로그인이 필요합니다.', en: 'You need to sign in.' },
  SESSION_EXPIRED: {
    ko: '오랫동안 사용하지 않아 로그아웃되었습니다.',
    en: 'You were signed out for lack of use.',
  },
  SESSION_ENDED: {
    ko: '세션이 종료되었습니다. 다시 로그인하세요.',
    en: 'Your session was ended. Sign in again.',
  },
  NOT_ALLOWED: { ko: '권한이 없습니다.', en: 'You are not allowed to do this.' },
  GROUP_RIGHTS_CHANGED: {
    ko: '그룹 권한이 변경되어 그룹을 다시 불러왔습니다. 다시 시도하세요.',
    en: 'Your rights over groups have changed. The groups were loaded again; please try again.',
  },
  INVALID_INPUT: { ko: '입력값이 형식에 맞지 않습니다.', en: 'The input does not match the format.' },
  CHANGED_MEANWHILE: {
    ko: '다른 사람이 먼저 변경했습니다. 새로 불러온 뒤 다시 시도하세요.',
    en: 'Somebody else has changed this meanwhile. Load it again and retry.',
  },
  LICENSE_FAILED: { ko: '라이선스를 등록하지 못했습니다.', en: 'The licence could not be registered.' },
  INVALID_LICENSE: { ko: '올바른 라이선스 파일이 아닙니다.', en: 'This is not a valid licence file.' },
  INVALID_CLIENT_FILE: {
    ko: '올바른 클라이언트 파일이 아닙니다. 다시 시도하세요.',
    en: 'This is not a valid client file. Try another.',
  },
  INVALID_IMAGE: { ko: '사용할 수 없는 이미지입니다.', en: 'This image cannot be used.' },
  STORAGE_UNAVAILABLE: {
    ko: '파일 저장소를 사용할 수 없습니다. 관리자에게 문의하세요.',
    en: 'The file storage is unavailable. Ask your administrator.',
  },
  MAIL_SERVER_FAILED: { ko: '메일 서버를 등록하지 못했습니다.', en: 'The mail server could not be registered.' },
  MAIL_FAILED: { ko: '메일을 보내지 못했습니다.', en: 'The mail could not be sent.' },
  TEST_MAIL_FAILED: { ko: '테스트 메일을 보내지 못했습니다.', en: 'The test mail could not be sent.' },
}

/** What has no name in the catalogue: the way to the server is broken, or the server is. */
export const FAILURE_TEXTS = {
  network: {
    ko: '서버와 통신하지 못했습니다. 네트워크를 확인하고 다시 시도하세요.',
    en: 'The server could not be reached. Check the network and try again.',
  },
  unavailable: {
    ko: '서버가 아직 준비되지 않았습니다. 잠시 후 다시 시도하세요.',
    en: 'The server is not ready. Try again in a moment.',
  },
  server: {
    ko: '서버에서 오류가 발생했습니다. 문제가 계속되면 관리자에게 문의하세요.',
    en: 'The server failed. If it goes on, ask your administrator.',
  },
} satisfies Record<string, Bilingual>
