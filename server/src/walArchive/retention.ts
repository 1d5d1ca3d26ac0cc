// What an archive keeps: the newest base backups, the WAL since the oldest of them, and the files of that time.
import { rm } from 'node:fs/promises'
import { dropOld } from '../backup/folders.ts'
import { dropAside } from './archivedFiles.ts'
import { basesFolder, findBases, findNeeded } from './bases.ts'
import { findPieces, findSystems, pathOfPiece } from './pieces.ts'

/**
 * Removes all but the newest base backups, and what only they need. No WAL is removed while a manifest cannot be read. WAL without
 * a base backup is that of a database which was replaced; that of `current` is still to get one.
 */
export async function dropOldBases(root: string, current: string, keep: number): Promise<void> {
  await dropOld(basesFolder(root), Math.max(1, keep))
  const bases = await findBases(root)
  const [oldest] = bases
  if (oldest === undefined) return
  await dropAside(root, oldest)
  const first = new Map<string, number>()
  for (const base of bases) {
    const needed = await findNeeded(root, base)
    if (needed === undefined) return
    const wal = `${needed.system} ${needed.timeline}`
    first.set(wal, Math.min(needed.start, first.get(wal) ?? needed.start))
  }
  for (const system of await findSystems(root))
    for (const piece of await findPieces(root, system)) {
      const wal = `${system} ${piece.timeline}`
      const start = first.get(wal) ?? (wal === current ? 0 : Number.POSITIVE_INFINITY)
      if (piece.number < start) await rm(pathOfPiece(root, system, piece), { force: true })
    }
}
