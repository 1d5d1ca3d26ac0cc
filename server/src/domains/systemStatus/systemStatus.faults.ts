// What is wrong with a running installation, judged from its figures.
import { FAULT_NAMES, type Fault, faultEntry } from '@acc/contract/labels/systemStatus'
import type { SystemStatus } from '@acc/contract/systemStatus'
import { days, later, minutes } from '../../clock.ts'
import { SPACE_RESERVE } from '../../core/space.ts'

const SCARCE_CONNECTIONS = 0.8
/** Bytes of free space below which an operator should act. */
const LOW_SPACE = 10 * 2 ** 30
const DELAY = minutes(60)
const FEW_LICENSES = 0.9
const EXPIRY_NOTICE = days(30)
/** Milliseconds; one-time passwords allow for 30 seconds. */
const CLOCK_TOLERANCE = 5_000

const BACKUP_AGE = days(7)
/** Since when the WAL may wait to be archived, and stored files: a large one takes its time. */
const ARCHIVE_DELAY = minutes(5)
const ARCHIVED_FILE_DELAY = minutes(60)
/** Since when the oldest row of the history may wait to go out. */
const OUTLET_DELAY = minutes(15)

/**
 * What the status shows, and what is only judged: when the longest overdue job was due, when the installation began, since when
 * WAL and stored files wait to be archived, whether this node took the last seal from the database.
 */
export type Figures = Omit<SystemStatus, 'faults'> & {
  jobDueDT: Date | null
  beginDT: Date
  archiveWaitDT: { wal: Date | null; file: Date | null }
  isHeadNew: boolean
}

/** Returns the faults, urgent ones first. */
export function findFaults(figures: Figures, now: Date): Fault[] {
  const { database, files, mail, license, backup, outlets, jobs, nodes, jobDueDT, beginDT, archiveWaitDT } = figures
  const isLate = (due: Date | string | null, delay = DELAY) => due !== null && new Date(due) < later(now, -delay)
  const share = license.useCount / license.maxCount
  const expiry = license.expiry === null ? undefined : new Date(license.expiry)
  const space = files?.freeSpace ?? Number.POSITIVE_INFINITY
  const alive = nodes.filter((node) => node.isSilent === 0)
  const holds: Record<Fault, boolean> = {
    connectionsScarce: database.connections > SCARCE_CONNECTIONS * database.maxConnections,
    roleTooStrong: database.canAlter === 1,
    clockDiffers: alive.some((node) => Math.abs(node.clockOffset) > CLOCK_TOLERANCE),
    storeUnavailable: files === null,
    filesDamaged: figures.damagedFiles.count > 0,
    spaceExhausted: space < SPACE_RESERVE,
    spaceLow: space >= SPACE_RESERVE && space < LOW_SPACE,
    mailFailed: mail.failed > 0,
    mailDelayed: isLate(mail.dueDT),
    licenseExpired: license.isExpired === 1,
    licenseExpiring: license.isExpired === 0 && expiry !== undefined && expiry < later(now, EXPIRY_NOTICE),
    licenseFull: share >= 1,
    licenseAlmostFull: share >= FEW_LICENSES && share < 1,
    backupOld: new Date(backup?.moment ?? beginDT) < later(now, -BACKUP_AGE),
    backupUnsound: backup !== null && backup.failure !== null,
    backupIncomplete: backup !== null && backup.missing > 0,
    archiveDelayed: isLate(archiveWaitDT.wal, ARCHIVE_DELAY) || isLate(archiveWaitDT.file, ARCHIVED_FILE_DELAY),
    archiveUnsound: figures.archive !== null && figures.archive.finding !== null,
    historyAltered: figures.history.finding !== null,
    sealHeadTaken: figures.isHeadNew,
    historyDelayed: outlets.some(({ waitDT }) => isLate(waitDT, OUTLET_DELAY)),
    jobFailed: jobs.some(({ failDT, completeDT }) => failDT !== null && (completeDT === null || failDT > completeDT)),
    jobDelayed: isLate(jobDueDT),
    nodeSilent: nodes.length > alive.length,
    versionsDiffer: new Set(alive.map((node) => node.version)).size > 1,
  }
  const faults = FAULT_NAMES.filter((fault) => holds[fault])
  return faults.sort((one, other) => Number(faultEntry(other).isUrgent) - Number(faultEntry(one).isUrgent))
}
