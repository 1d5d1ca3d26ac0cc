// Inserts file requests into the database and the file store:
// `buildRequest(app, employee, { files: [{ name: 'plan.dwg', bytes }] })`.
import { createHash } from 'node:crypto'
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import { isWaiting } from '@acc/contract/requestState'
import type { Services } from '../../src/core/services.ts'
import type { Database } from '../../src/db/open.ts'
import { ownerOf } from '../../src/domains/requests/requests.files.ts'
import type { StoredFile } from '../../src/files/fileStore.ts'

type FileToBuild = { name: string; bytes: Buffer }
type RequestToBuild = {
  type?: Transfer
  state?: RequestState
  files?: readonly FileToBuild[]
  /** Without its bytes, as if the client never uploaded them. */
  isFileUploaded?: 0 | 1
  requestDT?: Date
  purpose?: string
  approver?: { idx: number; id: string; name: string }
  /** The authorities of its later steps, and the step that it waits for. */
  later?: readonly { idx: number; name: string }[]
  step?: number
  /** Makes it an urgent export: until when it is to be reviewed. */
  reviewDueDT?: Date
}
type Requester = { idx: number; id: string; name: string; email: string; groupIdx: number }
export type BuiltRequest = { idx: number; files: ({ idx: number } & StoredFile)[] }

const ONE_FILE: FileToBuild[] = [{ name: 'note.txt', bytes: Buffer.from('hello') }]

async function* whole(bytes: Buffer) {
  yield bytes
}

/** Inserts a request; by default it waits for approval and its files are uploaded. */
export async function buildRequest(
  app: Services,
  requester: Requester,
  { type = Transfer.EXPORT, state = RequestState.REQUESTED, files = ONE_FILE, ...given }: RequestToBuild = {},
): Promise<BuiltRequest> {
  const {
    isFileUploaded = 1,
    requestDT = app.clock.now(),
    purpose = 'for the customer',
    approver,
    later = [],
    step = 1,
    reviewDueDT,
  } = given
  const group = await app.db.read
    .selectFrom('groups')
    .select('name')
    .where('idx', '=', requester.groupIdx)
    .executeTakeFirstOrThrow()
  const { idx } = await app.db.write
    .insertInto('fileEximports')
    .values({
      type,
      state,
      requesterIdx: requester.idx,
      requesterId: requester.id,
      requesterName: requester.name,
      requesterEmail: requester.email,
      requesterGroupIdx: requester.groupIdx,
      requesterGroupName: group.name,
      requestDT,
      requestPurpose: purpose,
      isFileUploaded,
      waitDT: isWaiting({ state, isFileUploaded }) ? requestDT : null,
      fileCount: files.length,
      fileSize: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
      step,
      steps: 1 + later.length,
      ...(reviewDueDT && { reviewDueDT, completeDT: requestDT, urgentReason: 'The customer waits at the site.' }),
      ...(approver && {
        approverIdx: approver.idx,
        approverId: approver.id,
        approverName: approver.name,
        approveDT: requestDT,
      }),
    })
    .returning('idx')
    .executeTakeFirstOrThrow()
  await insertSteps(app, idx, later)
  const built = []
  for (const [position, file] of files.entries()) {
    built.push(await buildFile(app, { request: idx, position, ...file, isUploaded: isFileUploaded }))
  }
  return { idx, files: built }
}

async function insertSteps(app: Services, fileEximportIdx: number, later: readonly { idx: number; name: string }[]) {
  for (const [at, authority] of later.entries())
    await app.db.write
      .insertInto('requestSteps')
      .values({ fileEximportIdx, step: at + 2, authorityIdx: authority.idx, authorityName: authority.name })
      .execute()
}

type FileRow = FileToBuild & { request: number; position: number; isUploaded: 0 | 1 }

async function buildFile(app: Services, { request, position, name, bytes, isUploaded }: FileRow) {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const place = { fileEximportIdx: request, position, fileName: name }
  const owner = ownerOf(place)
  const stored = { ...app.files.create(owner, bytes.length, sha256), owner, size: bytes.length, sha256 }
  if (isUploaded === 1) await app.files.append(stored, 0, whole(bytes))
  const { idx } = await app.db.write
    .insertInto('requestFiles')
    .values({
      ...place,
      fileSize: bytes.length,
      sha256,
      storeName: stored.name,
      wrappedKey: stored.wrappedKey,
      isUploaded,
    })
    .returning('idx')
    .executeTakeFirstOrThrow()
  return { idx, ...stored }
}

/** Inserts a request without files that waits for approval; returns its idx. */
export async function insertWaiting(db: Database, { idx, id, name, email, groupIdx }: Requester): Promise<number> {
  const requester = { requesterIdx: idx, requesterId: id, requesterName: name, requesterEmail: email }
  const row = {
    requesterGroupIdx: groupIdx,
    requesterGroupName: 'group',
    requestDT: new Date(),
    requestPurpose: 'test',
  }
  const inserted = await db.write
    .insertInto('fileEximports')
    .values({ ...requester, ...row, type: 1, state: 0, isFileUploaded: 1, fileCount: 0, fileSize: 0 })
    .returning('idx')
    .executeTakeFirstOrThrow()
  return inserted.idx
}
