// Scheduled jobs for file requests: cancels those that stay incomplete for a week or wait for too long, removes old
// files and orphaned ones.

import { isUploading } from '@acc/contract/requestState'
import { days, hours, later } from '../../clock.ts'
import { asSystem, type Job } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import type { Reader } from '../../db/open.ts'
import { findVersionNames } from '../clientVersions/clientVersions.queries.ts'
import { insertExpiryWarnings, lockExpired } from './requestExpiry.queries.ts'
import { insertWarnings, RequesterEvent } from './requesterNotices.queries.ts'
import { type FileRow, findKnownNames } from './requestFiles.queries.ts'
import { findExpiry } from './requests.expiry.ts'
import { removeBytes } from './requests.own.ts'
import { findAbandoned, findForUpdate } from './requests.queries.ts'
import { removeOldFiles, warnOfRemoval } from './requests.retention.ts'
import { cancelLocked, expireAllLocked, notifyRequester } from './requests.state.ts'

/** Days after which an incomplete request is canceled. */
export const ABANDONED_DAYS = 7
/** Hours before orphaned files are removed. */
const ORPHAN_HOURS = 24
/** Days after which the requester of an incomplete request is warned. */
const WARNED_DAYS = 6
/** Requests looked up at once, or of one transaction. */
const CHUNK = 100
/** Warnings stored at once. */
const WARNINGS = 5_000

async function cancelAbandoned(services: Services, idx: number): Promise<void> {
  let files: Parameters<typeof removeBytes>[1] = []
  await asSystem(services, async (tx) => {
    const request = await findForUpdate(tx, idx)
    if (request === undefined || !isUploading(request)) return { result: undefined }
    const at = services.clock.now()
    const canceled = await cancelLocked(tx, request, at)
    await notifyRequester(tx, request, RequesterEvent.CANCELED, at)
    files = canceled.files
    return { result: undefined, log: [canceled.log] }
  })
  await removeBytes(services, files)
}

export async function cancelAllAbandoned(services: Services): Promise<void> {
  const before = later(services.clock.now(), -days(ABANDONED_DAYS))
  for (;;) {
    const found = await findAbandoned(services.db.read, before, CHUNK)
    for (const { idx } of found) await cancelAbandoned(services, idx)
    if (found.length < CHUNK) return
  }
}

/** Warns the requesters of incomplete requests, once, a day before these are canceled. */
export async function warnOfCancel(services: Services): Promise<void> {
  const now = services.clock.now()
  await asSystem(services, async (tx) => void (await insertWarnings(tx, later(now, -days(WARNED_DAYS)), now)))
}

async function warnRequesters(services: Services): Promise<void> {
  for (;;) {
    const count = await asSystem(services, async (tx) => {
      const expiry = await findExpiry(tx)
      const now = services.clock.now()
      return { result: expiry === undefined ? 0 : await insertExpiryWarnings(tx, expiry, now, WARNINGS) }
    })
    if (count < WARNINGS) return
  }
}

/** Warns the requesters of requests that expire within a day, and cancels those whose warning is a day old. */
export async function expireRequests(services: Services): Promise<void> {
  await warnRequesters(services)
  for (;;) {
    const { files, count } = await asSystem(services, async (tx) => {
      const expiry = await findExpiry(tx)
      const now = services.clock.now()
      const found = expiry === undefined ? [] : await lockExpired(tx, expiry, now, CHUNK)
      if (found.length === 0) return { result: { files: [] as FileRow[], count: 0 } }
      const { files, log } = await expireAllLocked(tx, found, now)
      return { result: { files, count: found.length }, log }
    })
    await removeBytes(services, files)
    if (count < CHUNK) return
  }
}

/** Returns those of the names that rows need. */
export const findKnownFiles = async (db: Reader, names: readonly string[]): Promise<Set<string>> =>
  new Set([...(await findKnownNames(db, names)), ...(await findVersionNames(db, names))])

export async function sweepFiles(services: Services): Promise<void> {
  const before = later(services.clock.now(), -hours(ORPHAN_HOURS))
  const known = (names: readonly string[]) => findKnownFiles(services.db.read, names)
  const removed = await services.files.sweep(known, before)
  if (removed > 0) services.log.info({ removed }, 'removed files that no row needs')
}

export const requestJobs: readonly Job[] = [
  { name: 'cancelAbandonedRequests', cron: '11 * * * *', run: cancelAllAbandoned },
  { name: 'warnOfCancel', cron: '6 * * * *', run: warnOfCancel },
  { name: 'expireRequests', cron: '16 * * * *', run: expireRequests },
  { name: 'removeOldFiles', cron: '26 * * * *', run: removeOldFiles },
  { name: 'warnOfRemoval', cron: '36 0 * * *', run: warnOfRemoval },
  { name: 'sweepFiles', cron: '41 * * * *', run: sweepFiles },
]
