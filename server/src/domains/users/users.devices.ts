// The registered PCs of users, which hold licenses, the restriction to one PC, and own policies (spec S1 §4, §6).
import type { Empty } from '@acc/contract/core/fields'
import type { EndChange } from '@acc/contract/ends'
import { LicenseUse, PolicyManage } from '@acc/contract/labels/history'
import { OwnerType } from '@acc/contract/labels/policies'
import { type HistoryEntry, logOf, notify } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { withOldValues } from '../../core/historyValues.ts'
import { changePeople, notifyUsers } from '../../core/people.ts'
import type { UserRow } from '../../core/userLog.ts'
import type { Tx } from '../../db/open.ts'
import { licenseLog } from '../licenses/licenses.history.ts'
import { deleteDevicesOf } from '../licenses/licenses.queries.ts'
import { policyLog } from '../policies/policies.history.ts'
import { findOwner } from '../policies/policies.queries.ts'
import { setIsMyPolicy as setPolicyOwned } from '../policies/policies.service.ts'
import { endSessionsOfRemovedDevices } from '../session/session.service.ts'
import { updateUsers } from './users.queries.ts'

/** Returns the arguments of the guard: managers change neither their own PCs nor their own policy. */
const oneUser = <P extends 'user' | 'policy'>(page: P, idx: number) =>
  ({ page, userIdxes: [idx], own: 'byAdmins', admins: 'byAdmins' }) as const

/** Removes all of a user's registered PCs. The next call of their clients ends with 162. */
export function resetLicense(ctx: Change<'licenseUse'>, { idx }: { idx: number }): Promise<Empty> {
  return changePeople(ctx, oneUser('user', idx), async (tx, users) => {
    const log = await freeLicenses(tx, users)
    await endSessionsOfRemovedDevices(tx, ctx.services, [idx])
    if (log.length > 0) await notifyUsers(tx, users)
    return { result: {}, log: logOf(log) }
  })
}

/** Removes the registered PCs of users and frees their licenses. */
export async function freeLicenses(tx: Tx, users: readonly UserRow[]): Promise<HistoryEntry<'licenseUse'>[]> {
  const byIdx = new Map(users.map((user) => [user.idx, user]))
  const devices = await deleteDevicesOf(tx, [...byIdx.keys()])
  if (devices.length > 0) await notify(tx, { topic: 'licenses' })
  return devices.flatMap((device) => {
    const user = byIdx.get(device.userIdx)
    return user === undefined ? [] : [licenseLog(LicenseUse.RETRIEVE, user, device)]
  })
}

type SinglePc = { idx: number; isSinglePC: 0 | 1 }

/** Restricts a user to one PC, or lifts the restriction. PCs that are registered already remain. */
export function setIsSinglePC(ctx: Change<'policyManage'>, { idx, isSinglePC }: SinglePc): Promise<Empty> {
  return changePeople(ctx, oneUser('user', idx), async (tx, [before]) => {
    const owner = await findOwner(tx, { ownerIdx: idx, ownerType: OwnerType.USER })
    if (owner === undefined) fail('NOT_ALLOWED')
    if (before.isSinglePC === isSinglePC) return { result: {}, log: 'unchanged' }
    await updateUsers(tx, [idx], { isSinglePC })
    await notifyUsers(tx, [before])
    const detail = withOldValues('target', { isSinglePC }, { isSinglePC: before.isSinglePC })
    return { result: {}, log: [policyLog(PolicyManage.UPDATE_ISSINGLEPC, owner, detail)] }
  })
}

type MyPolicy = EndChange & { idx: number; isMyPolicy?: 0 | 1 | undefined }

/** Gives a user an own policy, a copy of the inherited one, sets when it ends, or makes them inherit again. */
export function setIsMyPolicy(ctx: Change<'policyManage'>, { idx, isMyPolicy, ...end }: MyPolicy): Promise<Empty> {
  return changePeople(ctx, oneUser('policy', idx), async (tx, users) => {
    const log = await setPolicyOwned(tx, ctx.actor, { ownerIdx: idx, ownerType: OwnerType.USER }, isMyPolicy, end)
    if (log.length > 0) await notifyUsers(tx, users)
    return { result: {}, log: logOf(log) }
  })
}
