import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesOf, put, reserve, testStore } from './fileStore.fixture.ts'
import { SEGMENT } from './segments.ts'
import { type ZipEntry, zipFiles } from './zip.ts'

const modified = new Date('2026-03-04T05:06:08Z')

function entryOf(name: string, bytes: Buffer): ZipEntry {
  return { name, size: bytes.length, modified, open: async () => Readable.from([bytes]) }
}

/**
 * Reads a zip by its central directory, as programs do; `tail` is its end and may leave out what lies before the
 * directory.
 */
function directoryOf(tail: Buffer, length = tail.length) {
  const at = (offset: number) => offset - (length - tail.length)
  const end = tail.length - 22
  expect(tail.readUInt32LE(end)).toBe(0x06054b50)
  let [count, offset] = [tail.readUInt16LE(end + 10), tail.readUInt32LE(end + 16)]
  if (end >= 20 && tail.readUInt32LE(end - 20) === 0x07064b50) {
    const wide = at(Number(tail.readBigUInt64LE(end - 12)))
    expect(tail.readUInt32LE(wide)).toBe(0x06064b50)
    count = Number(tail.readBigUInt64LE(wide + 32))
    offset = Number(tail.readBigUInt64LE(wide + 48))
  }
  let record = at(offset)
  return Array.from({ length: count }, () => {
    if (tail.readUInt32LE(record) !== 0x02014b50) throw new Error(`no record at ${record}`)
    const [nameLength, extraLength] = [tail.readUInt16LE(record + 28), tail.readUInt16LE(record + 30)]
    const extra = tail.subarray(record + 46 + nameLength, record + 46 + nameLength + extraLength)
    const wide = extra.readUInt16LE(0) === 1 ? extra.subarray(4, 4 + extra.readUInt16LE(2)) : Buffer.alloc(0)
    let used = 0
    const value = (narrow: number) => {
      if (narrow !== 0xffffffff) return narrow
      used += 8
      return Number(wide.readBigUInt64LE(used - 8))
    }
    const [size, packed] = [value(tail.readUInt32LE(record + 24)), value(tail.readUInt32LE(record + 20))]
    const found = {
      name: new TextDecoder('utf-8', { fatal: true }).decode(tail.subarray(record + 46, record + 46 + nameLength)),
      flags: tail.readUInt16LE(record + 8),
      method: tail.readUInt16LE(record + 10),
      checksum: tail.readUInt32LE(record + 16),
      size,
      packed,
      offset: value(tail.readUInt32LE(record + 42)),
      seconds: extra.readUInt32LE(extra.length - 4),
    }
    record += 46 + nameLength + extraLength + tail.readUInt16LE(record + 32)
    return found
  })
}

function contentsOf(zip: Buffer) {
  return directoryOf(zip).map((entry) => {
    expect(zip.readUInt32LE(entry.offset)).toBe(0x04034b50)
    const start = entry.offset + 30 + zip.readUInt16LE(entry.offset + 26) + zip.readUInt16LE(entry.offset + 28)
    const bytes = zip.subarray(start, start + entry.packed)
    expect(crc32(bytes)).toBe(entry.checksum)
    const descriptor = [0, 4, 8, 12].map((skip) => zip.readUInt32LE(start + entry.packed + skip))
    expect(descriptor).toEqual([0x08074b50, entry.checksum, entry.packed, entry.size])
    return { ...entry, bytes }
  })
}

describe('a zip of stored files', () => {
  test('holds them byte for byte under safe names, and is of the length announced beforehand', async () => {
    await using store = await testStore()
    const names = ['보고서.pdf', '../보고서.PDF', 'con.txt', 'a\u202egpj.exe', '']
    const contents = [bytesOf(SEGMENT * 2 + 3), bytesOf(0), bytesOf(1), bytesOf(SEGMENT), bytesOf(70, 2)]
    const entries = await Promise.all(
      contents.map(async (bytes, index) => {
        const file = await put(store, bytes)
        return { name: names[index] ?? '', size: bytes.length, modified, open: () => store.read(file) }
      }),
    )
    const { stream, size } = zipFiles(entries)
    const zip = await buffer(stream)
    expect(zip).toHaveLength(size)
    const found = contentsOf(zip)
    expect(found.map(({ bytes }) => bytes)).toEqual(contents)
    expect(found.map(({ name }) => name)).toEqual(['보고서.pdf', '보고서 (2).PDF', '_con.txt', 'agpj.exe', 'file'])
    for (const entry of found) {
      // UTF-8 names, the checksum behind the data, stored, the time to the second.
      expect(entry).toMatchObject({ flags: 0x0808, method: 0, seconds: modified.getTime() / 1000 })
    }
  })

  test('holds any names and contents', async () => {
    const file = fc.tuple(fc.string({ unit: 'binary', maxLength: 40 }), fc.uint8Array({ maxLength: 200 }))
    await fc.assert(
      fc.asyncProperty(fc.array(file, { maxLength: 12 }), async (files) => {
        const { stream, size } = zipFiles(files.map(([name, bytes]) => entryOf(name, Buffer.from(bytes))))
        const zip = await buffer(stream)
        expect(zip).toHaveLength(size)
        expect(contentsOf(zip).map(({ bytes }) => bytes)).toEqual(files.map(([, bytes]) => Buffer.from(bytes)))
      }),
      { numRuns: 50 },
    )
  })

  test('holds more files than 16 bits count', { timeout: 60_000 }, async () => {
    const { stream, size } = zipFiles(Array.from({ length: 65_536 }, () => entryOf('x', Buffer.alloc(0))))
    const zip = await buffer(stream)
    expect(zip).toHaveLength(size)
    const found = directoryOf(zip)
    expect(found).toHaveLength(65_536)
    expect(found.at(-1)).toMatchObject({ name: 'x (65536)', size: 0 })
  })

  test('holds a file longer than 4 GiB, and one behind it', { timeout: 60_000 }, async () => {
    const big = 0xffffffff + 10
    const block = Buffer.alloc(1 << 20)
    async function* zeros() {
      for (let left = big; left > 0; left -= block.length) yield block.subarray(0, Math.min(left, block.length))
    }
    const source = { name: 'big', size: big, modified, open: async () => Readable.from(zeros()) }
    const { stream, size } = zipFiles([source, entryOf('after', bytesOf(3))])
    let length = 0
    let tail = Buffer.alloc(0)
    for await (const chunk of stream) {
      length += chunk.length
      if (length > size - 1000) tail = Buffer.concat([tail, chunk])
    }
    expect(length).toBe(size)
    const [first, second] = directoryOf(tail, length)
    expect(first).toMatchObject({ name: 'big', size: big, packed: big, offset: 0 })
    expect(second).toMatchObject({ name: 'after', size: 3, packed: 3 })
    const header = (second?.offset ?? 0) - (length - tail.length)
    expect(tail.readUInt32LE(header)).toBe(0x04034b50)
  })
})

describe('a zip that cannot be finished', () => {
  test('opens one file at a time, and a reader that goes away closes it', async () => {
    await using store = await testStore()
    const file = await put(store, bytesOf(4 * SEGMENT))
    const opened: Readable[] = []
    const open = async () => {
      const source = await store.read(file)
      opened.push(source)
      return source
    }
    const entry = { name: 'a', size: file.size, modified, open }
    const { stream } = zipFiles([entry, entry, entry])
    for await (const chunk of stream) if (chunk.length > 1000) break
    expect(stream.destroyed).toBe(true)
    const [source, ...others] = opened
    expect(others).toEqual([])
    if (!source?.closed) await new Promise((resolve) => source?.once('close', resolve))
    expect(source?.destroyed).toBe(true)
  })

  test('never opens a file when it is given up before the first byte', async () => {
    const { stream } = zipFiles([{ name: 'a', size: 1, modified, open: () => Promise.reject(new Error('opened')) }])
    stream.destroy()
    await once(stream, 'close')
    expect(stream.errored).toBe(null)
  })

  test('fails with the file that is missing, damaged or of another size', async () => {
    await using store = await testStore()
    const missing = reserve(store, bytesOf(10))
    const good = entryOf('good', bytesOf(10))
    const torn = async () =>
      Readable.from(
        (async function* () {
          yield bytesOf(5)
          throw new Error('disk failed')
        })(),
      )
    const failing: [ZipEntry, string][] = [
      [{ name: 'missing', size: 10, modified, open: () => store.read(missing) }, 'the file store failed (ENOENT)'],
      [{ name: 'torn', size: 10, modified, open: torn }, 'disk failed'],
      [{ ...entryOf('short', bytesOf(9)), size: 10 }, 'a file of 10 bytes gave 9 for the zip'],
      [{ ...entryOf('long', bytesOf(11)), size: 10 }, 'a file of 10 bytes gave 11 for the zip'],
    ]
    for (const [entry, message] of failing) {
      await expect(buffer(zipFiles([good, entry, good]).stream)).rejects.toThrow(message)
    }
  })
})
