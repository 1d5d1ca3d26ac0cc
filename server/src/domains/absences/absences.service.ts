// Absences of approvers: set for oneself, or by an administrator, and ended by hand. Their effect is in core/grants.ts.
import { isAbsencePeriod } from '@acc/contract/absences'
import type { Empty } from '@acc/contract/core/fields'
import { Role } from '@acc/contract/labels/access'
import { flagOf } from '@acc/contract/labels/flags'
import { UserManage } from '@acc/contract/labels/history'
import { offsetIn } from '@acc/contract/labels/offsets'
import { days, later, minutes, today } from '../../clock.ts'
import { type FindPeople, type HistoryEntry, named, notify, notifyAll } from '../../core/change.ts'
import type { Actor, Change, Read } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { findUsers } from '../../core/people.ts'
import { type UserRow, userLog } from '../../core/userLog.ts'
import type { Tx } from '../../db/open.ts'
import {
  deleteAbsence,
  findForUpdate,
  findLasting,
  findOwn,
  findSubstitutes,
  findSubstitutions,
  insertAbsence,
  isApprover,
  isCircle,
  isEligibleSubstitute,
  isOverlapping,
  lockAbsences,
} from './absences.queries.ts'

/** Returns the person that a call names, oneself by default. Only administrators name others. */
function personOf(actor: Actor, userIdx = actor.idx): number {
  if (userIdx !== actor.idx && actor.role !== Role.ADMIN) fail('NOT_ALLOWED')
  return userIdx
}

export async function findAbsences({ read, actor, services }: Read, { userIdx }: { userIdx?: number | undefined }) {
  const idx = personOf(actor, userIdx)
  const [absences, substitutions, isOne] = await Promise.all([
    findOwn(read, idx),
    // Most people are the substitute of nobody, as the session shows.
    idx === actor.idx && !actor.isSubstitute ? [] : findSubstitutions(read, idx),
    isApprover(read, idx, today(services.clock)),
  ])
  return { isApprover: flagOf(isOne), absences, substitutions }
}

export async function searchSubstitutes(
  { read, actor, services }: Read,
  { userIdx, text }: { userIdx?: number | undefined; text: string },
) {
  return { items: await findSubstitutes(read, personOf(actor, userIdx), text, today(services.clock)) }
}

/** Returns the first moment of a day by the clocks of a time zone. */
function startOf(day: string, timeZone: string): Date {
  const offsetAt = offsetIn(timeZone)
  const moment = Date.parse(day)
  // The clocks may have been changed between.
  return new Date(moment - minutes(offsetAt(moment - minutes(offsetAt(moment)))))
}
const dayIn = (moment: Date, timeZone: string) =>
  later(moment, minutes(offsetIn(timeZone)(moment.getTime())))
    .toISOString()
    .slice(0, 10)
const nextDay = (day: string) => later(new Date(day), days(1)).toISOString().slice(0, 10)

type Days = { startDay: string; endDay: string }

/** Returns the period from one day to another in a time zone. One that begins today begins now. */
function periodOf({ startDay, endDay }: Days, timeZone: string, now: Date): { startDT: Date; endDT: Date } {
  const day = dayIn(now, timeZone)
  if (!isAbsencePeriod(startDay, endDay, day)) fail('ABSENCE_PERIOD')
  return {
    startDT: startDay === day ? now : startOf(startDay, timeZone),
    endDT: startOf(nextDay(endDay), timeZone),
  }
}

type People = { userIdx: number; substituteIdx: number }

/** Announces absences that began or ended, to the screens of both people, and to the streams that follow rights. */
export async function announceAbsences(tx: Tx, absences: readonly People[]): Promise<void> {
  if (absences.length === 0) return
  await notify(tx, { topic: 'authorities' })
  await notifyAll(
    tx,
    absences.flatMap(({ userIdx, substituteIdx }) => [
      { topic: 'session', userIdx },
      { topic: 'session', userIdx: substituteIdx },
      { topic: 'requests', userIdx: substituteIdx },
    ]),
  )
}

type Logged = { startDT: Date; endDT: Date; reason: string }

/** Builds the history row of an absent person. */
function absenceLog(
  type: UserManage,
  person: UserRow,
  substitute: UserRow,
  { startDT, endDT, reason }: Logged,
): HistoryEntry<'userManage'> {
  const { detail, ...entry } = userLog(type, person, person)
  const absence = {
    substituteId: substitute.id,
    substituteName: substitute.name,
    absenceStartDT: startDT,
    absenceEndDT: endDT,
    absenceReason: reason,
  }
  return { ...entry, detail: { ...detail, ...absence } }
}

/** Returns the rows of both people, who exist. */
async function findBoth(tx: Tx, { userIdx, substituteIdx }: People): Promise<[UserRow, UserRow]> {
  const found = new Map((await findUsers(tx, [userIdx, substituteIdx])).map((user) => [user.idx, user]))
  const [person, substitute] = [found.get(userIdx), found.get(substituteIdx)]
  return person === undefined || substitute === undefined ? fail('NOT_ALLOWED') : [person, substitute]
}

type NewAbsence = Days & { userIdx?: number | undefined; substituteIdx: number; reason: string }

/** Sets an absence. Absences are added one at a time, so that two at once neither overlap nor form a circle. */
export function createAbsence(ctx: Change<'userManage'>, input: NewAbsence): Promise<{ idx: number }> {
  const userIdx = personOf(ctx.actor, input.userIdx)
  const { substituteIdx, reason } = input
  // Keeps both accounts from being suspended.
  const findPeople = named([userIdx, substituteIdx], false)
  return ctx.change(async (tx) => {
    const now = await lockAbsences(tx)
    const day = today(ctx.services.clock)
    if (!(await isApprover(tx, userIdx, day))) fail('NOT_ALLOWED')
    const absence = { userIdx, substituteIdx, reason, ...periodOf(input, ctx.timeZone, now) }
    if (!(await isEligibleSubstitute(tx, userIdx, substituteIdx, day))) fail('SUBSTITUTE_REFUSED')
    if (await isOverlapping(tx, absence)) fail('ABSENCE_OVERLAP')
    if (await isCircle(tx, absence)) fail('SUBSTITUTION_CIRCLE')
    const { idx } = await insertAbsence(tx, { ...absence, isAnnounced: absence.startDT <= now })
    await announceAbsences(tx, [absence])
    const [person, substitute] = await findBoth(tx, absence)
    return { result: { idx }, log: [absenceLog(UserManage.SET_ABSENCE, person, substitute, absence)] }
  }, findPeople)
}

/** Ends an absence, or cancels a future one. */
export function endAbsence(ctx: Change<'userManage'>, { idx }: { idx: number }): Promise<Empty> {
  // Waits for the decisions that the substitute is making, and holds the next ones.
  const findPeople: FindPeople = async (tx) => {
    const { userIdx, substituteIdx } = (await findLasting(tx, idx)) ?? fail('NOT_ALLOWED')
    personOf(ctx.actor, userIdx)
    return { userIdxes: [substituteIdx], isChange: true }
  }
  return ctx.change(async (tx) => {
    const absence = (await findForUpdate(tx, idx)) ?? fail('NOT_ALLOWED')
    personOf(ctx.actor, absence.userIdx)
    await deleteAbsence(tx, idx)
    await announceAbsences(tx, [absence])
    const [person, substitute] = await findBoth(tx, absence)
    return { result: {}, log: [absenceLog(UserManage.END_ABSENCE, person, substitute, absence)] }
  }, findPeople)
}
