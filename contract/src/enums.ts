// Being replaced by labels/: import from there.
export * from './labels/flags.ts'
export {
  AccountAction,
  AccountResult,
  type AuditKind,
  AuthManage,
  GroupManage,
  LicenseUse,
  LogoutType,
  NetworkBlock,
  PolicyManage,
  SettingManage,
  SignInType,
  UserManage,
} from './labels/history.ts'
export { FileExport, OwnerType } from './labels/policies.ts'
export { Decision, RequestState as ApprovalState, Transfer } from './labels/requests.ts'
export { LoginType, UserState } from './labels/users.ts'
