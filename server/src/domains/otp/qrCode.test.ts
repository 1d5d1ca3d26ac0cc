import { inflateSync } from 'node:zlib'
import decodeQR from 'qr/decode.js'
import { expect, test } from 'vitest'
import { qrPng } from './qrCode.ts'
import { otpauthUri } from './totp.ts'

/** Returns the pixels of an image of one bit of gray, as red, green, blue and opacity. */
function pixelsOf(png: Buffer) {
  const size = png.readUInt32BE(16)
  const start = png.indexOf('IDAT')
  const lines = inflateSync(png.subarray(start + 4, start + 4 + png.readUInt32BE(start - 4)))
  const bytes = Math.ceil(size / 8) + 1
  const data = new Uint8Array(size * size * 4)
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const byte = lines[y * bytes + 1 + (x >> 3)] ?? 0
      const shade = (byte & (0x80 >> (x & 7))) === 0 ? 0 : 255
      data.set([shade, shade, shade, 255], (y * size + x) * 4)
    }
  return { width: size, height: size, data }
}

test('the image can be read as its text, also with the longest names', () => {
  for (const uri of [
    otpauthUri('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', 'ACC', 'admin'),
    otpauthUri('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', '문서 보안 관리 서버'.repeat(3), 'x'.repeat(30)),
  ])
    expect(decodeQR(pixelsOf(qrPng(uri)))).toBe(uri)
})
