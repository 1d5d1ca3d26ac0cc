// The files of decided requests are removed after the days that administrators set; the request and its history stay.
// Days count from the decision, or from the last file of a request that a policy allowed.
import { RETENTION_GRACE_HOURS } from '@acc/contract/infos'
import { RequestEvent } from '@acc/contract/labels/requests'
import { days, hours, later } from '../../clock.ts'
import { asSystem } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { findSetting } from '../../settings/settings.ts'
import { insertFileWarnings } from './requesterNotices.queries.ts'
import { type FileRow, findFiles, lockKept, updateRemoved } from './requestFiles.queries.ts'
import { requestLog } from './requests.history.ts'
import { removeBytes } from './requests.own.ts'
import type { RequestRow } from './requests.queries.ts'
import { notifyRequests } from './requests.state.ts'

/** Days before the removal at which the requester is warned; a shorter retention has no warning. */
const WARNED_DAYS = 3
/** Requests of one transaction, and of one run: the next run continues. */
const CHUNK = 100
const CHUNKS = 200
/** Warnings stored at once. */
const WARNINGS = 5_000

/** Returns the days that files are kept, and since when that counts; undefined without an end. */
async function findRetention(db: Reader) {
  const setting = await findSetting(db, 'fileRetention')
  if (setting === undefined || setting.days === 0) return undefined
  return { days: setting.days, from: later(new Date(setting.changeDT), hours(RETENTION_GRACE_HOURS)) }
}

type RetentionDates = Pick<RequestRow, 'approveDT' | 'completeDT'>

/** Returns when the files of a decided request are removed; undefined if they are kept. */
export async function findRemoval(db: Reader, { approveDT, completeDT }: RetentionDates): Promise<Date | undefined> {
  const retention = await findRetention(db)
  if (retention === undefined) return undefined
  const since = Math.max(approveDT?.getTime() ?? 0, completeDT?.getTime() ?? 0)
  return new Date(Math.max(since + days(retention.days), retention.from.getTime()))
}

/** Marks the files of some requests as removed. */
async function markRemoved(tx: Tx, now: Date): Promise<{ files: FileRow[]; log: ReturnType<typeof requestLog>[] }> {
  const retention = await findRetention(tx)
  if (retention === undefined || retention.from > now) return { files: [], log: [] }
  const found = await lockKept(tx, later(now, -days(retention.days)), CHUNK)
  if (found.length === 0) return { files: [], log: [] }
  const idxes = found.map(({ idx }) => idx)
  const files = await findFiles(tx, idxes)
  const filesOf = Map.groupBy(files, ({ fileEximportIdx }) => fileEximportIdx)
  await updateRemoved(tx, idxes, now)
  await notifyRequests(tx, found)
  const log = found.map((request) =>
    requestLog(RequestEvent.FILES_REMOVED, request, request, filesOf.get(request.idx) ?? []),
  )
  return { files, log }
}

/** Removes the files of decided requests whose time has passed. */
export async function removeOldFiles(services: Services): Promise<void> {
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    const { files, count } = await asSystem(services, async (tx) => {
      const { files, log } = await markRemoved(tx, services.clock.now())
      return { result: { files, count: log.length }, log }
    })
    await removeBytes(services, files)
    if (count < CHUNK) return
  }
}

/** Warns the requesters of approved and allowed requests, once, three days before the files are removed. */
export async function warnOfRemoval(services: Services): Promise<void> {
  const now = services.clock.now()
  const retention = await findRetention(services.db.read)
  if (retention === undefined || retention.days <= WARNED_DAYS) return
  const before = later(now, -days(retention.days - WARNED_DAYS))
  for (;;) {
    const count = await asSystem(services, async (tx) => ({
      result: await insertFileWarnings(tx, before, now, WARNINGS),
    }))
    if (count < WARNINGS) return
  }
}
