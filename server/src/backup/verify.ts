// Verifies a backup: restores its database into a temporary place, compares the tables with the manifest, and reads
// every stored file. Removes everything afterwards.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SecretKey } from '../crypto/secretKey.ts'
import { startEmbedded } from '../db/embedded/embedded.ts'
import { findNamedFiles } from '../domains/damagedFiles/damagedFiles.queries.ts'
import { sentenceOf } from '../domains/history/history.findings.ts'
import { findSealKey } from '../domains/history/history.sealKey.ts'
import { findKeptSince, verifyHistory } from '../domains/history/history.verify.ts'
import { pathOf } from '../files/names.ts'
import { inTemporaryFolder, withCleanUp } from './cleanUp.ts'
import { BackupError } from './errors.ts'
import { inTransaction, loadBackup, type Target } from './load.ts'
import type { Manifest } from './manifest.ts'
import type { Backup } from './read.ts'
import { isIntactFile, verifyFiles } from './storedFiles.ts'
import { tallyTable } from './tables.ts'

export type Report = {
  tables: number
  rows: number
  files: number
  size: number
  missing: number
  /** Verified rows of the history; null if its seals were not verified. */
  sealed: number | null
}

/** The backup's secret key, and since when no row of the history was dropped. */
type Owner = { key: SecretKey; keptSince: Date }

/**
 * Verifies a backup below `folder`, with `trust` also the seals of its history. Throws BackupError for the first fault.
 */
export async function verifyBackup(backup: Backup, folder: string, trust?: Owner): Promise<Report> {
  const { tables, files } = backup.manifest
  const sealed = await inTemporaryFolder(folder, async (place) => {
    await verifyFiles(join(backup.folder, 'files'), backup.files())
    return verifyTables(backup, place, trust)
  })
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return { tables: tables.length, rows, files: files.count, size: files.size, missing: files.missing, sealed }
}

/** The database is deleted afterwards, so it need not survive a power failure. */
const FAST = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
}

/** Compares the history with its seals and with a known one, and returns the number of verified rows. */
export async function verifySeals(
  tx: Target['tx'],
  { key, keptSince }: Owner,
  seal?: Manifest['seal'],
): Promise<number> {
  const { publicKey } = await findSealKey(tx, key)
  const { finding, rows } = await verifyHistory(tx, {
    publicKey,
    keptSince: await findKeptSince(tx, publicKey, keptSince),
    expected: seal ? [seal] : [],
  })
  if (finding !== undefined) throw new BackupError(`The history was altered before the backup: ${sentenceOf(finding)}.`)
  return rows
}

/** Decrypts every file of the backup, which may have been damaged before it was copied. */
async function verifyPlaintexts(tx: Target['tx'], { folder }: Backup, key: SecretKey): Promise<void> {
  const files = join(folder, 'files')
  for await (const { of, fileName, file } of findNamedFiles(tx)) {
    // The manifest counts files that the store had lost.
    if (!existsSync(pathOf(files, file.name))) continue
    if (!(await isIntactFile(files, file, key)))
      throw new BackupError(
        `${fileName} of ${of} was damaged before the backup: look for an intact one in earlier backups.`,
      )
  }
}

async function verifyTables(backup: Backup, dataDir: string, trust: Owner | undefined): Promise<number | null> {
  const embedded = await startEmbedded({ dataDir, settings: FAST })
  const verify = () =>
    inTransaction(embedded.owner, async (target) => {
      await loadBackup(target, backup)
      for (const table of backup.manifest.tables) {
        const { rows, content } = await tallyTable(target.client, table)
        if (rows !== table.rows)
          throw new BackupError(`${table.name} has ${rows} rows when it is restored, and had ${table.rows}.`)
        if (content !== table.content) throw new BackupError(`${table.name} has other rows when it is restored.`)
      }
      if (trust !== undefined) await verifyPlaintexts(target.tx, backup, trust.key)
      return trust === undefined ? null : verifySeals(target.tx, trust, backup.manifest.seal)
    })
  return withCleanUp(verify, [embedded.stop])
}
