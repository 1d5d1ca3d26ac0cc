// Room on the disk of the archive. The WAL comes first: what waits for it fills the database's own disk.
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { formatBytes } from '@acc/contract/labels/formats'
import { BackupError } from '../backup/errors.ts'
import { basesFolder, listBases } from './series.ts'

/** Bytes that base backups and stored files leave to the WAL. */
const OF_WAL = 256 * 1024 * 1024

/** Throws BackupError where so many bytes would leave too little to the WAL. */
export async function requireRoom(root: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(root)
  if (bavail * bsize < bytes + OF_WAL)
    throw new BackupError(`${root} is nearly full: its last ${formatBytes(OF_WAL)} are kept for the WAL.`)
}

/** Bytes of the newest base backup, which the next one will resemble. */
export async function sizeOfNewestBase(root: string): Promise<number> {
  const newest = (await listBases(root)).at(-1)
  if (newest === undefined) return 0
  return (await stat(join(basesFolder({ folder: join(root, newest.series) }), newest.base, 'base'))).size
}
