// What an archive keeps: the newest base backups, the WAL since the oldest of them, and the files of that time.
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dropAside } from './archivedFiles.ts'
import { parseLsn, segmentStart } from './lsn.ts'
import { basesFolder, findBases, findChunks, findSeries, openBase, type Series, walFolder } from './series.ts'

/** Removes a folder, renamed first so that half of it is never taken for a whole one. */
async function removeFolder(folder: string): Promise<void> {
  await rename(folder, `${folder}.unfinished`)
  await rm(`${folder}.unfinished`, { recursive: true, force: true })
}

/** Removes all but the `keep` newest base backups, and what only they need. The newest one always stays. */
export async function dropOldBases(root: string, current: Series, keep: number): Promise<void> {
  const bases: { series: string; base: string }[] = []
  for (const series of await findSeries(root))
    for (const base of await findBases({ folder: join(root, series) })) bases.push({ series, base })
  bases.sort((one, other) => (one.base < other.base ? -1 : 1))
  const kept = bases.slice(-Math.max(1, keep))
  for (const { series, base } of bases.slice(0, -kept.length))
    await removeFolder(join(basesFolder({ folder: join(root, series) }), base))
  const oldest = kept[0]
  if (oldest === undefined) return
  await dropAside(root, oldest.base)
  for (const series of await findSeries(root))
    if (series < current.name && kept.every((one) => one.series !== series)) await removeFolder(join(root, series))
  const first = kept.find(({ series }) => series === current.name)
  if (first !== undefined) await dropWalBefore(current, first.base)
}

async function dropWalBefore(series: Series, base: string): Promise<void> {
  const start = segmentStart(parseLsn((await openBase(series, base)).manifest.start))
  for (const chunk of await findChunks(series))
    if (chunk.end <= start) await rm(join(walFolder(series), chunk.name), { force: true })
}
