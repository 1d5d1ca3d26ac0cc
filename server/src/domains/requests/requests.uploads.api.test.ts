// Receiving files: complete, in pieces, interrupted, concurrent, damaged, too long, canceled, on a full disk.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { FileExport } from '@acc/contract/labels/policies'
import { RequestEvent, RequestState } from '@acc/contract/labels/requests'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'
import { historyOf } from '../../../test/history.ts'
import { isStored } from '../../../test/storedFiles.ts'

const failures: string[] = []
const log = pino({ level: 'error' }, { write: (line) => void failures.push(line) })
const testApp = await startTestApp({}, log)
const { app, baseUrl } = testApp
const { db } = app
const { sales } = await buildGroups(db, 'sales')
await buildPolicy(db, { group: sales, fileExport: FileExport.APPROVAL })
const employee = await buildUser(db, { group: sales })
const pc = await openDesktopClient(testApp, employee)

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
/** Creates a request for files with these contents; returns the upload path of each. */
async function createRequest(...contents: Buffer[]) {
  const files = contents.map((bytes, at) => ({ name: `${at}.bin`, size: bytes.length, sha256: sha256(bytes) }))
  const request = await pc.requests.create({ type: 1, purpose: 'test', files })
  return request.files.map(({ idx }) => ({ fileEximport: request.idx, file: idx }))
}
type Place = { fileEximport: number; file: number }
const NOWHERE: Place = { fileEximport: 0, file: 0 }
const upload = (place: Place = NOWHERE, offset: number, bytes: Uint8Array) =>
  pc.requests.upload({ ...place, offset }, new Blob([new Uint8Array(bytes)]))
const receivedOf = async ({ fileEximport, file }: Place = NOWHERE) => {
  const { items } = await pc.requests.searchOwn({ idx: fileEximport })
  return items[0]?.files.find(({ idx }) => idx === file)?.received
}
const stepsOf = async (idx: number) =>
  (await historyOf(db, 'fileExport')).flatMap(({ subjectIdx, type }) => (subjectIdx === idx ? [type] : []))
const contentOf = async ({ fileEximport, file }: Place = NOWHERE) => {
  await db.write.updateTable('fileEximports').set({ state: 1, waitDT: null }).where('idx', '=', fileEximport).execute()
  return Buffer.from(await (await pc.requests.downloadOwn({ fileEximport, file })).arrayBuffer())
}
const isComplete = async (idx: number) => {
  const row = await db.read
    .selectFrom('fileEximports')
    .select('isFileUploaded')
    .where('idx', '=', idx)
    .executeTakeFirst()
  return row?.isFileUploaded === 1
}

/** A body that sends its bytes and then stalls, like a slow connection, until `end` is called. */
function slow(bytes: Buffer) {
  const held = Promise.withResolvers<void>()
  async function* body() {
    yield new Uint8Array(bytes)
    await held.promise
  }
  return { body: body(), end: () => held.resolve() }
}

test('the last whole file completes the request, once', async () => {
  const contents = [randomBytes(300_000), Buffer.alloc(0), randomBytes(10)]
  const places = await createRequest(...contents)
  const idx = places[0]?.fileEximport ?? 0
  const answers = await Promise.all(places.map((place, at) => upload(place, 0, contents[at] ?? Buffer.alloc(0))))
  expect(answers.map(({ received, isUploaded }) => [received, isUploaded])).toEqual([
    [300_000, 1],
    [0, 1],
    [10, 1],
  ])
  expect(answers.filter(({ isFileUploaded }) => isFileUploaded === 1)).toHaveLength(1)
  expect(await isComplete(idx)).toBe(true)
  expect(await stepsOf(idx)).toEqual([RequestEvent.REQUESTED, RequestEvent.UPLOADED])
  for (const [at, place] of places.entries())
    expect((await contentOf(place)).equals(contents[at] ?? Buffer.alloc(1))).toBe(true)
})

test('an upload continues at any byte; at another offset the error names it', async () => {
  const bytes = randomBytes(600_001)
  const [place] = await createRequest(bytes)
  for (const [from, to] of [
    [0, 1],
    [1, 262_144],
    [262_144, 262_145],
    [262_145, 600_000],
  ] as const) {
    expect(await upload(place, from, bytes.subarray(from, to))).toMatchObject({ received: to, isUploaded: 0 })
    expect(await receivedOf(place)).toBe(to)
  }
  for (const offset of [0, 599_999, 600_001]) {
    await expect(upload(place, offset, bytes.subarray(0, 1))).rejects.toMatchObject({
      error: 'UPLOAD_OFFSET',
      data: { received: 600_000 },
    })
  }
  expect(await upload(place, 600_000, bytes.subarray(600_000))).toMatchObject({ isUploaded: 1, isFileUploaded: 1 })
  expect((await contentOf(place)).equals(bytes)).toBe(true)
})

test('a last answer that got lost is given again; a whole file takes no more', async () => {
  const bytes = randomBytes(100)
  const [place, open] = await createRequest(bytes, bytes)
  await upload(place, 0, bytes)
  expect(await upload(place, 100, Buffer.alloc(0))).toEqual({ received: 100, isUploaded: 1, isFileUploaded: 0 })
  await expect(upload(place, 0, bytes)).rejects.toMatchObject({ error: 'UPLOAD_OFFSET', data: { received: 100 } })
  expect(await receivedOf(open)).toBe(0)
  await upload(open, 0, bytes)
  expect(await upload(open, 100, Buffer.alloc(0))).toEqual({ received: 100, isUploaded: 1, isFileUploaded: 1 })
  expect(await stepsOf(place?.fileEximport ?? 0)).toEqual([RequestEvent.REQUESTED, RequestEvent.UPLOADED])
})

test('a connection that breaks off keeps what came, and is no failure of the server', async () => {
  const bytes = randomBytes(700_000)
  const [place] = await createRequest(bytes)
  const { body } = slow(bytes.subarray(0, 500_000))
  const stop = new AbortController()
  const broken = pc.requests.upload({ ...(place ?? NOWHERE), offset: 0 }, body, { signal: stop.signal })
  await expect.poll(() => receivedOf(place)).toBeGreaterThan(0)
  stop.abort()
  await expect(broken).rejects.toThrow()
  await expect.poll(() => receivedOf(place)).toBe(500_000)
  await expect
    .poll(() => upload(place, 500_000, bytes.subarray(500_000)).catch(({ error }) => error))
    .toMatchObject({
      isUploaded: 1,
    })
  expect((await contentOf(place)).equals(bytes)).toBe(true)
  expect(failures).toEqual([])
})

test('of two connections that send one file one continues, the other receives the offset', async () => {
  const bytes = randomBytes(600_000)
  const [place] = await createRequest(bytes)
  const first = slow(bytes.subarray(0, 300_000))
  const running = pc.requests.upload({ ...(place ?? NOWHERE), offset: 0 }, first.body)
  await expect.poll(() => receivedOf(place)).toBeGreaterThan(0)
  const second = await upload(place, 0, bytes).catch((error: unknown) => error)
  expect(second).toMatchObject({ error: 'UPLOAD_OFFSET', data: { received: 262_144 } })
  first.end()
  expect(await running).toMatchObject({ received: 300_000 })
  await upload(place, 300_000, bytes.subarray(300_000))
  expect((await contentOf(place)).equals(bytes)).toBe(true)
})

test('a database that drops the lock stops the upload, which continues with a new one', async () => {
  const bytes = randomBytes(600_000)
  const [place] = await createRequest(bytes)
  const { body } = slow(bytes.subarray(0, 300_000))
  const running = pc.requests.upload({ ...(place ?? NOWHERE), offset: 0 }, body)
  await expect.poll(() => receivedOf(place)).toBeGreaterThan(0)
  const stopped = expect(running).rejects.toMatchObject({ type: 'network' })
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'acc locks' and datname = current_database()`.execute(db.write)
  await stopped
  await expect.poll(() => receivedOf(place)).toBe(300_000)
  // The stopped upload may hold the file for a moment; a client tries again after UPLOAD_OFFSET.
  await expect
    .poll(() => upload(place, 300_000, bytes.subarray(300_000)).catch(({ error }) => error))
    .toMatchObject({ isUploaded: 1 })
  expect((await contentOf(place)).equals(bytes)).toBe(true)
})

test('many at once from the start: the file is whole and right', async () => {
  const bytes = randomBytes(2_000_000)
  const [place] = await createRequest(bytes)
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => upload(place, 0, bytes)))
  const refusals = results.flatMap((r) => (r.status === 'rejected' ? [r.reason.error ?? r.reason] : []))
  expect(results.length - refusals.length).toBe(1)
  expect(new Set(refusals)).toEqual(new Set(['UPLOAD_OFFSET']))
  expect(await stepsOf(place?.fileEximport ?? 0)).toEqual([RequestEvent.REQUESTED, RequestEvent.UPLOADED])
  expect((await contentOf(place)).equals(bytes)).toBe(true)
})

test('other bytes than announced, or more of them, start again at 0', async () => {
  const bytes = randomBytes(300_000)
  const [place] = await createRequest(bytes)
  const wrong = Buffer.from(bytes)
  wrong.writeUInt8(wrong.readUInt8(7) ^ 1, 7)
  const mismatch = { error: 'UPLOAD_MISMATCH', data: { received: 0 } }
  await expect(upload(place, 0, wrong)).rejects.toMatchObject(mismatch)
  expect(await receivedOf(place)).toBe(0)
  await expect(upload(place, 0, Buffer.concat([bytes, bytes]))).rejects.toMatchObject(mismatch)
  expect(await receivedOf(place)).toBe(0)
  expect(await isComplete(place?.fileEximport ?? 0)).toBe(false)
  await upload(place, 0, bytes)
  expect((await contentOf(place)).equals(bytes)).toBe(true)
})

test('canceled while its bytes come, a request takes none of them', async () => {
  const bytes = randomBytes(300_000)
  const [place] = await createRequest(bytes)
  const { body, end } = slow(bytes)
  const running = pc.requests.upload({ ...(place ?? NOWHERE), offset: 0 }, body)
  await expect.poll(() => receivedOf(place)).toBeGreaterThan(0)
  await pc.requests.cancel({ idx: place?.fileEximport ?? 0 })
  end()
  await expect(running).rejects.toMatchObject({ error: 'REQUEST_STATE' })
  expect(await isComplete(place?.fileEximport ?? 0)).toBe(false)
  const { storeName } = await db.read
    .selectFrom('requestFiles')
    .select('storeName')
    .where('idx', '=', place?.file ?? 0)
    .executeTakeFirstOrThrow()
  expect(await isStored(app, storeName)).toBe(false)
})

test('the answer reaches a client that continues to send', async () => {
  const { idx, files } = await buildRequest(app, employee, { state: RequestState.CANCELED, isFileUploaded: 0 })
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  let sent = 0
  const sendOn = () => {
    sent += 65_536
    socket.write(randomBytes(65_536), (error) => (error ? undefined : setImmediate(sendOn)))
  }
  socket.write(
    `PUT /Agent/FileEximport/File?fileEximport=${idx}&file=${files[0]?.idx}&offset=0 HTTP/1.1\r\nhost: localhost\r\n` +
      `authorization: Bearer ${pc.token}\r\nx-requested-with: XMLHttpRequest\r\n` +
      'content-type: application/octet-stream\r\ncontent-length: 9000000000\r\n\r\n',
    sendOn,
  )
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toContain('REQUEST_STATE')
  const sentBefore = sent
  await expect.poll(() => sent).toBeGreaterThan(sentBefore + 1_000_000)
  socket.destroy()
})

test('a body of another type is refused', async () => {
  const [place] = await createRequest(Buffer.from('x'))
  const query = `fileEximport=${place?.fileEximport}&file=${place?.file}&offset=0`
  const put = (headers: Record<string, string>) =>
    fetch(`${baseUrl}/Agent/FileEximport/File?${query}`, { method: 'PUT', headers, body: '{}' })
  const authorization = `Bearer ${pc.token}`
  const type = { 'content-type': 'application/octet-stream' }
  const marker = { 'x-requested-with': 'XMLHttpRequest' }
  expect((await put({ authorization, ...marker, 'content-type': 'application/json' })).status).toBe(415)
  expect(await (await put({ authorization, ...type })).json()).toMatchObject({ errorCode: 980 })
  expect(await (await put({ ...marker, ...type })).json()).toMatchObject({ errorCode: 960 })
  await expect(upload(place, -1, Buffer.from('x'))).rejects.toMatchObject({ error: 'INVALID_INPUT' })
  expect(await receivedOf(place)).toBe(0)
})

test('a hundred uploads at once, many of clients that die in the middle: others are served, and all files arrive', async () => {
  const people = await Promise.all([1, 2, 3, 4].map(() => buildUser(db, { group: sales })))
  const contents = Array.from({ length: 25 }, () => randomBytes(400_000))
  const files = contents.map((bytes, at) => ({ name: `${at}.bin`, size: bytes.length, sha256: sha256(bytes) }))
  const clients = await Promise.all(
    people.map(async (person) => {
      const device = await openDesktopClient(testApp, person)
      return { device, request: await device.requests.create({ type: 1, purpose: 'test', files }) }
    }),
  )
  const uploads = clients.flatMap(({ device, request }) =>
    request.files.map(({ idx }, at) => ({
      place: { fileEximport: request.idx, file: idx },
      bytes: contents[at] ?? Buffer.alloc(0),
      device,
      dies: at % 4 === 0,
    })),
  )
  const receivedBy = async ({ device, place }: (typeof uploads)[number]) => {
    const { items } = await device.requests.searchOwn({ idx: place.fileEximport })
    return items[0]?.files.find(({ idx }) => idx === place.file)?.received ?? 0
  }
  const running = uploads.map(async (upload) => {
    const { device, place, bytes, dies } = upload
    if (!dies) return device.requests.upload({ ...place, offset: 0 }, new Blob([new Uint8Array(bytes)]))
    const stop = new AbortController()
    const { body } = slow(bytes.subarray(0, 300_000))
    const dying = device.requests.upload({ ...place, offset: 0 }, body, { signal: stop.signal }).catch(() => undefined)
    await expect.poll(() => receivedBy(upload)).toBeGreaterThan(0)
    stop.abort()
    return dying
  })
  expect((await testApp.anonymous.configs.find({})).serverVersion).not.toBe('')
  await Promise.all(running)
  for (const upload of uploads.filter(({ dies }) => dies)) {
    const { device, place, bytes } = upload
    await expect
      .poll(async () => {
        const offset = await receivedBy(upload)
        const rest = new Blob([new Uint8Array(bytes.subarray(offset))])
        return device.requests.upload({ ...place, offset }, rest).catch(({ error }) => error)
      })
      .toMatchObject({ received: bytes.length, isUploaded: 1 })
  }
  for (const { request } of clients) {
    expect(await isComplete(request.idx)).toBe(true)
    expect(await stepsOf(request.idx)).toEqual([RequestEvent.REQUESTED, RequestEvent.UPLOADED])
  }
})
