// Opens the pools of the database: those for reading, whose connections PostgreSQL itself keeps read-only, and `write`,
// which only change() (core/change.ts) and the jobs use.
import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely'
import pg from 'pg'
import { connectForReads, followReleases } from './reads.ts'
import { followReplica, noReplica, type Replica } from './replica.ts'
import type { DB } from './schema.gen.ts'
import { PreparingClient, type StatementPool } from './statement.ts'
import type { StreamPool } from './stream.ts'

/** A database to read from: no insert, update or delete, and no raw statements. A transaction is one, too. */
export type Reader = Pick<Kysely<DB>, 'selectFrom' | 'with' | 'fn' | 'dynamic' | 'selectNoFrom' | 'executeQuery'>
export type Tx = Transaction<DB>

export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string }

export type Database = {
  read: Kysely<DB>
  /** For rows that are sent as fast as their reader takes them, which may hold a connection for hours. */
  streams: StreamPool
  write: Kysely<DB>
  /** For the look-up of sessions alone, which no other work then holds up. */
  sessions: StatementPool
  /** For histories and CSV files. */
  replica: Replica
  /** Connection parameters, for LISTEN, locks and the job queue. */
  connection: Connection
  log: Log
  close(): Promise<void>
}
type Log = { warn(fields: object, text: string): void }

const { INT8, DATE, TIMESTAMPTZ } = pg.types.builtins
const INT8_ARRAY = 1016
// Keys stay far below 2^53; days are text, since a day has no time zone.
pg.types.setTypeParser(INT8, Number)
const setArrayParser: (oid: number, parse: (text: string) => number[]) => void = pg.types.setTypeParser
setArrayParser(INT8_ARRAY, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)))
pg.types.setTypeParser(DATE, (text) => text)
pg.types.setTypeParser(TIMESTAMPTZ, (text) => new Date(text))

/** Time limit of a statement, in milliseconds. */
const STATEMENT_TIMEOUT = 30_000
/** Streams at the same time on one node; another one waits for a connection and fails with 503 after the timeout. */
const STREAMS = 4
/** Connections that look up sessions, a tenth of a millisecond each. */
const SESSIONS = 4
/** A silent connection is looked after, so that the loss of the database's machine is noticed within half a minute. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const
/** Statements for reading end where their connection was closed, which is looked for this often. */
const READ_ONLY = '-c default_transaction_read_only=on -c client_connection_check_interval=1s'

/** Opens pools to one database or another, and closes them together. */
function openPools(connection: Connection, log: Log) {
  const connected = new Set<Promise<void>>()
  const follow = (client: pg.PoolClient) => {
    // A lost connection fails its query; without a listener, its error event would also end the process.
    client.on('error', () => undefined)
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    connected.add(ended)
    void ended.then(() => connected.delete(ended))
  }
  const pools: pg.Pool[] = []
  const open = (options: string, max: number, at = connection) => {
    const pool = new pg.Pool({
      ...at,
      Client: PreparingClient,
      max,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 30_000,
      ...KEEP_ALIVE,
      options: `-c statement_timeout=${STATEMENT_TIMEOUT} -c idle_in_transaction_session_timeout=60000 -c timezone=UTC ${options}`,
    })
    pools.push(pool)
    pool.on('connect', follow)
    // An idle connection that the server drops must not end the process; the pool opens a new one.
    pool.on('error', (error) => log.warn({ reason: error.message }, 'a database connection was lost'))
    return pool
  }
  const close = async () => {
    await Promise.all(pools.map((pool) => pool.end()))
    // Pools do not wait until their connections are closed. A database that stops before would log them as lost.
    await Promise.all(connected)
  }
  return { open, close }
}

const kyselyOf = (pool: PostgresPool) => new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
const readsOf = (pool: pg.Pool) =>
  kyselyOf({ options: pool.options, connect: () => connectForReads(pool), end: () => pool.end() })

export function openDatabase(connection: Connection, log: Log, poolSize = 10, replicaAt?: Connection): Database {
  const { open, close } = openPools(connection, log)
  const openReads = (max: number, at = connection) => {
    const pool = open(READ_ONLY, max, at)
    followReleases(pool)
    return pool
  }
  const readPool = openReads(poolSize)
  const read = readsOf(readPool)
  const streams = openReads(STREAMS)
  const write = kyselyOf(open('', poolSize))
  const sessions = open(READ_ONLY, SESSIONS)
  const openCopy = (at: Connection) => {
    const queries = openReads(poolSize, at)
    return { queries, read: readsOf(queries), streams: openReads(STREAMS, at) }
  }
  const primary = { read, streams }
  const copy = replicaAt && openCopy(replicaAt)
  return {
    read,
    streams,
    write,
    sessions,
    replica: copy === undefined ? noReplica(primary) : followReplica(primary, readPool, copy, log),
    connection,
    log,
    close,
  }
}
