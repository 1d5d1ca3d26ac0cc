// Previews of a request's files: who may see them and when, the content and its limits, the headers that keep it
// passive, and the history.
import { readdir, readlink } from 'node:fs/promises'
import { FileKind } from '@acc/contract/labels/fileKind'
import { FileAccess, RequestState, Transfer } from '@acc/contract/labels/requests'
import { UserState } from '@acc/contract/labels/users'
import { beforeEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { openExports } from '../../../test/build/policies.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { overtake } from '../../../test/overtake.ts'
import { flip, folderOf, testOnFolder } from '../../../test/storedFiles.ts'
import { pathOf } from '../../files/names.ts'

const { app, as, fetchAs, admin, clock } = await startTestApp()
const { db } = app
await openExports(db)
const { sales } = await buildGroups(db, 'sales')
const employee = await buildUser(db, { group: sales, id: 'haneul' })
const approver = await buildManager(db, { groups: [sales], fileExportApprove: 2 })

beforeEach(() => clock.advance(60_000))

const MIB = 1024 * 1024
const png = (width: number, height: number, rest = 0) => {
  const bytes = Buffer.alloc(33 + rest)
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}
const build = (name: string, bytes: Buffer, given = {}) =>
  buildRequest(app, employee, { files: [{ name, bytes }], ...given })
type Built = Awaited<ReturnType<typeof build>>
const preview = (user: { idx: number }, { idx, files }: Built) =>
  as(user).requests.preview({ fileEximport: idx, file: files[0]?.idx ?? 0 })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
const views = () => historyOf(db, 'fileDownload')

test('the file comes as a passive attachment, and the history says who saw it', async () => {
  const request = await build('보고서.txt', Buffer.from('<script>alert(1)</script>'))
  const response = await preview(approver, request)
  expect((await bytesOf(response)).toString()).toBe('<script>alert(1)</script>')
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringMatching(/^attachment; /),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  expect((await views()).at(-1)).toMatchObject({
    type: Transfer.EXPORT,
    actorIdx: approver.idx,
    subjectIdx: request.idx,
    groupIdx: sales.idx,
    detail: { accessType: FileAccess.PREVIEW, files: [{ fileName: '보고서.txt' }] },
  })
  const { items } = await as(admin).history.fileDownload({ requestIdx: String(request.idx) })
  expect(items).toMatchObject([{ accessType: FileAccess.PREVIEW }])
  const ofAccess = async (accessType: FileAccess) =>
    (await as(admin).history.fileDownload({ requestIdx: String(request.idx), accessType })).items.length
  expect([await ofAccess(FileAccess.PREVIEW), await ofAccess(FileAccess.DOWNLOAD)]).toEqual([1, 0])
})

test('a text is cut after its first mebibyte, other files come complete', async () => {
  const long = await build('long.log', Buffer.alloc(21 * MIB, 'a'))
  const response = await preview(approver, long)
  expect(response.headers.get('content-length')).toBe(String(MIB))
  expect(await bytesOf(response)).toEqual(Buffer.alloc(MIB, 'a'))
  const image = png(100, 100, 3 * MIB)
  expect(await bytesOf(await preview(approver, await build('image.png', image)))).toEqual(image)
  expect(await bytesOf(await preview(approver, await build('empty.txt', Buffer.alloc(0))))).toHaveLength(0)
  // Broken UTF-8 is for the console to show.
  const broken = Buffer.from([0x61, 0xff, 0xfe, 0xc3])
  expect(await bytesOf(await preview(approver, await build('broken.txt', broken)))).toEqual(broken)
})

test.each([
  ['a program named .pdf', 'report.pdf', Buffer.from('MZ\x90\0', 'latin1'), 'kind', FileKind.PROGRAM],
  ['unknown bytes named .png', 'image.png', Buffer.from([0, 1, 2]), 'kind', FileKind.OTHER],
  ['an image of 30,000 by 30,000 pixels', 'image.png', png(30_000, 30_000), 'pixels', FileKind.PNG],
  ['a large pdf', 'a.pdf', Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(20 * MIB)]), 'size', FileKind.PDF],
] as const)('%s is refused with its reason, without a history row', async (_what, name, bytes, reason, kind) => {
  const before = (await views()).length
  const refused = preview(approver, await build(name, bytes))
  await expect(refused).rejects.toMatchObject({ error: 'NO_PREVIEW', data: { reason, kind } })
  expect(await views()).toHaveLength(before)
})

test('nobody sees the files of their own requests, nor of two requests at once', async () => {
  const before = (await views()).length
  const request = await build('a.txt', Buffer.from('a'))
  const manager = await buildManager(db, { groups: [sales], fileExportApprove: 2, as: { group: sales } })
  const person = await db.read.selectFrom('users').selectAll().where('idx', '=', admin.idx).executeTakeFirstOrThrow()
  for (const user of [manager, person])
    await expect(preview(user, await buildRequest(app, user))).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  const other = await build('b.txt', Buffer.from('b'))
  await expect(preview(approver, { idx: request.idx, files: other.files })).rejects.toMatchObject({
    error: 'NOT_ALLOWED',
  })
  expect(await views()).toHaveLength(before)
})

test('nothing is shown while files arrive, after a cancellation, and while the request is on hold', async () => {
  for (const given of [{ isFileUploaded: 0 }, { state: RequestState.CANCELED }] as const)
    await expect(preview(approver, await build('a.txt', Buffer.from('a'), given))).rejects.toMatchObject({
      error: 'REQUEST_STATE',
    })
  const suspended = await buildUser(db, { group: sales, id: 'suspended' })
  const request = await buildRequest(app, suspended)
  await as(admin).users.setDisabled({ idx: suspended.idx, state: UserState.DISABLED })
  await expect(preview(approver, request)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
})

test('a right that is withdrawn while a preview begins shows nothing', async () => {
  const request = await build('a.txt', Buffer.from('a'))
  const manager = await buildManager(db, { groups: [sales], fileExportApprove: 2 })
  const before = (await views()).length
  const overtaken = overtake(db, {
    lock: (tx) => tx.selectFrom('users').select('idx').where('idx', '=', manager.idx).forNoKeyUpdate().execute(),
    call: () => preview(manager, request),
    change: (tx): Promise<unknown> =>
      tx.updateTable('authorities').set({ fileExportApprove: 1 }).where('idx', '=', manager.authorityIdx).execute(),
  })
  expect(await overtaken).toMatchObject({ error: 'NOT_ALLOWED' })
  expect(await views()).toHaveLength(before)
})

test('two hundred previews in a minute are too many', async () => {
  const request = await build('a.txt', Buffer.from('a'))
  const before = (await views()).length
  const calls = as(approver)
  const input = { fileEximport: request.idx, file: request.files[0]?.idx ?? 0 }
  const answers = await Promise.allSettled(
    Array.from({ length: 200 }, async () => (await calls.requests.preview(input)).bytes()),
  )
  const refused = answers.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThanOrEqual(165)
  for (const answer of refused) expect(answer).toMatchObject({ reason: { error: 'TOO_MANY_REQUESTS' } })
  expect((await views()).length - before).toBe(200 - refused.length)
})

/** The stored files of a request that this process has open (proc(5)). */
async function openFilesOf({ files }: Built): Promise<string[]> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
  return (await Promise.all(links)).filter((path) => files.some(({ name }) => path.endsWith(name)))
}

testOnFolder(
  'damaged and missing bytes are said before anything is recorded, and a reader that leaves holds no file',
  async () => {
    const image = await build('image.png', png(10, 10, 8 * MIB))
    const stop = new AbortController()
    const path = `/FileEximport/File/Preview?fileEximport=${image.idx}&file=${image.files[0]?.idx}`
    const response = await fetchAs(approver)(path, { signal: stop.signal })
    stop.abort()
    await response.arrayBuffer().catch(() => undefined)
    await expect.poll(() => openFilesOf(image)).toEqual([])
    const before = (await views()).length
    const damaged = await build('a.txt', Buffer.alloc(1000, 'a'))
    await flip(pathOf(folderOf(app.env), damaged.files[0]?.name ?? ''), 0)
    await expect(preview(approver, damaged)).rejects.toMatchObject({ error: 'STORAGE_UNAVAILABLE' })
    await app.files.remove(image.files[0]?.name ?? '')
    await expect(preview(approver, image)).rejects.toMatchObject({ error: 'STORAGE_UNAVAILABLE' })
    expect(await openFilesOf(damaged)).toEqual([])
    expect(await views()).toHaveLength(before)
  },
)
