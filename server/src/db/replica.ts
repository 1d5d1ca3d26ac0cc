// A read-only copy of the database for histories and CSV files. It is read only while it has all that was committed
// before a call began: callers read their own writes, and rights are never evaluated on stale data.
import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from './schema.gen.ts'
import type { StreamPool } from './stream.ts'

/** What a call reads from. */
export type Readers = { read: Kysely<DB>; streams: StreamPool }

/** Milliseconds for which a call waits for the copy to catch up, and between two looks. */
const PATIENCE = 100
const POLL = 10
/** Milliseconds for which a copy that failed is left alone. */
const REST = 5_000

export type Replica = {
  /** Finds what a call may read from: the copy, or the primary where that is behind, down or no copy. */
  findReaders(): Promise<Readers>
  /** Reports that a statement failed on the copy. */
  reportFailure(error: unknown): void
}

type Queries = Pick<pg.Pool, 'query'>
type Copy = Readers & { queries: Queries }
type Log = { warn(o: object, m: string): void }

const POSITION = `select pg_current_wal_flush_lsn()::text as position, system_identifier::text as system from pg_control_system()`
const IS_CURRENT = `select pg_is_in_recovery() and system_identifier::text = $2 as "isCopy",
  coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as "isCurrent" from pg_control_system()`

async function isCurrent(primary: Queries, copy: Queries, patience: number): Promise<boolean> {
  const { rows: positions } = await primary.query<{ position: string; system: string }>(POSITION)
  const { position, system } = positions[0] ?? {}
  for (const end = performance.now() + patience; ; await wait(POLL)) {
    const { rows } = await copy.query<{ isCopy: boolean; isCurrent: boolean }>(IS_CURRENT, [position, system])
    if (rows[0]?.isCopy !== true) throw new Error('it is not a standby of the database')
    if (rows[0].isCurrent) return true
    if (performance.now() >= end) return false
  }
}

/** `queries`: the primary, for its position. */
export function followReplica(primary: Readers, queries: Queries, copy: Copy, log: Log): Replica {
  let restUntil = 0
  let isBehind = false
  const reportFailure = (error: unknown) => {
    restUntil = performance.now() + REST
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'the replica is not read for a while')
  }
  return {
    async findReaders() {
      if (performance.now() < restUntil) return primary
      try {
        // Calls do not wait again and again for a copy that stays behind.
        isBehind = !(await isCurrent(queries, copy.queries, isBehind ? 0 : PATIENCE))
        return isBehind ? primary : copy
      } catch (error) {
        reportFailure(error)
        return primary
      }
    },
    reportFailure,
  }
}

/** Without a copy the primary is read. */
export const noReplica = (primary: Readers): Replica => ({
  findReaders: async () => primary,
  reportFailure: () => undefined,
})
