// Makes a minimal Windows program (PE/COFF) with a version resource, which ends at once: for the client versions of the
// sample organization, and for tests.

const [HEADERS, CODE] = [0x200, 0x200]
/** The places of the parts in the file and in memory. */
const FILE = { pe: 0x80, optional: 0x98, sections: 0x188, code: HEADERS, resources: HEADERS + CODE } as const
const MEMORY = { code: 0x1000, resources: 0x2000 } as const
const MACHINE_X64 = 0x8664
/** EXECUTABLE_IMAGE and LARGE_ADDRESS_AWARE. */
const CHARACTERISTICS = 0x22
const OPTIONAL_SIZE = 240
const [VERSION_TYPE, LANGUAGE, IS_DIRECTORY] = [16, 0x0412, 0x8000_0000]

type Version = readonly [number, number, number, number]

const words = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer)
const longs = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer)

/** VS_VERSIONINFO with its fixed part only. */
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
  const names = [directory(VERSION_TYPE, IS_DIRECTORY + 24), directory(1, IS_DIRECTORY + 48), directory(LANGUAGE, 72)]
  return Buffer.concat([...names, longs(MEMORY.resources + 88, info.length, 0, 0), info])
}

const aligned = (size: number, to: number) => Math.ceil(size / to) * to

/** Returns so many bytes with the parts at their places. */
function assemble(size: number, parts: Record<number, Buffer>): Buffer {
  const bytes = Buffer.alloc(size)
  for (const [at, part] of Object.entries(parts)) part.copy(bytes, Number(at))
  return bytes
}

const optionalHeader = (resources: number): Buffer =>
  assemble(OPTIONAL_SIZE, {
    0: words(0x020b),
    4: longs(CODE, aligned(resources, 0x200), 0, MEMORY.code, MEMORY.code, 0x4000_0000, 1, 0x1000, 0x200),
    40: words(10, 0, 0, 0, 10, 0),
    56: longs(MEMORY.resources + aligned(resources, 0x1000), HEADERS, 0),
    // A console program that can be relocated, with data that cannot be executed.
    68: words(3, 0x8160),
    72: longs(0x10_0000, 0, 0x1000, 0, 0x10_0000, 0, 0x1000, 0, 0, 16),
    128: longs(MEMORY.resources, resources),
  })

const section = (name: string, fields: number[]) =>
  Buffer.concat([Buffer.from(name.padEnd(8, '\0'), 'latin1'), longs(...fields)])

/** Returns the bytes of a 64-bit program of this version, followed by `payload`, as an installer carries its files. */
export function makeProgram(version: Version, payload: Buffer = Buffer.alloc(0)): Buffer {
  const resources = resourcesOf(versionInfo(version))
  const size = FILE.resources + aligned(resources.length, 0x200)
  const code = [3, MEMORY.code, CODE, FILE.code, 0, 0, 0, 0x6000_0020]
  const data = [resources.length, MEMORY.resources, size - FILE.resources, FILE.resources, 0, 0, 0, 0x4000_0040]
  const file = assemble(size, {
    0: Buffer.from('MZ'),
    60: longs(FILE.pe),
    [FILE.pe]: Buffer.from('PE\0\0'),
    [FILE.pe + 4]: Buffer.concat([words(MACHINE_X64, 2), longs(0, 0, 0), words(OPTIONAL_SIZE, CHARACTERISTICS)]),
    [FILE.optional]: optionalHeader(resources.length),
    [FILE.sections]: Buffer.concat([section('.text', code), section('.rsrc', data)]),
    // xor eax, eax; ret
    [FILE.code]: Buffer.from([0x31, 0xc0, 0xc3]),
    [FILE.resources]: resources,
  })
  return Buffer.concat([file, payload])
}
