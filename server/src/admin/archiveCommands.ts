// Verifies a WAL archive, and restores from it, for the operator.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { formatBytes } from '@acc/contract/labels/formats'
import { SettingManage } from '@acc/contract/labels/history'
import { z } from 'zod'
import { OtherKeyError } from '../backup/errors.ts'
import type { BackupKey } from '../backup/key.ts'
import { systemClock } from '../clock.ts'
import { settingLog } from '../core/settingLog.ts'
import { findSecretKey } from '../crypto/secretKey.ts'
import { type Env, secretKeySource } from '../env.ts'
import { updateSetting } from '../settings/settings.ts'
import type { LostFile } from '../walArchive/archivedFiles.ts'
import { type Result, usageError } from './commandLine.ts'
import { keptSince } from './historyCommands.ts'
import { withDatabase } from './openForAdmin.ts'
import { changeAsOperator, operator } from './operator.ts'

/** Lost files that a terminal shows. --json lists all of them. */
const SHOWN = 20

function momentOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const { success } = z.iso.datetime({ offset: true }).safeParse(text)
  if (!success) throw usageError('--until takes a moment with its time zone, as 2026-11-22T10:00:00Z.')
  return new Date(text)
}

function linesOfLost(lost: readonly LostFile[]): string[] {
  if (lost.length === 0) return []
  return [
    `Without their bytes, which are not in the archive as they were (${lost.length}):`,
    ...lost.slice(0, SHOWN).map(({ of, fileName, reason }) => `  ${of}: ${fileName} (${reason})`),
    ...(lost.length > SHOWN ? [`  and ${lost.length - SHOWN} more, which --json lists`] : []),
  ]
}

const sealsLine = (sealed: number | null) =>
  sealed === null
    ? '  History    its seals were not verified, and files by their length only: that takes the secret key'
    : `  History    ${sealed} rows are as they were sealed`

type Order = { from: string; until: string | undefined; key: BackupKey }

export async function restoreFromArchive(env: Env, { from: root, until, key }: Order): Promise<Result> {
  const moment = momentOf(until)
  const { restoreArchive } = await import('../walArchive/restoreArchive.ts')
  const secretKey = await findSecretKey(secretKeySource(env))
  const order = { root, until: moment, key, place: env, author: operator(), secretKey, keptSince: keptSince(env) }
  const { base, throughDT, files, sealed, secretKeyFingerprint } = await restoreArchive(order)
  const { count, size, lost } = files
  const lines = [
    `Restored ${root}`,
    `  Until      ${throughDT.toISOString()}, from base backup ${base}`,
    `  Files      ${count}, ${formatBytes(size)}`,
    sealsLine(sealed),
    `  Secret key ${secretKeyFingerprint}: the server starts with this key only`,
    'Sessions, tokens and temporary passwords of then are void; mail that waited is not sent.',
    ...linesOfLost(lost),
  ]
  return { document: { base, throughDT: throughDT.toISOString(), files, sealed, secretKeyFingerprint }, lines }
}

/** Records a verification in the history of the archive's server, if its data are here. */
async function recordCheck(env: Env, root: string, outcome: { moment: string; failure: string | null }) {
  if (env.walArchive?.folder !== root || !existsSync(join(env.dataDir, 'pg', 'PG_VERSION'))) return false
  const { moment, failure } = outcome
  const log = settingLog(SettingManage.VERIFY_BACKUP, 'WAL', { targetName: moment, targetValue: failure ?? 'OK' })
  const check = { folder: root, moment: systemClock.now().toISOString(), failure }
  return withDatabase(env, (db) =>
    changeAsOperator(db, async (tx) => {
      await updateSetting(tx, 'lastArchiveCheck', check)
      return { result: true, log: [log] }
    }),
  ).catch(() => false)
}

export async function verifyOfArchive(
  env: Env,
  { from: root, key, folder }: { from: string; key: BackupKey; folder: string },
): Promise<Result> {
  const { verifyArchive } = await import('../walArchive/verifyArchive.ts')
  const secretKey = await findSecretKey(secretKeySource(env))
  const verifying = verifyArchive({ root, key, folder, secretKey, keptSince: keptSince(env) })
  const report = await verifying.catch(async (error: unknown) => {
    const failure = error instanceof Error ? error.message : String(error)
    // A wrong key says nothing about the archive.
    if (!(error instanceof OtherKeyError))
      await recordCheck(env, root, { moment: systemClock.now().toISOString(), failure })
    throw error
  })
  const { bases, others, tables, rows, isCompared, sealed, files } = report
  const throughDT = report.throughDT.toISOString()
  const isRecorded = await recordCheck(env, root, { moment: throughDT, failure: null })
  const lines = [
    `${root} is intact: all of it was read, and its database was recovered.`,
    `  Through    ${throughDT}`,
    `  Bases      ${bases}${others === 0 ? '' : `; ${others} of other keys were left out`}`,
    `  Database   ${tables} tables, ${rows} rows${isCompared ? ', the same from the oldest base backup and from the newest' : ''}`,
    `  Files      ${files.count}, ${formatBytes(files.size)}`,
    sealsLine(sealed),
    isRecorded ? '  Recorded in the history of this server' : '  Not recorded: the server of this archive is not here',
    ...linesOfLost(files.lost),
  ]
  return { document: { ...report, throughDT, isRecorded }, lines }
}
