// Checks PNG images and rewrites them (PNG specification, third edition), so that no file of another kind, alone or
// inside, reaches a browser. Every chunk is verified and all pixel data is inflated, bounded by the image's size.
import { promisify } from 'node:util'
import zlib from 'node:zlib'

const inflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate)
const deflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.deflate)

type Png = { bytes: Buffer; width: number; height: number }

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Samples of a pixel and the bit depths allowed, by color type. */
const COLOR_TYPES: Record<number, { samples: number; depths: readonly number[] }> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}
const PALETTE = 3
/** First column, first row and the steps between them, for each pass of an interlaced image (Adam7). */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
const LAST_FILTER = 4

type Header = { width: number; height: number; bitsPerPixel: number; colorType: number; isInterlaced: boolean }

function* chunksOf(bytes: Buffer): Generator<{ type: string; data: Buffer }> {
  let at = SIGNATURE.length
  while (at + 12 <= bytes.length) {
    const end = at + 8 + bytes.readUInt32BE(at)
    if (end + 4 > bytes.length || zlib.crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return
    yield { type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end) }
    at = end + 4
  }
}

function headerOf(data: Buffer | undefined): Header | undefined {
  if (data?.length !== 13) return undefined
  const [depth = 0, colorType = 0, compression, filter, interlace = 0] = data.subarray(8)
  const color = COLOR_TYPES[colorType]
  if (!color?.depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) return undefined
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)]
  if (width === 0 || height === 0) return undefined
  return { width, height, bitsPerPixel: color.samples * depth, colorType, isInterlaced: interlace === 1 }
}

/** The rows of the pixel data: their number and their bytes, the filter's byte included. */
function rowsOf({ width, height, bitsPerPixel, isInterlaced }: Header): { count: number; length: number }[] {
  const passes = isInterlaced ? PASSES : ([[0, 0, 1, 1]] as const)
  return passes.flatMap(([x, y, stepX, stepY]) => {
    const columns = Math.ceil((width - x) / stepX)
    const count = Math.ceil((height - y) / stepY)
    return columns > 0 && count > 0 ? [{ count, length: 1 + Math.ceil((columns * bitsPerPixel) / 8) }] : []
  })
}

/** Inflates the pixel data. Undefined unless it is exactly as long as the header says, with known filters. */
async function pixelsOf(header: Header, packed: Buffer): Promise<Buffer | undefined> {
  const rows = rowsOf(header)
  const size = rows.reduce((sum, { count, length }) => sum + count * length, 0)
  let pixels: Buffer
  try {
    pixels = await inflate(packed, { maxOutputLength: size })
  } catch {
    return undefined
  }
  if (pixels.length !== size) return undefined
  let at = 0
  for (const { count, length } of rows) {
    for (let row = 0; row < count; row++, at += length) if ((pixels[at] ?? 0) > LAST_FILTER) return undefined
  }
  return pixels
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(zlib.crc32(body))
  return Buffer.concat([length, body, sum])
}

/**
 * Rewrites a PNG with its pixels, palette and transparency alone. Returns `format` for anything but one complete, valid
 * PNG, and `pixels` for one that is wider or higher than `max`.
 */
export async function readPng(
  bytes: Buffer,
  max: { width: number; height: number },
): Promise<Png | 'format' | 'pixels'> {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return 'format'
  const chunks = [...chunksOf(bytes)]
  const header = chunks[0]?.type === 'IHDR' ? headerOf(chunks[0].data) : undefined
  if (header === undefined || chunks.at(-1)?.type !== 'IEND') return 'format'
  if (header.width > max.width || header.height > max.height) return 'pixels'
  const dataOf = (type: string) => chunks.filter((one) => one.type === type).map(({ data }) => data)
  const [palette, ...palettes] = dataOf('PLTE')
  const [transparency, ...transparencies] = dataOf('tRNS')
  const isPaletteValid =
    palette === undefined ? header.colorType !== PALETTE : palette.length % 3 === 0 && palette.length <= 768
  if (!isPaletteValid || palettes.length > 0 || transparencies.length > 0 || (transparency?.length ?? 0) > 256)
    return 'format'
  const pixels = await pixelsOf(header, Buffer.concat(dataOf('IDAT')))
  if (pixels === undefined) return 'format'
  const parts = [
    SIGNATURE,
    chunk('IHDR', chunks[0]?.data ?? Buffer.alloc(0)),
    ...(palette === undefined ? [] : [chunk('PLTE', palette)]),
    ...(transparency === undefined ? [] : [chunk('tRNS', transparency)]),
    chunk('IDAT', await deflate(pixels, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return { bytes: Buffer.concat(parts), width: header.width, height: header.height }
}
