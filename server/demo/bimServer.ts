// A small BIM server, an example for real ones (docs/manuals/bim-server.md). It connects users by the rules of ACC,
// reports the connections every 30 seconds, and reads the rules again when their revision differs. Tests and demo run
// it.
import { setTimeout as wait } from 'node:timers/promises'

/** Seconds between heartbeats. ACC shows a server as offline after 90 seconds of silence. */
const HEARTBEAT_SECONDS = 30

export type Connection = { userId: string; ip: string; connectDT: string }
export type Rules = { revision: string; exceptions: string[]; users: string[] }

export type BimServerOptions = {
  /** The address of ACC, such as https://acc.example.com, called from the IP that is registered for this server. */
  url: string
  /** The id of this server, from the console (BIM > Servers). Keep it secret: this server signs in with it. */
  id: string
  fetch?: typeof fetch
}

export function openBimServer({ url, id, fetch = globalThis.fetch }: BimServerOptions) {
  /** One connection for each user and IP. */
  const connections = new Map<string, Connection>()
  let rules: Rules | undefined

  async function call<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${id}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const { errorCode, data } = (await response.json()) as { errorCode: number; data?: unknown }
    // 960: unknown id, 980: called from another IP than the registered one, 113: too many calls.
    if (errorCode !== 0) throw new Error(`ACC refused the call with code ${errorCode}`)
    return data as T
  }

  /** Whether the rules allow a user. Without rules nobody is allowed. */
  const mayPass = (userId: string, ip: string): boolean =>
    rules !== undefined && (rules.exceptions.includes(ip) || rules.users.includes(userId))

  async function readRules(): Promise<void> {
    rules = await call<Rules>('GET', '/BimServer/Rules')
    for (const [name, { userId, ip }] of connections) if (!mayPass(userId, ip)) connections.delete(name)
  }

  return {
    mayPass,
    /** Connects a user if the rules allow it. Returns whether the user is connected. */
    connect(userId: string, ip: string, at = new Date()): boolean {
      if (!mayPass(userId, ip)) return false
      const name = `${userId} ${ip}`
      if (!connections.has(name)) connections.set(name, { userId, ip, connectDT: at.toISOString() })
      return true
    },
    disconnect: (userId: string, ip: string): boolean => connections.delete(`${userId} ${ip}`),
    connections: (): Connection[] => [...connections.values()],
    /** The rules of the last read. */
    rules: (): Rules | undefined => rules,
    /** Reports the connections. If the rules have changed, reads them and checks the connections again. */
    async report(): Promise<void> {
      const live = { connections: [...connections.values()] }
      const { revision } = await call<{ revision: string }>('POST', '/BimServer/Heartbeat', live)
      if (revision !== rules?.revision) await readRules()
    },
    /** Reports until the signal aborts. A failed heartbeat is repeated by the next one. */
    async run(signal: AbortSignal, seconds = HEARTBEAT_SECONDS): Promise<void> {
      while (!signal.aborted) {
        await this.report().catch(() => undefined)
        await wait(seconds * 1000, undefined, { signal }).catch(() => undefined)
      }
    },
  }
}
