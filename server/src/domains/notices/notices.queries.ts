// Rows of notices: those to be sent, their recipients, and those that were sent.
import { isDeepStrictEqual } from 'node:util'
import { Level } from '@acc/contract/labels/access'
import { Transfer } from '@acc/contract/labels/requests'
import { NoticeChoice } from '@acc/contract/notices'
import { type Selectable, sql, type Updateable } from 'kysely'
import { dayOf } from '../../clock.ts'
import { groupsGranted, isAdminOrMember, isSubstitute, MEMBERSHIPS, type Person } from '../../core/grants.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { PersonNotices } from '../../db/schema.gen.ts'
import { isUsable } from '../credentials/accountStates.ts'
import { decidesLater, isOfOthers } from '../requests/requestSteps.queries.ts'
import { isReached, type Reach } from '../requests/requests.queries.ts'

type PersonRow = Selectable<PersonNotices>

/** Key of the advisory lock under which numbers are taken. */
const NUMBERS = 4_803_000_000_000

/** Takes the number of this announcement; the next one waits until this transaction ends. */
export async function nextNumber(tx: Tx): Promise<number> {
  await sql`select pg_advisory_xact_lock(${NUMBERS})`.execute(tx)
  const { rows } = await sql<{ no: number }>`select nextval('"noticeNo"') as no`.execute(tx)
  return rows[0]?.no ?? 0
}

/** Deletes notices of decided requests, adds new ones, and one reminder for those that wait since `bound`. */
export async function announceWaiting(tx: Tx, no: number, bound: Date | null): Promise<void> {
  await sql`
    delete from "waitingNotices" n where not exists (
      select from "fileEximports" r where r.idx = n."fileEximportIdx" and r."waitDT" = n."waitDT")`.execute(tx)
  await sql`
    insert into "waitingNotices" ("fileEximportIdx", "waitDT", "announceNo")
    select r.idx, r."waitDT", ${no} from "fileEximports" r
    where r."waitDT" is not null and r.idx not in (select "fileEximportIdx" from "waitingNotices")`.execute(tx)
  if (bound !== null)
    await sql`update "waitingNotices" set "remindNo" = ${no} where "remindNo" is null and "waitDT" <= ${bound}`.execute(
      tx,
    )
}

export async function findLatestNumber(db: Reader): Promise<number> {
  const latest = sql<number | null>`greatest(
    (select max("announceNo") from "waitingNotices"), (select max("remindNo") from "waitingNotices"))`
  return (await db.selectNoFrom(latest.as('no')).executeTakeFirstOrThrow()).no ?? 0
}

/** People who may sign in. */
const isActive = (today: string) => sql<boolean>`users.email <> '' and ${isUsable('users', today)}`

/** Administrators decide everywhere, others where an authority has them decide one of the directions. */
const isApprover = sql<boolean>`(users."isAdmin" = 1 or exists (
  select from ${MEMBERSHIPS} join authorities a on a.idx = au."authorityIdx"
  where au."userIdx" = users.idx and greatest(a."fileExportApprove", a."fileImportApprove") >= ${Level.EDIT}))`

/** The groups that a user's authorities let them decide for, in one direction. */
const decidableGroups = (page: 'fileExportApprove' | 'fileImportApprove') =>
  sql<number[]>`array(
    select distinct "groupIdx" from ${groupsGranted(sql.ref('users.idx'), page, Level.EDIT)} granted order by "groupIdx")`
const decidable = {
  [Transfer.EXPORT]: decidableGroups('fileExportApprove'),
  [Transfer.IMPORT]: decidableGroups('fileImportApprove'),
}
/** Whether a person decides for other groups than when they were considered last. */
const hasOtherGroups = sql<boolean>`
  (${decidable[Transfer.EXPORT]} <> p."exportGroups" or ${decidable[Transfer.IMPORT]} <> p."importGroups")`

/** Managers are notified every hour; administrators, who could decide everything, once a day. */
export const defaultChoice = (isAdmin: 0 | 1): NoticeChoice =>
  isAdmin === 1 ? NoticeChoice.DAILY : NoticeChoice.HOURLY
const choice = sql<NoticeChoice>`coalesce(p.choice, case users."isAdmin"
  when 1 then ${defaultChoice(1)}::smallint else ${defaultChoice(0)}::smallint end)`

/** Returns the approvers whose time has come. Approvers who are notified at once are left out while nothing is new. */
export async function findDueApprovers(db: Reader, now: Date, today: string, latest: number): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .leftJoin('personNotices as p', 'p.userIdx', 'users.idx')
    .select('users.idx')
    .where((eb) => isAdminOrMember(eb.ref('users.idx')))
    .where(isActive(today))
    .where(isApprover)
    .where(choice, '!=', NoticeChoice.OFF)
    .where((eb) => eb.or([eb('p.nextDT', 'is', null), eb('p.nextDT', '<=', now)]))
    .where((eb) =>
      eb.or([
        eb(choice, '!=', NoticeChoice.AT_ONCE),
        eb(eb.fn.coalesce('p.seenNo', sql.lit(0)), '<', latest),
        hasOtherGroups,
      ]),
    )
    .orderBy('users.idx')
    .execute()
  return rows.map(({ idx }) => idx)
}

/** Makes sure that a person has a row. */
export const insertPerson = (tx: Tx, userIdx: number) =>
  tx
    .insertInto('personNotices')
    .values({ userIdx })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Locks a person who may sign in until the transaction ends; undefined while another node has the lock. */
export const lockPerson = (tx: Tx, userIdx: number, today: string) =>
  tx
    .selectFrom('personNotices as p')
    .innerJoin('users', 'users.idx', 'p.userIdx')
    .selectAll('p')
    .select(['users.name', 'users.email', 'users.isAdmin', choice.as('currentChoice'), isActive(today).as('isActive')])
    .select([decidable[Transfer.EXPORT].as('nowExport'), decidable[Transfer.IMPORT].as('nowImport')])
    .select(isSubstitute(sql.ref('users.idx')).as('isSubstitute'))
    .where('p.userIdx', '=', userIdx)
    .forUpdate('p')
    .skipLocked()
    .executeTakeFirst()
export type LockedPerson = NonNullable<Awaited<ReturnType<typeof lockPerson>>>

const ownChoice = sql<NoticeChoice | null>`choice`.as('choice')

/** Locks the choice of a person and returns it, null while none was made, with the mails of the last day. */
export const lockChoice = (tx: Tx, userIdx: number) =>
  tx
    .selectFrom('personNotices')
    .select([ownChoice, 'mailDay', 'mailCount'])
    .where('userIdx', '=', userIdx)
    .forUpdate()
    .executeTakeFirstOrThrow()

export const findChoice = (db: Reader, userIdx: number) =>
  db.selectFrom('personNotices').select(ownChoice).where('userIdx', '=', userIdx).executeTakeFirst()

export const updatePerson = (tx: Tx, userIdx: number, values: Updateable<PersonNotices>) =>
  tx.updateTable('personNotices').set(values).where('userIdx', '=', userIdx).execute()

/** Returns the mails of a person on the day of `now`, the one that is sent included, as columns. */
export const countMail = ({ mailDay, mailCount }: Pick<PersonRow, 'mailDay' | 'mailCount'>, now: Date) => {
  const day = dayOf(now)
  return { mailDay: day, mailCount: mailDay === day ? mailCount + 1 : 1 }
}

/** The groups of one direction for which an approver decides: when considered last, and now. */
type Groups = { before: readonly number[]; now: readonly number[] }
type WaitingQuery = {
  person: Person
  reach: Reach
  types: readonly Transfer[]
  seenNo: number
  groups: Record<Transfer, Groups>
}

/** Whether a request is of a group that came to the approver since: what waited there before is new to them. */
const isGained = (type: Transfer, { before, now }: Groups) => sql<boolean>`("fileEximports".type = ${type} and exists (
  select from groups g where g.idx = "fileEximports"."requesterGroupIdx"
  and g.path && ${now}::bigint[] and not g.path && ${before}::bigint[]))`

/**
 * Whether a request waits at a later step, for approvers whose rights changed since: they may have been added to its
 * authority, where nobody else may be able to decide it.
 */
const isGainedLater = (groups: Record<Transfer, Groups>) =>
  Transfer.values.some((type) => !isDeepStrictEqual(groups[type].before, groups[type].now))
    ? [sql<boolean>`"fileEximports".step > 1`]
    : []

/**
 * Returns the requests that an approver has not been notified of and may decide now: the longest waiting first, at most
 * `limit` rows, each with the number of all and of the overdue ones, and the last of their numbers.
 */
export const findUnsent = (db: Reader, { person, reach, types, seenNo, groups }: WaitingQuery, limit: number) =>
  db
    .selectFrom('waitingNotices as n')
    .innerJoin('fileEximports', (join) =>
      join.onRef('fileEximports.idx', '=', 'n.fileEximportIdx').onRef('fileEximports.waitDT', '=', 'n.waitDT'),
    )
    .select([
      'fileEximports.idx',
      'fileEximports.type',
      'requesterIdx',
      'requesterName',
      'requesterGroupName',
      'fileCount',
      'fileSize',
    ])
    .select(['fileEximports.step', 'fileEximports.steps', 'fileEximports.waitDT'])
    .select([
      sql<boolean>`n."remindNo" is not null`.as('isOverdue'),
      sql<number>`count(*) over ()`.as('count'),
      sql<number>`count(n."remindNo") over ()`.as('overdue'),
      sql<number>`max(greatest(n."announceNo", n."remindNo")) over ()`.as('lastNo'),
    ])
    .where((eb) =>
      eb.or([
        eb('n.announceNo', '>', seenNo),
        eb('n.remindNo', '>', seenNo),
        ...Transfer.values.map((type) => isGained(type, groups[type])),
        ...isGainedLater(groups),
      ]),
    )
    .where('fileEximports.type', '=', sql<Transfer>`any(${types}::smallint[])`)
    .where((eb) =>
      eb.or([
        eb.and([eb('fileEximports.step', '=', 1), isOfOthers(person), isReached(eb, reach)]),
        decidesLater(person),
      ]),
    )
    .orderBy('n.waitDT')
    .orderBy('fileEximports.idx')
    .limit(limit)
    .execute()

/** Returns people with news of their requests whose time has come. */
export async function findDueRequesters(db: Reader, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('requesterNotices as n')
    .leftJoin('personNotices as p', 'p.userIdx', 'n.userIdx')
    .select('n.userIdx')
    .distinct()
    .where('n.sentDT', 'is', null)
    .where((eb) => eb.or([eb('p.requesterDT', 'is', null), eb('p.requesterDT', '<=', now)]))
    .execute()
  return rows.map(({ userIdx }) => userIdx)
}

/** Marks the news of a person as sent, and returns it with the requests as they are now. */
export async function markNewsSent(tx: Tx, userIdx: number, now: Date) {
  const sent = await tx
    .updateTable('requesterNotices')
    .set({ sentDT: now })
    .where('userIdx', '=', userIdx)
    .where('sentDT', 'is', null)
    .returning(['fileEximportIdx', 'event', 'createDT'])
    .execute()
  const idxes = sent.map(({ fileEximportIdx }) => fileEximportIdx)
  const requests = await tx
    .selectFrom('fileEximports')
    .select(['idx', 'type', 'state', 'isFileUploaded', 'requestDT', 'approverName', 'approvePurpose', 'step', 'steps'])
    .select(['approveDT', 'completeDT', 'filesRemovedDT', 'waitDT', 'reviewDueDT'])
    .where('idx', '=', sql<number>`any(${idxes}::bigint[])`)
    .orderBy('idx')
    .execute()
  return requests.flatMap((request) =>
    sent.filter(({ fileEximportIdx }) => fileEximportIdx === request.idx).map((news) => ({ ...news, request })),
  )
}
export type News = Awaited<ReturnType<typeof markNewsSent>>[number]

/** Deletes notices that were sent before a moment. */
export const deleteSent = (tx: Tx, before: Date) =>
  tx.deleteFrom('requesterNotices').where('sentDT', '<', before).execute()

/** Returns the groups of the requests that wait for a decision; null for those of no group. */
export async function findWaitingGroups(db: Reader): Promise<(number | null)[]> {
  const waiting = db.selectFrom('fileEximports').select('requesterGroupIdx').where('waitDT', 'is not', null)
  return (await waiting.distinct().execute()).map(({ requesterGroupIdx }) => requesterGroupIdx)
}
