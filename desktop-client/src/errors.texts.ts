// Error messages on a terminal: the contract's, except where the advice is a command of this program.
import type { ErrorName, ErrorTexts } from '@acc/contract/core/errors'
import en from '@acc/contract/core/errors.en'
import ko from '@acc/contract/core/errors.ko'
import type { Language } from '@acc/contract/labels/enumOf'

type Overrides = Partial<Record<ErrorName, string>>

const KO: Overrides = {
  PASSWORD_CHANGE_REQUIRED:
    '임시 비밀번호이거나 사용 기간이 지난 비밀번호입니다. acc-client password ID로 변경한 뒤 다시 로그인해 주세요.',
  OTP_MAILED: '인증번호를 이메일로 보냈습니다. --otp로 입력해 주세요.',
  OTP_ALREADY_SENT: '이미 보낸 인증번호가 아직 유효합니다. 이메일을 확인하여 --otp로 입력해 주세요.',
  OTP_EXPIRED: '인증번호가 만료되었거나 이미 사용되었습니다. --otp 없이 다시 실행하면 새 번호를 요청합니다.',
  OTP_NOT_REGISTERED: '인증 앱이 등록되지 않았습니다. 포털에 로그인하여 등록해 주세요.',
  OTP_REQUIRED: '인증 앱의 인증번호가 필요합니다. --otp로 입력해 주세요.',
  NO_EMAIL: '계정에 이메일 주소가 없어 인증번호를 보낼 수 없습니다. 관리자에게 문의해 주세요.',
  TOO_MANY_REQUESTS: '요청이 너무 많습니다.',
  SERVER_BUSY: '서버가 처리 중인 작업이 많습니다.',
  REQUEST_STATE: '이 요청의 상태에서는 할 수 없는 작업입니다. acc-client status로 상태를 확인해 주세요.',
  DOWNLOADS_USED: '이 파일은 더 이상 다운로드할 수 없습니다.',
  NO_SESSION: '로그인되어 있지 않습니다. acc-client login ID로 로그인해 주세요.',
  NOT_ALLOWED: '권한이 없거나 존재하지 않는 대상입니다.',
}

const EN: Overrides = {
  PASSWORD_CHANGE_REQUIRED:
    'This password is temporary or too old. Change it with `acc-client password ID`, then sign in again.',
  OTP_MAILED: 'A verification code was sent to your email address. Pass it with --otp.',
  OTP_ALREADY_SENT: 'The verification code sent earlier is still valid. Check your email and pass it with --otp.',
  OTP_EXPIRED: 'The verification code has expired or was used. Run the command without --otp to request a new one.',
  OTP_NOT_REGISTERED: 'No authenticator app is registered. Sign in to the portal to register one.',
  OTP_REQUIRED: 'The code from your authenticator app is required. Pass it with --otp.',
  NO_EMAIL: 'Your account has no email address, so no code can be sent. Contact your administrator.',
  TOO_MANY_REQUESTS: 'Too many requests.',
  SERVER_BUSY: 'The server is busy.',
  REQUEST_STATE: 'The state of the request does not allow this. Check it with `acc-client status`.',
  DOWNLOADS_USED: 'This file can no longer be downloaded.',
  NO_SESSION: 'You are not signed in. Sign in with `acc-client login ID`.',
  NOT_ALLOWED: 'You do not have permission, or the item does not exist.',
}

export const ERROR_TEXTS: Record<Language, ErrorTexts> = { ko: { ...ko, ...KO }, en: { ...en, ...EN } }
