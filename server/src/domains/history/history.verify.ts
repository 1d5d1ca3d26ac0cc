// Verification of the sealed history: the chain of seals, their signatures, and every row against its hash. Holds one
// seal with its rows in memory at a time.
import { sql } from 'kysely'
import { days } from '../../clock.ts'
import type { Reader } from '../../db/open.ts'
import { findSetting } from '../../settings/settings.ts'
import type { Finding } from './history.findings.ts'
import { findStray, type Head, readHead } from './history.head.ts'
import {
  BEGINNING,
  findHashes,
  findLastSeal,
  findSeal,
  inRange,
  isGenuine,
  ROWS_OF,
  rowsIn,
  SEALED,
  type Seal,
  type Sealed,
  type SealedRow,
} from './history.seals.ts'

/** Returns since when rows are kept. An earlier, shorter retention period dropped more rows; signed heads record it. */
export async function findKeptSince(db: Reader, publicKey: string, keptSince: Date): Promise<Date> {
  const text = await findSetting(db, 'historyHead')
  const known = text === undefined ? undefined : readHead(text, publicKey)?.keptSince
  return known != null && new Date(known) > keptSince ? new Date(known) : keptSince
}

type KnownSeal = Pick<Head, 'no' | 'hash'>
/** Where a verification begins: behind a seal, and the last numbers that are sealed until there. */
export type Base = Pick<Head, 'no' | 'hash' | 'to'>

export type VerificationResult = {
  finding: Finding | undefined
  /** Seals and rows that were compared and found as they were sealed. */
  seals: number
  rows: number
  /** Rows that the retention period ended. */
  dropped: number
  /** Rows that came after the last seals. */
  unsealed: number
  head: { no: number; hash: string; sealDT: Date } | undefined
  /** Behind the last seal that was verified. */
  through: Base
  /** Whether there are seals behind it: the time was over. */
  isMore: boolean
}

type Trust = {
  publicKey: string
  /** Since when rows are kept: whole months before may be gone. */
  keptSince: Date
  /** Seals known from elsewhere. */
  expected?: readonly KnownSeal[]
  /** Where to begin; without it at the first seal. */
  base?: Base | undefined
  /** Whether to go on with the next seal; without it to the last one. */
  hasTime?: () => Promise<boolean>
}

export const NO_BASE: Base = {
  no: 0,
  hash: BEGINNING.toString('hex'),
  to: { history: 0, signIns: 0, signOuts: 0 },
}

/** The beginning of the month of a moment in UTC. */
const monthOf = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))
const nextMonthOf = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))

/** Whether a missing row went with its month: that one is over, and the table has no row of it any more. */
async function isDropped(db: Reader, source: Sealed, at: Date, keptSince: Date): Promise<boolean> {
  const [begin, end] = [monthOf(at), nextMonthOf(at)]
  if (end > monthOf(keptSince)) return false
  const { table, at: column } = ROWS_OF[source]
  const left = await db
    .selectFrom(table)
    .select('idx')
    .where(sql<boolean>`${sql.ref(column)} >= ${begin} and ${sql.ref(column)} < ${end}`)
    .limit(1)
    .executeTakeFirst()
  return left === undefined
}

type Comparison = { finding: Finding | undefined; dropped: number }

/** Compares the rows of a seal with the present ones, both in the order of their numbers. */
async function compare(db: Reader, seal: Seal, present: Buffer, keptSince: Date): Promise<Comparison> {
  const { no, source } = seal
  const months = new Map<string, boolean>()
  const isGone = async (day: number) => {
    const at = new Date(days(day))
    const month = monthOf(at).toISOString()
    const known = months.get(month) ?? (await isDropped(db, source, at, keptSince))
    months.set(month, known)
    return known
  }
  const rows = rowsIn(present)
  const next = (): SealedRow | undefined => rows.next().value ?? undefined
  let dropped = 0
  let row = next()
  for (const was of rowsIn(seal.hashes)) {
    if (row !== undefined && row.no < was.no) break
    if (row?.no !== was.no) {
      if (!(await isGone(was.day))) return { finding: { fault: 'missing', source, idx: was.no, no }, dropped }
      dropped++
    } else {
      if (!was.hash.equals(row.hash)) return { finding: { fault: 'altered', source, idx: row.no, no }, dropped }
      row = next()
    }
  }
  if (row !== undefined) return { finding: { fault: 'inserted', source, idx: row.no, no }, dropped }
  return { finding: undefined, dropped }
}

async function countAfter(db: Reader, to: Base['to']): Promise<number> {
  let sum = 0
  for (const source of SEALED) {
    const { table, no } = ROWS_OF[source]
    const { count } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(inRange(no, { after: to[source], to: Number.MAX_SAFE_INTEGER }))
      .executeTakeFirstOrThrow()
    sum += count
  }
  return sum
}

/** Verifies the history up to the first fault, or for as long as there is time. */
export async function verifyHistory(
  db: Reader,
  { publicKey, keptSince, expected = [], base = NO_BASE, hasTime }: Trust,
): Promise<VerificationResult> {
  const last = await findLastSeal(db)
  const lastNo = last?.no ?? 0
  const none = { finding: await findStray(db), seals: 0, rows: 0, dropped: 0, unsealed: 0 }
  let result: VerificationResult = { ...none, head: undefined, through: base, isMore: false }
  const known = new Map(expected.map(({ no, hash }) => [no, hash]))
  const isOther = (no: number, hash: string) => known.has(no) && known.get(no) !== hash
  if (isOther(base.no, base.hash)) result.finding = { fault: 'head', no: base.no }
  for (let no = base.no + 1; no <= lastNo && result.finding === undefined; no++) {
    if (hasTime !== undefined && !(await hasTime())) return { ...result, isMore: true }
    const seal = await findSeal(db, no)
    const { to, hash } = result.through
    if (seal === undefined || seal.toIdx <= to[seal.source] || !isGenuine(seal, Buffer.from(hash, 'hex'), publicKey))
      return { ...result, finding: { fault: 'seal', no } }
    const { source } = seal
    const head = { no, hash: seal.hash.toString('hex'), sealDT: seal.sealDT }
    if (isOther(no, head.hash)) return { ...result, finding: { fault: 'head', no } }
    const range = { after: to[source], to: seal.toIdx, limit: Number.MAX_SAFE_INTEGER }
    const present = await findHashes(db, source, range)
    const { finding, dropped } = await compare(db, seal, present.hashes, keptSince)
    if (finding !== undefined) return { ...result, finding }
    result = {
      ...result,
      seals: result.seals + 1,
      rows: result.rows + present.rows,
      dropped: result.dropped + dropped,
      head,
      through: { no, hash: head.hash, to: { ...to, [source]: seal.toIdx } },
    }
  }
  if (result.finding !== undefined) return result
  const cut = expected.find(({ no }) => no > Math.max(lastNo, base.no))
  if (cut !== undefined || lastNo < base.no) return { ...result, finding: { fault: 'head', no: cut?.no ?? base.no } }
  return { ...result, unsealed: await countAfter(db, result.through.to) }
}
