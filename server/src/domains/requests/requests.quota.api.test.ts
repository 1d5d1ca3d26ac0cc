// Quotas of one person's requests: their number, their bytes, and the free space of the volume.
import { FileExport } from '@acc/contract/labels/policies'
import { RequestState } from '@acc/contract/labels/requests'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'
import { historyOf } from '../../../test/history.ts'
import { testOnFolder } from '../../../test/storedFiles.ts'
import { SPACE_RESERVE } from '../../core/space.ts'
import { ownerOf } from './requests.files.ts'
import { MAX_DAILY_REQUESTS, MAX_OPEN_BYTES, MAX_OPEN_REQUESTS } from './requests.own.ts'

const testApp = await startTestApp()
const { app } = testApp
const { db } = app
const { sales } = await buildGroups(db, 'sales')
await buildPolicy(db, { group: sales, fileExport: FileExport.APPROVAL })

const requestOf = (size: number) => ({
  type: 1 as const,
  purpose: 'test',
  files: [{ name: 'a', size, sha256: 'a'.repeat(64) }],
})
/** A user with a number of requests whose bytes were announced. */
async function buildAsker(count: number, fileSize: number, state: 0 | 4 = RequestState.REQUESTED) {
  const user = await buildUser(db, { group: sales })
  const row = {
    type: 1 as const,
    state,
    requesterIdx: user.idx,
    requesterId: user.id,
    requesterName: user.name,
    requesterEmail: user.email,
    requesterGroupName: 'sales',
    requestDT: app.clock.now(),
    requestPurpose: 'test',
    fileCount: 1,
    fileSize,
  }
  if (count > 0)
    await db.write
      .insertInto('fileEximports')
      .values(Array.from({ length: count }, () => row))
      .execute()
  return { user, pc: await openDesktopClient(testApp, user) }
}

test('a person has so many open requests, also when several are created at once', async () => {
  const { user, pc } = await buildAsker(MAX_OPEN_REQUESTS - 1, 1)
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => pc.requests.create(requestOf(1))))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.error] : []))
  expect(refused).toEqual(Array.from({ length: 7 }, () => 'TOO_MANY_REQUESTS'))
  expect((await historyOf(db, 'fileExport')).filter(({ actorIdx }) => actorIdx === user.idx)).toHaveLength(1)
  await db.write.updateTable('fileEximports').set({ state: RequestState.APPROVED }).execute()
  await pc.requests.create(requestOf(1))
})

test('a person creates so many requests within a day, though each is canceled at once', async () => {
  const { user, pc } = await buildAsker(0, 0)
  await pc.requests.cancel({ idx: (await pc.requests.create(requestOf(1))).idx })
  const counted = db.write.updateTable('throttles').set({ count: MAX_DAILY_REQUESTS })
  await counted.where('key', '=', `requests:${user.idx}`).execute()
  await expect(pc.requests.create(requestOf(1))).rejects.toMatchObject({
    error: 'TOO_MANY_REQUESTS',
    data: { retryAfter: 86_400 },
  })
  const { pc: other } = await buildAsker(0, 0)
  await other.requests.create(requestOf(1))
})

test.each([RequestState.REQUESTED, RequestState.ALLOWED])(
  'the bytes of open requests in state %i are bounded together',
  async (state) => {
    const { pc } = await buildAsker(1, MAX_OPEN_BYTES - 10, state)
    await expect(pc.requests.create(requestOf(11))).rejects.toMatchObject({ error: 'TOO_MANY_REQUESTS' })
    await pc.requests.create(requestOf(10))
  },
)

testOnFolder('a request that the volume has no room for is refused before anything is written', async () => {
  const { user, pc } = await buildAsker(0, 0)
  const free = (await app.files.free()) ?? 0
  await expect(pc.requests.create(requestOf(free))).rejects.toMatchObject({ error: 'STORAGE_UNAVAILABLE' })
  expect(free).toBeGreaterThan(SPACE_RESERVE)
  const rows = await db.read.selectFrom('fileEximports').select('idx').where('requesterIdx', '=', user.idx).execute()
  expect(rows).toEqual([])
})

testOnFolder('bytes that the volume has lost the room for are refused', async () => {
  const { pc } = await buildAsker(0, 0)
  const { idx, files } = await pc.requests.create(requestOf(10))
  const row = await db.read
    .selectFrom('requestFiles')
    .selectAll()
    .where('fileEximportIdx', '=', idx)
    .executeTakeFirstOrThrow()
  const fileSize = (await app.files.free()) ?? 0
  const { name, wrappedKey } = app.files.create(ownerOf(row), fileSize, row.sha256)
  const larger = { fileSize, wrappedKey, storeName: name }
  await db.write.updateTable('requestFiles').set(larger).where('idx', '=', row.idx).execute()
  const place = { fileEximport: idx, file: files[0]?.idx ?? 0, offset: 0 }
  await expect(pc.requests.upload(place, new Blob(['hello']))).rejects.toMatchObject({ error: 'STORAGE_UNAVAILABLE' })
})
