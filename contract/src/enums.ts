// Being replaced by labels/: import from there.
export * from './labels/flags.ts'
export {
  LicenseUse,
  LogoutType,
  NetworkBlock,
  SignInType,
} from './labels/history.ts'
export { FileExport } from './labels/policies.ts'
export { Decision, RequestState as ApprovalState, Transfer } from './labels/requests.ts'
