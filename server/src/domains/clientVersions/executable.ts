// Reads the version of a Windows program from its version resource (Microsoft's PE/COFF format), never from its name.
// Reads the headers and the resource alone, less than 200 KiB, and trusts no number in them. The resource is a tree of
// exactly three levels, so that a directory that points at itself cannot be followed for long.

/** `program`: not a Windows program; `truncated`: a part is missing; `version`: it states no version. */
type ExecutableFault = 'program' | 'truncated' | 'version'

/** A file that is no program of the client, or one whose version cannot be read. */
export class InvalidExecutable extends Error {
  override readonly name = 'InvalidExecutable'
  readonly fault: ExecutableFault
  constructor(fault: ExecutableFault) {
    super(fault)
    this.fault = fault
  }
}

type ReadAt = (position: number, length: number) => Promise<Buffer>

/** A part of the file and its place in memory. */
type Section = { address: number; length: number; position: number; stored: number }

/** Opens a reader that returns complete pieces or throws. Lengths have 16 bits, or are of limited counts. */
const readerOf =
  (readAt: ReadAt, size: number): ReadAt =>
  async (position, length) => {
    if (position + length > size) throw new InvalidExecutable('truncated')
    return readAt(position, length)
  }

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
async function readVersionResource(read: ReadAt, sections: readonly Section[], resources: number): Promise<string> {
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

/** Offset in the DOS header of the place of the PE header. */
const PE_PLACE = 0x3c
const DOS_HEADER = 64
const COFF_HEADER = 24
const SECTION = 40
/** Windows loads no more sections than this. */
const MAX_SECTIONS = 96

/** x86, x64, ARM64: what Windows 10 and 11 run. */
const MACHINES = new Set([0x014c, 0x8664, 0xaa64])
const EXECUTABLE_IMAGE = 0x0002
const DLL = 0x2000
/** Programs with windows, and with a console; not drivers or boot programs. */
const SUBSYSTEMS = new Set([2, 3])
/** The optional header of 32-bit and of 64-bit programs: where its data directories begin. */
const DIRECTORIES: Record<number, number> = { 267: 96, 523: 112 }
const SUBSYSTEM_PLACE = 68
const RESOURCES = 2

/** Returns the file version of a Windows program as four numbers, `1.4.2.0`. Throws InvalidExecutable. */
export async function readExecutableVersion(readAt: ReadAt, size: number): Promise<string> {
  const read = readerOf(readAt, size)
  if (size < DOS_HEADER) throw new InvalidExecutable('program')
  const dos = await read(0, DOS_HEADER)
  if (dos.toString('latin1', 0, 2) !== 'MZ') throw new InvalidExecutable('program')
  const place = dos.readUInt32LE(PE_PLACE)
  if (place + COFF_HEADER > size) throw new InvalidExecutable('program')
  const coff = await read(place, COFF_HEADER)
  if (coff.toString('latin1', 0, 4) !== 'PE\0\0') throw new InvalidExecutable('program')
  const characteristics = coff.readUInt16LE(22)
  const isProgram = (characteristics & EXECUTABLE_IMAGE) !== 0 && (characteristics & DLL) === 0
  if (!MACHINES.has(coff.readUInt16LE(4)) || !isProgram) throw new InvalidExecutable('program')
  const optionalSize = coff.readUInt16LE(20)
  const optional = await read(place + COFF_HEADER, optionalSize)
  const sectionCount = coff.readUInt16LE(6)
  if (sectionCount === 0 || sectionCount > MAX_SECTIONS) throw new InvalidExecutable('program')
  const table = await read(place + COFF_HEADER + optionalSize, sectionCount * SECTION)
  const resources = resourcesOf(optional)
  return readVersionResource(read, sectionsOf(table, size), resources)
}

/** Returns the address of the resources in memory. */
function resourcesOf(optional: Buffer): number {
  const directories = optional.length < 2 ? undefined : DIRECTORIES[optional.readUInt16LE(0)]
  if (directories === undefined || optional.length < directories) throw new InvalidExecutable('program')
  if (!SUBSYSTEMS.has(optional.readUInt16LE(SUBSYSTEM_PLACE))) throw new InvalidExecutable('program')
  const count = optional.readUInt32LE(directories - 4)
  const entry = directories + RESOURCES * 8
  if (count <= RESOURCES || optional.length < entry + 8) throw new InvalidExecutable('version')
  return optional.readUInt32LE(entry)
}

/** Returns the sections. As for Windows, they must follow each other in memory, and their bytes must be in the file. */
function sectionsOf(table: Buffer, size: number): Section[] {
  const sections = Array.from({ length: table.length / SECTION }, (_, at): Section => {
    const [length, address, stored, position] = [8, 12, 16, 20].map((field) => table.readUInt32LE(at * SECTION + field))
    return { length: length || stored || 0, address: address ?? 0, stored: stored ?? 0, position: position ?? 0 }
  })
  let end = 0
  for (const { address, length, stored, position } of sections) {
    if (address < end) throw new InvalidExecutable('program')
    if (stored > 0 && position + stored > size) throw new InvalidExecutable('truncated')
    end = address + length
  }
  return sections
}
