// What an archive keeps: the newest base backups, the WAL since the oldest of them, and the files of that time.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError } from '../backup/errors.ts'
import type { BackupKey } from '../backup/key.ts'
import { dropAside } from './archivedFiles.ts'
import { parseLsn, segmentStart } from './lsn.ts'
import {
  basesFolder,
  findChunks,
  findSeries,
  finishRemovals,
  listBases,
  openBase,
  openSeries,
  removeFolder,
  type Series,
  walFolder,
} from './series.ts'

/** Removes all but the `keep` newest base backups, and what only they need. The newest one always stays. */
export async function dropOldBases(root: string, current: Series, keep: number): Promise<void> {
  const bases = await listBases(root)
  const kept = bases.slice(-Math.max(1, keep))
  const [oldest] = kept
  if (oldest === undefined) return
  for (const { series, base } of bases.slice(0, -kept.length))
    await removeFolder(join(basesFolder({ folder: join(root, series) }), base))
  await dropAside(root, oldest.base)
  for (const series of await findSeries(root)) {
    await finishRemovals(basesFolder({ folder: join(root, series) }))
    const names = kept.filter((one) => one.series === series).map(({ base }) => base)
    if (names.length > 0) await dropWalBefore(root, series, names, current.key)
    else if (series < current.name) await removeFolder(join(root, series))
  }
  await finishRemovals(root)
}

/** Removes the WAL that none of the base backups needs. All of it stays where one cannot be read, as with a former key. */
async function dropWalBefore(root: string, name: string, bases: readonly string[], key: BackupKey): Promise<void> {
  const opened = await openAll(root, name, bases, key).catch((error: unknown) => {
    if (error instanceof BackupError) return undefined
    throw error
  })
  if (opened === undefined) return
  for (const chunk of await findChunks(opened.series))
    if (opened.starts.every((start) => chunk.end <= start))
      await rm(join(walFolder(opened.series), chunk.name), { force: true })
}

async function openAll(root: string, name: string, bases: readonly string[], key: BackupKey) {
  const series = await openSeries(root, name, key)
  if (series === undefined) return undefined
  const starts = []
  for (const base of bases) starts.push(segmentStart(parseLsn((await openBase(series, base)).manifest.start)))
  return { series, starts }
}
