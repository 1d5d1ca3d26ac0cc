// Self-service for one's own account, without a session (spec S1 §2, §4, §5).
import { z } from 'zod'
import { otp, password, typedId } from './core/fields.ts'
import { defineRoutes, post } from './core/route.ts'

export const account = defineRoutes({
  /** Sets a new password with the current or a temporary one. Ends all other sessions of the account. */
  changePw: post('/Account/ChangePW', {
    input: z.object({ id: typedId, pw: password, newPw: password, otp: otp.optional() }),
    data: z.object({}),
    access: 'public',
    credentials: 'omit',
    errors: [
      'WRONG_CREDENTIALS',
      'PASSWORD_ATTEMPTS_EXCEEDED',
      'ACCOUNT_EXPIRED',
      'UNSUITABLE_PASSWORD',
      'LOGIN_TYPE_REFUSED',
    ],
    changes: ['mails', 'session'],
    audit: 'account',
  }),
})
