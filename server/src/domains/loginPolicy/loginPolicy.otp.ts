// The default OTP setting and the users exempt from it (spec S2 §2.7, §5, §7).
import type { Empty } from '@acc/contract/core/fields'
import { SettingManage } from '@acc/contract/labels/history'
import { logOf, named, notify } from '../../core/change.ts'
import type { Change, Read } from '../../core/context.ts'
import { fail, requireAll } from '../../core/errors.ts'
import { notifyGroups } from '../../core/people.ts'
import { settingLog } from '../../core/settingLog.ts'
import type { Tx } from '../../db/open.ts'
import { findSetting, lockSetting, updateSetting } from '../../settings/settings.ts'
import { limitSessionsUnless } from '../session/session.service.ts'
import { updateUsers } from '../users/users.queries.ts'
import { applyOtpUse, WITH_FACTOR } from '../users/users.signIn.ts'
import { type Candidate, countWithoutException, lockCandidates } from './loginPolicy.queries.ts'

type Ctx = Change<'settingManage'>
type Flag = 0 | 1

export const readDefaultOtp = async ({ read }: Read) => ({
  defaultOtp: (await findSetting(read, 'defaultOtp')) ?? 0,
  userCount: await countWithoutException(read),
})

/**
 * Sets whether users without an exception need a one-time password. Open sessions without one end within a day
 * (docs/decisions/05-one-time-passwords.md).
 */
export function setDefaultOtp(ctx: Ctx, { defaultOtp }: { defaultOtp: Flag }): Promise<Empty> {
  return ctx.change(async (tx) => {
    const before = (await lockSetting(tx, 'defaultOtp')) ?? 0
    if (before === defaultOtp) return { result: {}, log: 'unchanged' }
    await updateSetting(tx, 'defaultOtp', defaultOtp)
    if (defaultOtp === 1) await limitSessionsUnless(tx, ctx.services, WITH_FACTOR)
    await notify(tx, { topic: 'settings' })
    const type = defaultOtp === 1 ? SettingManage.DEFAULT_OTP_ON : SettingManage.DEFAULT_OTP_OFF
    return { result: {}, log: [settingLog(type, 'defaultOtp')] }
  })
}

/** Locks all of the named users. Fails with 980 if one does not exist. */
async function lockAll(tx: Tx, userIdxes: readonly number[]): Promise<Candidate[]> {
  const users = await lockCandidates(tx, userIdxes)
  requireAll(userIdxes, users)
  return users
}

async function store(tx: Tx, users: readonly Candidate[], useOtp: Flag | null): Promise<void> {
  const idxes = users.map(({ idx }) => idx)
  await updateUsers(tx, idxes, { useOtp })
  await notifyGroups(tx, users)
}

/** Adds users to one of the lists, all or none. */
export function addExceptions(ctx: Ctx, { userIdxes, useOtp }: { userIdxes: number[]; useOtp: Flag }): Promise<Empty> {
  const findPeople = named(userIdxes, true)
  return ctx.change(async (tx) => {
    const users = await lockAll(tx, userIdxes)
    if (users.some(({ isAdmin }) => isAdmin === 1)) fail('ADMIN_SELECTED')
    if (users.some((user) => user.useOtp !== null)) fail('ALREADY_ADDED')
    await store(tx, users, useOtp)
    return { result: {}, log: logOf(await applyOtpUse(tx, ctx, users, useOtp)) }
  }, findPeople)
}

/** Removes users from the lists, all or none. The default then applies to them. */
export function removeExceptions(ctx: Ctx, { userIdxes }: { userIdxes: number[] }): Promise<Empty> {
  const findPeople = named(userIdxes, true)
  return ctx.change(async (tx) => {
    const users = await lockAll(tx, userIdxes)
    requireAll(
      userIdxes,
      users.filter(({ useOtp }) => useOtp !== null),
    )
    await store(tx, users, null)
    return { result: {}, log: logOf(await applyOtpUse(tx, ctx, users, null)) }
  }, findPeople)
}
