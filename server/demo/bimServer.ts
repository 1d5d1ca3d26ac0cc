// A small BIM server, written as an example for those who connect a real one (docs/manuals/bim-server.md). It needs nothing but
// fetch: it lets people in by the rules of ACC, reports who is connected every 30 seconds, and reads the rules again when
// their revision differs. The tests and the demo run it.
import { setTimeout as wait } from 'node:timers/promises'

/** Seconds between heartbeats. ACC shows a server as offline after 90 seconds of silence. */
const HEARTBEAT_SECONDS = 30

export type Connection = { userId: string; ip: string; connectDT: string }
export type Rules = { revision: string; exceptions: string[]; users: string[] }

export type BimServerOptions = {
  /** The address of ACC, such as https://acc.example.com, called from the IP that is registered for this server. */
  url: string
  /** The id of this server, from the console (BIM > Servers). Keep it secret: it is what this server signs in with. */
  id: string
  fetch?: typeof fetch
}

export function openBimServer({ url, id, fetch = globalThis.fetch }: BimServerOptions) {
  /** By user and IP: one connection each. */
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

  /** Whether the rules let a user in. Without rules no one passes. */
  const mayPass = (userId: string, ip: string): boolean =>
    rules !== undefined && (rules.exceptions.includes(ip) || rules.users.includes(userId))

  async function readRules(): Promise<void> {
    rules = await call<Rules>('GET', '/BimServer/Rules')
    for (const [name, { userId, ip }] of connections) if (!mayPass(userId, ip)) connections.delete(name)
  }

  return {
    mayPass,
    /** Lets a user in if the rules do. Returns whether they are connected now. */
    connect(userId: string, ip: string, at = new Date()): boolean {
      if (!mayPass(userId, ip)) return false
      const name = `${userId} ${ip}`
      if (!connections.has(name)) connections.set(name, { userId, ip, connectDT: at.toISOString() })
      return true
    },
    disconnect: (userId: string, ip: string): boolean => connections.delete(`${userId} ${ip}`),
    connections: (): Connection[] => [...connections.values()],
    /** The rules as they were last read. */
    rules: (): Rules | undefined => rules,
    /** Reports who is connected. Where the rules have changed, reads them and checks the connections once more. */
    async report(): Promise<void> {
      const live = { connections: [...connections.values()] }
      const { revision } = await call<{ revision: string }>('POST', '/BimServer/Heartbeat', live)
      if (revision !== rules?.revision) await readRules()
    },
    /** Reports until the signal aborts. A failed heartbeat is tried again at the next one. */
    async run(signal: AbortSignal, seconds = HEARTBEAT_SECONDS): Promise<void> {
      while (!signal.aborted) {
        await this.report().catch(() => undefined)
        await wait(seconds * 1000, undefined, { signal }).catch(() => undefined)
      }
    },
  }
}
