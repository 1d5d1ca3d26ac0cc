// Live changes across nodes: one LISTEN connection a process receives what transactions notify (core/change.ts)
// and passes them to event streams and caches. A lost connection is reopened; listeners then reload everything.
import pg from 'pg'
import { type Connection, KEEP_ALIVE } from '../db/open.ts'

/**
 * An announcement of a transaction: topic, row and its group; `userIdx` addresses one person's sessions,
 * `authorityIdxes` those of the members.
 */
export type HubEvent = {
  topic: string
  idx?: number | null
  groupIdx?: number | null
  userIdx?: number
  authorityIdxes?: readonly number[]
}
/** Follows a lost connection: anything may have changed. */
export const MISSED: HubEvent = { topic: 'missed' }

export type EventHub = {
  /** Calls back for every event until the returned function is called. */
  subscribe(listener: (event: HubEvent) => void): () => void
  close(): Promise<void>
}

/** Milliseconds before a lost connection is reopened. */
const RETRY = 1_000
/** Milliseconds that a connection may take: a machine that is away never responds. */
const CONNECT_TIMEOUT = 5_000

export async function openEventHub(
  connection: Connection,
  log: { warn(o: object, m: string): void },
): Promise<EventHub> {
  const listeners = new Set<(event: HubEvent) => void>()
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const notify = (event: HubEvent) => {
    for (const listener of listeners) listener(event)
  }
  const retry = (error?: Error) => {
    if (isClosed || timer !== undefined) return
    log.warn({ reason: error?.message ?? 'ended' }, 'the event connection was lost')
    client = undefined
    timer = setTimeout(() => {
      timer = undefined
      connect().then(() => notify(MISSED), retry)
    }, RETRY)
  }
  const connect = async () => {
    const next = new pg.Client({ ...connection, ...KEEP_ALIVE, connectionTimeoutMillis: CONNECT_TIMEOUT })
    // A replaced connection may still report its end.
    const lost = (error?: Error) => {
      if (client === next) retry(error)
    }
    next.on('error', lost)
    next.on('end', () => lost())
    next.on('notification', ({ payload }) => notify(JSON.parse(payload ?? '{}') as HubEvent))
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
