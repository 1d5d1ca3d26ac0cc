// Files of a request as a zip: which files, who may download them, their names, and the history of downloads.
import { once } from 'node:events'
import { readdir, readlink, rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { MAX_FILES } from '@acc/contract/core/fields'
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { openExports } from '../../../test/build/policies.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { overtake } from '../../../test/overtake.ts'
import { flip, folderOf, testOnFolder } from '../../../test/storedFiles.ts'
import { unzip } from '../../../test/unzip.ts'
import type { HubEvent } from '../../events/eventHub.ts'
import { pathOf } from '../../files/names.ts'
import { findAccount } from '../credentials/credentials.queries.ts'
import { openSession } from '../session/session.service.ts'

const { app, owner, http, as, admin, fetchAs, clock, baseUrl } = await startTestApp()
const { db } = app
await openExports(db)
const { sales } = await buildGroups(db, 'sales')
const employee = await buildUser(db, { group: sales, id: 'haneul' })
const approver = await buildManager(db, { groups: [sales], fileExportApprove: 2 })
const viewer = await buildManager(db, { groups: [sales], fileExportApprove: 1 })

const file = (name: string, text: string) => ({ name, bytes: Buffer.from(text) })
const FILES = [file('보고서.hwp', 'report'), file('보고서.hwp', 'another'), file('..\\..\\con.txt', 'device')]

async function download(user: { idx: number }, fileEximport: number, fileIdxes?: number[], timeZone?: string) {
  const headers = timeZone === undefined ? {} : { headers: { 'X-Time-Zone': timeZone } }
  return as(user).requests.download({ fileEximport, ...(fileIdxes && { fileIdxes }) }, headers)
}
const contentOf = async (response: Response) => unzip(Buffer.from(await response.arrayBuffer()))
const findUser = (idx: number) =>
  db.read.selectFrom('users').selectAll().where('idx', '=', idx).executeTakeFirstOrThrow()
const downloads = () => historyOf(db, 'fileDownload')

test('all files have safe and unique names, and the history records the download', async () => {
  const { idx } = await buildRequest(app, employee, { files: FILES })
  const response = await download(approver, idx)
  expect(response.headers.get('content-type')).toBe('application/zip')
  const zip = Buffer.from(await response.arrayBuffer())
  expect(response.headers.get('content-length')).toBe(String(zip.length))
  expect(unzip(zip).map(({ name, bytes }) => [name, bytes.toString()])).toEqual([
    ['보고서.hwp', 'report'],
    ['보고서 (2).hwp', 'another'],
    ['_con.txt', 'device'],
  ])
  expect((await downloads()).at(-1)).toMatchObject({
    type: Transfer.EXPORT,
    actorIdx: approver.idx,
    subject: 'haneul',
    subjectIdx: idx,
    groupIdx: sales.idx,
    detail: { files: FILES.map(({ name, bytes }) => ({ fileName: name, fileSize: bytes.length })) },
  })
})

test('files exchanged with each other in the database do not open', async () => {
  const { idx, files } = await buildRequest(app, employee, { files: FILES })
  const rows = await db.read.selectFrom('requestFiles').selectAll().where('fileEximportIdx', '=', idx).execute()
  const [one, other] = [files[0], files[2]].map((wanted) => rows.find((row) => row.idx === wanted?.idx))
  if (one === undefined || other === undefined) throw new Error('the request has too few files')
  const set = (row: { idx: number }, values: Partial<typeof one>) =>
    db.write.updateTable('requestFiles').set(values).where('idx', '=', row.idx).execute()
  const before = (await downloads()).length
  const expectRefused = async () => {
    for (const row of [one, other])
      await expect(download(approver, idx, [row.idx])).rejects.toMatchObject({ error: 'STORAGE_UNAVAILABLE' })
  }
  const { storeName, wrappedKey, fileSize, sha256 } = one
  await set(one, { storeName: '' })
  await set(other, { storeName, wrappedKey, fileSize, sha256 })
  await set(one, { ...other, idx: one.idx, position: one.position, fileName: one.fileName })
  await expectRefused()
  // Back in their rows, under each other's names.
  await set(one, { storeName: '' })
  await set(other, { ...other, fileName: one.fileName })
  await set(one, { ...one, fileName: other.fileName })
  await expectRefused()
  expect(await downloads()).toHaveLength(before)
})

test('the chosen files only', async () => {
  const { idx, files } = await buildRequest(app, employee, { files: FILES })
  const response = await download(approver, idx, [files[2]?.idx ?? 0, files[0]?.idx ?? 0, files[0]?.idx ?? 0])
  expect((await contentOf(response)).map(({ bytes }) => bytes.toString())).toEqual(['report', 'device'])
  expect((await downloads()).at(-1)?.detail.files).toHaveLength(2)
})

test('a file of another request among them: nothing comes, nothing is logged', async () => {
  const [one, other] = [await buildRequest(app, employee), await buildRequest(app, employee)]
  const count = (await downloads()).length
  const mixed = [one.files[0]?.idx ?? 0, other.files[0]?.idx ?? 0]
  await expect(download(approver, one.idx, mixed)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await expect(download(approver, one.idx, [999_999])).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  expect(await downloads()).toHaveLength(count)
})

test('before all files have come, and after a request was canceled, there is nothing to read', async () => {
  const unfinished = await buildRequest(app, employee, { isFileUploaded: 0 })
  const canceled = await buildRequest(app, employee, { state: RequestState.CANCELED })
  for (const { idx } of [unfinished, canceled]) {
    await expect(download(approver, idx)).rejects.toMatchObject({ error: 'REQUEST_STATE' })
  }
  const rejected = await buildRequest(app, employee, { state: RequestState.REJECTED })
  expect(await contentOf(await download(approver, rejected.idx))).toHaveLength(1)
})

test('the name is of the direction and of the caller’s time', async () => {
  clock.set(new Date('2026-01-31T15:30:05Z'))
  const importer = await buildManager(db, { groups: [sales], fileImportApprove: 2 })
  const out = await buildRequest(app, employee)
  const incoming = await buildRequest(app, employee, { type: Transfer.IMPORT })
  const nameOf = (response: Response) =>
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  expect(nameOf(await download(approver, out.idx, undefined, 'Asia/Seoul'))).toBe('Exports_20260201003005.zip')
  expect(nameOf(await download(importer, incoming.idx))).toBe('Imports_20260131153005.zip')
  const named = (timeZone: string) => as(importer).requests.download({ fileEximport: incoming.idx, timeZone })
  expect(nameOf(await named('Asia/Seoul'))).toBe('Imports_20260201003005.zip')
  expect(nameOf(await named("'; drop"))).toBe('Imports_20260131153005.zip')
  expect(nameOf(await download(importer, incoming.idx, undefined, 'No/Where'))).toBe('Imports_20260131153005.zip')
})

test('a trial finds what a download would, and sends and records nothing', async () => {
  const { idx, files } = await buildRequest(app, employee, { files: FILES })
  const before = (await downloads()).length
  const trial = () => as(approver).requests.download({ fileEximport: idx, isTrial: 1, timeZone: 'Asia/Seoul' })
  const response = await trial()
  expect(response.headers.get('content-disposition')).toContain('Exports_')
  expect((await response.bytes()).length).toBe(0)
  await expect(as(viewer).requests.download({ fileEximport: idx, isTrial: 1 })).rejects.toMatchObject({
    error: 'NOT_ALLOWED',
  })
  await app.files.remove(files[0]?.name ?? '')
  for (const call of [trial, () => download(approver, idx)])
    await expect(call()).rejects.toMatchObject({ error: 'STORAGE_UNAVAILABLE' })
  expect(await openFilesOf({ files })).toEqual([])
  expect(await downloads()).toHaveLength(before)
})

testOnFolder('a file that is found altered in the middle breaks the download off', async () => {
  const { idx, files } = await buildRequest(app, employee, { files: FILES })
  await flip(pathOf(folderOf(app.env), files[1]?.name ?? ''), 0)
  const response = await download(approver, idx)
  await expect(response.arrayBuffer()).rejects.toThrow()
  await rm(folderOf(app.env), { recursive: true })
  await expect(download(approver, idx)).rejects.toMatchObject({ error: 'STORAGE_UNAVAILABLE' })
})

testOnFolder(
  'a page learns of a download that broke off while the browser wrote it to the disk by itself',
  async () => {
    const { idx, files } = await buildRequest(app, employee, { files: FILES })
    const account = await findAccount(db.read, { idx: approver.idx })
    if (account === undefined) throw new Error('the approver has no account')
    const from = { ip: '127.0.0.1', userAgent: 'test' }
    const token = await db.write.transaction().execute((tx) => openSession(tx, app, account, from))
    const events: HubEvent[] = []
    const stop = app.events.subscribe((event) => void (event.topic === 'downloads' && events.push(event)))
    /** Not by fetch, which says itself what it is. */
    const resultOf = async (mode: string, [one = 0, ...others]: number[]) => {
      const query = [`fileIdxes[0]=${one}`, ...others.map((each, at) => `fileIdxes[${at + 1}]=${each}`)].join('&')
      const headers = { cookie: `acc=${token}`, 'sec-fetch-mode': mode }
      const [response]: IncomingMessage[] = await once(
        get(`${baseUrl}/FileEximport/Download?fileEximport=${idx}&${query}`, { headers }),
        'response',
      )
      await response
        ?.on('error', () => undefined)
        .toArray()
        .catch(() => undefined)
      return [response?.statusCode, response?.complete]
    }
    for (const { name } of files.slice(1)) await flip(pathOf(folderOf(app.env), name), 0)
    const [intact = 0, altered = 0, other = 0] = files.map((each) => each.idx)
    expect(await resultOf('navigate', [intact])).toEqual([200, true])
    expect(await resultOf('cors', [intact, altered])).toEqual([200, false])
    expect(await resultOf('navigate', [intact, other])).toEqual([200, false])
    // From now on both are known. A browser would store a refusal with status 200 as the file.
    expect(await resultOf('cors', [intact, altered])).toEqual([200, true])
    expect(await resultOf('navigate', [intact, other])).toEqual([409, true])
    await expect.poll(() => events).toEqual([{ topic: 'downloads', userIdx: approver.idx }])
    stop()
  },
)

testOnFolder(
  'all but one of as many files as a request may have, named as the console does and as the specification does',
  async () => {
    // Idxes as after ten billion files.
    await sql`select setval(pg_get_serial_sequence('"requestFiles"', 'idx'), 9999998000)`.execute(owner)
    const { idx, files } = await buildRequest(app, employee, {
      files: Array.from({ length: MAX_FILES }, (_, at) => file(`${at}.txt`, '')),
    })
    const chosen = files.slice(1).map((one) => one.idx)
    expect(await contentOf(await download(approver, idx, chosen))).toHaveLength(MAX_FILES - 1)
    const spelled = [chosen.map((one) => `fileIdxes=${one}`), chosen.map((one, at) => `fileIdxes%5B${at}%5D=${one}`)]
    for (const names of spelled) {
      const response = await fetchAs(approver)(`/FileEximport/Download?fileEximport=${idx}&${names.join('&')}`)
      expect(response.status).toBe(200)
      await response.body?.cancel()
    }
    expect((await downloads()).at(-1)?.detail.files).toHaveLength(MAX_FILES - 1)
  },
)

test.each([
  ['right', 'NOT_ALLOWED'],
  ['request', 'REQUEST_STATE'],
] as const)('a %s that changes while a download begins opens nothing', async (what, error) => {
  const { idx } = await buildRequest(app, employee, { files: FILES })
  const manager = await buildManager(db, { groups: [sales], fileExportApprove: 2 })
  const before = (await downloads()).length
  const overtaken = overtake(db, {
    lock: (tx) => tx.selectFrom('users').select('idx').where('idx', '=', manager.idx).forNoKeyUpdate().execute(),
    call: () => download(manager, idx),
    change: (tx): Promise<unknown> =>
      what === 'right'
        ? tx.updateTable('authorities').set({ fileExportApprove: 1 }).where('idx', '=', manager.authorityIdx).execute()
        : tx
            .updateTable('fileEximports')
            .set({ state: RequestState.CANCELED, waitDT: null })
            .where('idx', '=', idx)
            .execute(),
  })
  expect(await overtaken).toMatchObject({ error })
  expect(await downloads()).toHaveLength(before)
})

test('files of an own request never come through the approver’s calls, in no state, not even to an administrator', async () => {
  const manager = await buildManager(db, { groups: [sales], fileExportApprove: 2, as: { group: sales } })
  const administrator = await findUser(admin.idx)
  const before = (await downloads()).length
  for (const user of [manager, administrator]) {
    for (const state of RequestState.values) {
      const { idx } = await buildRequest(app, user, { state })
      await expect(download(user, idx)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
      expect(await as(user).requests.find({ idx })).toMatchObject({ isDownloadable: 0, isDecidable: 0 })
    }
  }
  expect(await downloads()).toHaveLength(before)
})

const MIB = 1024 * 1024

/** The stored files of a request that this process has open (proc(5)). */
async function openFilesOf({ files }: { files: readonly { name: string }[] }): Promise<string[]> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
  return (await Promise.all(links)).filter((path) => files.some(({ name }) => path.endsWith(name)))
}

testOnFolder('a reader that goes away or takes no bytes holds one file at most, and leaves none open', async () => {
  const large = [1, 2, 3].map((at) => ({ name: `${at}.bin`, bytes: Buffer.alloc(16 * MIB) }))
  const request = await buildRequest(app, employee, { files: large })
  const stored = await readdir(app.env.dataDir, { recursive: true })
  for (const isRead of [true, false]) {
    const called = once(http.server, 'request')
    const stop = new AbortController()
    const response = await fetchAs(approver)(`/FileEximport/Download?fileEximport=${request.idx}`, {
      signal: stop.signal,
    })
    const [call]: IncomingMessage[] = await called
    const socket = call?.socket
    if (isRead) await response.body?.getReader().read()
    let written = -1
    // Until the buffers of the connection are full.
    await expect
      .poll(
        () => {
          const isSame = written === socket?.bytesWritten
          written = socket?.bytesWritten ?? 0
          return isSame
        },
        { interval: 200 },
      )
      .toBe(true)
    expect(written).toBeLessThan(24 * MIB)
    expect(await openFilesOf(request)).toHaveLength(1)
    stop.abort()
    await expect.poll(() => openFilesOf(request)).toEqual([])
  }
  expect(await readdir(app.env.dataDir, { recursive: true })).toEqual(stored)
})
