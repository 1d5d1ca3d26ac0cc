// Interrupted and damaged transfers of `acc-client`: automatic retries, resuming after a kill, and damaged files that
// are never saved.
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Decision } from '@acc/contract/labels/requests'
import type { OwnRequest } from '@acc/contract/requests'
import { expect, test } from 'vitest'
import { pathOf } from '../src/files/names.ts'
import { buildExportScenario, expectSaved, MIB } from './exportScenario.ts'
import { folderOf, testOnFolder } from './storedFiles.ts'

const { app, folder, proxy, pc, makeFile, requestExport, setPolicy, decide } = await buildExportScenario()

test('an upload continues by itself after a broken connection', async () => {
  const file = await makeFile('large.bin', 20 * MIB)
  const broken = proxy.fail({ on: 'upload', after: 8 * MIB, is: 'cut' })
  const requested = requestExport(file.path)
  await broken
  const { status, document } = await requested
  expect({ status, ...document }).toMatchObject({ status: 0, isFileUploaded: 1 })
  await decide(document.idx, Decision.APPROVE)
  const to = join(folder, 'after-break')
  await pc.run(['download', String(document.idx), '--to', to])
  await expectSaved(to, [file])
})

test('a connection that breaks after the last byte does not make a whole request look lost', async () => {
  const file = await makeFile('whole.txt', 100)
  const broken = proxy.fail({ on: 'upload', at: 'GET /Agent/FileEximports', is: 'cut' })
  const requested = requestExport(file.path)
  await broken
  const { status, document } = await requested
  expect({ status, ...document }).toMatchObject({ status: 0, isFileUploaded: 1, files: [{ isUploaded: 1 }] })
})

test('an upload whose client was killed continues with --resume', async () => {
  const files = [await makeFile('killed.bin', 20 * MIB), await makeFile('behind.txt', 5)]
  const paths = files.map(({ path }) => path)
  const kill = new AbortController()
  const silent = proxy.fail({ on: 'upload', after: 8 * MIB, is: 'swallow' })
  const requested = pc.run(['request', '--purpose', 'x', ...paths], { signal: kill.signal })
  await silent
  kill.abort()
  expect((await requested).status).toBeNull()

  const { items } = (await pc.json<{ items: OwnRequest[] }>(['status', '--rows', '1'])).document
  const idx = items[0]?.idx ?? 0
  expect(items[0]).toMatchObject({ isFileUploaded: 0, files: [{ isUploaded: 0 }, { received: 0 }] })
  const stranger = await makeFile('stranger.txt', 5)
  expect((await pc.run(['request', '--resume', String(idx), stranger.path])).status).toBe(1)
  const resumed = await pc.json<OwnRequest>(['request', '--resume', String(idx), ...paths])
  expect(resumed).toMatchObject({ status: 0, document: { idx, isFileUploaded: 1 } })
  await decide(idx, Decision.APPROVE)
  const to = join(folder, 'resumed')
  await pc.run(['download', String(idx), '--to', to])
  await expectSaved(to, files)
})

test('a download that breaks off is brought again, one that arrives altered is not saved', async () => {
  const file = await makeFile('plan.dwg', 4 * MIB)
  const { idx } = (await requestExport(file.path)).document
  await decide(idx, Decision.APPROVE)
  const to = join(folder, 'damaged')
  const download = ['download', String(idx), '--to', to]
  const altered = proxy.fail({ on: 'download', after: 2 * MIB, is: 'damage' })
  const refused = await pc.run(download)
  await altered
  expect(refused).toMatchObject({ status: 1, output: '' })
  expect(refused.errors).toContain("The downloaded plan.dwg differs from the server's file and was discarded")
  expect(await readdir(to)).toEqual([])

  const cut = proxy.fail({ on: 'download', after: 2 * MIB, is: 'cut' })
  expect((await pc.run(download)).status).toBe(0)
  await cut
  await expectSaved(to, [file])
})

test('a download that counts is not repeated by itself, and the message says where to see how many are left', async () => {
  await setPolicy({ downloadCount: 2 })
  const file = await makeFile('counted.dwg', 4 * MIB)
  const { idx } = (await requestExport(file.path)).document
  await decide(idx, Decision.APPROVE)
  const to = join(folder, 'counted')
  const download = ['download', String(idx), '--to', to]
  const cut = proxy.fail({ on: 'download', after: 2 * MIB, is: 'cut' })
  const broken = await pc.run(download)
  await cut
  expect(broken.status).toBe(3)
  expect(broken.errors).toContain(`this one may have counted. See how many are left: acc-client status ${idx}`)
  expect((await pc.run(['status', String(idx)])).output).toMatch(/ 1 download left +counted\.dwg/)
  expect((await pc.run(download)).status).toBe(0)
  await expectSaved(to, [file])
  await setPolicy({ downloadCount: 0 })
})

testOnFolder('a file that rots on the server is reported as such, and not as a lost connection', async () => {
  const file = await makeFile('rotten.dwg', 4 * MIB)
  const { idx } = (await requestExport(file.path)).document
  await decide(idx, Decision.APPROVE)
  const stored = await app.db.read
    .selectFrom('requestFiles')
    .select('storeName')
    .where('fileEximportIdx', '=', idx)
    .executeTakeFirstOrThrow()
  const handle = await open(pathOf(folderOf(app.env), stored.storeName), 'r+')
  await handle.write(Buffer.alloc(16), 0, 16, 3 * MIB)
  await handle.close()
  const to = join(folder, 'rotten')
  expect(await pc.json(['download', String(idx), '--to', to])).toMatchObject({
    status: 1,
    document: { errorCode: 989 },
  })
  expect(await readdir(to)).toEqual([])
})
