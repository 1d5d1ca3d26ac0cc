// Icons are examined by their content, whatever their name says: a PNG (RFC 2083) or an ICO file, complete, with nothing behind
// it. They are never decoded here; browsers and desktop clients show them.
import { crc32 } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Pixels of a side; a larger icon costs a viewer memory for nothing. */
const MAX_SIDE = 1024
/** Bytes of a PNG chunk besides its data: length, type and checksum. */
const CHUNK_FRAME = 12

const isSide = (pixels: number) => pixels > 0 && pixels <= MAX_SIDE

/** Returns the types of a PNG's chunks, or undefined where one is damaged. */
function chunkTypesOf(bytes: Buffer): string[] | undefined {
  const types: string[] = []
  for (let at = SIGNATURE.length; at < bytes.length; ) {
    if (at + CHUNK_FRAME > bytes.length) return undefined
    const length = bytes.readUInt32BE(at)
    const end = at + CHUNK_FRAME + length
    if (end > bytes.length || bytes.readUInt32BE(end - 4) !== crc32(bytes.subarray(at + 4, end - 4))) return undefined
    types.push(bytes.toString('latin1', at + 4, at + 8))
    at = end
  }
  return types
}

function isPng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return false
  const types = chunkTypesOf(bytes)
  if (types?.[0] !== 'IHDR' || !types.includes('IDAT') || types.indexOf('IEND') !== types.length - 1) return false
  return isSide(bytes.readUInt32BE(16)) && isSide(bytes.readUInt32BE(20))
}

const ICO_HEADER = 6
const ICO_ENTRY = 16
const MAX_IMAGES = 32
const BITMAP_HEADER = 40

/** Whether an image of an ICO file is a PNG or begins as a bitmap, whose height counts its mask too. */
function isIcoImage(image: Buffer): boolean {
  if (isPng(image)) return true
  if (image.length <= BITMAP_HEADER || image.readUInt32LE(0) !== BITMAP_HEADER) return false
  return isSide(image.readUInt32LE(4)) && isSide(image.readUInt32LE(8) / 2)
}

function isIco(bytes: Buffer): boolean {
  if (bytes.length < ICO_HEADER || bytes.readUInt32LE(0) !== 0x10000) return false
  const count = bytes.readUInt16LE(4)
  const directory = ICO_HEADER + count * ICO_ENTRY
  if (count === 0 || count > MAX_IMAGES || bytes.length <= directory) return false
  const ends = Array.from({ length: count }, (_, i) => {
    const entry = ICO_HEADER + i * ICO_ENTRY
    const start = bytes.readUInt32LE(entry + 12)
    const end = start + bytes.readUInt32LE(entry + 8)
    return start >= directory && end <= bytes.length && isIcoImage(bytes.subarray(start, end)) ? end : 0
  })
  return !ends.includes(0) && Math.max(...ends) === bytes.length
}

/** Returns whether the bytes are the kind of image that the name says. */
export const isIcon = (name: string, bytes: Buffer): boolean =>
  name.toLowerCase().endsWith('.png') ? isPng(bytes) : isIco(bytes)
