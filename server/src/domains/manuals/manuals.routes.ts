import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { otpManual, userManual } from './manuals.service.ts'

export default routes(api.manuals, {
  otp: ({ services, language }, input) => otpManual(services.env, input.language ?? language),
  user: ({ services, language }, input) => userManual(services.env, input.language ?? language),
})
