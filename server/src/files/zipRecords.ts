// The records of a zip file (PKWARE APPNOTE 6.3.10, section 4.3), for entries that are stored as they are: UTF-8 names
// (flag bit 11), the checksum behind the data (bit 3) because it is known only then, and 64-bit fields (ZIP64, section
// 4.3.9.2) where a size or offset needs them and nowhere else, so that old programs open small zips.

/** One entry: its name in UTF-8, its size, its time, and where its local header begins. */
type ZipRecord = { name: Buffer; size: number; modified: Date; offset: number }

const MAX_32 = 0xffffffff
const MAX_16 = 0xffff
const FLAGS = (1 << 3) | (1 << 11)
const STORED = 0
const VERSION = 20
const VERSION_ZIP64 = 45
const MADE_ON_UNIX = 3 << 8
const FILE_MODE = (0o100644 << 16) >>> 0

export function localHeader({ name, size, modified }: ZipRecord): Buffer {
  const zip64 = size >= MAX_32
  // Sizes stand behind the data and are zero here, but the 64-bit field, which announces that they are 64 bits wide
  // there, holds the true ones: Info-ZIP's unzip takes them from it in some archives.
  const extra = Buffer.concat([
    zip64 ? field(0x0001, uint64(size), uint64(size)) : Buffer.alloc(0),
    timeField(modified),
  ])
  const sizes = zip64 ? MAX_32 : 0
  return Buffer.concat([
    uint32(0x04034b50),
    uint16(zip64 ? VERSION_ZIP64 : VERSION, FLAGS, STORED),
    dosTime(modified),
    uint32(0, sizes, sizes),
    uint16(name.length, extra.length),
    name,
    extra,
  ])
}

export function descriptorLength(size: number): number {
  return size >= MAX_32 ? 24 : 16
}

export function dataDescriptor(size: number, checksum: number): Buffer {
  const head = uint32(0x08074b50, checksum)
  return Buffer.concat(size >= MAX_32 ? [head, uint64(size), uint64(size)] : [head, uint32(size, size)])
}

/** The entry's record in the directory, with a checksum of 0 until `setChecksum`. */
export function centralRecord({ name, size, modified, offset }: ZipRecord): Buffer {
  const bigSize = size >= MAX_32
  const bigOffset = offset >= MAX_32
  const wide = [...(bigSize ? [uint64(size), uint64(size)] : []), ...(bigOffset ? [uint64(offset)] : [])]
  const extra = Buffer.concat([wide.length > 0 ? field(0x0001, ...wide) : Buffer.alloc(0), timeField(modified)])
  const needed = wide.length > 0 ? VERSION_ZIP64 : VERSION
  return Buffer.concat([
    uint32(0x02014b50),
    uint16(MADE_ON_UNIX | VERSION_ZIP64, needed, FLAGS, STORED),
    dosTime(modified),
    uint32(0, bigSize ? MAX_32 : size, bigSize ? MAX_32 : size),
    uint16(name.length, extra.length, 0, 0, 0),
    uint32(FILE_MODE, bigOffset ? MAX_32 : offset),
    name,
    extra,
  ])
}

export function setChecksum(centralRecord: Buffer, checksum: number): void {
  centralRecord.writeUInt32LE(checksum, 16)
}

/** What closes the zip: how many entries there are, and where their directory is. */
export function endRecords(entries: number, directoryOffset: number, directorySize: number): Buffer {
  const zip64 = entries >= MAX_16 || directoryOffset >= MAX_32 || directorySize >= MAX_32
  const end = Buffer.concat([
    uint32(0x06054b50),
    uint16(0, 0, Math.min(entries, MAX_16), Math.min(entries, MAX_16)),
    uint32(Math.min(directorySize, MAX_32), Math.min(directoryOffset, MAX_32)),
    uint16(0),
  ])
  if (!zip64) return end
  const wide = [uint64(entries), uint64(entries), uint64(directorySize), uint64(directoryOffset)]
  return Buffer.concat([
    uint32(0x06064b50),
    uint64(44), // of what follows
    uint16(MADE_ON_UNIX | VERSION_ZIP64, VERSION_ZIP64),
    uint32(0, 0),
    ...wide,
    uint32(0x07064b50, 0),
    uint64(directoryOffset + directorySize), // where this record began
    uint32(1),
    end,
  ])
}

/**
 * The exact time in UTC (Info-ZIP's extra field 0x5455); the one of the header is local and counts in steps of two
 * seconds.
 */
function timeField(time: Date): Buffer {
  const seconds = Math.min(Math.max(Math.floor(time.getTime() / 1000), 0), 0x7fffffff)
  return field(0x5455, Buffer.of(1), uint32(seconds))
}

function dosTime(time: Date): Buffer {
  const year = Math.min(Math.max(time.getFullYear(), 1980), 2107)
  return uint16(
    (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1),
    ((year - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate(),
  )
}

function field(id: number, ...values: Buffer[]): Buffer {
  const value = Buffer.concat(values)
  return Buffer.concat([uint16(id, value.length), value])
}

function uint16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, index) => {
    bytes.writeUInt16LE(value, index * 2)
  })
  return bytes
}

function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => {
    bytes.writeUInt32LE(value, index * 4)
  })
  return bytes
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
