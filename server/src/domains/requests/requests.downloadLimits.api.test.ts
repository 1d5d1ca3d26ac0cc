// How often and until when a requester downloads the files of a released export.
import { createHash } from 'node:crypto'
import { Decision, RequestState, Transfer } from '@acc/contract/labels/requests'
import type { PolicyValues } from '@acc/contract/policyValues'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'
import { historyOf } from '../../../test/history.ts'
import { testOnFolder } from '../../../test/storedFiles.ts'
import { days, later } from '../../clock.ts'

const testApp = await startTestApp()
const { app, as, admin, clock } = testApp
const { db } = app
app.env.runtime.show.approve.import = true
const { sales } = await buildGroups(db, 'sales')
const { idx: policyIdx } = await buildPolicy(db, { group: sales, fileExport: 2 })
const employee = await buildUser(db, { group: sales })
const pc = await openDesktopClient(testApp, employee)
const approver = await buildManager(db, { groups: [sales], fileExportApprove: 2, fileImportApprove: 2 })

const setPolicy = (values: Partial<PolicyValues>) =>
  as(admin).policies.update({ idx: policyIdx, fileExport: 2, downloadCount: 0, downloadDays: 0, ...values })
const announced = (name: string, text: string) => ({
  name,
  size: text.length,
  sha256: createHash('sha256').update(text).digest('hex'),
})
const USED = { error: 'DOWNLOADS_USED', data: { reason: 'count' } }
const ENDED = { error: 'DOWNLOADS_USED', data: { reason: 'days' } }

/** Uploads two files, which an approver releases unless the policy does. */
async function release(type: Transfer = Transfer.EXPORT) {
  const files = [announced('a.txt', 'first'), announced('b.txt', 'other')]
  const created = await pc.requests.create({ type, purpose: 'x', files })
  const { idx } = created
  const [one, two] = created.files.map(({ idx: file }) => ({ fileEximport: idx, file }))
  if (one === undefined || two === undefined) throw new Error('no files')
  await pc.requests.upload({ ...one, offset: 0 }, 'first')
  await pc.requests.upload({ ...two, offset: 0 }, 'other')
  if (created.state !== RequestState.ALLOWED)
    await as(approver).requests.decide({ idx, state: Decision.APPROVE, purpose: '' })
  return { idx, one, two }
}
type Place = Awaited<ReturnType<typeof release>>['one']
const load = async (place: Place) => (await pc.requests.downloadOwn(place)).text()
const ownOf = async (idx: number) => (await pc.requests.searchOwn({ idx })).items[0]
/** What approvers see. */
const countsOf = async (idx: number) => (await as(approver).requests.find({ idx })).files.map((file) => file.downloads)
/** Moves the release of a request into the past. */
async function age(idx: number, milliseconds: number) {
  const row = await db.read.selectFrom('fileEximports').selectAll().where('idx', '=', idx).executeTakeFirstOrThrow()
  const ago = (moment: Date | null) => moment && later(moment, -milliseconds)
  const released = { approveDT: ago(row.approveDT), completeDT: ago(row.completeDT) }
  await db.write.updateTable('fileEximports').set(released).where('idx', '=', idx).execute()
}
const rowsOf = async (idx: number) =>
  (await historyOf(db, 'fileDownload')).filter(({ subjectIdx }) => subjectIdx === idx).length

test('of 50 downloads, 10 at once, the policy lets 3 through, each with its row of the history', async () => {
  await setPolicy({ downloadCount: 3 })
  const { idx, one, two } = await release()
  const calls: PromiseSettledResult<string>[] = []
  // As many at once as one person may send.
  while (calls.length < 50) calls.push(...(await Promise.allSettled(Array.from({ length: 10 }, () => load(one)))))
  const refused = calls.filter((call) => call.status === 'rejected')
  expect(calls.filter((call) => call.status === 'fulfilled').map(({ value }) => value)).toEqual(Array(3).fill('first'))
  expect(refused.map(({ reason }) => reason)).toEqual(Array(47).fill(expect.objectContaining(USED)))
  expect(await load(two)).toBe('other')
  expect(await countsOf(idx)).toEqual([3, 1])
  expect(await rowsOf(idx)).toBe(4)
  expect(await ownOf(idx)).toMatchObject({ maxDownloads: 3, files: [{ downloads: 3 }, { downloads: 1 }] })
})

test('the policy of the moment of the download counts, for earlier downloads too', async () => {
  await setPolicy({})
  const { idx, one } = await release()
  for (let at = 0; at < 3; at++) await load(one)
  expect(await ownOf(idx)).toMatchObject({ maxDownloads: null, downloadEndDT: null })
  await setPolicy({ downloadCount: 2 })
  await expect(load(one)).rejects.toMatchObject(USED)
  await setPolicy({ downloadCount: 4 })
  await load(one)
  await expect(load(one)).rejects.toMatchObject(USED)
  await setPolicy({})
  await load(one)
  expect(await countsOf(idx)).toEqual([5, 0])
})

test('a period begins with the release and ends at its moment', async () => {
  await setPolicy({ downloadDays: 7 })
  const approved = await release()
  await setPolicy({ fileExport: 1, downloadDays: 7 })
  const allowed = await release()
  const both = [approved, allowed]
  const end = later(clock.now(), days(7)).toISOString()
  for (const { idx } of both) expect(await ownOf(idx)).toMatchObject({ downloadEndDT: end, maxDownloads: null })
  for (const { idx } of both) await age(idx, days(7) - 1)
  for (const { one } of both) expect(await load(one)).toBe('first')
  clock.advance(1)
  for (const { one } of both) await expect(load(one)).rejects.toMatchObject(ENDED)
  expect(await countsOf(allowed.idx)).toEqual([1, 0])
  await setPolicy({ fileExport: 1, downloadDays: 8, downloadCount: 2 })
  await load(allowed.one)
  await expect(load(allowed.one)).rejects.toMatchObject(USED)
})

test('an allowed export is released by its last file, not by its beginning', async () => {
  await setPolicy({ fileExport: 1, downloadDays: 1 })
  const files = [announced('a.txt', 'first')]
  const created = await pc.requests.create({ type: Transfer.EXPORT, purpose: 'x', files })
  const place = { fileEximport: created.idx, file: created.files[0]?.idx ?? 0 }
  await age(created.idx, days(2))
  expect(await ownOf(created.idx)).toMatchObject({ downloadEndDT: null })
  await pc.requests.upload({ ...place, offset: 0 }, 'first')
  expect(await load(place)).toBe('first')
})

test('imports have no limit; their downloads are counted', async () => {
  await setPolicy({ downloadCount: 1, downloadDays: 1 })
  const { idx, one } = await release(Transfer.IMPORT)
  await age(idx, days(2))
  for (let at = 0; at < 3; at++) expect(await load(one)).toBe('first')
  expect(await ownOf(idx)).toMatchObject({ maxDownloads: null, downloadEndDT: null })
  expect(await countsOf(idx)).toEqual([3, 0])
})

test('what another refusal stops is not counted, and no one else counts', async () => {
  await setPolicy({ downloadCount: 1 })
  const { idx, one, two } = await release()
  const other = await openDesktopClient(testApp, await buildUser(db, { group: sales }))
  await expect(other.requests.downloadOwn(one)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await expect(load({ ...one, file: 999_999 })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await setPolicy({ fileExport: 0, downloadCount: 1 })
  await expect(load(one)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await setPolicy({ downloadCount: 1 })
  await (await as(approver).requests.download({ fileEximport: idx })).arrayBuffer()
  expect(await countsOf(idx)).toEqual([0, 0])
  expect(await load(one)).toBe('first')
  expect(await load(two)).toBe('other')

  await setPolicy({ fileExport: 1, downloadCount: 1 })
  const allowed = await release()
  await setPolicy({ downloadCount: 1 })
  // Returned to the approvers.
  await expect(load(allowed.one)).rejects.toMatchObject({ error: 'REQUEST_STATE' })
  expect(await countsOf(allowed.idx)).toEqual([0, 0])
})

testOnFolder('a file that the store lost costs no download', async () => {
  await setPolicy({ downloadCount: 1 })
  const { idx, files } = await buildRequest(app, employee, { state: RequestState.APPROVED })
  for (const { name } of files) await app.files.remove(name)
  const place = { fileEximport: idx, file: files[0]?.idx ?? 0 }
  await expect(load(place)).rejects.toMatchObject({ error: 'STORAGE_UNAVAILABLE' })
  expect(await countsOf(idx)).toEqual([0])
})

test('a download that the client breaks off counts', async () => {
  await setPolicy({ downloadCount: 1 })
  const { idx, one } = await release()
  await (await pc.requests.downloadOwn(one)).body?.cancel()
  await expect(load(one)).rejects.toMatchObject(USED)
  expect(await countsOf(idx)).toEqual([1, 0])
})
