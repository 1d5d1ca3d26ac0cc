import { spawn } from 'node:child_process'
import { createSecretKey } from 'node:crypto'
import { copyFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unseal } from '../crypto/seal.ts'
import { makeSecretKey } from '../crypto/secretKey.ts'
import { appendTo } from './append.ts'
import { onDisk } from './errors.ts'
import {
  bytesOf,
  contentOf,
  filesIn,
  pathOfFile,
  pieces,
  put,
  reserve,
  type TestStore,
  testKey,
  testStore,
} from './fileStore.fixture.ts'
import { openFileStore, type StoredFile } from './fileStore.ts'
import { openBytes } from './folder.ts'
import { positionOf, SEALED, SEGMENT } from './segments.ts'

/** For machines under load: these start processes, or wait for the disk (fsync) many times. */
const SLOW = { timeout: 60_000 }

/** Reads to the end or the fault; what came out before it must be the beginning of the true content. */
async function readSome(store: TestStore, file: StoredFile): Promise<{ bytes: Buffer; reason?: unknown }> {
  const read: Buffer[] = []
  try {
    for await (const chunk of await store.read(file)) read.push(chunk)
  } catch (error) {
    return { bytes: Buffer.concat(read), reason: error instanceof Error && 'reason' in error && error.reason }
  }
  return { bytes: Buffer.concat(read) }
}

describe('bytes altered on disk', () => {
  test('a bit flipped anywhere is found, and nothing altered is ever given out', SLOW, async () => {
    await using store = await testStore()
    const bytes = bytesOf(2 * SEGMENT + 100)
    const file = await put(store, bytes)
    const path = pathOfFile(store, file)
    const sealed = await readFile(path)
    await fc.assert(
      fc.asyncProperty(fc.nat(sealed.length * 8 - 1), async (bit) => {
        const altered = Buffer.from(sealed)
        altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        await writeFile(path, altered)
        const intact = Math.floor((bit >> 3) / SEALED) * SEGMENT
        expect(await readSome(store, file)).toEqual({ bytes: bytes.subarray(0, intact), reason: 'damaged' })
      }),
      { numRuns: 30 },
    )
  })

  test('a cut, an addition, swapped segments and a segment of another file are found', async () => {
    await using store = await testStore()
    const file = await put(store, bytesOf(3 * SEGMENT))
    const path = pathOfFile(store, file)
    const sealed = await readFile(path)
    const segment = (index: number, of = sealed) => of.subarray(positionOf(index), positionOf(index + 1))
    const other = await readFile(pathOfFile(store, await put(store, bytesOf(3 * SEGMENT, 9))))
    const altered: Record<string, Buffer> = {
      'cut by a byte': sealed.subarray(0, -1),
      'cut by a segment': Buffer.concat([segment(0), segment(1)]),
      'the middle left out': Buffer.concat([segment(0), segment(2)]),
      empty: Buffer.alloc(0),
      'a byte more': Buffer.concat([sealed, Buffer.of(0)]),
      'a segment more': Buffer.concat([sealed, segment(2)]),
      swapped: Buffer.concat([segment(1), segment(0), segment(2)]),
      repeated: Buffer.concat([segment(0), segment(0), segment(2)]),
      'of another file': Buffer.concat([segment(0), segment(1, other), segment(2)]),
    }
    for (const [what, content] of Object.entries(altered)) {
      await writeFile(path, content)
      expect((await readSome(store, file)).reason, what).toBe('damaged')
    }
  })

  test('segments of an earlier upload, refused for its hash, cannot be put in place of the true ones', async () => {
    await using store = await testStore()
    const bytes = bytesOf(3 * SEGMENT)
    const refused = bytesOf(3 * SEGMENT, 8)
    const file = reserve(store, bytes)
    await store.append(file, 0, pieces(refused.subarray(0, 2 * SEGMENT)))
    await copyFile(pathOfFile(store, file), `${store.folder}/kept`)
    const upload = store.append(file, 2 * SEGMENT, pieces(refused.subarray(2 * SEGMENT)))
    await expect(upload).rejects.toMatchObject({ reason: 'hashMismatch' })
    await store.append(file, 0, pieces(bytes))
    const [early, sealed] = await Promise.all([readFile(`${store.folder}/kept`), readFile(pathOfFile(store, file))])
    await writeFile(pathOfFile(store, file), Buffer.concat([early, sealed.subarray(early.length)]))
    expect((await readSome(store, file)).reason).toBe('damaged')
  })

  test('a row whose name, size, hash or key was exchanged opens nothing, nor does another secret key', async () => {
    await using store = await testStore()
    const [one, two] = [await put(store, bytesOf(50, 1)), await put(store, bytesOf(50, 2))]
    const rows = [
      { ...one, name: two.name },
      { ...one, wrappedKey: two.wrappedKey },
      { ...one, sha256: two.sha256 },
      { ...one, size: 49 },
    ]
    for (const row of rows) await expect(store.read(row)).rejects.toMatchObject({ reason: 'damaged' })
    const foreign = openFileStore({ medium: store.medium, secretKey: makeSecretKey(Buffer.alloc(32, 8)) })
    await expect(foreign.read(one)).rejects.toMatchObject({ reason: 'damaged' })
    expect(await contentOf(store, one)).toEqual(bytesOf(50, 1))
  })
})

/**
 * Runs the server that receives one file, and returns its last line. `limit`, in blocks of 512 bytes, is the
 * largest file that the system lets it write; at `killAt` bytes, where its source falls silent, it is killed.
 */
function receiveInChild(folder: string, file: StoredFile, options: { seed: number; limit?: number; killAt?: number }) {
  const { seed, limit, killAt = Number.POSITIVE_INFINITY } = options
  const script = fileURLToPath(new URL('appendInChild.fixture.ts', import.meta.url))
  const wrappedKey = Buffer.from(file.wrappedKey).toString('base64')
  const task = JSON.stringify({ ...file, wrappedKey, seed, silentAt: options.killAt })
  const shell = limit === undefined ? 'exec "$@"' : `ulimit -f ${limit}; exec "$@"`
  const child = spawn('sh', ['-c', shell, 'sh', process.execPath, script, folder, task], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  return new Promise<string>((resolve) => {
    let output = ''
    const lastLine = () => output.trim().split('\n').at(-1) ?? ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (Number(lastLine()) >= killAt) child.kill('SIGKILL')
    })
    child.on('close', () => resolve(lastLine()))
  })
}

describe('a server that dies', () => {
  test('by kill -9 in the middle of an upload: what came before resumes, and nothing else is left', SLOW, async () => {
    await using store = await testStore()
    const bytes = bytesOf(5 * SEGMENT + 5, 4)
    const file = reserve(store, bytes)
    await receiveInChild(store.folder, file, { seed: 4, killAt: 3 * SEGMENT })
    const received = await store.received(file)
    // The write of the last whole segment may have been under way.
    expect([2 * SEGMENT, 3 * SEGMENT]).toContain(received)
    expect(await store.append(file, received, pieces(bytes.subarray(received)))).toMatchObject({ complete: true })
    expect(await contentOf(store, file)).toEqual(bytes)
    expect(await filesIn(store.folder)).toHaveLength(1)
  })

  test('at any byte of a write: a torn tail does not count, and the upload continues before it', SLOW, async () => {
    await using store = await testStore()
    const bytes = bytesOf(2 * SEGMENT + 40)
    const file = await put(store, bytes)
    const sealed = await readFile(pathOfFile(store, file))
    const lengths = fc.oneof(
      fc.nat(sealed.length - 1),
      fc.constantFrom(0, 1, 27, 28, 29, SEALED - 1, SEALED, 2 * SEALED + 28),
    )
    await fc.assert(
      fc.asyncProperty(lengths, async (length) => {
        await writeFile(pathOfFile(store, file), sealed.subarray(0, length))
        const received = await store.received(file)
        expect(received).toBe(Math.floor(length / SEALED) * SEGMENT)
        expect(await store.append(file, received, pieces(bytes.subarray(received)))).toMatchObject({ complete: true })
        expect(await contentOf(store, file)).toEqual(bytes)
      }),
      { numRuns: 15 },
    )
  })

  test('by a power cut that lost a segment in the middle: the upload continues behind the last intact one', async () => {
    await using store = await testStore()
    const bytes = bytesOf(4 * SEGMENT)
    const file = reserve(store, bytes)
    await store.append(file, 0, pieces(bytes.subarray(0, 3 * SEGMENT)))
    const sealed = await readFile(pathOfFile(store, file))
    await writeFile(pathOfFile(store, file), sealed.fill(0, positionOf(1), positionOf(2)))
    await expect(store.append(file, 3 * SEGMENT, pieces(bytes.subarray(3 * SEGMENT)))).rejects.toMatchObject({
      reason: 'wrongOffset',
      received: SEGMENT,
    })
    expect(await store.received(file)).toBe(SEGMENT)
    expect(await store.append(file, SEGMENT, pieces(bytes.subarray(SEGMENT)))).toMatchObject({ complete: true })
    expect(await contentOf(store, file)).toEqual(bytes)
  })
})

describe('a disk that cannot go on', () => {
  // The second file lacks room in its last segment, where half a write must not pass for the end.
  test.each([6, 4])(
    'a full disk is reported as such; what fits of %i segments stays, and the upload goes on once there is room',
    SLOW,
    async (count) => {
      await using store = await testStore()
      const bytes = bytesOf(count * SEGMENT, 5)
      const file = reserve(store, bytes)
      const output = await receiveInChild(store.folder, file, { seed: 5, limit: (3.5 * SEGMENT) / 512 })
      expect(JSON.parse(output)).toEqual({ reason: 'noSpace', received: 3 * SEGMENT })
      const [path = ''] = await filesIn(store.folder)
      expect((await stat(join(store.folder, path))).size).toBe(3 * SEALED)
      const rest = store.append(file, 3 * SEGMENT, pieces(bytes.subarray(3 * SEGMENT)))
      expect(await rest).toEqual({ received: bytes.length, complete: true })
      expect(await contentOf(store, file)).toEqual(bytes)
    },
  )

  test('a disk that lost a write discards the upload: no later fsync can vouch for it', async () => {
    await using store = await testStore()
    const bytes = bytesOf(2 * SEGMENT)
    const file = reserve(store, bytes)
    await store.append(file, 0, pieces(bytes.subarray(0, SEGMENT)))
    const stored = await openBytes(pathOfFile(store, file), 'append')
    const context = `${file.owner}:${file.name}:${file.size}:${file.sha256}`
    const key = createSecretKey(unseal(testKey, 'files', context, file.wrappedKey))
    const failing = {
      ...stored,
      sync: () => onDisk(Promise.reject(Object.assign(new Error('i/o error'), { code: 'EIO' }))),
    }
    const upload = appendTo({ ...file, bytes: failing, key }, SEGMENT, pieces(bytes.subarray(SEGMENT)))
    await expect(upload).rejects.toMatchObject({ reason: 'unavailable' })
    await stored.close()
    expect(await store.received(file)).toBe(0)
    expect(await store.append(file, 0, pieces(bytes))).toMatchObject({ complete: true })
  })

  test('a folder that is gone or no folder any more is unavailable, and the check says so', async () => {
    await using store = await testStore()
    const file = reserve(store, bytesOf(10))
    await store.check()
    expect(await filesIn(store.folder)).toEqual([])
    await rm(store.folder, { recursive: true })
    await expect(store.check()).rejects.toMatchObject({ reason: 'unavailable' })
    await writeFile(store.folder, 'a file in its place')
    await expect(store.check()).rejects.toMatchObject({ reason: 'unavailable' })
    await expect(store.append(file, 0, pieces(bytesOf(10)))).rejects.toMatchObject({ reason: 'unavailable' })
    await expect(store.received(file)).rejects.toMatchObject({ reason: 'unavailable' })
  })
})

describe('readers', () => {
  test('that go away at any time leave no descriptor open', SLOW, async () => {
    await using store = await testStore()
    const file = await put(store, bytesOf(3 * SEGMENT))
    const torn = await put(store, bytesOf(10))
    await truncate(pathOfFile(store, torn), 5)
    const openNow = async () => (await readdir('/dev/fd')).length
    const before = await openNow()
    let most = 0
    for (let round = 0; round < 300; round++) {
      const stream = await store.read(file)
      const closed = new Promise((resolve) => stream.once('close', resolve))
      if (round % 3 === 0) stream.destroy()
      if (round % 3 === 1) stream.once('data', () => stream.destroy())
      if (round % 3 === 2) stream.destroy(new Error('reader failed')).once('error', () => undefined)
      await closed
      if (round % 10 === 0) {
        await expect(store.read(torn)).rejects.toMatchObject({ reason: 'damaged' })
        await expect(store.append(file, 1, pieces(Buffer.alloc(0)))).rejects.toMatchObject({ reason: 'wrongOffset' })
      }
      most = Math.max(most, await openNow()) // at once: forgotten handles are closed when garbage is collected
    }
    expect(most).toBeLessThan(before + 10)
  })

  test('that are slow hold up the reading: no more than two segments wait in memory', async () => {
    await using store = await testStore()
    const bytes = bytesOf(12 * SEGMENT)
    const stream = await store.read(await put(store, bytes))
    let most = 0
    const slow = new Writable({
      highWaterMark: 1,
      write(_chunk, _encoding, done) {
        most = Math.max(most, stream.readableLength)
        setImmediate(done)
      },
    })
    await pipeline(stream, slow)
    expect(most).toBeLessThanOrEqual(2 * SEGMENT)
  })
})
