// PNG by content: other files, hidden content and decompression bombs are refused or dropped.
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makePng, pngChunk, pngHeader, pngOf } from './png.fixture.ts'
import { readPng } from './png.ts'

const MAX = { width: 400, height: 300 }
const read = (bytes: Buffer) => readPng(bytes, MAX)
const idat = (size: number, filter = 0) => pngChunk('IDAT', deflateSync(Buffer.alloc(size, filter)))
/** Bytes of the pixel data of an RGBA image. */
const rgba = (width: number, height: number) => height * (1 + width * 4)

test('an image keeps its size and its pixels', async () => {
  const original = makePng(30, 20, (at) => at % 251)
  const png = await read(original)
  if (typeof png === 'string') throw new Error(png)
  expect({ width: png.width, height: png.height }).toEqual({ width: 30, height: 20 })
  expect(await read(png.bytes)).toEqual(png)
})

test.each([
  ['gray, 1 bit', pngHeader(9, 2, 1, 0), 2 * 3],
  ['gray, 16 bits', pngHeader(3, 2, 16, 0), 2 * 7],
  ['colors, 16 bits', pngHeader(3, 2, 16, 2), 2 * 19],
  ['gray with alpha', pngHeader(3, 2, 8, 4), 2 * 7],
  ['interlaced, 8 by 8', pngHeader(8, 8, 8, 6, 1), 5 + 5 + 9 + 2 * 9 + 2 * 17 + 4 * 17 + 4 * 33],
  ['interlaced, 1 by 1', pngHeader(1, 1, 8, 6, 1), 5],
])('%s is read', async (_, header, size) => {
  expect(await read(pngOf(header, idat(size)))).toMatchObject({ width: expect.any(Number) })
  expect(await read(pngOf(header, idat(size - 1)))).toBe('format')
  expect(await read(pngOf(header, idat(size + 1)))).toBe('format')
})

test('a palette is kept, one that is missing or too long is refused', async () => {
  const palette = pngChunk('PLTE', Buffer.alloc(6, 0x33))
  const png = await read(pngOf(pngHeader(4, 1, 8, 3), palette, pngChunk('tRNS', Buffer.alloc(2)), idat(5)))
  expect(typeof png === 'string' ? png : png.bytes.toString('latin1')).toMatch(/PLTE333333.*tRNS/s)
  expect(await read(pngOf(pngHeader(4, 1, 8, 3), idat(5)))).toBe('format')
  expect(await read(pngOf(pngHeader(4, 1, 8, 3), pngChunk('PLTE', Buffer.alloc(771)), idat(5)))).toBe('format')
  expect(await read(pngOf(pngHeader(4, 1, 8, 3), palette, palette, idat(5)))).toBe('format')
})

test('hidden content of an image is dropped', async () => {
  const script = '<script>alert(1)</script>'
  const valid = makePng(4, 4)
  const [head, tail] = [valid.subarray(0, 33), valid.subarray(33)]
  const hidden = Buffer.concat([head, pngChunk('tEXt', Buffer.from(`Comment\0${script}`)), tail, Buffer.from(script)])
  const inData = pngOf(
    pngHeader(4, 4),
    pngChunk('IDAT', Buffer.concat([deflateSync(Buffer.alloc(rgba(4, 4))), Buffer.from(script)])),
  )
  for (const bytes of [hidden, inData]) {
    const png = await read(bytes)
    if (typeof png !== 'string') expect(png.bytes.includes('script')).toBe(false)
  }
})

test.each([
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46])],
  ['nothing', Buffer.alloc(0)],
  ['a signature alone', makePng(4, 4).subarray(0, 8)],
  ['a signature before a script', Buffer.concat([makePng(4, 4).subarray(0, 8), Buffer.from('<script>')])],
  ['an image cut off', makePng(40, 40, (at) => at % 7).subarray(0, -20)],
  ['an image without pixels', pngOf(pngHeader(4, 4))],
  ['pixels that do not inflate', pngOf(pngHeader(4, 4), pngChunk('IDAT', Buffer.from('nothing')))],
  ['an unknown filter', pngOf(pngHeader(4, 4), idat(rgba(4, 4), 5))],
  ['an unknown color type', pngOf(pngHeader(4, 4, 8, 1), idat(rgba(4, 4)))],
  ['a depth that its colors do not have', pngOf(pngHeader(4, 4, 4, 6), idat(rgba(4, 4)))],
  ['no width', pngOf(pngHeader(0, 4), idat(4))],
])('%s is no PNG', async (_, bytes) => {
  expect(await read(bytes)).toBe('format')
})

test('a flipped bit anywhere is noticed', async () => {
  const valid = makePng(6, 6, (at) => at % 13)
  for (let at = 0; at < valid.length - 12; at++) {
    const bytes = Buffer.from(valid)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    expect(await read(bytes), `byte ${at}`).toBe('format')
  }
})

test('an image of too many pixels is refused before any of them is inflated', async () => {
  expect(await read(makePng(401, 1))).toBe('pixels')
  expect(await read(makePng(1, 301))).toBe('pixels')
  expect(await read(pngOf(pngHeader(0x7fffffff, 0x7fffffff), idat(1)))).toBe('pixels')
  expect(await read(makePng(400, 300))).toMatchObject({ width: 400, height: 300 })
})

test('a small file that would inflate to 100 MB costs no memory', async () => {
  const bomb = pngOf(pngHeader(4, 4), idat(100 * 1024 * 1024))
  expect(bomb.length).toBeLessThan(1024 * 1024)
  const before = process.memoryUsage().rss
  expect(await read(bomb)).toBe('format')
  expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024)
})
