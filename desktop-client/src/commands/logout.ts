// acc-client logout: ends the session on the server and deletes the token.
import { connect } from '../connection.ts'
import { isAnswer } from '../errors.ts'
import { defineCommand } from '../options.ts'

export const logout = defineCommand({
  options: {},
  args: [0, 0],
  async run({ server, state, language, texts, signal }) {
    const { session, ...rest } = await state.read()
    const isOpen = session?.server === server && (await end(connect(server, language, session.token), signal))
    if (session?.server === server) await state.write(rest)
    return {
      document: { server, signedOut: isOpen ? 1 : 0 },
      lines: [isOpen ? texts.signedOut : texts.wasSignedOut],
    }
  },
})

/** False if the session had already ended. */
async function end(calls: ReturnType<typeof connect>, signal: AbortSignal): Promise<boolean> {
  try {
    await calls.agent.logout({}, { signal })
    return true
  } catch (error) {
    if (isAnswer(error, 'NO_SESSION', 'SESSION_EXPIRED', 'SESSION_ENDED', 'DEVICE_REMOVED')) return false
    throw error
  }
}
