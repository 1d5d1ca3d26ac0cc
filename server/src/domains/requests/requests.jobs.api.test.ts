// Scheduled jobs: requests that stay incomplete, and bytes that no request needs.

import { RequestEvent, RequestState } from '@acc/contract/labels/requests'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { isStored } from '../../../test/storedFiles.ts'
import { days, hours, later } from '../../clock.ts'
import { cancelAllAbandoned, sweepFiles } from './requests.jobs.ts'

const { app, clock } = await startTestApp()
const { db } = app
const employee = await buildUser(db)

const stateOf = async ({ idx }: { idx: number }) => {
  const row = await db.read.selectFrom('fileEximports').select('state').where('idx', '=', idx).executeTakeFirst()
  return row?.state
}
const isKept = ({ files }: { files: readonly { name: string }[] }) => isStored(app, files[0]?.name ?? '')
/** A partly uploaded file that belongs to no request. */
async function withoutRequest() {
  const owner = '1:0:a.txt'
  const file = { ...app.files.create(owner, 3, 'b'.repeat(64)), owner, size: 3, sha256: 'b'.repeat(64) }
  await app.files.append(file, 0, some())
  return { files: [file] }
}
async function* some() {
  yield Buffer.from('he')
}

test('after a week without all its files a request ends, and its bytes are gone', async () => {
  const requestDT = later(clock.now(), -days(7))
  const old = { isFileUploaded: 0, requestDT } as const
  const waiting = await buildRequest(app, employee, old)
  const allowed = await buildRequest(app, employee, { ...old, state: RequestState.ALLOWED })
  const rejected = await buildRequest(app, employee, { ...old, state: RequestState.REJECTED })
  const complete = await buildRequest(app, employee, { requestDT })
  const younger = await buildRequest(app, employee, { isFileUploaded: 0, requestDT: later(requestDT, 1) })
  const [file] = waiting.files
  if (file !== undefined) await app.files.append(file, 0, some())
  expect(await isKept(waiting)).toBe(true)

  await cancelAllAbandoned(app)
  const { CANCELED, REJECTED, REQUESTED } = RequestState
  expect(await Promise.all([waiting, allowed, rejected, complete, younger].map(stateOf))).toEqual([
    CANCELED,
    CANCELED,
    REJECTED,
    REQUESTED,
    REQUESTED,
  ])
  expect(await isKept(waiting)).toBe(false)
  const rows = await historyOf(db, 'fileExport')
  expect(rows.map(({ subjectIdx, type, actorIdx }) => [subjectIdx, type, actorIdx])).toEqual([
    [waiting.idx, RequestEvent.CANCELED, null],
    [allowed.idx, RequestEvent.CANCELED, null],
  ])
  await cancelAllAbandoned(app)
  expect(await historyOf(db, 'fileExport')).toHaveLength(2)
})

test('more of them than are looked up at once', async () => {
  const requestDT = later(clock.now(), -days(8))
  await db.write
    .insertInto('fileEximports')
    .values(
      Array.from({ length: 230 }, () => ({
        type: 1 as const,
        state: 0 as const,
        requesterId: 'x',
        requesterName: 'x',
        requesterEmail: 'x',
        requesterGroupName: 'x',
        requestDT,
        requestPurpose: 'x',
        fileCount: 0,
        fileSize: 0,
      })),
    )
    .execute()
  await cancelAllAbandoned(app)
  const left = await db.read
    .selectFrom('fileEximports')
    .select('idx')
    .where('requesterId', '=', 'x')
    .where('state', '=', 0)
    .execute()
  expect(left).toEqual([])
})

test('bytes of canceled requests and of none are swept after a day, all others stay', async () => {
  const kept = await buildRequest(app, employee, { state: RequestState.REJECTED })
  const canceled = await buildRequest(app, employee, { state: RequestState.CANCELED })
  const orphan = await withoutRequest()
  await sweepFiles(app)
  expect(await Promise.all([kept, canceled, orphan].map(isKept))).toEqual([true, true, true])
  clock.advance(hours(25))
  await sweepFiles(app)
  expect(await Promise.all([kept, canceled, orphan].map(isKept))).toEqual([true, false, false])
})
