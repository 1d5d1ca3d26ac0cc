// Icons are checked by their content, not by their name: a PNG, which is written anew, or an ICO file of PNGs and
// bitmaps, complete, with nothing behind it. Browsers and desktop clients show them.
import { readPng } from '../../files/png.ts'

/** Pixels of a side; a larger icon costs a viewer memory for nothing. */
const MAX_SIDE = 1024
const MAX = { width: MAX_SIDE, height: MAX_SIDE }

const isSide = (pixels: number) => pixels > 0 && pixels <= MAX_SIDE

/** The image with its pixels alone; undefined for anything that is not one whole PNG. */
async function pngOf(bytes: Buffer): Promise<Buffer | undefined> {
  const png = await readPng(bytes, MAX)
  return typeof png === 'string' ? undefined : png.bytes
}

const ICO_HEADER = 6
const ICO_ENTRY = 16
const MAX_IMAGES = 32
const BITMAP_HEADER = 40

/** Whether an image of an ICO file is a PNG or begins as a bitmap, whose height counts its mask too. */
async function isIcoImage(image: Buffer): Promise<boolean> {
  if (image.length <= BITMAP_HEADER) return false
  if (image.readUInt32LE(0) !== BITMAP_HEADER) return (await pngOf(image)) !== undefined
  return isSide(image.readUInt32LE(4)) && isSide(image.readUInt32LE(8) / 2)
}

/** Where an ICO file says that its images are; undefined for anything else. */
function imagesOf(bytes: Buffer): { start: number; end: number }[] | undefined {
  if (bytes.length < ICO_HEADER || bytes.readUInt32LE(0) !== 0x10000) return undefined
  const count = bytes.readUInt16LE(4)
  const directory = ICO_HEADER + count * ICO_ENTRY
  if (count === 0 || count > MAX_IMAGES || bytes.length <= directory) return undefined
  const images = Array.from({ length: count }, (_, at) => {
    const entry = ICO_HEADER + at * ICO_ENTRY
    const start = bytes.readUInt32LE(entry + 12)
    return { start, end: start + bytes.readUInt32LE(entry + 8) }
  })
  const isWithin = images.every(({ start, end }) => start >= directory && end <= bytes.length)
  return isWithin && Math.max(...images.map(({ end }) => end)) === bytes.length ? images : undefined
}

async function isIco(bytes: Buffer): Promise<boolean> {
  for (const { start, end } of imagesOf(bytes) ?? [{ start: 0, end: 0 }])
    if (!(await isIcoImage(bytes.subarray(start, end)))) return false
  return true
}

/** Returns the icon as it is stored, or undefined if the bytes are not the kind of image that the name says. */
export async function readIcon(name: string, bytes: Buffer): Promise<Buffer | undefined> {
  if (name.toLowerCase().endsWith('.png')) return pngOf(bytes)
  return (await isIco(bytes)) ? bytes : undefined
}
