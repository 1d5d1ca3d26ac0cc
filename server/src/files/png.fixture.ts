// PNG images made byte by byte, for tests: valid and forged ones.
import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

export function pngHeader(width: number, height: number, depth = 8, colorType = 6, interlace = 0): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width)
  data.writeUInt32BE(height, 4)
  data.set([depth, colorType, 0, 0, interlace], 8)
  return pngChunk('IHDR', data)
}

/** Joins chunks to a PNG; the end is added. */
export const pngOf = (...chunks: Buffer[]): Buffer =>
  Buffer.concat([SIGNATURE, ...chunks, pngChunk('IEND', Buffer.alloc(0))])

/** An image of one color (RGBA), or of what `pixelOf` returns for a byte's position. */
export function makePng(width: number, height: number, pixelOf: (at: number) => number = () => 0x80): Buffer {
  const row = 1 + width * 4
  const pixels = Buffer.alloc(row * height)
  for (let at = 0; at < pixels.length; at++) pixels[at] = at % row === 0 ? 0 : pixelOf(at)
  return pngOf(pngHeader(width, height), pngChunk('IDAT', deflateSync(pixels)))
}
