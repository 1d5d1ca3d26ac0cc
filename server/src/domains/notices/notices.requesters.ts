// Mails to requesters: their requests were decided, canceled or expired, are about to be, or lose their files soon.
import { RequestState } from '@acc/contract/labels/requests'
import { isReleased, isToReview, isUploading, isWaiting } from '@acc/contract/requestState'
import { MAX_DECIDERS } from '@acc/contract/requestSteps'
import { days, hours, later, today } from '../../clock.ts'
import { asSystem } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import type { Tx } from '../../db/open.ts'
import type { SettledLine } from '../../mail/requestTemplates.ts'
import { enqueueMail } from '../mails/mails.service.ts'
import { findDeciders } from '../requests/requestDeciders.queries.ts'
import { RequesterEvent } from '../requests/requesterNotices.queries.ts'
import { expiryOf, findExpiry, WARNED_HOURS } from '../requests/requests.expiry.ts'
import { ABANDONED_DAYS } from '../requests/requests.jobs.ts'
import { findRemoval } from '../requests/requests.retention.ts'
import {
  countMail,
  deleteSent,
  findDueRequesters,
  insertPerson,
  lockPerson,
  markNewsSent,
  type News,
  updatePerson,
} from './notices.queries.ts'
import { afterMail } from './notices.schedule.ts'

/** Requests that one mail names. */
const LINES = 20
/** News that could not be sent for so long is dropped. */
const STALE = days(7)
const KEPT = days(30)

/** Returns when a request expires that its requester is warned of; undefined where it no longer does. */
async function findWarnedExpiry(tx: Tx, { createDT, request }: News): Promise<Date | undefined> {
  const expiry = expiryOf(request.waitDT, await findExpiry(tx))
  const when = later(createDT, hours(WARNED_HOURS))
  return expiry !== null && expiry <= when ? when : undefined
}

/** Returns the line of a piece of news, or undefined where it is no longer true. */
async function lineOf(tx: Tx, news: News, day: string): Promise<SettledLine | undefined> {
  const { event, request } = news
  const { idx, type, state, requestDT, approverName, approvePurpose } = request
  if (event === RequesterEvent.EXPIRES)
    return isUploading(request)
      ? { idx, type, event: 'expires', when: later(requestDT, days(ABANDONED_DAYS)) }
      : undefined
  if (event === RequesterEvent.FILES_EXPIRE) {
    const when = isReleased(request) ? await findRemoval(tx, request) : undefined
    return when && { idx, type, event: 'filesExpire', when }
  }
  if (event === RequesterEvent.WAITS_FOR_STEP_2 || event === RequesterEvent.WAITS_FOR_STEP_3) {
    const step = event === RequesterEvent.WAITS_FOR_STEP_2 ? 2 : 3
    if (!isWaiting(request) || request.step !== step) return undefined
    const deciders = await findDeciders(tx, idx, day, MAX_DECIDERS)
    return { idx, type, event: 'waits', step, stepCount: request.steps, deciders }
  }
  if (event === RequesterEvent.EXPIRES_UNDECIDED) {
    const when = await findWarnedExpiry(tx, news)
    return when && { idx, type, event: 'expiresUndecided', when }
  }
  if (event === RequesterEvent.EXPIRED) return { idx, type, event: 'expired' }
  if (event === RequesterEvent.TO_REVIEW) {
    if (request.reviewDueDT === null || !isToReview(request)) return undefined
    const deciders = await findDeciders(tx, idx, day, MAX_DECIDERS)
    return { idx, type, event: 'toReview', until: request.reviewDueDT, deciders }
  }
  if (event === RequesterEvent.CANCELED) return { idx, type, event: 'canceled' }
  const isReview = request.reviewDueDT !== null
  const [yes, no] = isReview ? (['confirmed', 'objected'] as const) : (['approved', 'rejected'] as const)
  const outcome = state === RequestState.APPROVED ? yes : no
  return { idx, type, event: outcome, approverName: approverName ?? '', reason: approvePurpose ?? '' }
}

async function notifyRequester(services: Services, tx: Tx, userIdx: number): Promise<void> {
  const now = services.clock.now()
  await insertPerson(tx, userIdx)
  const person = await lockPerson(tx, userIdx, today(services.clock))
  if (person === undefined || (person.requesterDT !== null && person.requesterDT > now)) return
  const news = await markNewsSent(tx, userIdx, now)
  const lines: SettledLine[] = []
  for (const one of news.filter(({ createDT }) => createDT > later(now, -STALE))) {
    const line = await lineOf(tx, one, today(services.clock))
    if (line !== undefined) lines.push(line)
  }
  if (lines.length === 0 || !person.isActive) return
  const { email: to, name } = person
  await enqueueMail(tx, services, 'requestsSettled', { to, name, count: lines.length, requests: lines.slice(0, LINES) })
  const mails = countMail(person, now)
  await updatePerson(tx, userIdx, { requesterDT: afterMail(now, mails.mailCount), ...mails })
}

/** Mails the requesters with news whose time has come. */
export async function notifyRequesters(services: Services): Promise<void> {
  for (const idx of await findDueRequesters(services.db.read, services.clock.now()))
    await asSystem(services, (tx) => notifyRequester(services, tx, idx))
}

export const dropSent = (services: Services) =>
  asSystem(services, async (tx) => void (await deleteSent(tx, later(services.clock.now(), -KEPT))))
