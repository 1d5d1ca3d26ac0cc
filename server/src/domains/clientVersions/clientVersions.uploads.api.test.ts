// Uploads that are no clients, break off, come in parallel, or meet a full disk: none leaves a file or a row.
import { once } from 'node:events'
import { utimes } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { clientVersions as uploadRoute } from '@acc/contract/clientVersions'
import { afterEach, describe, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { historyOf } from '../../../test/history.ts'
import { folderOf, namesOf, testOnFolder } from '../../../test/storedFiles.ts'
import { later } from '../../clock.ts'
import { FileStoreError } from '../../files/errors.ts'
import type { FileStore } from '../../files/fileStore.ts'
import { pathOf } from '../../files/names.ts'
import { findAccount } from '../credentials/credentials.queries.ts'
import { sweepFiles } from '../requests/requests.jobs.ts'
import { openSession } from '../session/session.service.ts'
import { programFile, versionsIn } from './clientVersions.fixture.ts'

const { app, nodes, as, http, admin } = await startTestApp()
const { db } = app
const api = as(admin).clientVersions
const files = nodes.map((node) => ({ ...node.files }))
/** Replaces parts of the file store of each node, given the real one. */
const replaceFiles = (partsOf: (real: FileStore) => Partial<FileStore>) =>
  nodes.map((node, at) => Object.assign(node.files, partsOf(files[at] ?? node.files)))

const storedFiles = () => namesOf(app)

/** Waits until the server has processed the upload. */
async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end; ) if (await isDone()) return
  throw new Error('it did not come about in time')
}

describe('nothing is left of', () => {
  afterEach(async () => {
    replaceFiles((real) => real)
    expect(await storedFiles()).toEqual([])
    expect(await versionsIn(db)).toEqual([])
    expect(await historyOf(db, 'clientManage')).toEqual([])
  })

  test.each<[string, File, string]>([
    ['a text', new File(['hello'], 'hello.exe'), 'program'],
    ['a program without a version', programFile('0.0.0.0'), 'version'],
    ['half a program', new File([programFile('1.0.0.0').slice(0, 1000)], 'half.exe'), 'truncated'],
    ['a program by another name', programFile('1.0.0.0', 'client.msi'), 'name'],
    ['a program by two names', programFile('1.0.0.0', 'client.exe.txt'), 'name'],
    ['a name with a dot at its end', programFile('1.0.0.0', 'client.exe.'), 'name'],
    ['a name that is only an extension', programFile('1.0.0.0', '.exe'), 'name'],
    ['a stream of a file', programFile('1.0.0.0', 'client.exe::$DATA'), 'name'],
  ])('%s is refused', async (_, file, reason) => {
    await expect(api.upload({}, file)).rejects.toMatchObject({ error: 'INVALID_CLIENT_FILE', data: { reason } })
  })

  test.each(['client\u0000.exe', 'client\u202eexe.exe'])('the name %j is refused', async (name) => {
    await expect(api.upload({}, programFile('1.0.0.0', name))).rejects.toMatchObject({
      error: expect.toBeOneOf(['INVALID_INPUT', 'INVALID_CLIENT_FILE']),
    })
  })

  test('a file that is no program is refused before the rest of it arrives', async () => {
    const large = new File([new Uint8Array(40_000_000)], 'large.exe')
    await expect(api.upload({}, large)).rejects.toMatchObject({ error: 'INVALID_CLIENT_FILE' })
  })

  const BOUNDARY = 'x-boundary'
  async function headOf(size: number): Promise<string> {
    const account = await findAccount(db.read, { idx: admin.idx })
    if (account === undefined) throw new Error('there is no administrator')
    const from = { ip: '127.0.0.1', userAgent: 'test' }
    const token = await db.write.transaction().execute((tx) => openSession(tx, app, account, from))
    const part = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="client"; filename="a.exe"\r\n\r\n`
    return [
      'POST /Client HTTP/1.1',
      'host: 127.0.0.1',
      'x-requested-with: XMLHttpRequest',
      `cookie: acc=${token}`,
      `content-type: multipart/form-data; boundary=${BOUNDARY}`,
      `content-length: ${size}`,
      '',
      part,
    ].join('\r\n')
  }

  testOnFolder('uploads that break off leave nothing, however many there are', async () => {
    const { port } = http.server.address() as AddressInfo
    const program = Buffer.from(await programFile('1.0.0.0', 'a.exe', Buffer.alloc(1_000_000)).bytes())
    const sockets = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined)
        socket.write(await headOf(2_000_000))
        socket.write(program)
        return socket
      }),
    )
    await until(async () => (await storedFiles()).length === 10)
    for (const socket of sockets) socket.destroy()
    await until(async () => (await storedFiles()).length === 0)
  })

  test('more than 4 GiB is refused by its length, before a byte of it has come', async () => {
    const { port } = http.server.address() as AddressInfo
    const answerTo = async (size: number) => {
      const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined)
      const answered = once(socket, 'data')
      socket.write(await headOf(size))
      const [answer]: Buffer[] = await answered
      socket.destroy()
      return String(answer)
    }
    expect(uploadRoute.upload.maxFile).toBe(4_294_967_296)
    expect(await answerTo(4_294_967_296 + 70_000)).toMatch(/^HTTP\/1\.1 413 /)
  })

  testOnFolder('a person has 30 uploads and downloads open at most', async () => {
    const { port } = http.server.address() as AddressInfo
    const head = await headOf(2_000_000)
    const sockets = Array.from({ length: 30 }, () => {
      const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined)
      socket.write(`${head}MZ`)
      return socket
    })
    await until(async () => (await storedFiles()).length === 30)
    await expect(api.upload({}, programFile('1.0.0.0'))).rejects.toMatchObject({ error: 'TOO_MANY_REQUESTS' })
    for (const socket of sockets) socket.destroy()
    await until(async () => (await storedFiles()).length === 0)
  })

  test('a file that the volume has no room for is refused before it is stored', async () => {
    replaceFiles(() => ({ free: async () => 2 ** 30 + 1000 }))
    await expect(api.upload({}, programFile('1.0.0.0'))).rejects.toMatchObject({ error: 'STORAGE_UNAVAILABLE' })
  })

  test('a disk that others fill ends an upload', async () => {
    let free = 2 ** 40
    replaceFiles(() => ({
      free: async () => {
        const now = free
        free = 0
        return now
      },
    }))
    const file = programFile('1.0.0.0', 'a.exe', Buffer.alloc(70 * 2 ** 20))
    await expect(api.upload({}, file)).rejects.toMatchObject({ error: 'STORAGE_UNAVAILABLE' })
  })

  test('a full disk is named, and the server continues', async () => {
    const full = new FileStoreError('noSpace', 'the file store failed (ENOSPC)')
    replaceFiles(() => ({ receive: async () => Promise.reject(full) }))
    await expect(api.upload({}, programFile('1.0.0.0'))).rejects.toMatchObject({ error: 'STORAGE_UNAVAILABLE' })
    expect((await api.search({})).totalCount).toBe(0)
  })

  test('an administrator whose session ends during the upload has uploaded nothing', async () => {
    replaceFiles(({ receive }) => ({
      receive: async (source) => {
        const file = await receive(source)
        await db.write.updateTable('sessions').set({ endDT: app.clock.now() }).execute()
        return file
      },
    }))
    await expect(as(admin).clientVersions.upload({}, programFile('1.0.0.0'))).rejects.toMatchObject({
      error: 'SESSION_ENDED',
    })
  })
})

testOnFolder('the sweep keeps the files of versions and removes what has no row', async () => {
  const calls = as(admin).clientVersions
  await calls.upload({}, programFile('1.0.0.0'))
  await app.files.receive(programFile('2.0.0.0').stream())
  const old = later(app.clock.now(), -7 * 86_400_000)
  for (const name of await storedFiles()) await utimes(pathOf(folderOf(app.env), name), old, old)
  await sweepFiles(app)
  expect(await storedFiles()).toHaveLength(1)
  expect((await calls.download({ version: '1.0.0.0' })).status).toBe(200)
  await db.write.deleteFrom('clientVersions').execute()
  await sweepFiles(app)
  expect(await storedFiles()).toEqual([])
})
