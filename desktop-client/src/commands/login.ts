// acc-client login ID: signs in, registers this PC and stores the token.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { agent } from '@acc/contract/agent'
import type { InputOf } from '@acc/contract/core/route'
import { connect } from '../connection.ts'
import type { Context } from '../context.ts'
import { usageError } from '../errors.ts'
import { defineCommand } from '../options.ts'
import { plain } from '../output.ts'
import { hasTerminal, promptSecret, readSecret, withCode } from '../prompt.ts'
import type { Session } from '../state.ts'
import { VERSION } from '../version.ts'

type Credentials = InputOf<typeof agent.login>
type Options = { otp?: string; 'device-id'?: string; 'device-name'?: string; 'client-version'?: string }

export const login = defineCommand({
  options: {
    'password-stdin': { type: 'boolean' },
    otp: { type: 'string' },
    'device-id': { type: 'string' },
    'device-name': { type: 'string' },
    'client-version': { type: 'string' },
  },
  args: [1, 1],
  async run(context, values, [id = '']) {
    const pc = await pcOf(context, values)
    const pw = await passwordOf(context, id, values['password-stdin'] === true)
    const credentials = { id, pw, ...pc, otp: values.otp }
    const { token, user, policyRevision, sessionValidMinutes } = await signIn(context, credentials)
    await keep(context, { token, user, sessionValidMinutes, clientVersion: pc.clientVersion })
    const { server } = context
    return {
      document: { server, user, deviceId: pc.deviceId, policyRevision, sessionValidMinutes },
      lines: [context.texts.signedIn(server, plain(user.name), plain(user.id), plain(user.groupName))],
    }
  },
})

/** Returns this PC for registration. Its id is stored before it is sent: a lost id would waste a license. */
async function pcOf({ state }: Context, options: Options) {
  const kept = await state.read()
  const pc = {
    deviceId: options['device-id'] ?? kept.deviceId ?? randomUUID(),
    deviceName: options['device-name'] ?? (hostname().slice(0, 100) || 'PC'),
    clientVersion: options['client-version'] ?? VERSION,
  }
  requireFormat('otp', options.otp)
  requireFormat('deviceId', pc.deviceId)
  requireFormat('deviceName', pc.deviceName)
  requireFormat('clientVersion', pc.clientVersion)
  if (kept.deviceId !== pc.deviceId) await state.write({ ...kept, deviceId: pc.deviceId })
  return pc
}

const OPTION_OF = {
  otp: 'otp',
  deviceId: 'device-id',
  deviceName: 'device-name',
  clientVersion: 'client-version',
} as const

function requireFormat(field: keyof typeof OPTION_OF, value: string | undefined): void {
  if (agent.login.input.shape[field].safeParse(value).success) return
  throw usageError((texts) => (field === 'otp' ? texts.badOtp : texts.badValue(OPTION_OF[field])))
}

async function passwordOf({ texts }: Context, id: string, isOnInput: boolean): Promise<string> {
  if (isOnInput) return readSecret()
  if (!hasTerminal()) throw usageError((texts) => texts.passwordMissing)
  return promptSecret(texts.password(plain(id)))
}

function signIn(context: Context, credentials: Credentials) {
  const { server, language, signal } = context
  const { agent } = connect(server, language)
  return withCode(context, credentials.otp, (otp) => agent.login({ ...credentials, otp }, { signal }))
}

/** Replaces the stored sign-in and ends the previous one, so that it does not stay open unused. */
async function keep({ server, state, language }: Context, opened: Omit<Session, 'server'>): Promise<void> {
  const kept = await state.read()
  await state.write({ ...kept, session: { ...opened, server } })
  if (kept.session === undefined) return
  const before = connect(kept.session.server, language, kept.session.token)
  await before.agent.logout({}, { timeout: 3000 }).catch(() => undefined)
}
