import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { otpManual, userManual } from './manuals.service.ts'

export default routes(api.manuals, {
  otp: ({ app, language }, input) => otpManual(app.env, input.language ?? language),
  user: ({ app, language }, input) => userManual(app.env, input.language ?? language),
})
