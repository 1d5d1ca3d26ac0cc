// QR codes as PNG images (ISO/IEC 15948), black on white with the quiet zone that scanners need.
import { crc32, deflateSync } from 'node:zlib'
import { encodeQR } from 'qr'

const QUIET_ZONE = 4
const SCALE = 6
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** Encodes a scan line: no filter, then one bit for each pixel, 1 for white. */
function lineOf(pixels: readonly boolean[]): Buffer {
  const line = Buffer.alloc(1 + Math.ceil(pixels.length / 8))
  for (const [x, isBlack] of pixels.entries())
    if (!isBlack) line.writeUInt8(line.readUInt8(1 + (x >> 3)) | (0x80 >> (x & 7)), 1 + (x >> 3))
  return line
}

/** Returns a square image, one bit of gray for each pixel. */
export function qrPng(text: string): Buffer {
  const pixels = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE, scale: SCALE })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(pixels.length, 0)
  header.writeUInt32BE(pixels.length, 4)
  header[8] = 1
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(pixels.map(lineOf)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
