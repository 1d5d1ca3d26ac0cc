// Makes the smallest Windows program (PE/COFF) with a version resource: it starts and ends. For the client versions of the
// sample organization, and for tests, which take one apart.

const HEADERS = 0x200
const CODE = 0x200
/** Where each part begins in the file and in memory. */
const FILE = { pe: 0x80, optional: 0x98, sections: 0x188, code: HEADERS, resources: HEADERS + CODE } as const
const MEMORY = { code: 0x1000, resources: 0x2000 } as const
const MACHINE_X64 = 0x8664
/** EXECUTABLE_IMAGE and LARGE_ADDRESS_AWARE. */
const CHARACTERISTICS = 0x22
const OPTIONAL_SIZE = 240
const VERSION_TYPE = 16
const IS_DIRECTORY = 0x8000_0000
const LANGUAGE = 0x0412

type Version = readonly [number, number, number, number]

const words = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer)
const longs = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer)

/** VS_VERSIONINFO with its fixed part alone. */
function versionInfo([major, minor, build, revision]: Version): Buffer {
  const key = Buffer.from('VS_VERSION_INFO\0', 'utf16le')
  const numbers = words(minor, major, revision, build)
  const fixed = Buffer.concat([longs(0xfeef_04bd, 0x1_0000), numbers, numbers, longs(0x3f, 0, 0x4_0004, 1, 0, 0, 0)])
  const body = Buffer.concat([key, Buffer.alloc(2), fixed])
  return Buffer.concat([words(6 + body.length, fixed.length, 0), body])
}

/** The tree of resources: type, name, language, each a directory with one entry, and the place of the data. */
function resourcesOf(info: Buffer): Buffer {
  const directory = (id: number, place: number) => Buffer.concat([longs(0, 0, 0), words(0, 1), longs(id, place)])
  const data = longs(MEMORY.resources + 88, info.length, 0, 0)
  return Buffer.concat([
    directory(VERSION_TYPE, IS_DIRECTORY + 24),
    directory(1, IS_DIRECTORY + 48),
    directory(LANGUAGE, 72),
    data,
    info,
  ])
}

const aligned = (size: number, to: number) => Math.ceil(size / to) * to

function optionalHeader(resources: number): Buffer {
  const header = Buffer.alloc(OPTIONAL_SIZE)
  const put = (at: number, part: Buffer) => part.copy(header, at)
  put(0, words(0x020b))
  put(4, longs(CODE, aligned(resources, 0x200), 0, MEMORY.code, MEMORY.code, 0x4000_0000, 1, 0x1000, 0x200))
  put(40, words(10, 0, 0, 0, 10, 0))
  put(56, longs(MEMORY.resources + aligned(resources, 0x1000), HEADERS, 0))
  // A console program that may be moved in memory and holds no code in its data.
  put(68, words(3, 0x8160))
  put(72, longs(0x10_0000, 0, 0x1000, 0, 0x10_0000, 0, 0x1000, 0, 0, 16))
  put(112 + 2 * 8, longs(MEMORY.resources, resources))
  return header
}

const section = (name: string, fields: number[]) =>
  Buffer.concat([Buffer.from(name.padEnd(8, '\0'), 'latin1'), longs(...fields)])

/** Returns the bytes of a 64-bit program of this version, followed by `payload`, as an installer carries its files. */
export function makeProgram(version: Version, payload: Buffer = Buffer.alloc(0)): Buffer {
  const resources = resourcesOf(versionInfo(version))
  const file = Buffer.alloc(FILE.resources + aligned(resources.length, 0x200))
  const put = (at: number, part: Buffer) => part.copy(file, at)
  put(0, Buffer.from('MZ'))
  put(0x3c, longs(FILE.pe))
  put(FILE.pe, Buffer.from('PE\0\0'))
  put(FILE.pe + 4, Buffer.concat([words(MACHINE_X64, 2), longs(0, 0, 0), words(OPTIONAL_SIZE, CHARACTERISTICS)]))
  put(FILE.optional, optionalHeader(resources.length))
  const code = [3, MEMORY.code, CODE, FILE.code, 0, 0, 0, 0x6000_0020]
  const data = [resources.length, MEMORY.resources, file.length - FILE.resources, FILE.resources, 0, 0, 0, 0x4000_0040]
  put(FILE.sections, Buffer.concat([section('.text', code), section('.rsrc', data)]))
  // xor eax, eax; ret
  put(FILE.code, Buffer.from([0x31, 0xc0, 0xc3]))
  put(FILE.resources, resources)
  return Buffer.concat([file, payload])
}
