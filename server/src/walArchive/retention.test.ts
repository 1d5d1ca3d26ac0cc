// What is removed from an archive, and never what a kept base backup needs.
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nameOf } from '../backup/folders.ts'
import { basesFolder, dropOldBases } from './bases.ts'
import { findPieces } from './pieces.ts'

const [FORMER, CURRENT] = ['7511111111111111111', '7522222222222222222']

/** An archive in a folder of its own. Moments are days of November 2026. */
async function testArchive() {
  const root = await mkdtemp(join(tmpdir(), 'acc-retention-'))
  const baseOf = (day: number) => nameOf(new Date(Date.UTC(2026, 10, day)).toISOString())
  return {
    root,
    base: async (day: number, start: number, system = CURRENT, timeline = 1) => {
      const folder = join(basesFolder(root), baseOf(day))
      await mkdir(folder, { recursive: true })
      const text = JSON.stringify({ manifest: { system, timeline, start }, signature: '' })
      await writeFile(join(folder, 'base.json'), text)
    },
    spoil: (day: number) => writeFile(join(basesFolder(root), baseOf(day), 'base.json'), '{'),
    /** Segments from one to another. */
    wal: async (from: number, to: number, system = CURRENT, timeline = 1) => {
      const folder = join(root, 'wal', system)
      await mkdir(folder, { recursive: true })
      const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')
      for (let at = from; at <= to; at++)
        await writeFile(join(folder, `${hex(timeline)}00000000${hex(at)}-0-${'a'.repeat(16)}-${'b'.repeat(16)}`), '')
    },
    aside: (day: number) => mkdir(join(root, 'removed', baseOf(day)), { recursive: true }),
    days: async (folder: string) => (await readdir(join(root, folder))).sort().map((name) => Number(name.slice(6, 8))),
    segments: async (system = CURRENT, timeline = 1) =>
      (await findPieces(root, system)).filter((one) => one.timeline === timeline).map(({ number }) => number),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  }
}

test('the newest base backups stay with the WAL since the oldest of them, of each database and timeline', async () => {
  await using archive = await testArchive()
  await archive.base(1, 5, FORMER)
  await archive.wal(4, 8, FORMER)
  await archive.base(2, 3)
  await archive.base(3, 6)
  await archive.wal(2, 8)
  await archive.base(4, 7, CURRENT, 2)
  await archive.wal(6, 9, CURRENT, 2)
  await archive.wal(1, 2, CURRENT, 3)
  for (const day of [1, 2, 3, 4]) await archive.aside(day)
  const current = `${CURRENT} 3`

  await dropOldBases(archive.root, current, 4)
  expect([await archive.segments(FORMER), await archive.segments()]).toEqual([
    [5, 6, 7, 8],
    [3, 4, 5, 6, 7, 8],
  ])
  await dropOldBases(archive.root, current, 2)
  expect([await archive.days('bases'), await archive.days('removed')]).toEqual([
    [3, 4],
    [3, 4],
  ])
  expect([await archive.segments(FORMER), await archive.segments()]).toEqual([[], [6, 7, 8]])
  for (const _ of [1, 2]) await dropOldBases(archive.root, current, 1)
  expect([await archive.segments(), await archive.segments(CURRENT, 2)]).toEqual([[], [7, 8, 9]])
  expect(await archive.segments(CURRENT, 3), 'which is to get a base backup').toEqual([1, 2])
})

test('a base backup of a clock that was set back keeps its WAL, and one that cannot be read keeps all', async () => {
  await using archive = await testArchive()
  await archive.base(5, 2)
  await archive.base(4, 6)
  await archive.wal(1, 7)
  await dropOldBases(archive.root, `${CURRENT} 1`, 3)
  expect(await archive.segments()).toEqual([2, 3, 4, 5, 6, 7])
  await archive.base(6, 7)
  await archive.spoil(5)
  await dropOldBases(archive.root, `${CURRENT} 1`, 2)
  expect([await archive.days('bases'), await archive.segments()]).toEqual([
    [5, 6],
    [2, 3, 4, 5, 6, 7],
  ])
})
