// The real server and its embedded database, killed or out of disk space during an upload: after the next start
// confirmed changes exist, interrupted uploads resume, and no orphans remain.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Api, api } from '@acc/contract'
import { type ApiError, type Client, createClient } from '@acc/contract/core/client'
import { FileExport } from '@acc/contract/labels/policies'
import { Decision, RequestState } from '@acc/contract/labels/requests'
import { beforeAll, expect, test } from 'vitest'
import { processesIn } from '../src/db/embedded/place.ts'
import { type Database, openDatabase } from '../src/db/open.ts'
import { ADMIN_PASSWORD } from './app.ts'
import { buildManager } from './build/authorities.ts'
import { buildUser } from './build/users.ts'
import { createDataDir } from './dataDir.ts'
import { callsWithToken } from './desktopClients.ts'
import { type ServerProcess, startServer } from './process.ts'
import { endedAfterAll } from './processes.ts'
import { unzip } from './unzip.ts'

const MIB = 1024 * 1024
const PASSWORD = 'Qa9!zebra-Lm'
const root = await mkdtemp(join(tmpdir(), 'acc-crash-'))
const dataDir = join(root, 'data')
const running = endedAfterAll(root)
let server: ServerProcess

async function start(fileLimit?: number): Promise<void> {
  server = await startServer({ ACC_DATA_DIR: dataDir, ACC_ADMIN_PASSWORD: ADMIN_PASSWORD }, fileLimit)
  running.push(server)
  expect(server.output()).toContain('ACC is ready')
}
async function stop(signal: NodeJS.Signals): Promise<number | string> {
  server.child.kill(signal)
  return server.ended
}

/** Writes into the running server's database. */
async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const connection = { host: join(dataDir, 'pg'), port: 5432, user: 'acc', database: 'acc' }
  const db = openDatabase(connection, { warn: () => undefined }, 2)
  return work(db).finally(db.close)
}

let employee: { idx: number; id: string }
let approver: { idx: number; id: string }
let pcToken = ''
const pc = () => callsWithToken(server.baseUrl, pcToken)

/** Returns the typed calls of a browser, signed in with the password. */
async function browserOf(id: string): Promise<Client<Api>> {
  let cookie = ''
  const keeping: typeof fetch = async (input, init) => {
    const response = await fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie } })
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return response
  }
  const client = createClient(api, { baseUrl: server.baseUrl, fetch: keeping })
  await client.session.login({ id, pw: PASSWORD })
  return client
}

beforeAll(async () => {
  createDataDir(dataDir)
  await start()
  await withDatabase(async (db) => {
    await db.write.updateTable('policies').set({ fileExport: FileExport.APPROVAL }).execute()
    employee = await buildUser(db, { password: PASSWORD })
    approver = await buildManager(db, { groups: [{ idx: 1 }], fileExportApprove: 2, as: { password: PASSWORD } })
  })
  const device = { deviceId: 'pc-1', deviceName: 'PC', clientVersion: '1.0' }
  const login = await createClient(api, server).agent.login({ id: employee.id, pw: PASSWORD, ...device })
  pcToken = login.token
})

async function createRequest(bytes: Buffer) {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const files = [{ name: '도면.dwg', size: bytes.length, sha256 }]
  const request = await pc().requests.create({ type: 1, purpose: '고객 전달', files })
  return { fileEximport: request.idx, file: request.files[0]?.idx ?? 0 }
}
type Place = Awaited<ReturnType<typeof createRequest>>
const fileOf = async ({ fileEximport }: Place) => {
  const { items } = await pc().requests.searchOwn({ idx: fileEximport })
  return { state: items[0]?.state, isWhole: items[0]?.isFileUploaded, ...items[0]?.files[0] }
}
/** Yields the given bytes and then stalls. */
async function* hanging(bytes: Buffer) {
  yield new Uint8Array(bytes)
  await new Promise<never>(() => undefined)
}
const upload = (place: Place, offset: number, bytes: Buffer) =>
  pc().requests.upload({ ...place, offset }, new Blob([new Uint8Array(bytes)]))

/** Approves a request and downloads its file, as the approver's zip and as its owner. */
async function approveAndFetch(place: Place): Promise<Buffer[]> {
  const browser = await browserOf(approver.id)
  const zip = await browser.requests.download({ fileEximport: place.fileEximport })
  await browser.requests.decide({ idx: place.fileEximport, state: Decision.APPROVE })
  const own = await pc().requests.downloadOwn(place)
  return [
    ...unzip(Buffer.from(await zip.arrayBuffer())).map(({ bytes }) => bytes),
    Buffer.from(await own.arrayBuffer()),
  ]
}
const storedFiles = async () => {
  const entries = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}

test('a server that was killed in an upload restarts, and the upload continues to the last byte', async () => {
  const bytes = randomBytes(24 * MIB)
  const place = await createRequest(bytes)
  const before = await createRequest(Buffer.from('answered'))
  await upload(before, 0, Buffer.from('answered'))
  const cut = pc().requests.upload({ ...place, offset: 0 }, hanging(bytes.subarray(0, 12 * MIB)), { timeout: 0 })
  const isCut = expect(cut).rejects.toThrow()
  await expect.poll(async () => (await fileOf(place)).received, { timeout: 10_000 }).toBeGreaterThan(10 * MIB)
  expect(await stop('SIGKILL')).toBe('SIGKILL')
  await isCut

  await start()
  // The session, the complete file and the partial one are as the server confirmed them.
  expect(await fileOf(before)).toMatchObject({ isWhole: 1, received: 8 })
  const { received = 0 } = await fileOf(place)
  expect(received).toBeGreaterThan(10 * MIB)
  const continueAt = (offset: number) => upload(place, offset, bytes.subarray(offset))
  // The last part may be torn: the answer names the position after the intact ones.
  const end = await continueAt(received).catch((error: ApiError) => {
    const intact = (error.data as { received: number }).received
    expect([error.error, intact > 9 * MIB]).toEqual(['UPLOAD_OFFSET', true])
    return continueAt(intact)
  })
  expect(end).toMatchObject({ isUploaded: 1, isFileUploaded: 1 })
  const copies = await approveAndFetch(place)
  expect(copies.map((copy) => copy.equals(bytes))).toEqual([true, true])
  expect(await fileOf(place)).toMatchObject({ state: RequestState.APPROVED })
  const steps = await withDatabase((db) =>
    db.read.selectFrom('history').select('type').where('subjectIdx', '=', place.fileEximport).orderBy('idx').execute(),
  )
  expect(steps.map(({ type }) => type)).toEqual([0, 5, 1, 1, 1])
  expect(await storedFiles()).toBe(2)
})

test('a full disk is reported clearly, received bytes remain, and the upload continues when there is room', async () => {
  await stop('SIGTERM')
  await start(20 * MIB)
  const count = await storedFiles()
  const bytes = randomBytes(30 * MIB)
  const place = await createRequest(bytes)
  await expect(upload(place, 0, bytes)).rejects.toMatchObject({ error: 'STORAGE_UNAVAILABLE' })
  const { received = 0, isWhole } = await fileOf(place)
  expect(isWhole).toBe(0)
  expect(received).toBeGreaterThan(19 * MIB)
  await expect(upload(place, received, bytes.subarray(received))).rejects.toMatchObject({
    error: 'STORAGE_UNAVAILABLE',
  })
  const small = await createRequest(Buffer.from('small'))
  expect(await upload(small, 0, Buffer.from('small'))).toMatchObject({ isFileUploaded: 1 })
  expect(await storedFiles()).toBe(count + 2)

  await stop('SIGTERM')
  await start()
  const { received: kept = 0 } = await fileOf(place)
  expect(kept).toBe(received)
  await upload(place, kept, bytes.subarray(kept))
  const copies = await approveAndFetch(place)
  expect(copies.map((copy) => copy.equals(bytes))).toEqual([true, true])
})

test('asked to stop, the server ends its streams and uploads, and nothing is lost', async () => {
  const bytes = randomBytes(2 * MIB)
  const place = await createRequest(bytes)
  const browser = await browserOf(approver.id)
  const events = await browser.events.stream({}, { timeout: 0 })
  const cut = pc()
    .requests.upload({ ...place, offset: 0 }, hanging(bytes.subarray(0, MIB)), { timeout: 0 })
    .catch((error: unknown) => error)
  await expect.poll(async () => (await fileOf(place)).received).toBeGreaterThan(0)
  const begun = Date.now()
  expect(await stop('SIGTERM')).toBe(0)
  // The upload is stalled, and the server must stop within a service manager's timeout.
  expect(Date.now() - begun).toBeLessThan(10_000)
  expect(processesIn(join(dataDir, 'pg'))).toEqual([])
  expect(await events.text().catch(() => '')).not.toContain('data:')
  expect(await cut).toBeInstanceOf(Error)
  await start()
  const { received = 0 } = await fileOf(place)
  expect(received).toBeGreaterThan(0)
  await upload(place, received, bytes.subarray(received))
  expect(await fileOf(place)).toMatchObject({ isWhole: 1 })
})
