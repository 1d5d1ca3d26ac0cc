// How often an approver is notified, by their own choice, and after how long a waiting request is overdue or expires.
import type { Empty } from '@acc/contract/core/fields'
import { Role } from '@acc/contract/labels/access'
import { flagOf } from '@acc/contract/labels/flags'
import { AccountAction, SettingManage } from '@acc/contract/labels/history'
import type { NoticeChoice, notices } from '@acc/contract/notices'
import type { z } from 'zod'
import { logOf, notify, notifyAll } from '../../core/change.ts'
import type { Actor, Change, Read } from '../../core/context.ts'
import { settingLog } from '../../core/settingLog.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { lockSetting, updateSetting } from '../../settings/settings.ts'
import { accountLog } from '../account/account.history.ts'
import { findExpiry, findOverdueHours } from '../requests/requests.expiry.ts'
import {
  defaultChoice,
  findChoice,
  findWaitingGroups,
  insertPerson,
  lockChoice,
  updatePerson,
} from './notices.queries.ts'
import { nextAfterChoice } from './notices.schedule.ts'

const inEffect = ({ role }: Actor, choice: NoticeChoice | null | undefined) =>
  choice ?? defaultChoice(flagOf(role === Role.ADMIN))

export const readChoice = async ({ read, actor }: Read) => ({
  choice: inEffect(actor, (await findChoice(read, actor.idx))?.choice),
})

/** Sets how often the caller is notified. Requests that already wait are sent at the next moment of the new choice. */
export function setChoice(ctx: Change<'account'>, { choice }: { choice: NoticeChoice }): Promise<Empty> {
  const { actor, services, timeZone } = ctx
  return ctx.change(async (tx) => {
    await insertPerson(tx, actor.idx)
    const before = await lockChoice(tx, actor.idx)
    const old = inEffect(actor, before.choice)
    const nextDT = nextAfterChoice(choice, before, services.clock.now(), timeZone)
    await updatePerson(tx, actor.idx, { choice, timeZone, nextDT })
    if (old === choice) return { result: {}, log: 'unchanged' }
    await notify(tx, { topic: 'session', userIdx: actor.idx })
    const notice = { targetNotice: choice, targetOldNotice: old }
    return { result: {}, log: [accountLog(actor, AccountAction.SET_NOTICE, undefined, notice)] }
  })
}

const findExpiryDays = async (db: Reader): Promise<number> => (await findExpiry(db))?.days ?? 0

export const readOverdue = async ({ read }: Read) => ({
  overdueHours: await findOverdueHours(read),
  requestExpiryDays: await findExpiryDays(read),
})

type Waiting = z.output<typeof notices.setOverdue.input>
type SettingEntry = ReturnType<typeof settingLog>

const changeOf = (before: number, after: number) => ({ targetValue: String(after), targetOldValue: String(before) })

async function changeOverdueHours(tx: Tx, after: number): Promise<SettingEntry[]> {
  await lockSetting(tx, 'overdueHours')
  const before = await findOverdueHours(tx)
  if (before === after) return []
  await updateSetting(tx, 'overdueHours', after)
  return [settingLog(SettingManage.SET_OVERDUE_HOURS, 'overdueHours', changeOf(before, after))]
}

async function changeExpiryDays(tx: Tx, after: number, now: Date): Promise<SettingEntry[]> {
  await lockSetting(tx, 'requestExpiry')
  const before = await findExpiryDays(tx)
  if (before === after) return []
  await updateSetting(tx, 'requestExpiry', { days: after, changeDT: now.toISOString() })
  return [settingLog(SettingManage.SET_REQUEST_EXPIRY, 'requestExpiryDays', changeOf(before, after))]
}

/** Sets after how long a waiting request is overdue and expires, each with its own row of the history. */
export function setOverdue(ctx: Change<'settingManage'>, { overdueHours, requestExpiryDays }: Waiting): Promise<Empty> {
  return ctx.change(async (tx) => {
    const overdue = overdueHours === undefined ? [] : await changeOverdueHours(tx, overdueHours)
    const now = ctx.services.clock.now()
    const expiry = requestExpiryDays === undefined ? [] : await changeExpiryDays(tx, requestExpiryDays, now)
    const log = logOf([...overdue, ...expiry])
    if (log === 'unchanged') return { result: {}, log }
    await notify(tx, { topic: 'settings' })
    const groups = await findWaitingGroups(tx)
    await notifyAll(
      tx,
      groups.map((groupIdx) => ({ topic: 'requests', groupIdx })),
    )
    return { result: {}, log }
  })
}
