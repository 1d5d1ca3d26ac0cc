// Self-service for one's own account: new passwords, forgotten IDs and passwords, authenticator registration (spec S1
// §2, §4, §5, §7). Except for the QR code, no call takes a session.
import { z } from 'zod'
import type { ErrorName } from './core/errors.ts'
import { Empty, email, otp, password, personName, typedId } from './core/fields.ts'
import { defineRoutes, getNew, post } from './core/route.ts'

/** Key of an authenticator to register, good for 10 minutes: as text (base32) and as a QR code (PNG in base64). */
export const OtpRegistration = z.object({ otpSecret: z.string(), qrCodeBase64: z.string() })
export type OtpRegistration = z.output<typeof OtpRegistration>

/**
 * Errors of a step that takes a one-time password. 105 and 112 ask for it; 107 asks for a new one, and the call without
 * `otp` sends a new mail.
 */
const CODE_ERRORS = [
  'OTP_MAILED',
  'WRONG_OTP',
  'OTP_EXPIRED',
  'OTP_ATTEMPTS_EXCEEDED',
  'OTP_REQUIRED',
  'OTP_ALREADY_SENT',
  'OTP_FAILED',
] as const satisfies readonly ErrorName[]
/** Errors of the one-time password of a sign-in. 110 carries the key of an authenticator to register. */
export const OTP_ERRORS = ['OTP_NOT_REGISTERED', ...CODE_ERRORS, 'NO_EMAIL'] as const

export const account = defineRoutes({
  /**
   * Sets a new password with the current or a temporary one. Ends all sessions of the account. The data holds a key to
   * register where the account needs an authenticator and has none.
   */
  changePw: post('/Account/ChangePW', {
    input: z.object({ id: typedId, pw: password, newPw: password, otp: otp.optional() }),
    data: OtpRegistration.partial(),
    access: 'public',
    credentials: 'omit',
    errors: [
      'WRONG_CREDENTIALS',
      'PASSWORD_ATTEMPTS_EXCEEDED',
      'ACCOUNT_EXPIRED',
      'UNSUITABLE_PASSWORD',
      'LOGIN_TYPE_REFUSED',
      ...CODE_ERRORS,
      'NO_EMAIL',
    ],
    changes: ['users', 'mails', 'session'],
    audit: 'account',
  }),
  /**
   * Mails a temporary password, valid in addition to the current one. Asks for a one-time password first if the account
   * signs in with one. Returns the masked address.
   */
  resetPw: post('/Account/ResetPW', {
    input: z.object({ id: typedId, otp: otp.optional() }),
    data: z.object({ email: z.string() }),
    access: 'public',
    credentials: 'omit',
    errors: [
      'WRONG_CREDENTIALS',
      'PASSWORD_ATTEMPTS_EXCEEDED',
      'ACCOUNT_EXPIRED',
      'LOGIN_TYPE_REFUSED',
      ...CODE_ERRORS,
      'NO_EMAIL',
    ],
    changes: ['mails'],
    audit: 'account',
  }),
  /** Returns the ID of a name and email address, after a one-time password. */
  findId: post('/Account/FindID', {
    input: z.object({ name: personName, email, otp: otp.optional() }),
    data: z.object({ id: z.string() }),
    access: 'public',
    credentials: 'omit',
    errors: ['WRONG_CREDENTIALS', 'PASSWORD_ATTEMPTS_EXCEEDED', 'ACCOUNT_EXPIRED', ...CODE_ERRORS],
    changes: [],
    audit: 'account',
  }),
  /** Registers the authenticator whose key a 110, a change of password or `qrCode` returned, with one of its codes. */
  registerOtp: post('/Account/RegisterOtp', {
    input: z.object({ id: typedId, pw: password, otp }),
    data: Empty,
    access: 'public',
    credentials: 'omit',
    errors: [
      'WRONG_CREDENTIALS',
      'PASSWORD_ATTEMPTS_EXCEEDED',
      'ACCOUNT_EXPIRED',
      'LOGIN_TYPE_REFUSED',
      'OTP_NOT_REGISTERED',
      'WRONG_OTP',
      'OTP_EXPIRED',
      'OTP_ATTEMPTS_EXCEEDED',
      'OTP_ALREADY_REGISTERED',
      'OTP_FAILED',
    ],
    changes: ['users', 'mails', 'session'],
    audit: 'account',
  }),
  /** Returns a new key to register; 111 once an authenticator is registered. The key before it is void. */
  qrCode: getNew('/Account/GoogleQRCodeString', {
    input: Empty,
    data: OtpRegistration.extend({ qrCodeString: z.string() }),
    access: 'session',
    errors: ['OTP_ALREADY_REGISTERED'],
    audit: { none: 'the key is void after 10 minutes unless it is registered' },
  }),
})
