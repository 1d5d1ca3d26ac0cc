// What holds for stored files wherever they are kept: run by folder.test.ts and bucket.test.ts.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesOf, contentOf, pieces, put, reserve, type TestStore } from './fileStore.fixture.ts'
import { SEGMENT } from './segments.ts'

const BORDERS = [0, 1, SEGMENT - 1, SEGMENT, SEGMENT + 1, 2 * SEGMENT, 3 * SEGMENT + 17]

/** All names that the medium holds. */
export async function namesIn({ medium }: Pick<TestStore, 'medium'>): Promise<string[]> {
  const names: string[] = []
  for await (const some of medium.names()) names.push(...some)
  return names
}

type OpenStore = () => Promise<TestStore>

function testArrival(testStore: OpenStore): void {
  describe('a file that arrives in one go', () => {
    test.each(BORDERS)('comes back byte for byte with %i bytes', async (size) => {
      await using store = await testStore()
      const bytes = bytesOf(size)
      const file = reserve(store, bytes)
      expect(await store.received(file)).toBe(0)
      expect(await store.append(file, 0, pieces(bytes, 50_001))).toEqual({ received: size, complete: true })
      expect(await store.received(file)).toBe(size)
      expect(await contentOf(store, file)).toEqual(bytes)
    })
  })
}

function testInterruption(testStore: OpenStore, runs: number): void {
  describe('an upload that breaks off', () => {
    test('continues at the byte where it stopped, at any byte and any number of times', {
      timeout: 60_000,
    }, async () => {
      await using store = await testStore()
      const cut = fc.record({ length: fc.integer({ min: 0, max: SEGMENT + 1000 }), fails: fc.boolean() })
      const sizes = fc.oneof(fc.constantFrom(...BORDERS.slice(1)), fc.integer({ min: 1, max: 4 * SEGMENT }))
      await fc.assert(
        fc.asyncProperty(sizes, fc.array(cut, { maxLength: 8 }), async (size, cuts) => {
          const bytes = bytesOf(size, 3)
          const file = reserve(store, bytes)
          let received = 0
          for (const { length, fails } of cuts) {
            // The last byte always stays for the end: an upload that has all its bytes does not break off.
            const part = bytes.subarray(received, Math.max(received, Math.min(received + length, size - 1)))
            const source = pieces(part, 70_000, fails ? new Error('connection reset') : undefined)
            const upload = store.append(file, received, source)
            if (fails) await expect(upload).rejects.toThrow('connection reset')
            else expect(await upload).toEqual({ received: received + part.length, complete: false })
            received += part.length
            expect(await store.received(file)).toBe(received)
          }
          expect(await store.append(file, received, pieces(bytes.subarray(received)))).toMatchObject({ complete: true })
          expect(await contentOf(store, file)).toEqual(bytes)
          await store.remove(file.name)
        }),
        { numRuns: runs },
      )
    })

    test('says where to continue when the offset is another', async () => {
      await using store = await testStore()
      const bytes = bytesOf(SEGMENT + 500)
      const file = reserve(store, bytes)
      await store.append(file, 0, pieces(bytes.subarray(0, SEGMENT + 3)))
      for (const offset of [0, SEGMENT, SEGMENT + 4, bytes.length]) {
        await expect(store.append(file, offset, pieces(bytes))).rejects.toMatchObject({
          reason: 'wrongOffset',
          received: SEGMENT + 3,
        })
      }
    })

    test('leaves a request stream alone, so that the server can still answer on its connection', async () => {
      await using store = await testStore()
      const file = reserve(store, bytesOf(10))
      const request = Readable.from([bytesOf(10), bytesOf(10)])
      await expect(store.append(file, 0, request)).rejects.toMatchObject({ reason: 'tooLong' })
      expect(request.destroyed).toBe(false)
      request.destroy()
    })
  })
}

function testMismatch(testStore: OpenStore): void {
  describe('a file that differs from its announcement', () => {
    test.each([false, true])(
      'another SHA-256 discards the bytes, and the next upload begins at 0 (resumed: %s)',
      async (resumed) => {
        await using store = await testStore()
        const bytes = bytesOf(SEGMENT * 2 + 9)
        const other = Buffer.from(bytes)
        other[5] = (other[5] ?? 0) ^ 1
        const file = reserve(store, bytes)
        const half = resumed ? SEGMENT + 77 : 0
        if (resumed) await store.append(file, 0, pieces(other.subarray(0, half)))
        await expect(store.append(file, half, pieces(other.subarray(half)))).rejects.toMatchObject({
          reason: 'hashMismatch',
        })
        expect(await store.received(file)).toBe(0)
        await expect(store.read(file)).rejects.toMatchObject({ reason: 'damaged' })
        expect(await store.append(file, 0, pieces(bytes))).toMatchObject({ complete: true })
        expect(await contentOf(store, file)).toEqual(bytes)
      },
    )

    test.each([0, 7, SEGMENT, SEGMENT + 1])(
      'more than the announced %i bytes are refused and never complete the file',
      async (size) => {
        await using store = await testStore()
        const bytes = bytesOf(size)
        const file = reserve(store, bytes)
        const long = Buffer.concat([bytes, Buffer.of(1)])
        await expect(store.append(file, 0, pieces(long, 1 + size / 2))).rejects.toMatchObject({ reason: 'tooLong' })
        await expect(store.read(file)).rejects.toMatchObject({ name: 'FileStoreError' })
        const received = await store.received(file)
        expect(await store.append(file, received, pieces(bytes.subarray(received)))).toMatchObject({ complete: true })
      },
    )

    test('an append of nothing completes a file whose last byte came before a crash', async () => {
      await using store = await testStore()
      for (const size of BORDERS) {
        const file = await put(store, bytesOf(size))
        expect(await store.append(file, size, pieces(Buffer.alloc(0)))).toEqual({ received: size, complete: true })
      }
    })
  })
}

function testConcurrency(testStore: OpenStore): void {
  describe('two uploads of one file', () => {
    test('one continues, the other is refused as busy; another file does not wait', async () => {
      await using store = await testStore()
      const bytes = bytesOf(1000)
      const file = reserve(store, bytes)
      const { promise: goOn, resolve: release } = Promise.withResolvers<void>()
      async function* slow() {
        yield bytes.subarray(0, 500)
        await goOn
        yield bytes.subarray(500)
      }
      const first = store.append(file, 0, slow())
      await expect(store.append(file, 0, pieces(bytes))).rejects.toMatchObject({ reason: 'busy' })
      await put(store, bytesOf(20))
      release()
      expect(await first).toMatchObject({ complete: true })
      expect(await contentOf(store, file)).toEqual(bytes)
    })
  })
}

function testRemoval(testStore: OpenStore): void {
  describe('removing', () => {
    test('deletes the bytes; missing files are accepted, and foreign names touch nothing', async () => {
      await using store = await testStore()
      const file = await put(store, bytesOf(10))
      await store.remove(file.name)
      await store.remove(file.name)
      expect(await namesIn(store)).toEqual([])
      await expect(store.read(file)).rejects.toMatchObject({ reason: 'missing' })
      for (const name of ['../../etc/passwd', '', 'A'.repeat(32), `${file.name}/..`]) {
        await expect(store.remove(name)).rejects.toMatchObject({ reason: 'missing' })
      }
    })
  })
}

function testUnknownLength(testStore: OpenStore): void {
  describe('a file of unknown length', () => {
    test.each(BORDERS)('of %i bytes comes back, whole and in parts', async (size) => {
      await using store = await testStore()
      const bytes = bytesOf(size, 4)
      const received = await store.receive(pieces(bytes, 70_000))
      const { name, sha256 } = received
      expect(received).toMatchObject({ size, sha256: createHash('sha256').update(bytes).digest('hex') })
      const ranges = [
        [0, 64],
        [size - 1, 10],
        [SEGMENT - 3, 6],
        [SEGMENT, SEGMENT + 1],
        [size, 5],
        [2 ** 40, 5],
      ]
      for (const [position = 0, length = 0] of ranges)
        expect(await received.readAt(position, length)).toEqual(
          position < 0 ? Buffer.alloc(0) : bytes.subarray(position, position + length),
        )
      const file = { name, size, sha256, wrappedKey: received.wrapKey('row 5'), owner: 'row 5' }
      expect(await contentOf(store, file)).toEqual(bytes)
      await expect(store.read({ ...file, owner: 'row 6' })).rejects.toMatchObject({ reason: 'damaged' })
    })

    test('is read from any byte on', async () => {
      await using store = await testStore()
      const bytes = bytesOf(2 * SEGMENT + 9)
      const file = await put(store, bytes)
      for (const from of [1, SEGMENT - 1, SEGMENT, SEGMENT + 1, 2 * SEGMENT, bytes.length - 1, bytes.length])
        expect(await buffer(await store.read(file, from))).toEqual(bytes.subarray(from))
    })

    test('that breaks off leaves nothing', async () => {
      await using store = await testStore()
      for (const size of BORDERS) {
        const broken = store.receive(pieces(bytesOf(size), 70_000, new Error('connection reset')))
        await expect(broken).rejects.toThrow('connection reset')
      }
      expect(await namesIn(store)).toEqual([])
    })
  })
}

function testKeys(testStore: OpenStore): void {
  test('a key opens for the row that it was made for, and for none that took it over', async () => {
    await using store = await testStore()
    const file = await put(store, bytesOf(100))
    expect(await contentOf(store, file)).toEqual(bytesOf(100))
    const taken = { ...file, owner: 'row 2 of request 1' }
    await expect(store.read(taken)).rejects.toMatchObject({ reason: 'damaged' })
  })
}

/** `runs`: random cases of the property tests. */
export function testStoredFiles(testStore: OpenStore, runs: number): void {
  testArrival(testStore)
  testInterruption(testStore, runs)
  testMismatch(testStore)
  testConcurrency(testStore)
  testRemoval(testStore)
  testUnknownLength(testStore)
  testKeys(testStore)
}
