// One-time passwords: a call that needs a code is repeated with the one that is typed, if a terminal is present.
import type { Context } from './context.ts'
import { isAnswer } from './errors.ts'
import { hasTerminal, promptSecret } from './prompt.ts'

export async function withCode<T>(
  { isJson, texts }: Context,
  given: string | undefined,
  call: (otp: string | undefined) => Promise<T>,
): Promise<T> {
  try {
    return await call(given)
  } catch (error) {
    const isMailed = isAnswer(error, 'OTP_MAILED', 'OTP_ALREADY_SENT')
    const isWanted = isMailed || isAnswer(error, 'OTP_REQUIRED')
    if (!isWanted || given !== undefined || isJson || !hasTerminal()) throw error
    return call(await promptSecret(isMailed ? texts.mailedOtp : texts.otp))
  }
}
