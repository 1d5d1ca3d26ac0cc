import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type BucketPlace, readBucketUrl } from '../env.files.ts'
import { startBucket } from './bucket.fixture.ts'
import { openBucket } from './bucket.ts'
import { BLOCK } from './bucketBlocks.ts'
import { bytesOf, contentOf, pieces, put, reserve, type TestStore, testKey } from './fileStore.fixture.ts'
import { namesIn, testStoredFiles } from './fileStore.suite.fixture.ts'
import { openFileStore } from './fileStore.ts'
import { SEALED, SEGMENT } from './segments.ts'

// Stored files in a bucket of a real S3 server (s3rver), and what becomes of them where it fails.

const bucket = await startBucket()
afterAll(() => bucket.close())
afterEach(() => {
  bucket.fault = () => false
  bucket.requests.length = 0
})

let stores = 0
/** A store below a prefix of its own. */
async function testStore(place: Partial<BucketPlace> = {}): Promise<TestStore> {
  const medium = openBucket({ ...bucket.place, prefix: `store${stores++}/`, ...place })
  const store = openFileStore({ medium, secretKey: testKey })
  return { ...store, medium, folder: '', [Symbol.asyncDispose]: async () => undefined }
}

testStoredFiles(testStore, 4)

/** Plaintext bytes of a full object. */
const FULL = (BLOCK / SEALED) * SEGMENT
const puts = () => bucket.requests.filter((line) => line.startsWith('PUT')).length

test.each([FULL - 1, FULL, FULL + 1, 2 * FULL + SEGMENT + 3])(
  '%i bytes over several objects come back',
  async (size) => {
    await using store = await testStore()
    const bytes = bytesOf(size)
    const file = await put(store, bytes)
    expect(puts()).toBe(Math.ceil(size / FULL))
    expect((await contentOf(store, file)).equals(bytes)).toBe(true)
    expect(await store.held(file)).toBe(size)
    for (const from of [FULL - 1, FULL, FULL + 1].filter((at) => at < size))
      expect(
        (await contentOf({ ...store, read: (one) => store.read(one, from) }, file)).equals(bytes.subarray(from)),
      ).toBe(true)
  },
)

test('an upload that stops in the second object continues there and does not rewrite the first', async () => {
  await using store = await testStore()
  const bytes = bytesOf(2 * FULL)
  const file = reserve(store, bytes)
  const cut = FULL + SEGMENT + 5
  await expect(store.append(file, 0, pieces(bytes.subarray(0, cut), 65_536, new Error('gone')))).rejects.toThrow('gone')
  expect(await store.received(file)).toBe(cut)
  bucket.requests.length = 0
  expect(await store.append(file, cut, pieces(bytes.subarray(cut)))).toMatchObject({ complete: true })
  expect(bucket.requests.filter((line) => line.startsWith('PUT') && line.endsWith('/000000'))).toEqual([])
  expect((await contentOf(store, file)).equals(bytes)).toBe(true)
})

test('a sweep removes files that no row knows once they are old enough, with all their objects', async () => {
  await using store = await testStore()
  const [known, orphan] = [await put(store, bytesOf(10)), await put(store, bytesOf(FULL + 10))]
  const findKnown = async () => new Set([known.name])
  expect(await store.sweep(findKnown, new Date(Date.now() - 60_000))).toBe(0)
  expect(await store.sweep(findKnown, new Date(Date.now() + 60_000))).toBe(1)
  expect(await namesIn(store)).toEqual([known.name])
  expect(await store.held(orphan)).toBe(0)
})

test('a stage refuses a bucket that holds files, and removes files that were not placed', async () => {
  await using store = await testStore()
  const stage = await store.medium.stage()
  for (const name of ['aa', 'bb'].map((part) => part.repeat(16))) {
    const bytes = await stage.create(name)
    await bytes.writeAt([Buffer.from('sealed')], 0)
    await bytes.close()
  }
  await expect(store.medium.stage()).rejects.toMatchObject({ reason: 'occupied' })
  await stage.discard()
  expect(await namesIn(store)).toEqual([])
  await (await stage.create('cc'.repeat(16))).close()
  await put(store, bytesOf(10))
  await (await store.medium.stage(true)).place()
  expect(await namesIn(store)).toEqual([])
})

test('a service that fails for a moment is asked again', async () => {
  await using store = await testStore()
  let failures = 2
  bucket.fault = (_, response) => {
    if (failures-- <= 0) return false
    response.writeHead(503).end()
    return true
  }
  const file = await put(store, bytesOf(10))
  expect(await contentOf(store, file)).toEqual(bytesOf(10))
})

test('a download whose connection breaks off continues at that byte', async () => {
  await using store = await testStore()
  const bytes = bytesOf(FULL)
  const file = await put(store, bytes)
  let broken = 0
  bucket.fault = ({ method, url }, response) => {
    if (method !== 'GET' || !url?.includes('/000000') || broken >= 2) return false
    broken++
    response.once('pipe', () => setImmediate(() => response.destroy()))
    return false
  }
  expect((await contentOf(store, file)).equals(bytes)).toBe(true)
  expect(broken).toBe(2)
})

test('an upload to a service that fails keeps the stored bytes and continues when the service is back', async () => {
  await using store = await testStore()
  const bytes = bytesOf(3 * FULL)
  const file = reserve(store, bytes)
  bucket.fault = ({ method, url }, response) => {
    if (method !== 'PUT' || !url?.includes('/000002')) return false
    response.destroy()
    return true
  }
  await expect(store.append(file, 0, pieces(bytes))).rejects.toMatchObject({ reason: 'unavailable' })
  bucket.fault = () => false
  const received = await store.received(file)
  expect(received).toBe(2 * FULL)
  expect(await store.append(file, received, pieces(bytes.subarray(received)))).toMatchObject({ complete: true })
  expect((await contentOf(store, file)).equals(bytes)).toBe(true)
})

test('a service without room is reported as such', async () => {
  await using store = await testStore()
  bucket.fault = ({ method }, response) => {
    if (method !== 'PUT') return false
    response.writeHead(507, { 'content-type': 'application/xml' })
    response.end('<Error><Code>XMinioStorageFull</Code><Message>no room</Message></Error>')
    return true
  }
  await expect(put(store, bytesOf(10))).rejects.toMatchObject({ reason: 'noSpace' })
  await expect(store.check()).rejects.toMatchObject({ reason: 'noSpace' })
})

test.each<[string, Partial<BucketPlace>]>([
  ['a bucket that does not exist', { name: 'absent' }],
  ['a service that is down', { endpoint: 'http://127.0.0.1:1' }],
])('%s is unavailable', async (_, place) => {
  await using store = await testStore(place)
  const file = reserve(store, bytesOf(10))
  await expect(store.check()).rejects.toMatchObject({ reason: 'unavailable' })
  await expect(store.received(file)).rejects.toMatchObject({ reason: 'unavailable' })
  await expect(store.append(file, 0, pieces(bytesOf(10)))).rejects.toMatchObject({ reason: 'unavailable' })
})

test('a service that takes a connection and says nothing is unavailable in the end', { timeout: 20_000 }, async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const medium = openBucket({ ...bucket.place, endpoint }, 300)
  await expect(medium.check()).rejects.toMatchObject({ reason: 'unavailable' })
  silent.closeAllConnections()
  silent.close()
})

test('the address of a bucket', () => {
  const region = 'us-east-1'
  expect(readBucketUrl('s3://acc-files')).toEqual({ name: 'acc-files', prefix: '', endpoint: undefined, region })
  expect(readBucketUrl('s3://acc-files/a/b/?endpoint=https://s3.example.com:9000&region=kr-1')).toEqual({
    name: 'acc-files',
    prefix: 'a/b/',
    endpoint: 'https://s3.example.com:9000',
    region: 'kr-1',
  })
  for (const wrong of [
    's3://',
    's3://A',
    's3://ok/../x',
    's3://ok/a//b',
    's3://user@ok',
    's3://ok:9000/',
    's3://ok?endpoint=ftp://x',
    's3://ok?region=',
    's3://ok?acl=public',
    'https://ok/',
  ])
    expect(readBucketUrl(wrong), wrong).toBeUndefined()
})

test('replaced bytes take the place of those that were there', async () => {
  await using store = await testStore()
  const bytes = bytesOf(FULL + 5)
  const file = await put(store, bytes)
  const sealed = await store.medium.open(file.name, 'read')
  const copy = await sealed.readAt(Buffer.alloc(await sealed.size()), 0)
  await sealed.close()
  const write = async (content: Buffer) => {
    const opened = await store.medium.open(file.name, 'replace')
    await opened.writeAt([content], 0)
    await opened.sync()
    await opened.close()
  }
  await write(Buffer.alloc(copy.length))
  await expect(contentOf(store, file)).rejects.toMatchObject({ reason: 'damaged' })
  await write(copy)
  expect((await contentOf(store, file)).equals(bytes)).toBe(true)
})
