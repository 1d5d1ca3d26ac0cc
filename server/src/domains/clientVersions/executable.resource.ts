// The version resource of a Windows program: a tree of exactly three levels (type, name, language), so that a directory
// that points at itself cannot be followed for long, and the fixed part of VS_VERSIONINFO.
import { InvalidExecutable, type ReadAt, type Section } from './executable.bytes.ts'

const DIRECTORY = 16
const ENTRY = 8
/** Entries of one directory at most; real programs have tens. */
const MAX_ENTRIES = 4096
const VERSION_TYPE = 16
const IS_DIRECTORY = 0x8000_0000

const KEY = Buffer.from('VS_VERSION_INFO\0', 'utf16le')
const HEADER = 6
/** Where the fixed part begins: after the header and the key, at a multiple of four. */
const FIXED = Math.ceil((HEADER + KEY.length) / 4) * 4
const FIXED_SIZE = 52
const SIGNATURE = 0xfeef_04bd

const noVersion = (): never => {
  throw new InvalidExecutable('version')
}

/** Returns the position in the file of bytes in memory. */
function positionOf(sections: readonly Section[], address: number, length: number): number {
  const section = sections.find((one) => address >= one.address && address + length <= one.address + one.stored)
  return section === undefined ? noVersion() : section.position + address - section.address
}

type Entry = { id: number; place: number; isDirectory: boolean }

async function readDirectory(read: ReadAt, position: number): Promise<Entry[]> {
  const head = await read(position, DIRECTORY)
  const count = head.readUInt16LE(12) + head.readUInt16LE(14)
  if (count > MAX_ENTRIES) noVersion()
  const entries = await read(position + DIRECTORY, count * ENTRY)
  return Array.from({ length: count }, (_, at) => {
    const [id, place] = [entries.readUInt32LE(at * ENTRY), entries.readUInt32LE(at * ENTRY + 4)]
    return { id, place: place % IS_DIRECTORY, isDirectory: place >= IS_DIRECTORY }
  })
}

/** Returns the file version that the version resource states; the first one, if there are several languages. */
export async function readVersionResource(
  read: ReadAt,
  sections: readonly Section[],
  resources: number,
): Promise<string> {
  const root = positionOf(sections, resources, DIRECTORY)
  const [type] = (await readDirectory(read, root)).filter(({ id }) => id === VERSION_TYPE)
  let entry = type ?? noVersion()
  for (let level = 0; level < 2; level++) {
    if (!entry.isDirectory) noVersion()
    const [first] = await readDirectory(read, root + entry.place)
    entry = first ?? noVersion()
  }
  if (entry.isDirectory) noVersion()
  const data = await read(root + entry.place, 8)
  const [address, size] = [data.readUInt32LE(0), data.readUInt32LE(4)]
  if (size < FIXED + FIXED_SIZE) noVersion()
  return versionOf(await read(positionOf(sections, address, size), FIXED + FIXED_SIZE))
}

function versionOf(info: Buffer): string {
  const isVersion = info.subarray(HEADER, HEADER + KEY.length).equals(KEY) && info.readUInt32LE(FIXED) === SIGNATURE
  if (!isVersion) noVersion()
  const numbers = [10, 8, 14, 12].map((field) => info.readUInt16LE(FIXED + field))
  return numbers.every((number) => number === 0) ? noVersion() : numbers.join('.')
}
