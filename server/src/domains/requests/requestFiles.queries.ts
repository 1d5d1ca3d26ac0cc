// Files of requests as rows, with what the file store keeps them under (spec S2 §3).
import { RequestState } from '@acc/contract/labels/requests'
import { type Expression, type Insertable, type SqlBool, sql } from 'kysely'
import type { Reader, Tx } from '../../db/open.ts'
import type { RequestFiles } from '../../db/schema.gen.ts'
import { compiledOnce } from '../../db/statement.ts'
import type { RequestRow } from './requests.queries.ts'

/** A file of a request, with what the store keeps it under. */
export type FileRow = {
  idx: number
  fileEximportIdx: number
  position: number
  fileName: string
  fileSize: number
  sha256: string
  storeName: string
  wrappedKey: Buffer
  isUploaded: 0 | 1
  /** By the requester. */
  downloads: number
}

const FILE_COLUMNS = [
  'requestFiles.idx',
  'requestFiles.fileEximportIdx',
  'requestFiles.position',
  'requestFiles.fileName',
  'requestFiles.fileSize',
  'requestFiles.sha256',
  'requestFiles.storeName',
  'requestFiles.wrappedKey',
  'requestFiles.isUploaded',
  'requestFiles.downloads',
] as const

/** Finds the files of requests, in the order in which they were named. */
export const findFiles = compiledOnce((db, requestIdxes: Expression<readonly number[]>) =>
  db
    .selectFrom('requestFiles')
    .select(FILE_COLUMNS)
    .where('fileEximportIdx', '=', sql<number>`any(${requestIdxes}::bigint[])`)
    .orderBy('fileEximportIdx')
    .orderBy('position')
    .$castTo<FileRow>(),
)

export const insertFiles = (tx: Tx, files: Insertable<RequestFiles>[]) =>
  tx.insertInto('requestFiles').values(files).execute()

/** Finds a file of an own request, with the state of the request. */
export const findOwnFile = (db: Reader, userIdx: number, { fileEximport, file }: FileOfRequest) =>
  db
    .selectFrom('requestFiles')
    .innerJoin('fileEximports', 'fileEximports.idx', 'requestFiles.fileEximportIdx')
    .selectAll('requestFiles')
    .select(['fileEximports.state', 'fileEximports.isFileUploaded', 'fileEximports.filesRemovedDT'])
    .where('requestFiles.idx', '=', file)
    .where('fileEximports.idx', '=', fileEximport)
    .where('fileEximports.requesterIdx', '=', userIdx)
    .executeTakeFirst()
export type FileOfRequest = { fileEximport: number; file: number }

export const updateFileUploaded = (tx: Tx, idx: number) =>
  tx.updateTable('requestFiles').set({ isUploaded: 1 }).where('idx', '=', idx).execute()

/** Counts a download of a file by its requester. Returns false at the limit; 0 is none. */
export async function countDownload(tx: Tx, idx: number, limit: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('requestFiles')
    .set({ downloads: sql<number>`downloads + 1` })
    .where('idx', '=', idx)
    .where(sql<boolean>`(downloads < ${limit} or ${limit} = 0)`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Requests that keep the files of a decision, and since when; written as in the index. An urgent export keeps them
 * until it is reviewed.
 */
export const KEEPS_FILES = sql<SqlBool>`"isFileUploaded" = 1 and state in (1, 2, 4) and "filesRemovedDT" is null
  and not (state = 4 and "reviewDueDT" is not null)`
export const KEPT_SINCE = sql<Date>`greatest("approveDT", "completeDT")`

/** Locks some decided requests whose files were kept before a moment already, until the transaction ends. */
export const lockKept = (tx: Tx, before: Date, limit: number): Promise<RequestRow[]> =>
  tx
    .selectFrom('fileEximports')
    .selectAll()
    .where(KEEPS_FILES)
    .where(KEPT_SINCE, '<=', before)
    .orderBy(KEPT_SINCE)
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()

export const updateRemoved = (tx: Tx, idxes: readonly number[], filesRemovedDT: Date) =>
  tx
    .updateTable('fileEximports')
    .set({ filesRemovedDT })
    .where('idx', '=', sql<number>`any(${idxes}::bigint[])`)
    .execute()

/** Returns which of these names in the file store belong to a request that keeps its files. */
export async function findKnownNames(db: Reader, names: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('requestFiles')
    .innerJoin('fileEximports', 'fileEximports.idx', 'requestFiles.fileEximportIdx')
    .select('requestFiles.storeName')
    .where('requestFiles.storeName', '=', sql<string>`any(${names}::text[])`)
    .where('fileEximports.state', '!=', RequestState.CANCELED)
    .where('fileEximports.filesRemovedDT', 'is', null)
    .execute()
  return new Set(rows.map(({ storeName }) => storeName))
}
