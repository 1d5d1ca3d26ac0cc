// How often an approver is notified, by their own choice, and after how long a waiting request is overdue.
import type { Empty } from '@acc/contract/core/fields'
import { Role } from '@acc/contract/labels/access'
import { flagOf } from '@acc/contract/labels/flags'
import { AccountAction, SettingManage } from '@acc/contract/labels/history'
import type { NoticeChoice } from '@acc/contract/labels/notices'
import { notify, notifyAll } from '../../core/change.ts'
import type { Actor, Change, Read } from '../../core/context.ts'
import { settingLog } from '../../core/settingLog.ts'
import { lockSetting, updateSetting } from '../../settings/settings.ts'
import { accountLog } from '../account/account.history.ts'
import { findOverdueHours } from '../requests/requests.overdue.ts'
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

export const readOverdue = async ({ read }: Read) => ({ overdueHours: await findOverdueHours(read) })

export function setOverdue(ctx: Change<'settingManage'>, { overdueHours }: { overdueHours: number }): Promise<Empty> {
  return ctx.change(async (tx) => {
    await lockSetting(tx, 'overdueHours')
    const before = await findOverdueHours(tx)
    if (before === overdueHours) return { result: {}, log: 'unchanged' }
    await updateSetting(tx, 'overdueHours', overdueHours)
    await notify(tx, { topic: 'settings' })
    const groups = await findWaitingGroups(tx)
    await notifyAll(
      tx,
      groups.map((groupIdx) => ({ topic: 'requests', groupIdx })),
    )
    const values = { targetValue: String(overdueHours), targetOldValue: String(before) }
    return { result: {}, log: [settingLog(SettingManage.SET_OVERDUE_HOURS, 'overdueHours', values)] }
  })
}
