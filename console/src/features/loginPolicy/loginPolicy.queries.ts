// Reads of the login policy.
import { api } from '@acc/contract'
import { useApiQuery } from '../../kit/api/query.ts'

export const useSsoPolicy = () => useApiQuery(api.sso.policy, {})
export const usePasswordRules = () => useApiQuery(api.loginPolicy.passwordRules, {})
export const useProtection = () => useApiQuery(api.loginPolicy.protection, {})
export const useDefaultOtp = () => useApiQuery(api.loginPolicy.defaultOtp, {})

/** Whether a list of OTP exceptions has no user. */
export const useHasNoExceptions = (useOtp: 0 | 1) =>
  useApiQuery(api.loginPolicy.otpExceptions, { useOtp, rowsCount: 1, maxCount: 1 }).data?.totalCount === 0
