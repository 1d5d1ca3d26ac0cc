// acc-client password ID: replaces a current or temporary password, for people who cannot use the portal.
import { account } from '@acc/contract/account'
import { accountCalls } from '../connection.ts'
import type { Context } from '../context.ts'
import { usageError } from '../errors.ts'
import { defineCommand } from '../options.ts'
import { plain } from '../output.ts'
import { hasTerminal, promptSecret, readSecrets, withCode } from '../prompt.ts'

type Change = { pw: string; newPw: string }

export const password = defineCommand({
  options: { 'password-stdin': { type: 'boolean' }, otp: { type: 'string' } },
  args: [1, 1],
  async run(context, values, [id = '']) {
    const { server, language, signal, texts } = context
    const { otp } = values
    if (!account.changePw.input.shape.otp.safeParse(otp).success) throw usageError((texts) => texts.badOtp)
    const passwords = values['password-stdin'] === true ? await readChange() : await promptChange(context, id)
    const calls = accountCalls(server, language)
    const answer = await withCode(context, otp, (code) => calls.changePw({ id, ...passwords, otp: code }, { signal }))
    await forgetSession(context, id)
    return {
      document: { server, id, changed: 1 },
      lines: [answer.otpSecret === undefined ? texts.passwordChanged : texts.passwordChangedOtp],
    }
  },
})

async function readChange(): Promise<Change> {
  const [pw, newPw] = await readSecrets(2)
  if (pw === undefined || newPw === undefined) throw usageError((texts) => texts.twoPasswords)
  return { pw, newPw }
}

async function promptChange({ texts }: Context, id: string): Promise<Change> {
  if (!hasTerminal()) throw usageError((texts) => texts.passwordMissing)
  const pw = await promptSecret(texts.password(plain(id)))
  const newPw = await promptSecret(texts.newPassword)
  if ((await promptSecret(texts.newPasswordAgain)) !== newPw) throw usageError((texts) => texts.passwordsDiffer)
  return { pw, newPw }
}

/** The server ended every session of the account; the stored token is invalid. */
async function forgetSession({ server, state }: Context, id: string): Promise<void> {
  const { session, ...rest } = await state.read()
  if (session?.server === server && session.user.id.toLowerCase() === id.toLowerCase()) await state.write(rest)
}
