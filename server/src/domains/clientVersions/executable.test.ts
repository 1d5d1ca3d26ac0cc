// Versions of Windows programs: real ones, made ones, and files that pretend to be one or were damaged.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeProgram } from '../../../demo/program.ts'
import { InvalidExecutable, readExecutableVersion } from './executable.ts'

/** Bytes that may be read of a program. */
const MOST = 200 * 1024

async function versionOf(bytes: Buffer): Promise<string> {
  let read = 0
  const version = await readExecutableVersion(async (position, length) => {
    read += length
    return bytes.subarray(position, position + length)
  }, bytes.length).catch((error: unknown) => {
    if (error instanceof InvalidExecutable) return `no: ${error.fault}`
    throw error
  })
  expect(read).toBeLessThan(MOST)
  return version
}

const realProgram = (name: string) => readFileSync(new URL(`../bin/${name}`, import.meta.resolve('rcedit')))
const PROGRAM = makeProgram([1, 4, 2, 65535])
const [PE, OPTIONAL, SECTIONS, RESOURCES] = [0x80, 0x98, 0x188, 0x400]
/** The program with bytes in other places. */
function changed(...changes: [position: number, bytes: number[]][]): Buffer {
  const copy = Buffer.from(PROGRAM)
  for (const [position, bytes] of changes) copy.set(bytes, position)
  return copy
}
const HUGE = [0xf0, 0xff, 0xff, 0xff]

test.each(['rcedit.exe', 'rcedit-x64.exe'])('%s, a real program, states its version', async (name) => {
  expect(await versionOf(realProgram(name))).toBe('2.0.0.0')
})

test('each number has 16 bits, and what follows the program does not matter', async () => {
  expect(await versionOf(PROGRAM)).toBe('1.4.2.65535')
  expect(await versionOf(makeProgram([65535, 0, 0, 1], Buffer.from('PK\u0003\u0004 an archive')))).toBe('65535.0.0.1')
})

test.each<[string, Buffer, string]>([
  ['nothing', Buffer.alloc(0), 'program'],
  ['a text', Buffer.from('MZ is how my text begins. '.repeat(20)), 'program'],
  ['a text that does not begin so', Buffer.from('version 1.2.3.4\n'.repeat(20)), 'program'],
  ['a DOS program', changed([0x3c, [0, 0, 0, 0]]), 'program'],
  ['a DOS program with its code there', changed([0x3c, HUGE]), 'program'],
  ['a PE header that overlaps the end', changed([0x3c, [0xf0, 5, 0, 0]]), 'program'],
  ['a 16-bit program', changed([PE, [0x4e, 0x45]]), 'program'],
  ['a DLL', changed([PE + 22, [0x22, 0x20]]), 'program'],
  ['an object file', changed([PE + 22, [0, 0]]), 'program'],
  ['a program for another processor', changed([PE + 4, [0xf0, 0x01]]), 'program'],
  ['a driver', changed([OPTIONAL + 68, [1, 0]]), 'program'],
  ['a boot program', changed([OPTIONAL + 68, [10, 0]]), 'program'],
  ['a program without an optional header', changed([PE + 20, [0, 0]]), 'program'],
  ['an optional header beyond the end', changed([PE + 20, [0xff, 0xff]]), 'truncated'],
  ['an unknown optional header', changed([OPTIONAL, [0x07, 0x01]]), 'program'],
  ['no sections', changed([PE + 6, [0, 0]]), 'program'],
  ['too many sections', changed([PE + 6, [0xff, 0xff]]), 'program'],
  ['one section more than Windows loads', changed([PE + 6, [97, 0]]), 'program'],
  ['overlapping sections', changed([SECTIONS + 40 + 12, [0, 0x10, 0, 0]]), 'program'],
  ['sections in the wrong order', changed([SECTIONS + 12, HUGE]), 'program'],
  ['a section beyond the end', changed([SECTIONS + 40 + 20, HUGE]), 'truncated'],
  ['a longer section than the file', changed([SECTIONS + 40 + 16, HUGE]), 'truncated'],
  ['no data directories', changed([OPTIONAL + 108, [0, 0, 0, 0]]), 'version'],
  ['resources in no section', changed([OPTIONAL + 128, HUGE]), 'version'],
  ['resources of another type', changed([RESOURCES + 16, [3, 0, 0, 0]]), 'version'],
  ['a directory with no entries', changed([RESOURCES + 24 + 14, [0, 0]]), 'version'],
  ['a directory with too many entries', changed([RESOURCES + 12, [0xff, 0xff, 0xff, 0xff]]), 'version'],
  ['a directory with one entry too many', changed([RESOURCES + 14, [0x01, 0x10]]), 'version'],
  ['a directory with more entries than bytes', changed([RESOURCES + 14, [0x00, 0x10]]), 'truncated'],
  ['a directory that contains itself', changed([RESOURCES + 20, [0, 0, 0, 0x80]]), 'version'],
  ['a directory beyond the end', changed([RESOURCES + 20, [0xff, 0xff, 0xff, 0xff]]), 'truncated'],
  ['data in place of a directory', changed([RESOURCES + 20, [24, 0, 0, 0]]), 'version'],
  ['a directory in place of data', changed([RESOURCES + 48 + 20, [48, 0, 0, 0x80]]), 'version'],
  ['data in no section', changed([RESOURCES + 72, HUGE]), 'version'],
  ['data that is too short', changed([RESOURCES + 76, [40, 0, 0, 0]]), 'version'],
  ['data that is longer than its section', changed([RESOURCES + 76, HUGE]), 'version'],
  ['another key', changed([RESOURCES + 88 + 6, [0x57]]), 'version'],
  ['no signature', changed([RESOURCES + 88 + 40, [0, 0, 0, 0]]), 'version'],
  ['the version 0.0.0.0', makeProgram([0, 0, 0, 0]), 'version'],
])('%s is refused', async (_, bytes, fault) => {
  expect(await versionOf(bytes)).toBe(`no: ${fault}`)
})

describe('with any bytes', () => {
  test('a program that was cut anywhere is refused', async () => {
    const outcomes = new Set<string>()
    for (let length = 0; length < PROGRAM.length; length++) outcomes.add(await versionOf(PROGRAM.subarray(0, length)))
    expect([...outcomes].sort()).toEqual(['no: program', 'no: truncated'])
  })

  test('a damaged program states a version or is refused, soon', async () => {
    const damage = fc.record({
      at: fc.nat(PROGRAM.length - 4),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 6 }), async (places) => {
        const bytes = changed(...places.map(({ at, bytes }): [number, number[]] => [at, [...bytes]]))
        expect(await versionOf(bytes)).toMatch(/^(\d+\.\d+\.\d+\.\d+|no: \w+)$/)
      }),
      { numRuns: 2000 },
    )
  })
})
