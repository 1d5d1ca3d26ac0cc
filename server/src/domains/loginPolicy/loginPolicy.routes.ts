import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { addExceptions, readDefaultOtp, removeExceptions, setDefaultOtp } from './loginPolicy.otp.ts'
import { listExceptions } from './loginPolicy.queries.ts'
import { readProtection, readRules, setProtection, setRules } from './loginPolicy.settings.ts'

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
