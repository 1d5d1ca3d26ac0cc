// The typed calls of the desktop client's door, with the token of the sign-in (contract/client.ts). The SDK's first user:
// what a program needs to speak to ACC is `connect` and the contract.
import { account } from '@acc/contract/account'
import { agent } from '@acc/contract/agent'
import { ApiError, COMMUNICATION_FAILURE, createClient } from '@acc/contract/core/client'
import type { Language } from '@acc/contract/labels/enumOf'
import { networkBlocks } from '@acc/contract/networkBlocks'
import { requests } from '@acc/contract/requests'
import { answered, isAnswer, usageError } from './errors.ts'
import type { Session, State } from './state.ts'

const DEFAULT_SERVER = 'http://127.0.0.1:8080'

// A redirect would carry the token to where nobody meant it to go.
const stayHere: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' })

/** The calls of a server; without a token only `login` answers. */
export function connect(server: string, language: Language, token?: string) {
  const headers = { 'Accept-Language': language, ...(token !== undefined && { Authorization: `Bearer ${token}` }) }
  return createClient({ agent, requests, networkBlocks }, { baseUrl: server, headers: () => headers, fetch: stayHere })
}
export type Calls = ReturnType<typeof connect>

/** The calls about an account that need no session. */
export const accountCalls = (server: string, language: Language) =>
  createClient({ account }, { baseUrl: server, headers: () => ({ 'Accept-Language': language }), fetch: stayHere })
    .account

/** Which server: the option, the environment's, the one signed in to, this machine's. Without a slash at the end. */
export function serverOf(option: string | undefined, env: NodeJS.ProcessEnv, state: State): string {
  const text = option ?? (env.ACC_SERVER || state.session?.server) ?? DEFAULT_SERVER
  const url = URL.parse(text)
  const isAddress = url !== null && /^https?:$/.test(url.protocol)
  if (!isAddress || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw usageError((texts) => texts.badServer(text))
  }
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

/** The sign-in at this server. A token of another server does not count. */
export function sessionAt(server: string, state: State): Session {
  if (state.session?.server !== server) throw answered('NO_SESSION')
  return state.session
}

/**
 * Whether a failure may pass by itself: the network, a server that starts again or is kept busy. Everything else will
 * be the same the next time.
 */
export function isPassing(error: unknown): boolean {
  if (isAnswer(error, 'TOO_MANY_REQUESTS', 'UPLOAD_OFFSET')) return true
  return error instanceof ApiError && error.type === 'network' && PASSING.includes(error.code)
}
const PASSING = [COMMUNICATION_FAILURE, 429, 502, 503, 504]

/** The most time between two heartbeats. */
const HEARTBEAT_MS = 60_000

/**
 * Does long work beside heartbeats, so that a transfer of hours does not end for lack of use. The first one comes before
 * the work: whether one is signed in is better known before gigabytes are read.
 */
export async function keptAlive<T>(calls: Calls, session: Session, work: () => Promise<T>): Promise<T> {
  const beat = () => calls.agent.heartbeat({ clientVersion: session.clientVersion })
  await beat()
  const timer = setInterval(
    () => void beat().catch(() => undefined),
    Math.min(HEARTBEAT_MS, (session.sessionValidMinutes * 60_000) / 4),
  )
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
