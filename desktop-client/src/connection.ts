// Typed calls of the API for the desktop client, with the token of the sign-in (contract/src/core/client.ts).
import { account } from '@acc/contract/account'
import { agent } from '@acc/contract/agent'
import { ApiError, COMMUNICATION_FAILURE, createClient } from '@acc/contract/core/client'
import type { Language } from '@acc/contract/labels/enumOf'
import { networkBlocks } from '@acc/contract/networkBlocks'
import { requests } from '@acc/contract/requests'
import { answered, isAnswer, usageError } from './errors.ts'
import type { Session, State } from './state.ts'

const DEFAULT_SERVER = 'http://127.0.0.1:8080'

// A redirect could send the token to another server.
const withoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' })

/** Returns the calls of a server; without a token only `login` works. */
export function connect(server: string, language: Language, token?: string) {
  const headers = { 'Accept-Language': language, ...(token !== undefined && { Authorization: `Bearer ${token}` }) }
  return createClient(
    { agent, requests, networkBlocks },
    { baseUrl: server, headers: () => headers, fetch: withoutRedirects },
  )
}
export type Calls = ReturnType<typeof connect>

/** Returns the account calls that need no session. */
export const accountCalls = (server: string, language: Language) =>
  createClient(
    { account },
    { baseUrl: server, headers: () => ({ 'Accept-Language': language }), fetch: withoutRedirects },
  ).account

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

type Choice = { server?: string; insecure?: boolean }

/**
 * Returns the server of the option, the environment, the sign-in or this machine, in this order, without a trailing
 * slash. Passwords and tokens leave this machine by https only, unless the option says otherwise.
 */
export function serverOf({ server, insecure }: Choice, env: NodeJS.ProcessEnv, state: State): string {
  const text = server ?? (env.ACC_SERVER || state.session?.server) ?? DEFAULT_SERVER
  const url = URL.parse(text)
  const isAddress = url !== null && /^https?:$/.test(url.protocol)
  if (!isAddress || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw usageError((texts) => texts.badServer(text))
  }
  const isSafe = url.protocol === 'https:' || LOOPBACK.test(url.hostname)
  if (!isSafe && insecure !== true) throw usageError((texts) => texts.insecureServer(text))
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

/** Returns the sign-in at this server; that of another server is ignored. */
export function sessionAt(server: string, state: State): Session {
  if (state.session?.server !== server) throw answered('NO_SESSION')
  return state.session
}

const isNetwork = (error: unknown, codes: readonly number[]): boolean =>
  error instanceof ApiError && error.type === 'network' && codes.includes(error.code)

/** Whether the server has not begun the call, because it restarts or is busy. */
export const isPostponed = (error: unknown): boolean =>
  isAnswer(error, 'TOO_MANY_REQUESTS', 'SERVER_BUSY') || isNetwork(error, [429, 503])

/** Whether an error is worth a retry: a call that did not begin, and network errors. */
export const isPassing = (error: unknown): boolean =>
  isPostponed(error) || isAnswer(error, 'UPLOAD_OFFSET') || isNetwork(error, [COMMUNICATION_FAILURE, 502, 504])

/** Longest time between two heartbeats. */
const HEARTBEAT_MS = 60_000

/**
 * Sends heartbeats during long work, so that the session does not expire in a transfer of hours. The first one precedes
 * the work, so that a missing session is found before gigabytes are read.
 */
export async function keepAlive<T>(calls: Calls, session: Session, work: () => Promise<T>): Promise<T> {
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
