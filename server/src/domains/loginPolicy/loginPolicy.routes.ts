import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { addExceptions, readDefaultOtp, removeExceptions, setDefaultOtp } from './loginPolicy.otp.ts'
import { readProtection, setProtection } from './loginPolicy.protection.ts'
import { listExceptions } from './loginPolicy.queries.ts'
import { readRules, setRules } from './loginPolicy.rules.ts'

export default routes(api.loginPolicy, {
  findPasswordRules: readRules,
  setPasswordRules: setRules,
  findProtection: readProtection,
  setProtection,
  findDefaultOtp: readDefaultOtp,
  setDefaultOtp,
  searchOtpExceptions: ({ read }, filter) => listExceptions(read, filter),
  addOtpExceptions: addExceptions,
  removeOtpExceptions: removeExceptions,
})
