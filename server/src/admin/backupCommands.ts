// Backup, verification and restore for the operator.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { formatBytes } from '@acc/contract/labels/formats'
import { BackupError, OtherKeyError } from '../backup/errors.ts'
import { dropOld, findBackup, nameOf } from '../backup/folders.ts'
import { type BackupKey, findBackupKey } from '../backup/key.ts'
import { type Backup, openBackup } from '../backup/read.ts'
import { recordBackup, recordVerification } from '../backup/record.ts'
import { restoreBackup } from '../backup/restore.ts'
import { type Report, verifyBackup } from '../backup/verify.ts'
import { makeBackup } from '../backup/write.ts'
import { systemClock } from '../clock.ts'
import { findSecretKey } from '../crypto/secretKey.ts'
import type { Database } from '../db/open.ts'
import { type Env, readEnv, secretKeySource } from '../env.ts'
import { openMedium } from '../files/medium.ts'
import { findKeyNames } from '../settings/keyRing.ts'
import { findSetting } from '../settings/settings.ts'
import { isArchive } from '../walArchive/pieces.ts'
import { restoreFromArchive, verifyOfArchive } from './archiveCommands.ts'
import { type Command, type Result, required, usageError } from './commandLine.ts'
import { writeNew } from './files.ts'
import { keptSince } from './historyCommands.ts'
import { withDatabase } from './openForAdmin.ts'
import { changeAsOperator, operator } from './operator.ts'

export const backupKeygen: Command = {
  args: [],
  options: ['out'],
  async run(values) {
    const file = required(values, 'out')
    await writeNew(file, `${randomBytes(32).toString('base64')}\n`, 0o600)
    const lines = [
      `The key of backups is in ${file}: give it to backup, verify and restore by --with-key.`,
      'Keep copies of it apart from the backups and from the server: without it they cannot be opened.',
    ]
    return { document: { file }, lines }
  },
}

const keyFor = (env: Env, file: string | undefined): Promise<BackupKey> => findBackupKey(file, secretKeySource(env))

function keepOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const keep = Number(text)
  if (!/^\d+$/.test(text) || keep < 1) throw usageError('--keep takes a number of backups, from 1.')
  return keep
}

/** Rejects a folder within the server's data, except that of the nightly backups. */
function requireOutside(root: string, { dataDir, files, backupDir }: Env): void {
  if (root === backupDir) return
  for (const folder of 'folder' in files ? [dataDir, files.folder] : [dataDir]) {
    const path = relative(folder, root)
    if (path === '' || !path.startsWith('..'))
      throw new BackupError(`${root} lies in ${folder}: choose a directory outside the server's data, on another disk.`)
  }
}

/** Rejects a key that the server no longer uses. */
async function requireCurrent(db: Database, { fingerprint }: BackupKey): Promise<void> {
  const { current } = await findKeyNames(db.read)
  if (current !== fingerprint)
    throw new BackupError(
      `The secret key was rotated to ${current}: put secret.key.next in the place of secret.key first.`,
    )
}

const missingLine = (missing: number) => `  Lost       ${missing} files that the database names were not in the store`

export const backup: Command = {
  args: [],
  options: ['to', 'with-key', 'keep'],
  async run(values): Promise<Result> {
    const root = resolve(required(values, 'to'))
    const keep = keepOf(values.keep)
    const env = readEnv(process.env)
    requireOutside(root, env)
    if (isArchive(root)) throw new BackupError(`${root} is a WAL archive: choose another directory for backups.`)
    const key = await keyFor(env, values['with-key'])
    return withDatabase(env, async (db) => {
      if (values['with-key'] === undefined) await requireCurrent(db, key)
      const made = await makeBackup({ connection: db.connection, store: await openMedium(env.files), root, key })
      const { id, moment, tables, files } = made.manifest
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      const { count, size, missing } = files
      await changeAsOperator(db, await recordBackup(made, env))
      const dropped = keep === undefined ? 0 : await dropOld(root, keep)
      const lines = [
        `Backed up to ${made.folder}`,
        `  Snapshot   ${moment}: all that was acknowledged before is in it`,
        `  Database   ${tables.length} tables, ${rows} rows`,
        `  Files      ${count}, ${formatBytes(size)}; ${made.copied} of them copied, the others were there`,
        ...(missing > 0 ? [missingLine(missing)] : []),
        `  Key        ${key.fingerprint}`,
        ...(made.manifest.seal ? [`  Seal       ${made.manifest.seal.no}:${made.manifest.seal.hash}`] : []),
        ...(dropped > 0 ? [`  Removed    ${dropped} older backups`] : []),
      ]
      const document = {
        folder: made.folder,
        id,
        moment,
        rows,
        files,
        copied: made.copied,
        seal: made.manifest.seal,
        key: key.fingerprint,
        dropped,
      }
      return { document, lines }
    })
  },
}

async function open(env: Env, values: Record<string, string | undefined>): Promise<Backup> {
  return openBackup(resolve(required(values, 'from')), await keyFor(env, values['with-key']))
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Records a verification in the server's database if its newest backup has this folder's name. */
async function recordCheck(env: Env, folder: string, failure: string | null): Promise<boolean> {
  if (env.databaseUrl === undefined && !existsSync(join(env.dataDir, 'pg', 'PG_VERSION'))) return false
  return withDatabase(env, async (db) => {
    const last = await findSetting(db.read, 'lastBackup')
    if (last === undefined || nameOf(last.moment) !== folder) return false
    await changeAsOperator(db, recordVerification(last, systemClock.now(), failure))
    return true
  }).catch(() => false)
}

/** Returns the secret key of the backup, which verifies the seals of its history; undefined without it. */
async function trustOf(env: Env, { manifest }: Backup): Promise<Parameters<typeof verifyBackup>[2]> {
  const key = await findSecretKey(secretKeySource(env))
  if (key === undefined || key.fingerprint !== manifest.secretKeyFingerprint) return undefined
  return { key, keptSince: keptSince(env) }
}

export const verify: Command = {
  args: [],
  options: ['from', 'with-key', 'in'],
  async run(values): Promise<Result> {
    const env = readEnv(process.env)
    const from = resolve(required(values, 'from'))
    const place = resolve(values.in ?? tmpdir())
    if (isArchive(from))
      return verifyOfArchive(env, { from, key: await keyFor(env, values['with-key']), folder: place })
    const key = await keyFor(env, values['with-key'])
    const folder = await findBackup(from)
    let opened: Backup
    let report: Report
    try {
      opened = await openBackup(folder, key)
      report = await verifyBackup(opened, place, await trustOf(env, opened))
    } catch (error) {
      // A wrong key says nothing about the backup.
      if (!(error instanceof OtherKeyError)) await recordCheck(env, basename(folder), reasonOf(error))
      throw error
    }
    const { manifest } = opened
    const isRecorded = await recordCheck(env, basename(folder), null)
    const lines = [
      `${folder} is intact: it was restored in full, and every count and hash is as it was.`,
      `  Snapshot   ${manifest.moment}, version ${manifest.version}`,
      `  Database   ${report.tables} tables, ${report.rows} rows`,
      `  Files      ${report.files}, ${formatBytes(report.size)}`,
      report.sealed === null
        ? '  History    its seals were not verified: that takes the secret key'
        : `  History    ${report.sealed} rows are as they were sealed`,
      ...(report.missing > 0 ? [missingLine(report.missing)] : []),
      isRecorded ? '  Recorded in the history of this server' : '  Not recorded: the server of this backup is not here',
    ]
    return { document: { folder, moment: manifest.moment, ...report, isRecorded }, lines }
  },
}

export const restore: Command = {
  args: [],
  options: ['from', 'with-key', 'until'],
  async run(values): Promise<Result> {
    const env = readEnv(process.env)
    const from = resolve(required(values, 'from'))
    if (isArchive(from))
      return restoreFromArchive(env, { from, until: values.until, key: await keyFor(env, values['with-key']) })
    if (values.until !== undefined) throw new BackupError(`${from} holds no WAL archive, which --until needs.`)
    const opened = await open(env, values)
    await restoreBackup({ backup: opened, place: env, author: operator() })
    const { moment, version, secretKeyFingerprint } = opened.manifest
    const lines = [
      `Restored ${opened.folder}`,
      `  Snapshot   ${moment}, version ${version}`,
      `  Secret key ${secretKeyFingerprint}: the server starts with this key only`,
      'Sessions, tokens and temporary passwords of the backup are void; mail that waited is not sent.',
    ]
    return { document: { folder: opened.folder, moment, version, secretKeyFingerprint }, lines }
  },
}
