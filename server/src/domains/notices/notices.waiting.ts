// Mails to approvers about requests that wait for them. A number is given to each request once; an approver's row holds
// the last number considered and the groups that were theirs, and changes in the transaction that stores the mail. So a
// request is announced once, also when several nodes run the job or one dies.
import { Level, Role } from '@acc/contract/labels/access'
import { Transfer } from '@acc/contract/labels/requests'
import { NoticeChoice } from '@acc/contract/notices'
import { today } from '../../clock.ts'
import { asSystem } from '../../core/job.ts'
import { scopeOf } from '../../core/scope.ts'
import type { Services } from '../../core/services.ts'
import type { Tx } from '../../db/open.ts'
import { enqueueMail } from '../mails/mails.service.ts'
import { blockOf, findRequesters } from '../requests/requests.blocks.ts'
import { expiryOf, findExpiry, findOverdueBound, findOverdueHours } from '../requests/requests.expiry.ts'
import {
  announceWaiting,
  countMail,
  findDueApprovers,
  findLatestNumber,
  findUnsent,
  insertPerson,
  type LockedPerson,
  lockPerson,
  nextNumber,
  updatePerson,
} from './notices.queries.ts'
import { afterMail, nextConsidered } from './notices.schedule.ts'

/** Requests that one mail names. */
const LINES = 10

/** The zone of people who have chosen none. */
const serverZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The directions whose approval the operator has switched on. */
function shownTypes({ env }: Services): Transfer[] {
  const { approve } = env.runtime.show
  return [...(approve.import ? [Transfer.IMPORT] : []), ...(approve.export ? [Transfer.EXPORT] : [])]
}

/** Finds what the approver may decide now and has not been notified of. Rights count at this moment. */
function findUnmailed(services: Services, tx: Tx, person: LockedPerson) {
  const { userIdx, isAdmin, isSubstitute, seenNo } = person
  const viewer = { idx: userIdx, role: isAdmin === 1 ? Role.ADMIN : Role.MANAGER, isSubstitute }
  const reach = {
    [Transfer.IMPORT]: scopeOf(viewer, 'fileImportApprove', Level.EDIT),
    [Transfer.EXPORT]: scopeOf(viewer, 'fileExportApprove', Level.EDIT),
  }
  const groups = {
    [Transfer.IMPORT]: { before: person.importGroups, now: person.nowImport },
    [Transfer.EXPORT]: { before: person.exportGroups, now: person.nowExport },
  }
  return findUnsent(tx, { person: viewer, reach, types: shownTypes(services), seenNo, groups }, LINES)
}

async function notifyApprover(services: Services, tx: Tx, userIdx: number): Promise<void> {
  const now = services.clock.now()
  await insertPerson(tx, userIdx)
  const person = await lockPerson(tx, userIdx, today(services.clock))
  // Another node is faster, or was.
  if (person === undefined || !person.isActive || (person.nextDT !== null && person.nextDT > now)) return
  const { currentChoice, timeZone, name, email } = person
  const nextDT = nextConsidered(currentChoice, now, timeZone ?? serverZone())
  // A first digest comes at its own hour, too.
  if (person.nextDT === null && currentChoice !== NoticeChoice.AT_ONCE)
    return void (await updatePerson(tx, userIdx, { nextDT }))
  const latest = await findLatestNumber(tx)
  const day = today(services.clock)
  const expiry = await findExpiry(tx)
  const unmailed = await findUnmailed(services, tx, person)
  const requesters = await findRequesters(tx, unmailed)
  const requests = unmailed.map((request) => ({
    ...request,
    block: blockOf(request.type, requesters.get(request.requesterIdx), day, services.env),
    expiryDT: expiryOf(request.waitDT, expiry),
  }))
  const [first] = requests
  const seenNo = Math.max(person.seenNo, latest, first?.lastNo ?? 0)
  const seen = { seenNo, exportGroups: person.nowExport, importGroups: person.nowImport }
  if (first === undefined) return void (await updatePerson(tx, userIdx, { ...seen, nextDT }))
  const { count, overdue } = first
  const overdueHours = await findOverdueHours(tx)
  await enqueueMail(tx, services, 'requestsWaiting', { to: email, name, count, overdue, overdueHours, requests })
  const mails = countMail(person, now)
  const isAtOnce = currentChoice === NoticeChoice.AT_ONCE
  await updatePerson(tx, userIdx, { ...seen, nextDT: isAtOnce ? afterMail(now, mails.mailCount) : nextDT, ...mails })
}

/** Announces requests that began to wait or wait too long, and mails the approvers whose time has come. */
export async function notifyApprovers(services: Services): Promise<void> {
  const { db, clock } = services
  await asSystem(services, async (tx) => {
    await announceWaiting(tx, await nextNumber(tx), await findOverdueBound(tx, clock))
  })
  const latest = await findLatestNumber(db.read)
  for (const idx of await findDueApprovers(db.read, clock.now(), today(clock), latest))
    await asSystem(services, (tx) => notifyApprover(services, tx, idx))
}
