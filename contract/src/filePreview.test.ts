import { expect, test } from 'vitest'
import { isMisnamed, kindOf, MAX_PREVIEW_BYTES, previewOf } from './filePreview.ts'
import { FileKind } from './labels/fileKind.ts'

const { TEXT, PDF, PNG, JPEG, GIF, WEBP, ZIP, OFFICE, OLD_OFFICE, PROGRAM, OTHER } = FileKind
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))
const two = (number: number) => [number % 256, Math.floor(number / 256)]
const four = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255)

const png = (width: number, height: number) =>
  bytes('\x89PNG\r\n\x1a\n', four(13), 'IHDR', four(width), four(height), [8, 6, 0, 0, 0])
const gif = (width: number, height: number, frame = [width, height]) =>
  bytes(
    'GIF89a',
    two(width),
    two(height),
    [0x80, 0, 0],
    [0, 0, 0, 1, 1, 1],
    [0x21, 0xf9, 4, 0, 0, 0, 0, 0],
    [0x2c],
    [0, 0, 0, 0],
    ...frame.map(two),
    [0],
  )
const jpeg = (width: number, height: number) =>
  bytes(
    [0xff, 0xd8, 0xff, 0xe0],
    [0, 4, 0, 0],
    [0xff, 0xff, 0xc2],
    [0, 11, 8],
    [height >> 8, height & 255, width >> 8, width & 255],
    [1, 0, 0, 0],
  )
const webp = (form: string, ...rest: number[][]) => bytes('RIFF', four(100), 'WEBP', form, four(20), ...rest)
const zip = (name: string) => bytes('PK\x03\x04', Array(22).fill(0), two(name.length), two(0), name)

test.each([
  ['%PDF-1.7', PDF],
  [' %PDF-1.7', TEXT],
  [png(1, 1), PNG],
  [jpeg(1, 1), JPEG],
  [gif(1, 1), GIF],
  [webp('VP8X'), WEBP],
  [zip('a.txt'), ZIP],
  ['PK\x05\x06\0\0', ZIP],
  [zip('[Content_Types].xml'), OFFICE],
  [zip('mimetype'), OFFICE],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', OLD_OFFICE],
  ['MZ\x90\0', PROGRAM],
  ['MZ is how this text begins', TEXT],
  ['\x7fELF\x02', PROGRAM],
  ['<html><script>alert(1)</script>', TEXT],
  ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', TEXT],
  ['', TEXT],
  ['\xff\xfea\0', TEXT],
  ['a\0b', OTHER],
  ['\xb0\xa1\xb3\xaa', TEXT],
])('%j', (head, kind) => {
  expect(kindOf(bytes(...[typeof head === 'string' ? head : [...head]]))).toBe(kind)
})

test.each([
  ['png', (width: number, height: number) => png(width, height), PNG],
  ['jpeg', jpeg, JPEG],
  ['gif', gif, GIF],
  [
    'gif whose first frame is larger than its screen',
    (width: number, height: number) => gif(1, 1, [width, height]),
    GIF,
  ],
  ['webp', (width: number, height: number) => webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a], two(width), two(height)), WEBP],
] as const)('%s: the pixels count before anything is decoded', (_name, image, kind) => {
  expect(previewOf(image(8000, 8000), 100)).toBe(kind)
  expect(previewOf(image(8001, 8000), 100)).toEqual({ reason: 'pixels', kind })
})

test('webp with its size in three bytes or in fourteen bits', () => {
  const extended = (width: number, height: number) =>
    webp('VP8X', [0, 0, 0, 0], [...two(width - 1), 0], [...two(height - 1), 0])
  expect(previewOf(extended(65_536, 900), 100)).toBe(WEBP)
  expect(previewOf(extended(65_536, 1000), 100)).toEqual({ reason: 'pixels', kind: WEBP })
  const lossless = (bits: number) => webp('VP8L', [0x2f], four(bits).toReversed())
  expect(previewOf(lossless(7999 + 7999 * 2 ** 14), 100)).toBe(WEBP)
  expect(previewOf(lossless(16_383 + 16_383 * 2 ** 14), 100)).toEqual({ reason: 'pixels', kind: WEBP })
})

test('a 30,000 by 30,000 png, images that end before their size, and endless segments', () => {
  expect(previewOf(png(30_000, 30_000), 100)).toEqual({ reason: 'pixels', kind: PNG })
  for (const head of [
    png(0, 9),
    jpeg(9, 0),
    gif(0, 9),
    png(1, 1).subarray(0, 10),
    jpeg(1, 1).subarray(0, 9),
    gif(1, 1).subarray(0, 14),
  ])
    expect(previewOf(head, 100)).toEqual({ reason: 'kind', kind: OTHER })
  expect(previewOf(bytes([0xff, 0xd8, 0xff, 0xe0], Array(1000).fill(0)), 100)).toEqual({ reason: 'kind', kind: OTHER })
  expect(previewOf(bytes('GIF89a', [1, 0, 1, 0, 0, 0, 0], Array(1000).fill(0x21)), 100)).toMatchObject({
    reason: 'kind',
  })
})

test('texts of any length, other kinds up to a limit, and programs never', () => {
  expect(previewOf(bytes('text'), 2 ** 40)).toBe(TEXT)
  expect(previewOf(bytes('%PDF-'), MAX_PREVIEW_BYTES)).toBe(PDF)
  expect(previewOf(bytes('%PDF-'), MAX_PREVIEW_BYTES + 1)).toEqual({ reason: 'size', kind: PDF })
  for (const [head, kind] of [
    ['MZ\0', PROGRAM],
    ['\0', OTHER],
  ] as const)
    expect(previewOf(bytes(head), 10)).toEqual({ reason: 'kind', kind })
})

test.each([
  ['report.PDF', PDF, false],
  ['report.txt', PDF, true],
  ['photo.png', TEXT, true],
  ['photo.jpeg', JPEG, false],
  ['plan.xlsx', OFFICE, false],
  ['plan.xlsx', PROGRAM, true],
  ['data.csv', TEXT, false],
  ['part.dwg', OTHER, false],
  ['no ending', PROGRAM, false],
] as const)('%s with content of kind %i: misnamed %s', (name, kind, isWrong) => {
  expect(isMisnamed(name, kind)).toBe(isWrong)
})
