// Daily jobs: mails before an account expires or is suspended for lack of use, and that suspension. Each reminder is
// stored with its mail, so that no run on any node sends it twice.
import { withFlag } from '@acc/contract/labels/flags'
import { localDayOf } from '@acc/contract/labels/formats'
import { UserManage } from '@acc/contract/labels/history'
import { UserState } from '@acc/contract/labels/users'
import { sql } from 'kysely'
import { days, later, today } from '../../clock.ts'
import { logOf } from '../../core/change.ts'
import { asSystem, type Job } from '../../core/job.ts'
import { findUsers, notifyUsers } from '../../core/people.ts'
import type { Services } from '../../core/services.ts'
import { userLog } from '../../core/userLog.ts'
import type { Tx } from '../../db/open.ts'
import { findProtection } from '../credentials/formerPasswords.ts'
import { enqueueMail } from '../mails/mails.service.ts'
import { endSessionsOf } from '../session/session.service.ts'
import { updateUsersSuspended } from '../users/users.queries.ts'

/** Days between the mail and the suspension. */
const NOTICE = 7
/** Accounts of one transaction. */
const BATCH = 200

type Reason = 'expiry7' | 'expiry1' | 'dormancy'
type ReminderRecipient = { idx: number; name: string; email: string; day: string }

const isEnabled = sql<boolean>`users.state & ${UserState.DISABLED} = 0`
const notReminded = (reason: Reason, day: ReturnType<typeof sql<string>>) =>
  sql<boolean>`not exists (select from "accountReminders" r
    where r."userIdx" = users.idx and r.reason = ${reason} and r.day = ${day})`

/** Stores the reminders and returns those that no other run stored. */
async function insertReminders(
  tx: Tx,
  reason: Reason,
  at: Date,
  users: readonly ReminderRecipient[],
): Promise<ReminderRecipient[]> {
  if (users.length === 0) return []
  const stored = await tx
    .insertInto('accountReminders')
    .values(users.map(({ idx, day }) => ({ userIdx: idx, reason, day, sentDT: at })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('userIdx')
    .execute()
  const idxes = new Set(stored.map(({ userIdx }) => userIdx))
  return users.filter(({ idx }) => idxes.has(idx))
}

/** Repeats a step, each time in its own transaction, until it finds nothing more. */
async function inBatches(services: Services, step: (tx: Tx) => Promise<number>): Promise<void> {
  while ((await asSystem(services, async (tx) => ({ result: await step(tx) }))) === BATCH);
}

const expiring = (tx: Tx, reason: Reason, from: string, until: string): Promise<ReminderRecipient[]> =>
  tx
    .selectFrom('users')
    .select(['idx', 'name', 'email', sql<string>`"expireDT"`.as('day')])
    .where('isMortal', '=', 1)
    .where('expireDT', '>=', from)
    .where('expireDT', '<=', until)
    .where(isEnabled)
    .where(notReminded(reason, sql<string>`users."expireDT"`))
    .orderBy('idx')
    .limit(BATCH)
    .execute()

/** Mails people 7 days and 1 day before their account expires. A changed last day is announced once more. */
export async function remindOfExpiry(services: Services): Promise<void> {
  const { db, clock } = services
  if ((await findProtection(db.read)).expiryReminders === 0) return
  const dayIn = (count: number) => localDayOf(later(clock.now(), days(count)))
  for (const [reason, from, until] of [
    ['expiry7', dayIn(2), dayIn(7)],
    ['expiry1', today(clock), dayIn(1)],
  ] as const)
    await inBatches(services, async (tx) => {
      const users = await expiring(tx, reason, from, until)
      for (const { email, name, day } of await insertReminders(tx, reason, clock.now(), users))
        await enqueueMail(tx, services, 'accountExpires', { to: email, name, day })
      return users.length
    })
}

/** Builds the condition for users who become dormant: neither administrators nor signed in. */
const isDormant = (before: Date, now: Date) => sql<boolean>`
  users."isAdmin" = 0 and ${isEnabled} and users."activeDT" < ${before}
  and not exists (select from sessions s where s."userIdx" = users.idx and s."endDT" is null and s."expireDT" > ${now})`
/** The first day without use identifies the reminder. */
const activeDay = sql<string>`(users."activeDT" at time zone 'UTC')::date`

/** Mails people whose account will be suspended in 7 days. */
export async function warnDormant(services: Services): Promise<void> {
  const { db, clock } = services
  const { dormantDays } = await findProtection(db.read)
  if (dormantDays === 0) return
  const now = clock.now()
  await inBatches(services, async (tx) => {
    const users = await tx
      .selectFrom('users')
      .select(['idx', 'name', 'email', sql<string>`${activeDay}::text`.as('day')])
      .where(isDormant(later(now, -days(dormantDays - NOTICE)), now))
      .where(notReminded('dormancy', activeDay))
      .orderBy('idx')
      .limit(BATCH)
      .execute()
    const day = localDayOf(later(now, days(NOTICE)))
    for (const { email, name } of await insertReminders(tx, 'dormancy', now, users))
      await enqueueMail(tx, services, 'accountUnused', { to: email, name, days: dormantDays, day })
    return users.length
  })
}

/** Suspends the accounts whose users were notified 7 days ago and have not signed in since. */
export async function suspendDormant(services: Services): Promise<void> {
  const { db, clock } = services
  const { dormantDays } = await findProtection(db.read)
  if (dormantDays === 0) return
  const now = clock.now()
  const suspendSome = () =>
    asSystem(services, async (tx) => {
      const dormant = await tx
        .selectFrom('users')
        .select('idx')
        .where(isDormant(later(now, -days(dormantDays)), now))
        .where(sql<boolean>`exists (select from "accountReminders" r where r."userIdx" = users.idx
          and r.reason = 'dormancy' and r.day = ${activeDay} and r."sentDT" <= ${later(now, -days(NOTICE))})`)
        .orderBy('idx')
        .limit(BATCH)
        .forNoKeyUpdate()
        .execute()
      const idxes = dormant.map(({ idx }) => idx)
      if (idxes.length === 0) return { result: 0 }
      const users = await findUsers(tx, idxes)
      await updateUsersSuspended(tx, idxes)
      await notifyUsers(tx, users)
      await endSessionsOf(tx, services, idxes)
      const log = users.map((before) => {
        const state = withFlag(before.state, UserState.DISABLED)
        return userLog(UserManage.DISABLED, { ...before, state }, before)
      })
      return { result: idxes.length, log: logOf(log) }
    })
  while ((await suspendSome()) === BATCH);
}

export const loginPolicyJobs: readonly Job[] = [
  { name: 'remindOfExpiry', cron: '7 0 * * *', run: remindOfExpiry },
  { name: 'warnDormant', cron: '17 0 * * *', run: warnDormant },
  { name: 'suspendDormant', cron: '27 0 * * *', run: suspendDormant },
]
