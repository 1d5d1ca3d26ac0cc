// The bytes of one file as objects of a bucket. Writing fills a block in memory while the previous one is being sent.
// Reading streams the objects, since segments are read in order.
import { ignoreRejection } from '../ignoreRejection.ts'
import { type Objects, onService } from './bucketObjects.ts'
import { FileStoreError } from './errors.ts'
import type { StoredBytes } from './medium.ts'
import { SEALED } from './segments.ts'

/** Bytes of an object: 4 MiB of plaintext. Part of the format: another value cannot read stored files. */
export const BLOCK = 16 * SEALED
/** Times that a broken stream is reopened at its position. */
const REOPENED = 2

export const keyOf = (name: string, index: number): string => `${name}/${String(index).padStart(6, '0')}`

/** The block that is being written, and the state of the others. */
type Blocks = {
  objects: Objects
  name: string
  length: number
  tail: { index: number; content: Buffer; filled: number; isSent: boolean } | undefined
  sending: Promise<void>
  reading: Reading | undefined
}
type Reading = { position: number; chunks: AsyncIterator<Uint8Array>; rest: Uint8Array }

/** Opens a file of objects of these sizes, in their order; what lies behind a block that is not full does not count. */
export function openBlocks(objects: Objects, name: string, sizes: readonly number[]): StoredBytes {
  const cut = sizes.findIndex((size) => size !== BLOCK)
  const counted = cut === -1 ? sizes : sizes.slice(0, cut + 1)
  const length = counted.reduce((sum, size) => sum + size, 0)
  const blocks: Blocks = { objects, name, length, tail: undefined, sending: Promise.resolve(), reading: undefined }
  return {
    size: async () => blocks.length,
    readAt: (buffer, position) => readAt(blocks, buffer, position),
    writeAt: async (parts, position) => {
      let at = position
      for (const part of parts) {
        await writePart(blocks, part, at)
        at += part.length
      }
    },
    truncate: (to) => truncate(blocks, to),
    sync: () => send(blocks),
    close: async () => {
      stopReading(blocks)
      await send(blocks)
    },
  }
}

/** Sends the block that is written to, and waits until all are there. */
async function send(blocks: Blocks): Promise<void> {
  startSending(blocks)
  await blocks.sending
}

function startSending(blocks: Blocks): void {
  const { tail, objects, name, sending } = blocks
  if (tail === undefined || tail.isSent) return
  tail.isSent = true
  const { index, content, filled } = tail
  // One at a time and in order, so that a crash leaves no holes.
  blocks.sending = ignoreRejection(sending.then(() => objects.put(keyOf(name, index), content.subarray(0, filled))))
}

async function writePart(blocks: Blocks, part: Uint8Array, position: number): Promise<void> {
  stopReading(blocks)
  for (let from = 0; from < part.length; ) {
    const at = position + from
    const tail = await openTail(blocks, Math.floor(at / BLOCK))
    const begin = at - tail.index * BLOCK
    const piece = part.subarray(from, from + BLOCK - begin)
    // A block that is on its way must not change.
    if (tail.isSent) await blocks.sending
    tail.content.set(piece, begin)
    tail.filled = Math.max(tail.filled, begin + piece.length)
    tail.isSent = false
    from += piece.length
    blocks.length = Math.max(blocks.length, at + piece.length)
    if (tail.filled === BLOCK) await sendFull(blocks)
  }
}

/** Two blocks are all that an upload holds: the full one goes while the next fills. */
async function sendFull(blocks: Blocks): Promise<void> {
  await blocks.sending
  startSending(blocks)
}

/** Returns the block to write to, with what the service has of it. */
async function openTail(blocks: Blocks, index: number): Promise<NonNullable<Blocks['tail']>> {
  if (blocks.tail?.index === index) return blocks.tail
  startSending(blocks)
  const held = Math.min(BLOCK, Math.max(0, blocks.length - index * BLOCK))
  const content = Buffer.allocUnsafeSlow(BLOCK)
  if (held > 0) await readAt(blocks, content.subarray(0, held), index * BLOCK)
  stopReading(blocks)
  blocks.tail = { index, content, filled: held, isSent: true }
  return blocks.tail
}

/** Removes from the end, so that a crash leaves no holes; a file keeps its first block, if only as an empty object. */
async function truncate(blocks: Blocks, length: number): Promise<void> {
  if (length >= blocks.length) return
  await send(blocks)
  stopReading(blocks)
  const { objects, name } = blocks
  const index = Math.floor(length / BLOCK)
  const kept = length - index * BLOCK
  const content = Buffer.allocUnsafeSlow(BLOCK)
  if (kept > 0) await readAt(blocks, content.subarray(0, kept), index * BLOCK)
  stopReading(blocks)
  for (let last = Math.ceil(blocks.length / BLOCK) - 1; last > index; last--) await objects.remove(keyOf(name, last))
  if (kept > 0 || index === 0) await objects.put(keyOf(name, index), content.subarray(0, kept))
  else await objects.remove(keyOf(name, index))
  blocks.length = length
  blocks.tail = { index, content, filled: kept, isSent: true }
}

async function readAt(blocks: Blocks, buffer: Buffer, position: number): Promise<Buffer> {
  await send(blocks)
  const wanted = buffer.subarray(0, Math.max(0, Math.min(buffer.length, blocks.length - position)))
  let failures = 0
  for (let filled = 0; filled < wanted.length; ) {
    try {
      const chunk = await readSome(blocks, position + filled, wanted.length - filled)
      wanted.set(chunk, filled)
      filled += chunk.length
    } catch (error) {
      stopReading(blocks)
      if (failures++ === REOPENED || (error instanceof FileStoreError && error.reason === 'missing')) throw error
    }
  }
  return wanted
}

/** The next bytes of the stream that is at `position`, which is opened if there is none. */
async function readSome(blocks: Blocks, position: number, length: number): Promise<Uint8Array> {
  const { objects, name } = blocks
  const index = Math.floor(position / BLOCK)
  if (blocks.reading?.position !== position) {
    stopReading(blocks)
    const stream = await objects.get(keyOf(name, index), position - index * BLOCK)
    blocks.reading = { position, chunks: stream[Symbol.asyncIterator](), rest: Buffer.alloc(0) }
  }
  const { reading } = blocks
  if (reading.rest.length === 0) {
    const { done, value } = await onService(reading.chunks.next())
    if (done === true) throw new FileStoreError('unavailable', `the file store broke off within ${keyOf(name, index)}`)
    reading.rest = value
  }
  const chunk = reading.rest.subarray(0, length)
  reading.rest = reading.rest.subarray(chunk.length)
  reading.position += chunk.length
  if (reading.position === Math.min((index + 1) * BLOCK, blocks.length)) {
    // Read to its end, the stream leaves its connection to the next one.
    blocks.reading = undefined
    await reading.chunks.next().catch(() => undefined)
  }
  return chunk
}

/** Ends the stream; one that fails has nothing more to say. */
function stopReading(blocks: Blocks): void {
  const { reading } = blocks
  blocks.reading = undefined
  void reading?.chunks.return?.().catch(() => undefined)
}
