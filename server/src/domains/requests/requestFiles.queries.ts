// Files of requests as rows, with what the file store keeps them under (spec S2 §3).
import { RequestState } from '@acc/contract/labels/requests'
import { type Insertable, sql } from 'kysely'
import type { Reader, Tx } from '../../db/open.ts'
import { PREPARED } from '../../db/prepared.ts'
import type { RequestFiles } from '../../db/schema.gen.ts'

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
] as const

/** The files of requests, in the order in which they were named. */
export const findFiles = (db: Reader, requestIdxes: readonly number[]): Promise<FileRow[]> =>
  db
    .selectFrom('requestFiles')
    .modifyFront(PREPARED)
    .select(FILE_COLUMNS)
    .where('fileEximportIdx', '=', sql<number>`any(${requestIdxes}::bigint[])`)
    .orderBy('fileEximportIdx')
    .orderBy('position')
    .execute()

export const insertFiles = (tx: Tx, files: Insertable<RequestFiles>[]) =>
  tx.insertInto('requestFiles').values(files).execute()

/** Finds a file of an own request, with the state of the request. */
export const findOwnFile = (db: Reader, userIdx: number, { fileEximport, file }: FileOfRequest) =>
  db
    .selectFrom('requestFiles')
    .innerJoin('fileEximports', 'fileEximports.idx', 'requestFiles.fileEximportIdx')
    .selectAll('requestFiles')
    .select(['fileEximports.state', 'fileEximports.isFileUploaded'])
    .where('requestFiles.idx', '=', file)
    .where('fileEximports.idx', '=', fileEximport)
    .where('fileEximports.requesterIdx', '=', userIdx)
    .executeTakeFirst()
export type FileOfRequest = { fileEximport: number; file: number }

export const updateFileUploaded = (tx: Tx, idx: number) =>
  tx.updateTable('requestFiles').set({ isUploaded: 1 }).where('idx', '=', idx).execute()

/** Returns which of these names in the file store belong to a request that is not canceled. */
export async function findKnownNames(db: Reader, names: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('requestFiles')
    .innerJoin('fileEximports', 'fileEximports.idx', 'requestFiles.fileEximportIdx')
    .select('requestFiles.storeName')
    .where('requestFiles.storeName', '=', sql<string>`any(${names}::text[])`)
    .where('fileEximports.state', '!=', RequestState.CANCELED)
    .execute()
  return new Set(rows.map(({ storeName }) => storeName))
}
