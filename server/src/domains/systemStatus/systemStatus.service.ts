// The system status: figures of the database, the file store, mail, the license, jobs and nodes, with their faults.
import { flagOf } from '@acc/contract/labels/flags'
import { THRESHOLDS } from '@acc/contract/labels/statusThresholds'
import type { SystemNode, SystemStatus } from '@acc/contract/systemStatus'
import { days, later, today } from '../../clock.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Reader } from '../../db/open.ts'
import type { FileStore } from '../../files/fileStore.ts'
import { findSetting, findSettings } from '../../settings/settings.ts'
import { isOutboxChosen } from '../configs/configs.register.ts'
import { countDamaged, findDamaged } from '../damagedFiles/damagedFiles.queries.ts'
import { findHistoryState } from '../history/history.checks.ts'
import { findOutlets } from '../history/history.outlets.ts'
import { readStatus } from '../licenses/licenses.status.ts'
import { findUndecidable } from '../requests/requestDeciders.queries.ts'
import { countOverdueReviews } from '../requests/requestReviews.queries.ts'
import { findSyncFaults } from '../userImports/userImports.queries.ts'
import { type Figures, findFaults } from './systemStatus.faults.ts'
import { findBeginning, findDatabase, findMailState, findNodes, type NodeRow } from './systemStatus.queries.ts'

const DAY = days(1)
/** Damaged files that are shown. */
const SHOWN_FILES = 20

export const isReporting = ({ seenDT }: Pick<NodeRow, 'seenDT'>, now: Date): boolean =>
  seenDT >= later(now, -THRESHOLDS.silence * 1000)

const nodeOf = ({ id: _, keys: _keys, sealsWith: _sealsWith, ...node }: NodeRow, now: Date): SystemNode => ({
  ...node,
  startDT: node.startDT.toISOString(),
  seenDT: node.seenDT.toISOString(),
  isSilent: flagOf(!isReporting(node, now)),
})

const outletOf = ({ name, sendDT, waitDT }: Awaited<ReturnType<typeof findOutlets>>[number]) => ({
  name,
  sendDT: sendDT?.toISOString() ?? null,
  waitDT: waitDT?.toISOString() ?? null,
})

/** The newest backup with its verification, which is of this backup or of none. */
async function findBackup(db: Reader): Promise<SystemStatus['backup']> {
  const { lastBackup: backup, lastBackupCheck: check } = await findSettings(db, ['lastBackup', 'lastBackupCheck'])
  if (backup === undefined) return null
  const own = check?.id === backup.id ? check : undefined
  const { moment, size, missing, isOnSameDisk } = backup
  return { moment, size, missing, isOnSameDisk, checkDT: own?.moment ?? null, failure: own?.failure ?? null }
}

/** What the WAL archive shows, and since when WAL and stored files wait for it. */
async function findArchive(
  db: Reader,
  { walArchive, env }: HandlerServices,
): Promise<Pick<Figures, 'archive' | 'archiveWaitDT'>> {
  if (walArchive === undefined) return { archive: null, archiveWaitDT: { wal: null, file: null } }
  const { throughDT, baseDT, startDT, fileWaitDT, ...shown } = walArchive.status()
  const check = await findSetting(db, 'lastArchiveCheck')
  const own = check?.folder === env.walArchive?.folder ? check : undefined
  return {
    archive: {
      ...shown,
      throughDT: throughDT?.toISOString() ?? null,
      baseDT: baseDT?.toISOString() ?? null,
      checkDT: own?.moment ?? null,
      finding: own?.failure ?? null,
    },
    archiveWaitDT: { wal: throughDT ?? startDT, file: fileWaitDT },
  }
}

/** A bucket does not state what room it has, so that only a try shows whether it can be used. */
async function findFileState(files: FileStore): Promise<SystemStatus['files']> {
  const freeSpace = await files.free()
  if (freeSpace !== undefined) return { kind: 'folder', freeSpace }
  await files.check()
  return { kind: 'bucket', freeSpace: null }
}

async function findMail(db: Reader, services: HandlerServices): Promise<SystemStatus['mail']> {
  const [{ dueDT, ...counts }, isOutbox] = await Promise.all([
    findMailState(db, later(services.clock.now(), -DAY)),
    isOutboxChosen(db, services),
  ])
  return { ...counts, dueDT: dueDT?.toISOString() ?? null, isOutbox: flagOf(isOutbox) }
}

/** Returns from when on the lack of a backup is a fault. A new installation has as long as one after a backup. */
const backupDueOf = (backup: SystemStatus['backup'], begin: Date): string =>
  later(backup === null ? begin : new Date(backup.moment), days(THRESHOLDS.backupAge)).toISOString()

async function findDamagedFiles(db: Reader): Promise<SystemStatus['damagedFiles']> {
  const found = await findDamaged(db, SHOWN_FILES)
  const count = found.length < SHOWN_FILES ? found.length : await countDamaged(db)
  return { count, items: found.map(({ storeName: _, findDT, ...file }) => ({ ...file, findDT: findDT.toISOString() })) }
}

const findRequests = async (db: Reader, { clock }: HandlerServices): Promise<SystemStatus['requests']> => ({
  undecidable: (await findUndecidable(db, today(clock))).length,
  overdueReviews: await countOverdueReviews(db, clock.now()),
})

export async function readSystemStatus(db: Reader, services: HandlerServices): Promise<SystemStatus> {
  const now = services.clock.now()
  // A bucket that does not answer is waited for while the rest is read.
  const files = findFileState(services.files).catch(() => null)
  // One after the other: at once, they would take all connections, each of which plans the statements for itself.
  const jobRows = await services.jobs.list(db)
  const backup = await findBackup(db)
  const beginDT = await findBeginning(db)
  const history = await findHistoryState(db, services)
  const due = jobRows.flatMap(({ dueDT }) => dueDT ?? [])
  const figures: Figures = {
    database: { ...(await findDatabase(db)), isEmbedded: flagOf(services.env.databaseUrl === undefined) },
    damagedFiles: await findDamagedFiles(db),
    requests: await findRequests(db, services),
    mail: await findMail(db, services),
    license: await readStatus(db, services),
    backup,
    backupDueDT: backupDueOf(backup, beginDT ?? now),
    ...(await findArchive(db, services)),
    history: { checkDT: history.checkDT?.toISOString() ?? null, finding: history.finding },
    isHeadNew: history.isHeadNew,
    imports: await findSyncFaults(db),
    outlets: (await findOutlets(db, services.env)).map(outletOf),
    jobs: jobRows.map(({ dueDT: _, completeDT, failDT, ...job }) => ({
      ...job,
      completeDT: completeDT?.toISOString() ?? null,
      failDT: failDT?.toISOString() ?? null,
    })),
    nodes: (await findNodes(db)).map((node) => nodeOf(node, now)),
    files: await files,
    jobDueDT: due.length === 0 ? null : new Date(Math.min(...due.map(Number))),
  }
  const { jobDueDT: _, archiveWaitDT: __, isHeadNew: ___, imports: ____, ...shown } = figures
  return { ...shown, faults: findFaults(figures, now) }
}
