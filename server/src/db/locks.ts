// Locks that outlive a transaction, shared by all nodes: a file is locked while it is uploaded, possibly for hours. All
// locks of a process belong to one connection. So they take none from a pool, and a process that dies loses them at
// once (PostgreSQL 18 manual, section 13.3.5, session-level advisory locks).
import pg from 'pg'
import { type Connection, KEEP_ALIVE } from './open.ts'

export type Lock = {
  /** Aborted when the connection and with it the lock is lost: the guarded work must stop. */
  lost: AbortSignal
  release(): Promise<void>
}
export type Locks = {
  /** Takes the lock of a name; returns undefined if it is held on this or another node. */
  tryLock(name: string): Promise<Lock | undefined>
  close(): Promise<void>
}

type LockConnection = {
  client: pg.Client
  /** Runs a statement about a name, and returns what it got. */
  run(statement: string, name: string): Promise<boolean | undefined>
  lost: AbortController
}

/** Timeout for opening the connection, in milliseconds. */
const CONNECT_TIMEOUT = 5_000
// A machine that disappears from the network must not keep its locks for hours.
const OPTIONS = '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3'
const LOCK = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as got'
const UNLOCK = 'select pg_advisory_unlock(hashtextextended($1, 0)) as got'

/** Runs statements one after the other, since a connection executes one at a time; a failed one delays no other. */
function inTurn(client: pg.Client): LockConnection['run'] {
  let previous: Promise<unknown> = Promise.resolve()
  return (statement, name) => {
    const result = previous.then(() => client.query<{ got: boolean }>(statement, [name]))
    previous = result.catch(() => undefined)
    return result.then(({ rows }) => rows[0]?.got)
  }
}

async function openConnection(connection: Connection): Promise<LockConnection> {
  const client = new pg.Client({
    ...connection,
    ...KEEP_ALIVE,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    application_name: 'acc locks',
    options: OPTIONS,
  })
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  await client.connect()
  return { client, run: inTurn(client), lost }
}

/** Opens the locks. The connection is opened with the first lock, and again with the first one after it was lost. */
export function openLocks(connection: Connection): Locks {
  const held = new Set<string>()
  let current: Promise<LockConnection> | undefined

  const connect = (): Promise<LockConnection> => {
    const opening = openConnection(connection)
    const forget = () => {
      if (current === opening) current = undefined
    }
    opening.then(({ lost }) => lost.signal.addEventListener('abort', forget), forget)
    current = opening
    return opening
  }
  const take = async (name: string): Promise<Lock | undefined> => {
    const { client, run, lost } = await (current ?? connect())
    if ((await run(LOCK, name)) !== true) return undefined
    return {
      lost: lost.signal,
      release: async () => {
        held.delete(name)
        // If unlocking fails, ending the connection releases the lock.
        await run(UNLOCK, name).catch(() => client.end().catch(() => undefined))
      },
    }
  }
  return {
    tryLock: async (name) => {
      // PostgreSQL grants a lock again to the connection that holds it.
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
      const last = await current?.catch(() => undefined)
      await last?.client.end()
    },
  }
}
