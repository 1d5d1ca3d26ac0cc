// Finds the faults of a running installation in its figures.
import { THRESHOLDS } from '@acc/contract/labels/statusThresholds'
import { FAULT_NAMES, type Fault, faultEntry } from '@acc/contract/labels/systemStatus'
import type { SystemStatus } from '@acc/contract/systemStatus'
import { days, later, minutes } from '../../clock.ts'

const { connections, clock, lowSpace, reservedSpace, delay, licenses, licenseExpiry } = THRESHOLDS
const { archiveDelay, archivedFileDelay, outletDelay } = THRESHOLDS
const GIGABYTE = 2 ** 30

/**
 * The figures of the status, and those that only faults need: the time of the longest overdue job, since when WAL and
 * stored files wait to be archived, whether the last seal came from the database.
 */
export type Figures = Omit<SystemStatus, 'faults'> & {
  jobDueDT: Date | null
  archiveWaitDT: { wal: Date | null; file: Date | null }
  isHeadNew: boolean
  /** Whether a synchronization of users waits for a confirmation, and whether the last one was refused. */
  imports: { isBraked: boolean; isRefused: boolean }
}

/** Returns the faults, urgent ones first. */
export function findFaults(figures: Figures, now: Date): Fault[] {
  const { database, files, mail, license, backup, outlets, jobs, nodes, jobDueDT, archiveWaitDT } = figures
  const isLate = (due: Date | string | null, tolerated: number) =>
    due !== null && new Date(due) < later(now, -minutes(tolerated))
  const share = license.useCount / license.maxCount
  const expiry = license.expiry === null ? undefined : new Date(license.expiry)
  const gigabytes = (files?.freeSpace ?? Number.POSITIVE_INFINITY) / GIGABYTE
  const alive = nodes.filter((node) => node.isSilent === 0)
  const holds: Record<Fault, boolean> = {
    connectionsScarce: database.connections > (connections / 100) * database.maxConnections,
    roleTooStrong: database.canAlter === 1,
    clockDiffers: alive.some((node) => Math.abs(node.clockOffset) > clock * 1000),
    storeUnavailable: files === null,
    filesDamaged: figures.damagedFiles.count > 0,
    spaceExhausted: gigabytes < reservedSpace,
    spaceLow: gigabytes >= reservedSpace && gigabytes < lowSpace,
    mailServerMissing: mail.isOutbox === 1,
    mailFailed: mail.failed > 0,
    mailDelayed: isLate(mail.dueDT, delay),
    licenseExpired: license.isExpired === 1,
    licenseExpiring: license.isExpired === 0 && expiry !== undefined && expiry < later(now, days(licenseExpiry)),
    licenseFull: share >= 1,
    licenseAlmostFull: share >= licenses / 100 && share < 1,
    backupOld: new Date(figures.backupDueDT) < now,
    backupInvalid: backup !== null && backup.failure !== null,
    backupIncomplete: backup !== null && backup.missing > 0,
    backupOnSameDisk: backup !== null && backup.isOnSameDisk === 1,
    archiveDelayed: isLate(archiveWaitDT.wal, archiveDelay) || isLate(archiveWaitDT.file, archivedFileDelay),
    archiveInvalid: figures.archive !== null && figures.archive.finding !== null,
    historyAltered: figures.history.finding !== null,
    sealHeadTaken: figures.isHeadNew,
    historyDelayed: outlets.some(({ waitDT }) => isLate(waitDT, outletDelay)),
    requestsUndecidable: figures.requests.undecidable > 0,
    reviewsOverdue: figures.requests.overdueReviews > 0,
    importBraked: figures.imports.isBraked,
    importRefused: figures.imports.isRefused,
    jobFailed: jobs.some(({ failDT, completeDT }) => failDT !== null && (completeDT === null || failDT > completeDT)),
    jobDelayed: isLate(jobDueDT, delay),
    nodeSilent: nodes.length > alive.length,
    versionsDiffer: new Set(alive.map((node) => node.version)).size > 1,
  }
  const faults = FAULT_NAMES.filter((fault) => holds[fault])
  return faults.sort((one, other) => Number(faultEntry(other).isUrgent) - Number(faultEntry(one).isUrgent))
}
