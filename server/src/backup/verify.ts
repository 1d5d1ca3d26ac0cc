// Proves a backup: restores its database into a temporary place, compares what the tables hold then with what they held, and
// reads every stored file. Nothing of it stays.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SecretKey } from '../crypto/secretKey.ts'
import { startEmbedded } from '../db/embedded/embedded.ts'
import { findNamedFiles } from '../domains/damagedFiles/damagedFiles.queries.ts'
import { sentenceOf } from '../domains/history/history.findings.ts'
import { findSealKey } from '../domains/history/history.sealKey.ts'
import { findKeptSince, verifyHistory } from '../domains/history/history.verify.ts'
import { pathOf } from '../files/names.ts'
import { cleaningUp } from './cleanUp.ts'
import { BackupError } from './errors.ts'
import { inTransaction, loadBackup, type Target } from './load.ts'
import type { Manifest } from './manifest.ts'
import type { Backup } from './read.ts'
import { unusable } from './sealedStream.ts'
import { isSound, verifyFiles } from './storedFiles.ts'
import { tallyTable } from './tables.ts'

export type Report = {
  tables: number
  rows: number
  files: number
  size: number
  missing: number
  /** Rows of the history that are as they were sealed; null where the seals were not verified. */
  sealed: number | null
}

/** What its owner knows: the backup's secret key, and since when no row of the history was dropped. */
type Owner = { key: SecretKey; keptSince: Date }

/**
 * Verifies a backup with the room that `folder` has; with `trust` also that the history is as it was sealed. Throws
 * BackupError for the first thing that is not as it was.
 */
export async function verifyBackup(backup: Backup, folder: string, trust?: Owner): Promise<Report> {
  const { tables, files } = backup.manifest
  const sealed = await verifyIn(folder, backup, trust).catch((error: unknown) => {
    throw unusable(folder, error)
  })
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return { tables: tables.length, rows, files: files.count, size: files.size, missing: files.missing, sealed }
}

async function verifyIn(folder: string, backup: Backup, trust: Owner | undefined): Promise<number | null> {
  const place = await mkdtemp(join(folder, 'acc-verify-'))
  const verify = async () => {
    await verifyFiles(join(backup.folder, 'files'), backup.files())
    return verifyTables(backup, place, trust)
  }
  return cleaningUp(verify, [() => rm(place, { recursive: true, force: true })])
}

/** What is deleted in the end need not survive a power failure. */
const FAST = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
}

/** Compares the history with its seals and with a known one, and returns how many rows are as they were sealed. */
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

/** Decrypts every file of the backup: its bytes may have been damaged before they were copied. */
async function verifyPlaintexts(tx: Target['tx'], { folder }: Backup, key: SecretKey): Promise<void> {
  const files = join(folder, 'files')
  for await (const { of, fileName, file } of findNamedFiles(tx)) {
    // What the store had lost is counted in the manifest.
    if (!existsSync(pathOf(files, file.name))) continue
    if (!(await isSound(files, file, key)))
      throw new BackupError(
        `${fileName} of ${of} was damaged before the backup: look for an intact one in earlier backups.`,
      )
  }
}

async function verifyTables(backup: Backup, dataDir: string, trust: Owner | undefined): Promise<number | null> {
  const log = { info: () => undefined, error: () => undefined }
  const embedded = await startEmbedded({ dataDir, log, settings: FAST })
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
  return cleaningUp(verify, [embedded.stop])
}
