import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { findPasswordRules } from '../credentials/passwordRules.ts'
import { otpManual, userManual } from './manuals.service.ts'

export default routes(api.manuals, {
  otp: ({ services, language }, input) => otpManual(services.env, input.language ?? language),
  user: async ({ services, read, language }, input) =>
    userManual(services.env, input.language ?? language, await findPasswordRules(read)),
})
