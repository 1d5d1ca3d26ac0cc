// What the desktop client's door reads and writes: where its session stands, its owner's requests with their files, and
// batches of blocked connections (design, section 6).
import { ApprovalState } from '@acc/contract/enums'
import { type Insertable, sql } from 'kysely'
import type { Reader, Tx } from '../../db/open.ts'
import { PREPARED } from '../../db/prepared.ts'
import type { FileEximports, RequestFiles } from '../../db/schema.gen.ts'
import type { RequestRow } from '../approvals/approvals.queries.ts'

type Session = { idx: number; sessionIdx: number; deviceIdx: number | null }

/** Where a client's session stands: its PC's version as registered, and whether its user signed in on another PC since. */
export const findStanding = (db: Reader, { idx, sessionIdx, deviceIdx }: Session, now: Date) =>
  db
    .selectFrom('users')
    .leftJoin('devices', (join) => join.onRef('devices.userIdx', '=', 'users.idx').on('devices.idx', '=', deviceIdx))
    .select(['users.isSinglePC', 'devices.clientVersion'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('sessions')
          .select('sessions.idx')
          .whereRef('sessions.userIdx', '=', 'users.idx')
          .where('sessions.kind', '=', 'client')
          .where('sessions.endDT', 'is', null)
          .where('sessions.expireDT', '>', now)
          .where('sessions.idx', '>', sessionIdx)
          // A PC that was removed has none.
          .where('sessions.deviceIdx', '!=', deviceIdx),
      ).as('isElsewhere'),
    )
    .where('users.idx', '=', idx)
    .executeTakeFirstOrThrow()

export const findIsSinglePC = async (db: Reader, userIdx: number): Promise<0 | 1> => {
  const row = await db
    .selectFrom('users')
    .modifyFront(PREPARED)
    .select('isSinglePC')
    .where('idx', '=', userIdx)
    .executeTakeFirstOrThrow()
  return row.isSinglePC
}

/** Notes the sign-in, and holds the account against changes until the transaction ends. */
export const updateClientLogin = (tx: Tx, userIdx: number, at: Date) =>
  tx.updateTable('users').set({ lastClientLoginDT: at }).where('idx', '=', userIdx).execute()

export const updateClientVersion = (tx: Tx, deviceIdx: number, clientVersion: string) =>
  tx.updateTable('devices').set({ clientVersion }).where('idx', '=', deviceIdx).execute()

/** Who asks, as the request keeps it. */
export const findRequester = (db: Reader, userIdx: number) =>
  db
    .selectFrom('users')
    .innerJoin('groups', 'groups.idx', 'users.groupIdx')
    .select([
      'users.idx as requesterIdx',
      'users.id as requesterId',
      'users.name as requesterName',
      'users.email as requesterEmail',
      'groups.idx as requesterGroupIdx',
      'groups.name as requesterGroupName',
    ])
    .where('users.idx', '=', userIdx)
    .executeTakeFirstOrThrow()

export const insertRequest = (tx: Tx, request: Insertable<FileEximports>): Promise<RequestRow> =>
  tx.insertInto('fileEximports').values(request).returningAll().executeTakeFirstOrThrow()

export const insertFiles = (tx: Tx, files: Insertable<RequestFiles>[]) =>
  tx.insertInto('requestFiles').values(files).execute()

/** One's own request, held against other steps of it until the transaction ends. */
export const findOwnForUpdate = (tx: Tx, userIdx: number, idx: number): Promise<RequestRow | undefined> =>
  tx
    .selectFrom('fileEximports')
    .selectAll()
    .where('idx', '=', idx)
    .where('requesterIdx', '=', userIdx)
    .forUpdate()
    .executeTakeFirst()

/** A file of one's own request, with what the request allows. */
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

/** One's own requests, unsorted. */
export const matchOwn = (db: Reader, userIdx: number, { idx, type }: { idx?: number; type?: 0 | 1 }) =>
  db
    .selectFrom('fileEximports')
    .select(['idx', 'type', 'state', 'requestDT', 'approveDT', 'requestPurpose', 'approvePurpose', 'isFileUploaded'])
    .select(['fileCount', 'fileSize'])
    .where('requesterIdx', '=', userIdx)
    .$if(idx !== undefined, (query) => query.where('idx', '=', idx ?? 0))
    .$if(type !== undefined, (query) => query.where('type', '=', type ?? 0))

/** Requests made before a moment whose files never came whole. */
export const findAbandoned = (db: Reader, before: Date, limit: number) =>
  db
    .selectFrom('fileEximports')
    .select('idx')
    .where('requestDT', '<=', before)
    .where('isFileUploaded', '=', 0)
    .where('state', 'in', [ApprovalState.REQUESTED, ApprovalState.ALLOWED])
    .orderBy('requestDT')
    .limit(limit)
    .execute()

export const findForUpdate = (tx: Tx, idx: number): Promise<RequestRow | undefined> =>
  tx.selectFrom('fileEximports').selectAll().where('idx', '=', idx).forUpdate().executeTakeFirst()

/** Which of these names in the file store belong to a request that may still be read. */
export async function findKnownNames(db: Reader, names: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('requestFiles')
    .innerJoin('fileEximports', 'fileEximports.idx', 'requestFiles.fileEximportIdx')
    .select('requestFiles.storeName')
    .where('requestFiles.storeName', '=', sql<string>`any(${names}::text[])`)
    .where('fileEximports.state', '!=', ApprovalState.CANCELED)
    .execute()
  return new Set(rows.map(({ storeName }) => storeName))
}

/** Takes note of a batch; false where it came before. */
export async function insertBatch(tx: Tx, batch: { userIdx: number; batchId: string; receiveDT: Date }) {
  const row = await tx
    .insertInto('networkBlockBatches')
    .values(batch)
    .onConflict((conflict) => conflict.doNothing())
    .returning('batchId')
    .executeTakeFirst()
  return row !== undefined
}

export const deleteBatchesBefore = (tx: Tx, before: Date) =>
  tx.deleteFrom('networkBlockBatches').where('receiveDT', '<', before).execute()
