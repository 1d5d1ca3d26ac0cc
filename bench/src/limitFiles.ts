// The limit of transfers: a body is hashed, sealed in segments and stored durably; a stored file is opened and sent.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const SEGMENT = 256 * 1024
const [NONCE, TAG] = [12, 16]
const CIPHER = 'aes-256-gcm'
const key = randomBytes(32)
/** The lengths of the stored segments, in their order. */
let lengths: number[] = []

async function writeSegment(file: FileHandle, parts: readonly Buffer[]): Promise<void> {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(CIPHER, key, nonce)
  const sealed = [nonce, ...parts.map((part) => cipher.update(part)), cipher.final()]
  const { bytesWritten } = await file.writev([...sealed, cipher.getAuthTag()])
  lengths.push(bytesWritten)
}

/** Stores a body; returns its SHA-256. */
export async function storeBody(request: IncomingMessage, path: string): Promise<string> {
  const hash = createHash('sha256')
  lengths = []
  const file = await open(path, 'w')
  let [parts, size]: [Buffer[], number] = [[], 0]
  for await (const part of request as AsyncIterable<Buffer>) {
    hash.update(part)
    parts.push(part)
    size += part.length
    if (size < SEGMENT) continue
    await writeSegment(file, parts)
    ;[parts, size] = [[], 0]
  }
  if (size > 0) await writeSegment(file, parts)
  await file.sync()
  await file.close()
  return hash.digest('hex')
}

async function* openedSegments(file: FileHandle): AsyncGenerator<Buffer> {
  for (const length of lengths) {
    const { buffer } = await file.read(Buffer.allocUnsafe(length), 0, length)
    const decipher = createDecipheriv(CIPHER, key, buffer.subarray(0, NONCE)).setAuthTag(buffer.subarray(-TAG))
    yield decipher.update(buffer.subarray(NONCE, -TAG))
    decipher.final()
  }
}

/** Sends the stored file. */
export async function sendBody(response: ServerResponse, path: string): Promise<void> {
  const file = await open(path)
  await pipeline(Readable.from(openedSegments(file), { objectMode: false }), response).finally(() => file.close())
}
