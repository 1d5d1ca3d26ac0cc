// Streams several files as one zip (spec S2 §7, FileEximport/Download). Entries are stored, not deflated: documents are
// compressed already, and the zip's size is known beforehand, so that a browser notices an incomplete download.
// zipRecords.ts has the records of PKWARE's APPNOTE 6.3.10, section 4.3.
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { uniqueFileNames } from '@acc/contract/core/fileName'
import { centralRecord, dataDescriptor, descriptorLength, endRecords, localHeader, setChecksum } from './zipRecords.ts'

/** `name` as the user gave it, `size` in bytes as it will be read; `open` is called when the entry is written. */
export type ZipEntry = { name: string; size: number; modified: Date; open: () => Promise<Readable> }

/** An entry of the zip; the checksum is still missing in its record of the directory. */
type Item = Pick<ZipEntry, 'size' | 'open'> & { header: Buffer; record: Buffer }

/**
 * Returns the zip and its exact size in bytes. A source that fails, or has another size, destroys the stream with the
 * error. Destroying the stream destroys the open source.
 */
export function zipFiles(entries: readonly ZipEntry[]): { stream: Readable; size: number } {
  const { items, directoryOffset } = layOut(entries)
  const directorySize = items.reduce((sum, { record }) => sum + record.length, 0)
  const end = endRecords(items.length, directoryOffset, directorySize)
  return {
    stream: Readable.from(zipBytes(items, end), { objectMode: false }),
    size: directoryOffset + directorySize + end.length,
  }
}

/** Where each entry begins: all lengths are known before the first byte is read. */
function layOut(entries: readonly ZipEntry[]): { items: Item[]; directoryOffset: number } {
  const names = uniqueFileNames(entries.map(({ name }) => name))
  let offset = 0
  const items = entries.map(({ size, modified, open }, index) => {
    const entry = { name: Buffer.from(names[index] ?? '', 'utf8'), size, modified, offset }
    const header = localHeader(entry)
    offset += header.length + size + descriptorLength(size)
    return { size, open, header, record: centralRecord(entry) }
  })
  return { items, directoryOffset: offset }
}

async function* zipBytes(items: readonly Item[], end: Buffer): AsyncGenerator<Buffer> {
  for (const { header, record, size, open } of items) {
    yield header
    let checksum = 0
    let read = 0
    // Leaving this loop early, by an error or a disconnected reader, destroys the source.
    for await (const chunk of await open()) {
      checksum = crc32(chunk, checksum)
      read += chunk.length
      yield chunk
    }
    if (read !== size) throw new Error(`a file of ${size} bytes gave ${read} for the zip`)
    yield dataDescriptor(size, checksum)
    setChecksum(record, checksum)
  }
  for (const { record } of items) yield record
  yield end
}
