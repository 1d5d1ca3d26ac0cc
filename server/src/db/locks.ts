// Locks that outlive a transaction, among all nodes: whoever receives a file holds it for as long as its bytes come, hours
// maybe. All locks of a process hang on one connection to the database, so that they cost no pool a connection, and a
// process that dies loses them at once (PostgreSQL 18 manual, section 13.3.5, advisory locks of a session).
import pg from 'pg'
import type { Connection } from './open.ts'

export type Lock = {
  /** Aborted when the connection was lost, and the lock with it: what it guarded must stop. */
  lost: AbortSignal
  release(): Promise<void>
}
export type Locks = {
  /** Takes the lock of a name, or answers undefined where anybody, on any node, holds it. */
  tryLock(name: string): Promise<Lock | undefined>
  close(): Promise<void>
}

type Line = { client: pg.Client; lost: AbortController }

/** Milliseconds within which a connection must be there. */
const CONNECT = 5_000
// A machine that vanishes without a word must not keep its locks for hours.
const OPTIONS = '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3'
const LOCK = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as got'
const UNLOCK = 'select pg_advisory_unlock(hashtextextended($1, 0))'

async function openLine(connection: Connection): Promise<Line> {
  const client = new pg.Client({
    ...connection,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT,
    application_name: 'acc locks',
    options: OPTIONS,
  })
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  await client.connect()
  return { client, lost }
}

/** Connects with the first lock, and again with the first after a lost connection. */
export function openLocks(connection: Connection): Locks {
  const held = new Set<string>()
  let line: Promise<Line> | undefined

  const connect = (): Promise<Line> => {
    const opening = openLine(connection)
    const forget = () => {
      if (line === opening) line = undefined
    }
    opening.then(({ lost }) => lost.signal.addEventListener('abort', forget), forget)
    line = opening
    return opening
  }
  const take = async (name: string): Promise<Lock | undefined> => {
    const { client, lost } = await (line ?? connect())
    const { rows } = await client.query<{ got: boolean }>(LOCK, [name])
    if (rows[0]?.got !== true) return undefined
    return {
      lost: lost.signal,
      release: async () => {
        held.delete(name)
        // A connection that cannot give it back takes the lock with it.
        await client.query(UNLOCK, [name]).catch(() => client.end().catch(() => undefined))
      },
    }
  }
  return {
    tryLock: async (name) => {
      // PostgreSQL would give one connection the same lock twice.
      if (held.has(name)) return undefined
      held.add(name)
      try {
        const lock = await take(name)
        if (lock === undefined) held.delete(name)
        return lock
      } catch (error) {
        held.delete(name)
        throw error
      }
    },
    close: async () => {
      const last = await line?.catch(() => undefined)
      await last?.client.end()
    },
  }
}
