// What a preview may show of a file: its kind by the first bytes, never by its name, and the pixels of an image before
// anything decodes it. Server and console use the same functions.
import { FileKind } from './labels/fileKind.ts'
import type { NoPreview } from './requestFiles.ts'

/** The first bytes by which a file is recognized; also the longest text that is shown. */
export const HEAD_BYTES = 1024 * 1024
/** Largest file of other kinds that is shown. */
export const MAX_PREVIEW_BYTES = 20 * 1024 * 1024
/** Decoded, an image needs four bytes for each. */
export const MAX_PREVIEW_PIXELS = 64_000_000

const at = (head: Uint8Array, position: number) => head[position] ?? 0
const little = (head: Uint8Array, position: number, bytes: number): number =>
  Array.from({ length: bytes }, (_, index) => at(head, position + index) * 256 ** index).reduce((a, b) => a + b, 0)
const big = (head: Uint8Array, position: number, bytes: number): number =>
  Array.from({ length: bytes }, (_, index) => at(head, position + index)).reduce((sum, byte) => sum * 256 + byte, 0)
const latin = (head: Uint8Array, from: number, to: number) => String.fromCharCode(...head.subarray(from, to))

/** The beginnings of files, as characters of one byte. */
const BEGINNINGS: readonly (readonly [string, FileKind])[] = [
  ['%PDF-', FileKind.PDF],
  ['\x89PNG\r\n\x1a\n', FileKind.PNG],
  ['\xff\xd8\xff', FileKind.JPEG],
  ['GIF87a', FileKind.GIF],
  ['GIF89a', FileKind.GIF],
  ['PK\x03\x04', FileKind.ZIP],
  ['PK\x05\x06', FileKind.ZIP],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', FileKind.OLD_OFFICE],
  ['MZ', FileKind.PROGRAM],
  ['\x7fELF', FileKind.PROGRAM],
]
/** The first entry of documents that are a zip inside. */
const OFFICE_ENTRIES = ['[Content_Types].xml', 'mimetype', '_rels/.rels']

const isUtf16 = (head: Uint8Array) => ['\xff\xfe', '\xfe\xff'].includes(latin(head, 0, 2))
/** Tab, line feed, form feed, carriage return and escape. */
const isOfText = (byte: number) => byte >= 0x20 || [0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte)

/** Returns the kind of a file with these first bytes. */
export function kindOf(head: Uint8Array): FileKind {
  const start = latin(head, 0, 12)
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return FileKind.WEBP
  const kind = BEGINNINGS.find(([beginning]) => start.startsWith(beginning))?.[1]
  if (kind === FileKind.ZIP) {
    const first = latin(head, 30, 30 + Math.min(little(head, 26, 2), 100))
    return OFFICE_ENTRIES.includes(first) ? FileKind.OFFICE : FileKind.ZIP
  }
  // A text may begin with two of those letters.
  if (kind !== undefined && !(start.startsWith('MZ') && head.every(isOfText))) return kind
  return isUtf16(head) || head.every(isOfText) ? FileKind.TEXT : FileKind.OTHER
}

type Size = { width: number; height: number }

/** Markers of JPEG that carry the size of the image: SOF0 to SOF15 without DHT, JPG and DAC. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function jpegSize(head: Uint8Array): Size | undefined {
  for (let place = 2; place + 9 < head.length && at(head, place) === 0xff; ) {
    const marker = at(head, place + 1)
    if (isFrame(marker)) return { height: big(head, place + 5, 2), width: big(head, place + 7, 2) }
    // A fill byte, or a segment with its length.
    place += marker === 0xff ? 1 : 2 + big(head, place + 2, 2)
  }
  return undefined
}

/** A first frame larger than the screen of the file enlarges what browsers decode. */
function gifSize(head: Uint8Array): Size | undefined {
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let place = 13 + tableBytes(at(head, 10))
  while (at(head, place) === 0x21) {
    place += 2
    while (place < head.length && at(head, place) > 0) place += at(head, place) + 1
    place += 1
  }
  if (at(head, place) !== 0x2c) return undefined
  const edge = (offset: number) =>
    Math.max(little(head, 6 + offset, 2), little(head, place + 1 + offset, 2) + little(head, place + 5 + offset, 2))
  return { width: edge(0), height: edge(2) }
}

function webpSize(head: Uint8Array): Size | undefined {
  const form = latin(head, 12, 16)
  if (form === 'VP8X') return { width: little(head, 24, 3) + 1, height: little(head, 27, 3) + 1 }
  if (form === 'VP8 ') return { width: little(head, 26, 2) & 0x3fff, height: little(head, 28, 2) & 0x3fff }
  const bits = little(head, 21, 4)
  return form === 'VP8L'
    ? { width: (bits % 2 ** 14) + 1, height: (Math.floor(bits / 2 ** 14) % 2 ** 14) + 1 }
    : undefined
}

const SIZES: Partial<Record<FileKind, (head: Uint8Array) => Size | undefined>> = {
  [FileKind.PNG]: (head) => ({ width: big(head, 16, 4), height: big(head, 20, 4) }),
  [FileKind.JPEG]: jpegSize,
  [FileKind.GIF]: gifSize,
  [FileKind.WEBP]: webpSize,
}

const SHOWN: readonly FileKind[] = [
  FileKind.TEXT,
  FileKind.PDF,
  FileKind.ZIP,
  ...Object.keys(SIZES).map(Number),
] as FileKind[]

/** Whether browsers decode a file of this kind as an image. */
export const isImage = (kind: FileKind): boolean => kind in SIZES

/** Returns the kind of a file that may be shown, or why it is not. */
export function previewOf(head: Uint8Array, bytes: number): FileKind | NoPreview {
  const kind = kindOf(head)
  if (!SHOWN.includes(kind)) return { reason: 'kind', kind }
  if (kind === FileKind.TEXT) return kind
  if (bytes > MAX_PREVIEW_BYTES) return { reason: 'size', kind }
  const sizeOf = SIZES[kind]
  if (sizeOf === undefined) return kind
  const { width, height } = sizeOf(head) ?? { width: 0, height: 0 }
  // Without a size nobody knows what decoding needs.
  if (width * height === 0) return { reason: 'kind', kind: FileKind.OTHER }
  return width * height > MAX_PREVIEW_PIXELS ? { reason: 'pixels', kind } : kind
}

/** Endings of names by the kind of their files. Other endings promise no kind. */
const ENDINGS: Readonly<Record<string, readonly FileKind[]>> = {
  pdf: [FileKind.PDF],
  png: [FileKind.PNG],
  jpg: [FileKind.JPEG],
  jpeg: [FileKind.JPEG],
  gif: [FileKind.GIF],
  webp: [FileKind.WEBP],
  zip: [FileKind.ZIP, FileKind.OFFICE],
  ...Object.fromEntries(
    ['txt', 'csv', 'tsv', 'log', 'md', 'json', 'xml', 'html', 'svg'].map((one) => [one, [FileKind.TEXT]]),
  ),
  ...Object.fromEntries(
    ['docx', 'xlsx', 'pptx', 'hwpx', 'odt', 'ods', 'odp'].map((one) => [one, [FileKind.OFFICE, FileKind.ZIP]]),
  ),
  ...Object.fromEntries(['doc', 'xls', 'ppt', 'hwp'].map((one) => [one, [FileKind.OLD_OFFICE]])),
}

export const endingOf = (name: string): string => /\.([^.]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** Whether the ending of a name promises another kind than the content has. */
export function isMisnamed(name: string, kind: FileKind): boolean {
  const promised = ENDINGS[endingOf(name)]
  return promised !== undefined && !promised.includes(kind)
}
