// Verification of the sealed history: the chain of seals, their signatures, and every row against its hash.
import type { Reader } from '../../db/open.ts'
import { isSigned } from './history.sealKey.ts'
import { BEGINNING, findHashes, findLastSeal, hashOf, ROW_BYTES, type Seal } from './history.seals.ts'

/** What is wrong first, in the order of the rows. */
export type Finding =
  | { fault: 'altered' | 'missing' | 'inserted'; idx: number; no: number }
  /** A seal that is not the one that was made, or that is not there. */
  | { fault: 'seal'; no: number }
  /** The chain has no seal of the expected number and hash. */
  | { fault: 'head'; no: number }

/** Says in the operator's words what is wrong. */
export function sentenceOf(finding: Finding): string {
  const { fault, no } = finding
  if (fault === 'seal') return `seal ${no} is missing, was altered, or was made with another key`
  if (fault === 'head') return `seal ${no} is not the expected one: the history was sealed anew, or its end was removed`
  const row = `row ${finding.idx}`
  if (fault === 'altered') return `${row} is not as seal ${no} has it`
  return fault === 'missing' ? `${row} of seal ${no} is missing` : `${row} was inserted among those of seal ${no}`
}

export type VerificationResult = {
  finding: Finding | undefined
  /** Seals and rows that were compared and found as they were sealed. */
  seals: number
  rows: number
  /** Rows that their retention period ended: all of them before the first row that is kept. */
  dropped: number
  /** Rows that came after the last seal. */
  unsealed: number
  head: { no: number; hash: string; sealDT: Date } | undefined
}

/** Of the caller: what seals are verified with, since when rows are kept, and a seal known from the log or from an earlier time. */
export type Trust = { publicKey: string; keptSince: Date; expected?: { no: number; hash: string } | undefined }

const idxAt = (hashes: Buffer, at: number) => Number(hashes.readBigInt64BE(at))

/** Finds the first difference between the sealed rows and the present ones, both in the order of idx. */
function compare(no: number, sealed: Buffer, present: Buffer): Finding | undefined {
  for (let at = 0; at < Math.max(sealed.length, present.length); at += ROW_BYTES) {
    if (at >= present.length) return { fault: 'missing', idx: idxAt(sealed, at), no }
    if (at >= sealed.length) return { fault: 'inserted', idx: idxAt(present, at), no }
    const [was, is] = [idxAt(sealed, at), idxAt(present, at)]
    if (was < is) return { fault: 'missing', idx: was, no }
    if (was > is) return { fault: 'inserted', idx: is, no }
    if (sealed.compare(present, at, at + ROW_BYTES, at, at + ROW_BYTES) !== 0) return { fault: 'altered', idx: is, no }
  }
  return undefined
}

/** The rows of a seal that should be there: the retention period ends old ones, in the order of idx, by whole months. */
function keptOf({ hashes, firstDT }: Seal, firstIdx: number, keptSince: Date): Buffer {
  if (firstDT >= keptSince) return hashes
  let at = 0
  while (at < hashes.length && idxAt(hashes, at) < firstIdx) at += ROW_BYTES
  return hashes.subarray(at)
}

async function findFirstIdx(db: Reader): Promise<number> {
  const row = await db
    .selectFrom('history')
    .select(({ fn }) => fn.min('idx').as('idx'))
    .executeTakeFirst()
  return row?.idx ?? Number.MAX_SAFE_INTEGER
}

async function countAfter(db: Reader, idx: number): Promise<number> {
  const { count } = await db
    .selectFrom('history')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('idx', '>', idx)
    .executeTakeFirstOrThrow()
  return count
}

const findSeal = (db: Reader, no: number): Promise<Seal | undefined> =>
  db.selectFrom('historySeals').selectAll().where('no', '=', no).executeTakeFirst()

const isGenuine = (seal: Seal, before: Buffer, publicKey: string): boolean =>
  hashOf(before, seal).equals(seal.hash) &&
  seal.hashes.length === seal.rows * ROW_BYTES &&
  isSigned(seal.hash, seal.signature, publicKey)

/** Verifies the history, one seal in memory at a time, up to the first fault. */
export async function verifyHistory(
  db: Reader,
  { publicKey, keptSince, expected }: Trust,
): Promise<VerificationResult> {
  const last = await findLastSeal(db)
  const firstIdx = await findFirstIdx(db)
  const result: VerificationResult = { finding: undefined, seals: 0, rows: 0, dropped: 0, unsealed: 0, head: undefined }
  let before = { hash: BEGINNING as Buffer, toIdx: 0 }
  for (let no = 1; no <= (last?.no ?? 0); no++) {
    const seal = await findSeal(db, no)
    if (seal === undefined || seal.toIdx <= before.toIdx || !isGenuine(seal, before.hash, publicKey))
      return { ...result, finding: { fault: 'seal', no } }
    if (expected?.no === no && seal.hash.toString('hex') !== expected.hash)
      return { ...result, finding: { fault: 'head', no } }
    const kept = keptOf(seal, firstIdx, keptSince)
    const present = await findHashes(db, { after: before.toIdx, to: seal.toIdx, limit: Number.MAX_SAFE_INTEGER })
    const finding = compare(no, kept, present.hashes)
    if (finding !== undefined) return { ...result, finding }
    result.seals++
    result.rows += present.rows
    result.dropped += seal.rows - present.rows
    result.head = { no, hash: seal.hash.toString('hex'), sealDT: seal.sealDT }
    before = seal
  }
  if (expected !== undefined && expected.no > (last?.no ?? 0))
    return { ...result, finding: { fault: 'head', no: expected.no } }
  return { ...result, unsealed: await countAfter(db, before.toIdx) }
}
