// Live changes across nodes: one LISTEN connection a process hears what transactions notify (core/change.ts) and passes
// it to the open event streams and to caches. Lost connections are opened again; listeners then reload everything.
import pg from 'pg'
import { type Connection, KEEP_ALIVE } from '../db/open.ts'

/** What a transaction announces: which topic, which row, whose group; `userIdx` addresses one person's sessions. */
export type HubEvent = { topic: string; idx?: number | null; groupIdx?: number | null; userIdx?: number }
/** Said after a lost connection: anything may have changed meanwhile. */
export const MISSED: HubEvent = { topic: 'missed' }

export type EventHub = {
  /** Calls back for every event until the returned function is called. */
  subscribe(listener: (event: HubEvent) => void): () => void
  close(): Promise<void>
}

/** Milliseconds before a lost connection is tried again. */
const RETRY = 1_000
/** Milliseconds that a connection may take: one to a machine that is gone would never be answered. */
const CONNECT_TIMEOUT = 5_000

export async function openEventHub(
  connection: Connection,
  log: { warn(o: object, m: string): void },
): Promise<EventHub> {
  const listeners = new Set<(event: HubEvent) => void>()
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const tell = (event: HubEvent) => {
    for (const listener of listeners) listener(event)
  }
  const retry = (error?: Error) => {
    if (isClosed || timer !== undefined) return
    log.warn({ reason: error?.message ?? 'ended' }, 'the event connection was lost')
    client = undefined
    timer = setTimeout(() => {
      timer = undefined
      connect().then(() => tell(MISSED), retry)
    }, RETRY)
  }
  const connect = async () => {
    const next = new pg.Client({ ...connection, ...KEEP_ALIVE, connectionTimeoutMillis: CONNECT_TIMEOUT })
    // A connection that was replaced may still say that it ended.
    const lost = (error?: Error) => {
      if (client === next) retry(error)
    }
    next.on('error', lost)
    next.on('end', () => lost())
    next.on('notification', ({ payload }) => tell(JSON.parse(payload ?? '{}') as HubEvent))
    await next.connect()
    await next.query('listen acc')
    if (isClosed) await next.end()
    client = next
  }
  await connect()
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await client?.end()
    },
  }
}
