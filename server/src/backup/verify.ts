// Proves a backup: restores its database into a temporary place, compares what the tables hold then with what they held, and
// reads every stored file. Nothing of it stays.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbedded } from '../db/embedded/embedded.ts'
import { BackupError } from './errors.ts'
import { inTransaction, loadBackup } from './load.ts'
import type { Backup } from './read.ts'
import { unusable } from './sealedStream.ts'
import { verifyFiles } from './storedFiles.ts'
import { tallyTable } from './tables.ts'

export type Report = { tables: number; rows: number; files: number; size: number; missing: number }

/** Verifies a backup with the room that `folder` has. Throws BackupError for the first thing that is not as it was. */
export async function verifyBackup(backup: Backup, folder: string): Promise<Report> {
  const { tables, files } = backup.manifest
  let place: string | undefined
  try {
    place = await mkdtemp(join(folder, 'acc-verify-'))
    await verifyFiles(join(backup.folder, 'files'), backup.files())
    await verifyTables(backup, place)
  } catch (error) {
    throw unusable(folder, error)
  } finally {
    if (place !== undefined) await rm(place, { recursive: true, force: true })
  }
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return { tables: tables.length, rows, files: files.count, size: files.size, missing: files.missing }
}

/** What is deleted in the end need not survive a power failure. */
const FAST = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
}

async function verifyTables(backup: Backup, dataDir: string): Promise<void> {
  const log = { info: () => undefined, error: () => undefined }
  const embedded = await startEmbedded({ dataDir, log, settings: FAST })
  try {
    await inTransaction(embedded.connection, async (target) => {
      await loadBackup(target, backup)
      for (const table of backup.manifest.tables) {
        const { rows, content } = await tallyTable(target.client, table)
        if (rows !== table.rows)
          throw new BackupError(`${table.name} has ${rows} rows when it is restored, and had ${table.rows}.`)
        if (content !== table.content) throw new BackupError(`${table.name} has other rows when it is restored.`)
      }
    })
  } finally {
    await embedded.stop()
  }
}
