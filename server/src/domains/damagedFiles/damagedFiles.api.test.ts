// Stored files that rot: who notices, what the caller receives, and when the fault ends.
import { randomBytes } from 'node:crypto'
import { rename, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { RequestState } from '@acc/contract/labels/requests'
import { pino } from 'pino'
import { expect } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { openExports } from '../../../test/build/policies.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { flip, folderOf, testOnFolder as test } from '../../../test/storedFiles.ts'
import { days, minutes } from '../../clock.ts'
import { pathOf } from '../../files/names.ts'
import { findSetting } from '../../settings/settings.ts'
import { scrubFiles } from './damagedFiles.jobs.ts'
import { recordDamage } from './damagedFiles.store.ts'

const lines: string[] = []
const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
const { app, as, admin, clock, nodeUrl } = await startTestApp({}, log)
const { sales } = await buildGroups(app.db, 'sales')
const employee = await buildUser(app.db, { group: sales })
const approver = await buildManager(app.db, { groups: [sales], fileExportApprove: 2 })
await openExports(app.db)
const bytes = randomBytes(600_000)
const status = () => as(admin).systemStatus.find({})
const download = async (fileEximport: number) => (await as(approver).requests.download({ fileEximport })).arrayBuffer()

async function buildFile(name: string) {
  const request = await buildRequest(app, employee, { files: [{ name, bytes }] })
  const [file] = request.files
  if (file === undefined) throw new Error('the request has no file')
  return { idx: request.idx, path: pathOf(folderOf(app.env), file.name), storeName: file.name }
}

test('a file that rots breaks a download off once, is logged, counted and a fault, and is refused from then on', async () => {
  const { idx, path, storeName } = await buildFile('plan.dwg')
  const intact = await buildFile('intact.dwg')
  await flip(path, 400_000)
  await expect(download(idx)).rejects.toThrow(TypeError)
  await expect.poll(async () => (await status()).faults).toEqual(['filesDamaged'])
  expect((await status()).damagedFiles).toEqual({
    count: 1,
    items: [
      {
        fileEximportIdx: idx,
        version: null,
        fileName: 'plan.dwg',
        reason: 'damaged',
        findDT: clock.now().toISOString(),
      },
    ],
  })
  const logged = lines.map((line) => JSON.parse(line))
  expect(logged).toContainEqual(
    expect.objectContaining({ msg: 'a stored file is damaged', fileEximportIdx: idx, fileName: 'plan.dwg', storeName }),
  )
  expect(logged).toContainEqual(
    expect.objectContaining({
      msg: 'a download broke off',
      path: '/FileEximport/Download',
      reason: 'damaged',
      requestId: expect.any(String),
    }),
  )
  clock.advance(minutes(1))
  expect(await (await fetch(new URL('/Metrics', nodeUrl))).text()).toContain('acc_files_damaged 1')
  await expect(download(idx)).rejects.toMatchObject({ error: 'STORAGE_UNAVAILABLE' })
  expect((await download(intact.idx)).byteLength).toBeGreaterThan(bytes.length)

  await flip(path, 400_000)
  expect((await download(idx)).byteLength).toBeGreaterThan(bytes.length)
  expect(await status()).toMatchObject({ faults: [], damagedFiles: { count: 0, items: [] } })
})

test('a zip with a damaged file at any place is refused before its first byte, until the file is intact', async () => {
  const files = ['first.dwg', 'last.dwg'].map((name) => ({ name, bytes }))
  const request = await buildRequest(app, employee, { files })
  const [first, last] = request.files
  const path = pathOf(folderOf(app.env), last?.name ?? '')
  const refused = { error: 'STORAGE_UNAVAILABLE' }
  const trial = () => as(approver).requests.download({ fileEximport: request.idx, isTrial: 1 })
  const rows = async () => (await as(admin).history.fileDownload({})).items.length
  // Altered, which only a reader finds.
  await flip(path, 400_000)
  await expect(download(request.idx)).rejects.toThrow(TypeError)
  await expect.poll(async () => (await status()).faults).toEqual(['filesDamaged'])
  const before = await rows()
  await expect(download(request.idx)).rejects.toMatchObject(refused)
  await expect(trial()).rejects.toMatchObject(refused)
  expect(await rows()).toBe(before)
  const alone = await as(approver).requests.download({ fileEximport: request.idx, fileIdxes: [first?.idx ?? 0] })
  expect((await alone.arrayBuffer()).byteLength).toBeGreaterThan(bytes.length)
  await flip(path, 400_000)
  expect((await download(request.idx)).byteLength).toBeGreaterThan(2 * bytes.length)
  expect((await status()).faults).toEqual([])
  // Gone or cut off, which is seen without reading.
  await rename(path, `${path}.away`)
  await expect(trial()).rejects.toMatchObject(refused)
  await rename(`${path}.away`, path)
  await download(request.idx)
  await truncate(path, 500_000)
  await expect(trial()).rejects.toMatchObject(refused)
  expect((await status()).damagedFiles.items).toMatchObject([{ fileName: 'last.dwg', reason: 'damaged' }])
  await app.db.write.deleteFrom('damagedFiles').execute()
  await app.db.write
    .updateTable('fileEximports')
    .set({ state: RequestState.CANCELED, waitDT: null })
    .where('idx', '=', request.idx)
    .execute()
})

test('every stored file is read once a month, and the files of canceled requests are no fault', async () => {
  const [altered, lost, canceled] = [await buildFile('altered'), await buildFile('lost'), await buildFile('canceled')]
  await flip(altered.path, 500_000)
  for (const { path } of [lost, canceled]) await rename(path, join(app.env.dataDir, path.slice(-32)))
  const cancel = app.db.write.updateTable('fileEximports').set({ state: RequestState.CANCELED, waitDT: null })
  await cancel.where('idx', '=', canceled.idx).execute()
  const after = async () => (await findSetting(app.db.read, 'fileScrub'))?.after
  await scrubFiles(app)
  expect(await after()).toBeGreaterThan(0)
  const positions = new Set()
  for (; (await after()) !== null; await scrubFiles(app)) positions.add(await after())
  expect(positions.size).toBeGreaterThanOrEqual(3)
  const found = (await status()).damagedFiles.items.map(({ fileName, reason }) => [fileName, reason])
  expect(found.sort()).toEqual([
    ['altered', 'damaged'],
    ['lost', 'missing'],
  ])

  // Repaired by hand: nothing is read before the next round, which finds the files intact.
  await flip(altered.path, 500_000)
  await rename(join(app.env.dataDir, lost.path.slice(-32)), lost.path)
  await scrubFiles(app)
  expect((await status()).damagedFiles.count).toBe(2)
  clock.advance(days(28))
  do await scrubFiles(app)
  while ((await after()) !== null)
  expect((await status()).damagedFiles.count).toBe(0)
})

test('the newest twenty damaged files are shown, and all are counted', async () => {
  const names = Array.from({ length: 21 }, (_, at) => `file ${at}`)
  const files = names.map((name) => ({ name, bytes: randomBytes(10) }))
  const request = await buildRequest(app, employee, { files })
  for (const { name } of request.files) {
    clock.advance(minutes(1))
    await recordDamage(app, name, 'damaged')
  }
  const { count, items } = (await status()).damagedFiles
  expect(count).toBe(21)
  expect(items.map(({ fileName }) => fileName)).toEqual(names.slice(1).toReversed())
})

test('the next round forgets damaged files that no row names any more', async () => {
  const { storeName } = await buildFile('canceled later')
  await recordDamage(app, storeName, 'damaged')
  const recorded = () => app.db.read.selectFrom('damagedFiles').select('storeName').execute()
  expect(await recorded()).toContainEqual({ storeName })
  await app.db.write.updateTable('fileEximports').set({ state: RequestState.CANCELED, waitDT: null }).execute()
  clock.advance(days(28))
  do await scrubFiles(app)
  while ((await findSetting(app.db.read, 'fileScrub'))?.after !== null)
  expect(await recorded()).toEqual([])
})
