// What is removed from an archive, and never what a kept base backup needs.
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nameOf } from '../backup/folders.ts'
import { backupKeyOf } from '../backup/key.ts'
import { makeSecretKey } from '../crypto/secretKey.ts'
import { writeChunk } from './chunks.ts'
import { lsnText, SEGMENT_SIZE } from './lsn.ts'
import { dropOldBases } from './retention.ts'
import { basesFolder, createSeries, removeEmptySeries, type Series, walFolder, writeBase } from './series.ts'

const keyOf = (byte: number) => backupKeyOf(makeSecretKey(Buffer.alloc(32, byte)))
const [key, formerKey] = [keyOf(5), keyOf(8)]

/** An archive in a folder of its own. Moments are days of November 2026, positions are segments of the WAL. */
async function testArchive() {
  const root = await mkdtemp(join(tmpdir(), 'acc-retention-'))
  const dayOf = (day: number) => new Date(Date.UTC(2026, 10, day))
  const positionOf = (segment: number) => BigInt(Math.round(segment * SEGMENT_SIZE))
  return {
    root,
    series: (day: number, withKey = key) =>
      createSeries(root, withKey, {
        version: '1.0.0',
        now: dayOf(day),
        system: { systemId: '1', timeline: 1, flushed: 0n },
      }),
    base: async (series: Series, day: number, segment: number) => {
      const begun = dayOf(day).toISOString()
      const folder = join(basesFolder(series), nameOf(begun))
      await mkdir(folder)
      const [start, end] = [segment, segment + 0.01].map((at) => lsnText(positionOf(at)))
      const { key: own, manifest } = series
      const known = { version: '1.0.0', id: manifest.id, keyFingerprint: own.fingerprint, begun, moment: begun }
      await writeBase({ ...known, start: start ?? '', end: end ?? '', size: 0 }, own, folder)
    },
    /** WAL from the beginning of one segment to that of another, in pieces of half a segment. */
    wal: async (series: Series, from: number, to: number) => {
      for (let at = from; at < to; at += 0.5)
        await writeChunk(series, positionOf(at), Buffer.alloc(SEGMENT_SIZE / 2), 0)
    },
    aside: (day: number) => mkdir(join(root, 'removed', nameOf(dayOf(day).toISOString())), { recursive: true }),
    names: async (...path: string[]) =>
      (await readdir(join(root, ...path))).sort().map((name) => name.replace(/^202611(\d\d)T0{9}Z/, '$1')),
    segments: async (series: Series) =>
      (await readdir(walFolder(series))).sort().map((name) => Number(`0x${name.slice(0, 16)}`) / SEGMENT_SIZE),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  }
}

test('the newest base backups stay with the WAL since the oldest of them, across series', async () => {
  await using archive = await testArchive()
  const [former, gone, earlier] = [await archive.series(1, formerKey), await archive.series(2), await archive.series(3)]
  await archive.base(former, 1, 1)
  await archive.base(gone, 2, 1)
  for (const [day, segment] of [
    [4, 2.7],
    [5, 4],
  ] as const)
    await archive.base(earlier, day, segment)
  await archive.wal(earlier, 1, 6)
  const current = await archive.series(6)
  await archive.base(current, 7, 1.2)
  await archive.wal(current, 0, 3)
  const later = await archive.series(8)
  for (const day of [2, 4, 5, 7]) await archive.aside(day)

  await dropOldBases(archive.root, current, 3)
  expect(await archive.names()).toEqual(['03', '06', '08', 'removed'])
  expect(await archive.names(earlier.name, 'bases')).toEqual(['04', '05'])
  expect(await archive.segments(earlier)).toEqual([2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5])
  expect(await archive.segments(current)).toEqual([1, 1.5, 2, 2.5])
  expect(await archive.names('removed')).toEqual(['04', '05', '07'])

  await dropOldBases(archive.root, current, 2)
  expect(await archive.segments(earlier)).toEqual([4, 4.5, 5, 5.5])
  await dropOldBases(archive.root, current, 1)
  await dropOldBases(archive.root, current, 1)
  expect(await archive.names()).toEqual(['06', '08', 'removed'])
  expect(await archive.names(current.name, 'bases')).toEqual(['07'])
  expect(later.name > current.name).toBe(true)
})

test('a base backup of a clock that was set back keeps its WAL, and so does one that cannot be read', async () => {
  await using archive = await testArchive()
  const former = await archive.series(1, formerKey)
  await archive.base(former, 2, 3)
  await archive.wal(former, 1, 4)
  const current = await archive.series(3)
  await archive.base(current, 5, 2)
  await archive.base(current, 4, 6)
  await archive.wal(current, 1, 7)
  await dropOldBases(archive.root, current, 3)
  expect((await archive.segments(former)).at(0)).toBe(1)
  expect((await archive.segments(current)).at(0)).toBe(2)
  await writeFile(join(basesFolder(current), '20261104T000000000Z', 'base.json'), '{}')
  await dropOldBases(archive.root, current, 3)
  expect((await archive.segments(current)).at(0)).toBe(2)
})

test('what was interrupted is finished, and other folders are left alone', async () => {
  await using archive = await testArchive()
  const current = await archive.series(3)
  await archive.base(current, 4, 1)
  const others = ['20261101T000000000Z.unfinished', 'mine.removed', '20261101T000000000Z/tables']
  for (const name of [
    ...others,
    '20261102T000000000Z.removed/wal',
    `${current.name}/bases/20261101T000000000Z.removed`,
  ])
    await mkdir(join(archive.root, name), { recursive: true })
  await dropOldBases(archive.root, current, 1)
  expect(await archive.names(current.name, 'bases')).toEqual(['04'])
  const empty = await archive.series(6)
  await rm(join(empty.folder, 'series.json'))
  await removeEmptySeries(archive.root)
  expect(await archive.names()).toEqual(['01', '01.unfinished', '03', 'mine.removed'])
})
