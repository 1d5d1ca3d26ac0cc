// Seals of the history: each one holds the hashes of rows, is chained to the seal before it, and is signed. With the
// database alone, no row can be altered, removed or added unnoticed (docs/decisions/11-history.md).
import { createHash } from 'node:crypto'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Reader, Tx } from '../../db/open.ts'
import type { HistorySeals } from '../../db/schema.gen.ts'
import type { Source } from './history.outgoing.ts'
import { isSigned } from './history.sealKey.ts'

/** The rows that are sealed: changes, sign-ins, and the ends of their sessions by the numbers of these. */
export const SEALED = ['history', 'signIns', 'signOuts'] as const
export type Sealed = (typeof SEALED)[number]
export type Seal = Selectable<HistorySeals>

/** Bytes of a row in a seal: its number, the day of its month's partition since 1970, the beginning of its SHA-256. */
const ROW_BYTES = 28
const HASH_BYTES = 16
/** Milliseconds of waiting for rows that are being written; writers wait behind it for as long. */
const LOCK_TIMEOUT = 2_000

type RowsOf = {
  table: 'history' | 'signIns'
  no: 'idx' | 'endNo'
  at: 'logDT' | 'loginDT'
  fields: RawBuilder<unknown>
}

/** The fields of a row that are sealed, as one JSON array: generated columns follow from them. */
export const ROWS_OF: Readonly<Record<Sealed, RowsOf>> = {
  history: {
    table: 'history',
    no: 'idx',
    at: 'logDT',
    fields: sql`jsonb_build_array(idx, kind, extract(epoch from "logDT"), "actorIdx", "actorId", "actorName",
      "actorGroupName", subject, "subjectIdx", "groupIdx", ip, type, result, detail)`,
  },
  signIns: {
    table: 'signIns',
    no: 'idx',
    at: 'loginDT',
    // Ends without a number were inserted with their row and never change.
    fields: sql`jsonb_build_array(idx, kind, extract(epoch from "loginDT"), "userIdx", "userId", "userName", "userGroupName",
      "groupIdx", ip, "userRole", type, "clientVersion", "deviceName",
      case when "endNo" is null then extract(epoch from "logoutDT") end, case when "endNo" is null then "logoutType" end)`,
  },
  signOuts: {
    table: 'signIns',
    no: 'endNo',
    at: 'loginDT',
    fields: sql`jsonb_build_array("endNo", idx, extract(epoch from "loginDT"), extract(epoch from "logoutDT"), "logoutType")`,
  },
}

export type Range = { after: number; to: number; limit: number }

/** Restricts rows to `after < number <= to`; from 0 on means from the smallest number that the database can hold. */
export const inRange = (no: 'idx' | 'endNo', { after, to }: Omit<Range, 'limit'>) =>
  after === 0
    ? sql<boolean>`${sql.ref(no)} <= ${to}`
    : sql<boolean>`${sql.ref(no)} > ${after} and ${sql.ref(no)} <= ${to}`

/** Finds the hashes of rows in a range, the first `limit` of them, as a seal has them. */
export async function findHashes(db: Reader, source: Sealed, range: Range) {
  const { table, no, at, fields } = ROWS_OF[source]
  return db
    .selectFrom((from) =>
      from
        .selectFrom(table)
        .select([
          sql<number>`${sql.ref(no)}`.as('no'),
          sql<Date>`${sql.ref(at)}`.as('at'),
          sql<Buffer>`substring(sha256(convert_to(${fields}::text, 'UTF8')) for ${sql.lit(HASH_BYTES)})`.as('hash'),
        ])
        .where(inRange(no, range))
        .orderBy(sql.ref(no))
        .limit(range.limit)
        .as('sealed'),
    )
    .select([
      sql<number>`count(*)::int`.as('rows'),
      sql<number>`coalesce(max(no), 0)`.as('last'),
      sql<Date | null>`min(at)`.as('firstDT'),
      sql<Date | null>`max(at)`.as('lastDT'),
      sql<Buffer>`coalesce(string_agg(int8send(no) || int4send((at at time zone 'UTC')::date - date '1970-01-01') || hash,
        ''::bytea order by no), ''::bytea)`.as('hashes'),
    ])
    .executeTakeFirstOrThrow()
}

/** A row as a seal has it. */
export type SealedRow = { no: number; day: number; hash: Buffer }

export function* rowsIn(hashes: Buffer): Generator<SealedRow> {
  for (let at = 0; at < hashes.length; at += ROW_BYTES)
    yield {
      no: Number(hashes.readBigInt64BE(at)),
      day: hashes.readInt32BE(at + 8),
      hash: hashes.subarray(at + ROW_BYTES - HASH_BYTES, at + ROW_BYTES),
    }
}

export type SealEnd = Pick<Seal, 'no' | 'source' | 'toIdx' | 'hash' | 'sealDT'>

export const findLastSeal = (db: Reader): Promise<SealEnd | undefined> =>
  db
    .selectFrom('historySeals')
    .select(['no', 'toIdx', 'hash', 'sealDT', 'source'])
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findSeal = (db: Reader, no: number): Promise<Seal | undefined> =>
  db.selectFrom('historySeals').selectAll().where('no', '=', no).executeTakeFirst()

/** Returns the hash of a seal, over the hash before it and its own content. */
export function hashOf(before: Uint8Array, seal: Omit<Seal, 'hash' | 'signature'>): Buffer {
  const { no, source, toIdx, rows, hashes } = seal
  const [firstDT, lastDT, sealDT] = [seal.firstDT, seal.lastDT, seal.sealDT].map((at) => at.toISOString())
  const head = [no, source, toIdx, rows, firstDT, lastDT, sealDT]
  return createHash('sha256').update(before).update(JSON.stringify(head)).update(hashes).digest()
}

/** Whether a seal is as it was made, by this key and behind this hash. */
export function isGenuine(seal: Seal, before: Uint8Array, publicKey: string): boolean {
  return (
    hashOf(before, seal).equals(seal.hash) &&
    seal.hashes.length === seal.rows * ROW_BYTES &&
    isSigned('seal', seal.hash, seal.signature, publicKey)
  )
}

/** The hash before the first seal. */
export const BEGINNING = Buffer.alloc(32)

/** Finds the last number of a source up to which no more rows can appear. Waits for all that are being written. */
export async function findComplete(tx: Tx, source: Source): Promise<number> {
  await sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT)}, true)`.execute(tx)
  const { rows } = await sql<{ last: number }>`select "lastComplete"(${source}) as last`.execute(tx)
  return rows[0]?.last ?? 0
}
