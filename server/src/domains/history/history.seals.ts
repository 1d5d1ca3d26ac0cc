// Seals of the history: a job hashes the rows that came since the last seal, chains the hashes to it and signs the result.
// With the database alone, without the secret key, no row can then be altered, removed or added unnoticed.
import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { asSystem } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { HistorySeals } from '../../db/schema.gen.ts'
import type { Source } from './history.outgoing.ts'
import { findSealKey } from './history.sealKey.ts'

export type Seal = Selectable<HistorySeals>

/** Rows that one seal covers at most. */
const BATCH = 10_000
/** Bytes of a row in a seal: its idx and the beginning of its SHA-256. */
export const ROW_BYTES = 24
/** Milliseconds of waiting for rows that are being written; writers wait behind it for as long. */
const LOCK_TIMEOUT = 2_000

/** The fields of a row that are sealed, as one JSON array: generated columns follow from them. */
const SEALED = sql`jsonb_build_array(idx, kind, extract(epoch from "logDT"), "actorIdx", "actorId", "actorName", "actorGroupName",
  subject, "subjectIdx", "groupIdx", ip, type, result, detail)`

/** Finds the hashes of rows with `after < idx <= to`, the first `limit` of them, as a seal has them. */
export async function findHashes(db: Reader, range: { after: number; to: number; limit: number }) {
  const { after, to, limit } = range
  return db
    .selectFrom((from) =>
      from
        .selectFrom('history')
        .select(['idx', 'logDT', sql<Buffer>`substring(sha256(convert_to(${SEALED}::text, 'UTF8')) for 16)`.as('hash')])
        .where('idx', '>', after)
        .where('idx', '<=', to)
        .orderBy('idx')
        .limit(limit)
        .as('sealed'),
    )
    .select([
      sql<number>`count(*)::int`.as('rows'),
      sql<number>`coalesce(max(idx), 0)`.as('last'),
      sql<Date | null>`min("logDT")`.as('firstDT'),
      sql<Buffer>`coalesce(string_agg(int8send(idx) || hash, ''::bytea order by idx), ''::bytea)`.as('hashes'),
    ])
    .executeTakeFirstOrThrow()
}

export const findLastSeal = (db: Reader): Promise<Pick<Seal, 'no' | 'toIdx' | 'hash' | 'sealDT'> | undefined> =>
  db
    .selectFrom('historySeals')
    .select(['no', 'toIdx', 'hash', 'sealDT'])
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The hash of a seal, over the one before and its own content. */
export function hashOf(
  before: Uint8Array,
  seal: Pick<Seal, 'no' | 'toIdx' | 'rows' | 'firstDT' | 'hashes' | 'sealDT'>,
): Buffer {
  const head = JSON.stringify([seal.no, seal.toIdx, seal.rows, seal.firstDT.toISOString(), seal.sealDT.toISOString()])
  return createHash('sha256').update(before).update(head).update(seal.hashes).digest()
}

/** The hash before the first seal. */
export const BEGINNING = Buffer.alloc(32)

/** Finds the last number of a source below which no row can appear any more: all that are being written are waited for. */
export async function findComplete(tx: Tx, source: Source): Promise<number> {
  await sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT)}, true)`.execute(tx)
  const { rows } = await sql<{ last: number }>`select "lastComplete"(${source}) as last`.execute(tx)
  return rows[0]?.last ?? 0
}

type SealServices = Pick<Services, 'db' | 'clock' | 'key'> & { log: Pick<Services['log'], 'info'> }

/** Seals the next rows up to `complete`; returns whether there are more. */
async function sealNext({ key, clock, log }: SealServices, tx: Tx, complete: number): Promise<boolean> {
  // One node at a time, whatever the queue does.
  await sql`select pg_advisory_xact_lock(hashtext('historySeals'))`.execute(tx)
  const last = await findLastSeal(tx)
  const found = await findHashes(tx, { after: last?.toIdx ?? 0, to: complete, limit: BATCH })
  if (found.firstDT === null) return false
  const isFull = found.rows === BATCH
  const seal = {
    no: (last?.no ?? 0) + 1,
    toIdx: isFull ? found.last : complete,
    rows: found.rows,
    firstDT: found.firstDT,
    hashes: found.hashes,
    sealDT: clock.now(),
  }
  const hash = hashOf(last?.hash ?? BEGINNING, seal)
  await tx
    .insertInto('historySeals')
    .values({ ...seal, hash, signature: (await findSealKey(tx, key)).sign(hash) })
    .execute()
  log.info({ no: seal.no, toIdx: seal.toIdx, rows: seal.rows, hash: hash.toString('hex') }, 'the history was sealed')
  return isFull
}

/** Seals all rows of the history that have come since the last seal. */
export async function sealHistory(services: SealServices): Promise<void> {
  const complete = await asSystem(services, async (tx) => ({ result: await findComplete(tx, 'history') }))
  let isMore = true
  while (isMore) isMore = await asSystem(services, async (tx) => ({ result: await sealNext(services, tx, complete) }))
}
