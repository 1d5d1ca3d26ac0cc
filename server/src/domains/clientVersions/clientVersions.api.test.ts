// Client versions: uploaded, listed, deployed, downloaded and deleted, each with what it leaves behind.
import { createHash } from 'node:crypto'
import { ClientManage } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser } from '../../../test/build/users.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'
import { historyOf } from '../../../test/history.ts'
import { isStored, testOnFolder } from '../../../test/storedFiles.ts'
import { programFile, versionsIn } from './clientVersions.fixture.ts'

const testApp = await startTestApp()
const { app, as, fetchAs, admin } = testApp
const { db } = app
const api = as(admin).clientVersions
const employee = await buildUser(db)
const pc = await openDesktopClient(testApp, employee)

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const bytesOf = async (response: Response | Promise<Response>) => new Uint8Array(await (await response).arrayBuffer())
const logOf = async (version: string) =>
  (await historyOf(db, 'clientManage')).filter(({ subject }) => subject === version)

test('a version is uploaded, deployed, replaced and deleted, each with its history row', async () => {
  expect(await as(employee).clientVersions.findDeployed({})).toEqual({ client: null })
  const first = programFile('1.2.0.0', '클라이언트 1.2.exe')
  const bytes = new Uint8Array(await first.arrayBuffer())
  expect(await api.upload({}, first)).toEqual({ version: '1.2.0.0' })
  const [row] = await versionsIn(db)
  expect(row).toMatchObject({
    version: '1.2.0.0',
    fileName: '클라이언트 1.2.exe',
    fileSize: bytes.length,
    sha256: sha256Of(bytes),
    isDeploy: 0,
    uploadDT: app.clock.now(),
  })
  expect(await isStored(app, row?.storeName ?? '')).toBe(true)
  await api.deploy({ version: '1.2.0.0' })
  await api.deploy({ version: '1.2.0.0' })
  await api.upload({}, programFile('1.3.0.0'))
  await api.deploy({ version: '1.3.0.0' })
  await api.remove({ version: '1.2.0.0' })
  expect(await isStored(app, row?.storeName ?? '')).toBe(false)
  expect((await versionsIn(db)).map(({ version, isDeploy }) => [version, isDeploy])).toEqual([['1.3.0.0', 1]])
  const entry = (type: number, version: string, old: string | null) => ({
    type,
    actorIdx: admin.idx,
    groupIdx: null,
    subject: version,
    detail: { targetVersion: version, targetOldVersion: old },
  })
  expect(await historyOf(db, 'clientManage')).toMatchObject([
    entry(ClientManage.CREATE, '1.2.0.0', null),
    entry(ClientManage.UPDATE, '1.2.0.0', null),
    entry(ClientManage.CREATE, '1.3.0.0', null),
    entry(ClientManage.UPDATE, '1.3.0.0', '1.2.0.0'),
    entry(ClientManage.DELETE, '1.2.0.0', null),
  ])
  const { items } = await as(admin).history.clientManage({ type: ClientManage.UPDATE, targetVersion: '1.3.' })
  expect(items).toMatchObject([{ targetVersion: '1.3.0.0', targetOldVersion: '1.2.0.0' }])
})

test('the same version twice is refused, and its second file does not stay', async () => {
  await api.upload({}, programFile('2.0.0.0'))
  const before = await versionsIn(db)
  const repeated = Array.from({ length: 4 }, (_, at) => api.upload({}, programFile('2.0.0.0', `other${at}.exe`)))
  for (const one of await Promise.allSettled(repeated))
    expect(one).toMatchObject({ reason: { error: 'DUPLICATE_NAME' } })
  expect(await versionsIn(db)).toEqual(before)
  expect(await logOf('2.0.0.0')).toHaveLength(1)
})

test('the list is sorted by number, searched by version and name, and comes as CSV', async () => {
  for (const version of ['10.0.0.1', '9.20.0.1', '9.3.0.1'])
    await api.upload({}, programFile(version, `Sorted_${version}.EXE`))
  const found = async (filter: object) => (await api.search(filter)).items.map(({ version }) => version)
  expect(await found({ keyword: 'sorted', sort: 'version', sortOrder: 0 })).toEqual(['9.3.0.1', '9.20.0.1', '10.0.0.1'])
  expect(await found({ keyword: 'sorted', rowsAfter: 1, rowsCount: 1 })).toEqual(['9.20.0.1'])
  expect(await found({ keyword: '9.3.' })).toEqual(['9.3.0.1'])
  expect(await found({ keyword: '%' })).toEqual([])
  for (const sort of ['idx', 'fileName', 'fileSize', 'uploadDT', 'isDeploy'] as const)
    expect(await found({ keyword: 'sorted', sort })).toHaveLength(3)
  const headers = { accept: 'text/csv', 'accept-language': 'ko' }
  const csv = await (await fetchAs(admin)('/Clients/Search?keyword=sorted&rowsCount=2147483646', { headers })).text()
  expect(csv.trim().split('\r\n')).toHaveLength(4)
  expect(csv).toContain('업로드 일시')
})

test('the deployed version cannot be deleted, also while it becomes the deployed one', async () => {
  await api.upload({}, programFile('4.0.0.0'))
  await api.deploy({ version: '4.0.0.0' })
  await expect(api.remove({ version: '4.0.0.0' })).rejects.toMatchObject({ error: 'REQUEST_STATE' })
  await expect(api.remove({ version: '4.0.0.9' })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await expect(api.deploy({ version: '4.0.0.9' })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  for (let build = 1; build <= 10; build++) {
    const version = `4.0.0.${build}`
    await api.upload({}, programFile(version))
    const [deploy, remove] = await Promise.allSettled([api.deploy({ version }), api.remove({ version })])
    expect([deploy.status, remove.status].sort()).toEqual(['fulfilled', 'rejected'])
    const rows = (await versionsIn(db)).filter(({ isDeploy }) => isDeploy === 1)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.version === version).toBe(deploy.status === 'fulfilled')
  }
})

test('every signed-in person downloads the deployed version', async () => {
  const calls = as(employee).clientVersions
  const { client } = await calls.findDeployed({})
  const response = await calls.downloadDeployed({})
  expect(response.headers.get('content-disposition')).toContain(client?.fileName)
  expect(sha256Of(await bytesOf(response))).toBe(client?.sha256)
})

test('a download has the name of the upload on one line, and is never shown by the browser', async () => {
  const bytes = Buffer.alloc(600_000, 7)
  await api.upload({}, programFile('6.0.0.0', `설치 'q"; filename=x.exe`, bytes))
  const response = await api.download({ version: '6.0.0.0' })
  expect(response.headers.get('content-type')).toBe('application/octet-stream')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="[^"\r\n]+"; filename\*=UTF-8''\S+$/,
  )
  expect(Number(response.headers.get('content-length'))).toBe((await bytesOf(response)).length)
})

test.each(['../../etc/passwd', '4.0.0.0/..', '04.0.0.0'])('the version %j is refused', async (version) => {
  const response = await fetchAs(admin)(`/Client/Download?version=${encodeURIComponent(version)}`)
  expect(await response.json()).toMatchObject({ errorCode: 983, data: { fields: ['version'] } })
})

test('nothing of a path reaches the files', async () => {
  for (const path of ['/Client/Download/../../secret.key', '/Client/Download/Deploy/Web/..%2f..%2fsecret.key'])
    expect((await fetchAs(admin)(path)).status).toBe(404)
})

testOnFolder('a download under way survives that its version is deleted', async () => {
  const payload = Buffer.alloc(5_000_000, 9)
  const file = programFile('7.0.0.0', 'large.exe', payload)
  await api.upload({}, file)
  const response = await api.download({ version: '7.0.0.0' })
  await api.remove({ version: '7.0.0.0' })
  expect(sha256Of(await bytesOf(response))).toBe(sha256Of(await file.bytes()))
  await expect(api.download({ version: '7.0.0.0' })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
})

test('the download of a version without its file is refused', async () => {
  await api.upload({}, programFile('7.0.0.1'))
  const { storeName } = await db.read
    .selectFrom('clientVersions')
    .select('storeName')
    .where('version', '=', '7.0.0.1')
    .executeTakeFirstOrThrow()
  await app.files.remove(storeName)
  await expect(api.download({ version: '7.0.0.1' })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
})

test('downloads while versions change and go are whole or refused', async () => {
  const files = new Map<string, string>()
  for (const build of [1, 2, 3]) {
    const file = programFile(`8.0.0.${build}`, undefined, Buffer.alloc(400_000, build))
    files.set(`8.0.0.${build}`, sha256Of(await file.bytes()))
    await api.upload({}, file)
  }
  const known = new Set(files.values())
  await api.deploy({ version: '8.0.0.1' })
  // Refusals that come before the last change are settled, too.
  const downloads = Promise.allSettled(
    Array.from({ length: 40 }, async () => sha256Of(await bytesOf(as(employee).clientVersions.downloadDeployed({})))),
  )
  await api.deploy({ version: '8.0.0.2' })
  await api.remove({ version: '8.0.0.1' })
  await api.deploy({ version: '8.0.0.3' })
  for (const download of await downloads) {
    if (download.status === 'fulfilled') expect(known).toContain(download.value)
    else expect(download.reason).toMatchObject({ error: expect.toBeOneOf(['TOO_MANY_REQUESTS', 'NOT_ALLOWED']) })
  }
})

test('a client learns of the deployed version and downloads it, from any byte on', async () => {
  const file = programFile('9.0.0.0', 'update.exe', Buffer.alloc(300_000, 3))
  const bytes = await file.bytes()
  await api.upload({}, file)
  await api.deploy({ version: '9.0.0.0' })
  expect((await pc.agent.heartbeat({})).deployedVersion).toBe('9.0.0.0')
  const { client } = await pc.agent.findClient({})
  expect(client).toMatchObject({ version: '9.0.0.0', fileSize: bytes.length, sha256: sha256Of(bytes) })
  for (const offset of [0, 1, 262_144, bytes.length - 1, bytes.length]) {
    const rest = await bytesOf(pc.agent.downloadClient({ version: '9.0.0.0', offset }))
    expect(Buffer.from(rest).equals(bytes.subarray(offset))).toBe(true)
  }
  const beyond = pc.agent.downloadClient({ version: '9.0.0.0', offset: bytes.length + 1 })
  await expect(beyond).rejects.toMatchObject({ error: 'INVALID_INPUT' })
  // Another version was deployed: the rest of the first one must not come from it.
  await expect(pc.agent.downloadClient({ version: '8.0.0.3' })).rejects.toMatchObject({ error: 'REQUEST_STATE' })
  await expect(as(employee).agent.findClient({})).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await expect(pc.clientVersions.findDeployed({})).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
})
