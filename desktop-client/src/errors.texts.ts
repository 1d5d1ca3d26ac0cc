// What an answer of the server says to somebody at a terminal, and what to do about it. The type demands both languages
// for every error that a call of the desktop client's door may give.
import type { account } from '@acc/contract/account'
import type { agent } from '@acc/contract/agent'
import type { CommonError, ErrorName } from '@acc/contract/core/errors'
import type { networkBlocks } from '@acc/contract/networkBlocks'
import type { requests } from '@acc/contract/requests'

type Bilingual = { ko: string; en: string }
type RequestRoute = Extract<(typeof requests)[keyof typeof requests], { access: 'agent' }>
type AgentRoute = (typeof agent)[keyof typeof agent] | RequestRoute | (typeof networkBlocks)['report']
type AgentError = (AgentRoute | typeof account.changePw)['errors'][number] | CommonError

const TEXTS = {
  WRONG_CREDENTIALS: { ko: '아이디 또는 비밀번호가 일치하지 않습니다.', en: 'The ID or password is wrong.' },
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
    ko: '임시 비밀번호입니다. acc-client password ID로 변경한 뒤 다시 로그인하세요.',
    en: 'This is a temporary password. Change it with `acc-client password ID`, then sign in again.',
  },
  UNSUITABLE_PASSWORD: {
    ko: '새 비밀번호가 비밀번호 규칙에 맞지 않습니다.',
    en: 'The new password does not meet the password rules.',
  },
  OTP_MAILED: {
    ko: '인증번호를 이메일로 보냈습니다. --otp로 입력하세요.',
    en: 'A verification code was sent to your e-mail. Give it with --otp.',
  },
  WRONG_OTP: { ko: '인증번호가 일치하지 않습니다.', en: 'The verification code is wrong.' },
  OTP_EXPIRED: { ko: '인증번호가 만료되었습니다.', en: 'The verification code has expired.' },
  OTP_ATTEMPTS_EXCEEDED: {
    ko: '인증번호를 여러 번 잘못 입력하여 계정이 잠겼습니다. 관리자에게 문의하세요.',
    en: 'The account is disabled after too many wrong codes. Ask your administrator.',
  },
  OTP_NOT_REGISTERED: {
    ko: '인증 앱이 등록되지 않았습니다. 포털에 로그인하여 등록하세요.',
    en: 'No authenticator app is registered. Sign in to the portal to register one.',
  },
  OTP_REQUIRED: {
    ko: '인증 앱의 번호가 필요합니다. --otp로 입력하세요.',
    en: 'The code of your authenticator app is needed. Give it with --otp.',
  },
  TOO_MANY_REQUESTS: { ko: '요청이 너무 많습니다.', en: 'Too many requests.' },
  OTP_ALREADY_SENT: {
    ko: '이미 보낸 인증번호가 아직 유효합니다. 이메일을 확인하세요.',
    en: 'The code sent before is still valid. Check your e-mail.',
  },
  LOGIN_TYPE_REFUSED: {
    ko: '아이디와 비밀번호로 로그인할 수 없는 계정입니다.',
    en: 'This account cannot sign in with ID and password.',
  },
  NO_LICENSE_LEFT: {
    ko: '남은 라이선스가 없습니다. 관리자에게 문의하세요.',
    en: 'All licences are in use. Ask your administrator.',
  },
  OTHER_PC: { ko: '다른 PC에 등록된 사용자입니다.', en: 'This user is tied to another PC.' },
  DEVICE_REMOVED: {
    ko: '관리자가 이 PC를 제거했습니다. 다시 로그인하세요.',
    en: 'This PC was removed by an administrator. Sign in again.',
  },
  REQUEST_STATE: {
    ko: '요청의 상태가 이 작업을 허용하지 않습니다 (대기, 반려, 취소 또는 업로드 미완료). status로 확인하세요.',
    en: 'The request is not in a state that allows this (undecided, rejected, canceled or not fully uploaded). See `status`.',
  },
  UPLOAD_OFFSET: { ko: '업로드 위치가 맞지 않습니다.', en: 'The upload did not go on where it stopped.' },
  UPLOAD_MISMATCH: {
    ko: '서버가 받은 파일이 요청한 파일과 다릅니다.',
    en: 'What the server received is not the file that was announced.',
  },
  NO_SESSION: {
    ko: '로그인되어 있지 않습니다. acc-client login ID로 로그인하세요.',
    en: 'You are not signed in. Sign in with `acc-client login ID`.',
  },
  SESSION_EXPIRED: {
    ko: '오랫동안 사용하지 않아 로그아웃되었습니다. 다시 로그인하세요.',
    en: 'You were signed out for lack of use. Sign in again.',
  },
  SESSION_ENDED: {
    ko: '서버가 세션을 종료했습니다. 다시 로그인하세요.',
    en: 'The server ended your session. Sign in again.',
  },
  NOT_ALLOWED: {
    ko: '허용되지 않거나 없는 대상입니다.',
    en: 'This is not allowed, or there is no such thing.',
  },
  GROUP_RIGHTS_CHANGED: { ko: '그룹 권한이 변경되었습니다.', en: 'The rights over groups have changed.' },
  INVALID_INPUT: { ko: '입력값이 형식에 맞지 않습니다.', en: 'The input does not match the format.' },
  STORAGE_UNAVAILABLE: {
    ko: '서버의 파일 저장소를 사용할 수 없습니다. 관리자에게 문의하세요.',
    en: "The server's file storage is unavailable. Ask your administrator.",
  },
} satisfies Record<AgentError, Bilingual> & Partial<Record<ErrorName, Bilingual>>

export const ERROR_TEXTS: Partial<Record<ErrorName, Bilingual>> = TEXTS
