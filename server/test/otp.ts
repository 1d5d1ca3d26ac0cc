// Authenticators and mailed codes of tests. totp-generator shares no code with the server's library.
import { TOTP } from 'totp-generator'
import type { Clock } from '../src/clock.ts'
import type { Services } from '../src/core/services.ts'
import { sealSecret } from '../src/domains/otp/totp.ts'
import { updateSetting } from '../src/settings/settings.ts'
import { mailsTo } from './mails.ts'

const STEP_MS = 30_000

/** Returns the code of an authenticator, some steps from now. */
export async function totpOf(secret: string, clock: Clock, steps = 0): Promise<string> {
  const timestamp = clock.now().getTime() + steps * STEP_MS
  const { otp } = await TOTP.generate(secret, { timestamp, explicitZeroPad: true })
  return otp
}

/** A code that is wrong now. */
export async function wrongTotpOf(secret: string, clock: Clock): Promise<string> {
  const right = new Set(await Promise.all([-1, 0, 1].map((steps) => totpOf(secret, clock, steps))))
  return ['000000', '000001', '000002', '000003'].find((code) => !right.has(code)) ?? ''
}

/** A key in base32, good for any account. */
export const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

/** Registers an authenticator with this key. */
export const registered = ({ db, key }: Pick<Services, 'db' | 'key'>, user: { idx: number }, secret = SECRET) =>
  db.write
    .updateTable('users')
    .set({ otpSecret: sealSecret(key, user.idx, 'otpSecret', secret), useOtp: 1 })
    .where('idx', '=', user.idx)
    .execute()

export const setDefaultOtp = ({ db }: Services, value: 0 | 1) =>
  db.write.transaction().execute((tx) => updateSetting(tx, 'defaultOtp', value))

/** The codes mailed to an address, the oldest first. */
export const mailedCodes = async (app: Pick<Services, 'db' | 'key'>, receiver: string): Promise<string[]> =>
  (await mailsTo(app, receiver)).flatMap(({ text }) => /^Verification code: (\d{6})$/m.exec(text)?.[1] ?? [])
