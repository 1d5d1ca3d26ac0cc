// The specification's enumerations with its numbers (S1 section 4, S2 section 4), and the helpers for bit flags.

export const UserState = { NORMAL: 0, NEW: 1, DISABLED: 2 } as const
export const LoginType = { NONE: 0, DEFAULT: 1, SSO: 2 } as const
export const OwnerType = { GROUP: 0, USER: 1 } as const
export type OwnerType = (typeof OwnerType)[keyof typeof OwnerType]

export const FileExport = { BLOCK: 0, ALLOW: 1, APPROVAL: 2 } as const

export const ApprovalState = { REQUESTED: 0, APPROVED: 1, REJECTED: 2, CANCELED: 3, ALLOWED: 4 } as const
export type ApprovalState = (typeof ApprovalState)[keyof typeof ApprovalState]
/** What the decision call sends; what is stored is an ApprovalState (1 or 2). */
export const Decision = { REJECT: 0, APPROVE: 1 } as const
export const Transfer = { IMPORT: 0, EXPORT: 1 } as const
export type Transfer = (typeof Transfer)[keyof typeof Transfer]

/**
 * 8 and 9 are ours: a wrong password that did not disable the account, and a right one that did not open a session: for what
 * the account, its PC or the licences are (docs/decisions).
 */
export const SignInType = {
  LOGIN: 0,
  OTP_FAILED: 3,
  PW_DISABLED: 4,
  OTP_SUCCESS: 5,
  SSO_LOGIN: 6,
  OTP_DISABLED: 7,
  PW_FAILED: 8,
  REFUSED: 9,
} as const
export type SignInType = (typeof SignInType)[keyof typeof SignInType]
export const LogoutType = { LOGOUT: 0, SESSION_EXPIRED: 1 } as const

export const AccountAction = { FIND_ID: 0, FIND_PW: 1, CHANGE_PW: 2 } as const
export const AccountResult = { SUCCESS: 0, OTP_FAILED: 1, OTP_DISABLED: 2 } as const
export const GroupManage = { CREATE: 0, UPDATE: 1, DELETE: 2 } as const
export const PolicyManage = {
  SEPARATE: 0,
  INHERIT: 1,
  UPDATE_DESKTOP_ENVIRONMENT: 2,
  UPDATE_NETWORK: 3,
  UPDATE_SHORTCUT: 4,
  UPDATE_ISSINGLEPC: 5,
} as const
export const UserManage = {
  CREATE: 0,
  DELETE: 1,
  UPDATE: 2,
  RESET_PW: 3,
  DISABLED: 4,
  ENABLED: 5,
  RESET_TOTP: 6,
} as const
export const LicenseUse = { USE: 0, RETRIEVE: 1 } as const
export const AuthManage = { CREATE: 0, DELETE: 1, UPDATE_AUTH: 2, UPDATE_MANAGER: 3 } as const
/** Ours: what a settingManage row tells of. */
export const SettingManage = { RESEND_MAIL: 0, CHOOSE_OUTBOX: 1 } as const
export const NetworkBlock = { BLOCK_VIRTUAL: 0, BLOCK_LOCAL: 1 } as const

/** What a history row tells of; one kind a history screen (S2 section 2.6). */
export const AUDIT_KINDS = [
  'fileExport',
  'fileImport',
  'fileDownload',
  'networkAccess',
  'account',
  'groupManage',
  'policyManage',
  'userManage',
  'shortcutManage',
  'licenseUse',
  'clientManage',
  'authManage',
  'settingManage',
  'bimManage',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

/** The wire's form of yes and no. */
export const flagOf = (is: boolean): 0 | 1 => (is ? 1 : 0)
export const hasFlag = (value: number, flag: number): boolean => (value & flag) !== 0
export const withFlag = (value: number, flag: number): number => value | flag
export const withoutFlag = (value: number, flag: number): number => value & ~flag
