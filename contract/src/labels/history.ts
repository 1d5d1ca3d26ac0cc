// Enumerations of history rows (spec S2 §4). The kinds with their fields and columns are in contract/src/history.
import { enumOf, type ValueOf } from './enumOf.ts'

/** 8 and 9 are additions to the specification. */
export const SignInType = enumOf({
  LOGIN: { value: 0, ko: '로그인', en: 'Sign-in', tone: 'ok' },
  OTP_FAILED: { value: 3, ko: 'OTP 실패', en: 'Wrong OTP', tone: 'warn' },
  PW_DISABLED: { value: 4, ko: '정지 (비밀번호 오류 초과)', en: 'Suspended (password)', tone: 'bad' },
  OTP_SUCCESS: { value: 5, ko: 'OTP 로그인', en: 'OTP sign-in', tone: 'ok' },
  SSO_LOGIN: { value: 6, ko: 'SSO 로그인', en: 'SSO sign-in', tone: 'ok' },
  OTP_DISABLED: { value: 7, ko: '정지 (OTP 오류 초과)', en: 'Suspended (OTP)', tone: 'bad' },
  /** A wrong password that did not suspend the account. */
  PW_FAILED: { value: 8, ko: '비밀번호 실패', en: 'Wrong password', tone: 'warn' },
  /** A correct password, refused because of the state of the account, its PC or the licenses. */
  REFUSED: { value: 9, ko: '로그인 거부', en: 'Refused', tone: 'bad' },
})
export type SignInType = ValueOf<typeof SignInType>
/** Sign-ins that opened a session. */
export const SUCCESSFUL_SIGN_INS = [SignInType.LOGIN, SignInType.OTP_SUCCESS, SignInType.SSO_LOGIN] as const

export const LogoutType = enumOf({
  LOGOUT: { value: 0, ko: '로그아웃', en: 'Sign-out' },
  SESSION_EXPIRED: { value: 1, ko: '세션 만료', en: 'Expiry' },
})

/** 3 and 10 are additions to the specification. */
export const AccountAction = enumOf({
  FIND_ID: { value: 0, ko: '아이디 찾기', en: 'Forgot ID' },
  FIND_PW: { value: 1, ko: '비밀번호 찾기', en: 'Forgot password' },
  CHANGE_PW: { value: 2, ko: '비밀번호 변경', en: 'Change password' },
  REGISTER_OTP: { value: 3, ko: 'OTP 등록', en: 'Register OTP' },
  SET_NOTICE: { value: 10, ko: '승인 알림 변경', en: 'Notifications' },
})
export const AccountResult = enumOf({
  SUCCESS: { value: 0, ko: '성공', en: 'Success', tone: 'ok' },
  OTP_FAILED: { value: 1, ko: 'OTP 실패', en: 'Wrong OTP', tone: 'warn' },
  OTP_DISABLED: { value: 2, ko: '정지 (OTP 오류 초과)', en: 'Suspended (OTP)', tone: 'bad' },
})

export const GroupManage = enumOf({
  CREATE: { value: 0, ko: '생성', en: 'Created' },
  UPDATE: { value: 1, ko: '수정', en: 'Updated' },
  DELETE: { value: 2, ko: '삭제', en: 'Deleted' },
})
export type GroupManage = ValueOf<typeof GroupManage>

export const PolicyManage = enumOf({
  SEPARATE: { value: 0, ko: '개별 정책으로 전환', en: 'Own policy' },
  INHERIT: { value: 1, ko: '상속으로 전환', en: 'Inherited' },
  UPDATE_DESKTOP_ENVIRONMENT: { value: 2, ko: '환경 변경', en: 'Environment changed' },
  UPDATE_NETWORK: { value: 3, ko: '네트워크 변경', en: 'Network changed' },
  UPDATE_SHORTCUT: { value: 4, ko: '바로가기 변경', en: 'Shortcuts changed' },
  UPDATE_ISSINGLEPC: { value: 5, ko: 'PC 1대 제한 변경', en: 'One-PC limit changed' },
  /** An addition to the specification. */
  UPDATE_END: { value: 7, ko: '종료일 변경', en: 'End changed' },
})
export type PolicyManage = ValueOf<typeof PolicyManage>

export const UserManage = enumOf({
  CREATE: { value: 0, ko: '생성', en: 'Created' },
  DELETE: { value: 1, ko: '삭제', en: 'Deleted' },
  UPDATE: { value: 2, ko: '수정', en: 'Updated' },
  RESET_PW: { value: 3, ko: '비밀번호 초기화', en: 'Password reset' },
  DISABLED: { value: 4, ko: '정지', en: 'Suspended' },
  ENABLED: { value: 5, ko: '정지 해제', en: 'Reactivated' },
  RESET_TOTP: { value: 6, ko: 'OTP 초기화', en: 'OTP reset' },
  /** An addition to the specification: an open sign-in of the user was ended. */
  END_SESSION: { value: 7, ko: '세션 종료', en: 'Session ended' },
  /** Additions to the specification: a substitute of an approver. */
  SET_ABSENCE: { value: 8, ko: '부재 등록', en: 'Absence set' },
  END_ABSENCE: { value: 9, ko: '부재 종료', en: 'Absence ended' },
})
export type UserManage = ValueOf<typeof UserManage>

export const ShortcutManage = enumOf({
  CREATE_WEB: { value: 0, ko: '웹 생성', en: 'Web created' },
  UPDATE_WEB: { value: 1, ko: '웹 수정', en: 'Web updated' },
  DELETE_WEB: { value: 2, ko: '웹 삭제', en: 'Web deleted' },
  CREATE_PROGRAM: { value: 3, ko: '프로그램 생성', en: 'Program created' },
  UPDATE_PROGRAM: { value: 4, ko: '프로그램 수정', en: 'Program updated' },
  DELETE_PROGRAM: { value: 5, ko: '프로그램 삭제', en: 'Program deleted' },
})
export type ShortcutManage = ValueOf<typeof ShortcutManage>

export const LicenseUse = enumOf({
  USE: { value: 0, ko: '사용', en: 'Used' },
  RETRIEVE: { value: 1, ko: '회수', en: 'Reclaimed' },
})

export const ClientManage = enumOf({
  CREATE: { value: 0, ko: '업로드', en: 'Uploaded' },
  UPDATE: { value: 1, ko: '배포', en: 'Deployed' },
  DELETE: { value: 2, ko: '삭제', en: 'Deleted' },
})

export const AuthManage = enumOf({
  CREATE: { value: 0, ko: '생성', en: 'Created' },
  DELETE: { value: 1, ko: '삭제', en: 'Deleted' },
  UPDATE_AUTH: { value: 2, ko: '권한 변경', en: 'Levels changed' },
  UPDATE_MANAGER: { value: 3, ko: '관리자 변경', en: 'Admins changed' },
})
export type AuthManage = ValueOf<typeof AuthManage>

/** Changes of settings; an addition to the specification. */
export const SettingManage = enumOf({
  RESEND_MAIL: { value: 0, ko: '메일 다시 보내기', en: 'Email resent' },
  CHOOSE_OUTBOX: { value: 1, ko: '평가용 보관함 선택', en: 'Evaluation outbox' },
  SET_HOST_ADDRESS: { value: 2, ko: '호스트 서버 주소 변경', en: 'Host address' },
  SET_LOGIN_LOGO: { value: 3, ko: '로그인 화면 로고 변경', en: 'Sign-in page logo' },
  SET_MANAGE_LOGO: { value: 4, ko: '관리 화면 로고 변경', en: 'Console logo' },
  SET_MAIL_SERVER: { value: 5, ko: '메일 서버 변경', en: 'Mail server' },
  SET_SITE_CONFIG: { value: 6, ko: '사이트 설정 변경', en: 'Site configuration' },
  SET_CLIENT_POLICY: { value: 7, ko: '클라이언트 정책 변경', en: 'Client policy' },
  READ_MAIL: { value: 8, ko: '보관함 메일 열람', en: 'Outbox email read' },
  UPDATE_SSO_POLICY: { value: 20, ko: 'SSO 기본 정책 변경', en: 'SSO default policy' },
  DEFAULT_OTP_ON: { value: 21, ko: '기본 OTP 사용으로 변경', en: 'OTP on by default' },
  DEFAULT_OTP_OFF: { value: 22, ko: '기본 OTP 미사용으로 변경', en: 'OTP off by default' },
  ADD_OTP_NEVER: { value: 23, ko: 'OTP 미사용 대상 추가', en: 'Never OTP: added' },
  ADD_OTP_ALWAYS: { value: 24, ko: 'OTP 항상 사용 대상 추가', en: 'Always OTP: added' },
  REMOVE_OTP_NEVER: { value: 25, ko: 'OTP 미사용 대상 제외', en: 'Never OTP: removed' },
  REMOVE_OTP_ALWAYS: { value: 26, ko: 'OTP 항상 사용 대상 제외', en: 'Always OTP: removed' },
  UPDATE_PASSWORD_RULES: { value: 27, ko: '비밀번호 규칙 변경', en: 'Password rules' },
  UPDATE_PROTECTION: { value: 28, ko: '계정 보호 변경', en: 'Account protection' },
  SET_OVERDUE_HOURS: { value: 30, ko: '장기 대기 기준 변경', en: 'Overdue limit' },
  SET_FILE_RETENTION: { value: 31, ko: '파일 보관 기간 변경', en: 'File retention' },
  SET_REQUEST_EXPIRY: { value: 32, ko: '대기 요청 만료 변경', en: 'Request expiry' },
  SET_DEVICES_PER_USER: { value: 40, ko: '사용자당 PC 수 변경', en: 'PCs per user' },
  REGISTER_LICENSE: { value: 41, ko: '라이선스 등록', en: 'License' },
  CHOOSE_EVALUATION_LICENSE: { value: 42, ko: '평가용 라이선스 선택', en: 'Evaluation license' },
  MAKE_BACKUP: { value: 60, ko: '백업', en: 'Backup made' },
  VERIFY_BACKUP: { value: 61, ko: '백업 검증', en: 'Backup verified' },
  RESTORE_BACKUP: { value: 62, ko: '백업에서 복원', en: 'Backup restored' },
  ROTATE_KEY: { value: 63, ko: '비밀 키 교체', en: 'Key rotated' },
  VERIFY_HISTORY: { value: 64, ko: '이력 검증', en: 'History verified' },
  TAKE_SEAL_HEAD: { value: 65, ko: '마지막 봉인을 데이터베이스에서 가져옴', en: 'Last seal taken over' },
  ACCEPT_HISTORY: { value: 66, ko: '이력을 현재 상태로 인정', en: 'History accepted' },
  RESTORE_FILE: { value: 67, ko: '저장 파일 복원', en: 'Stored file restored' },
  SET_USER_SYNC: { value: 70, ko: '사용자 동기화 변경', en: 'User synchronization' },
})
export type SettingManage = ValueOf<typeof SettingManage>

/** The end of a run; an addition to the specification. */
export const UserImportEvent = enumOf({
  DONE: { value: 0, ko: '적용', en: 'Applied' },
  CANCELED: { value: 1, ko: '취소', en: 'Canceled' },
  REFUSED: { value: 2, ko: '거부', en: 'Refused' },
})

/** Changes of the BIM service; an addition to the specification. */
export const BimManage = enumOf({
  CREATE_SERVER: { value: 0, ko: '서버 추가', en: 'Server added' },
  UPDATE_SERVER: { value: 1, ko: '서버 수정', en: 'Server updated' },
  DELETE_SERVER: { value: 2, ko: '서버 삭제', en: 'Server deleted' },
  CREATE_EXCEPTION: { value: 3, ko: '허용 IP 추가', en: 'IP added' },
  UPDATE_EXCEPTION: { value: 4, ko: '허용 IP 수정', en: 'IP updated' },
  DELETE_EXCEPTION: { value: 5, ko: '허용 IP 삭제', en: 'IP deleted' },
  ADD_TARGETS: { value: 6, ko: '대상 추가', en: 'Targets added' },
  REMOVE_TARGETS: { value: 7, ko: '대상 제외', en: 'Targets removed' },
  CHANGE_SERVER_ID: { value: 8, ko: '서버 ID 교체', en: 'ID replaced' },
  SYNC: { value: 9, ko: '동기화', en: 'Synced' },
})
export type BimManage = ValueOf<typeof BimManage>

export const NetworkBlock = enumOf({
  BLOCK_VIRTUAL: { value: 0, ko: '가상 네트워크 차단', en: 'Virtual network' },
  BLOCK_LOCAL: { value: 1, ko: '로컬 네트워크 차단', en: 'Local network' },
})
