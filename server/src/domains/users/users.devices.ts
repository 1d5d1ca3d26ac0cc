// The registered PCs of users, each of which holds a license, and the restriction to one PC (spec S1 §6).

import type { Empty } from '@acc/contract/core/fields'
import { Role } from '@acc/contract/labels/access'
import { LicenseUse, PolicyManage } from '@acc/contract/labels/history'
import { OwnerType } from '@acc/contract/labels/policies'
import { type HistoryEntry, logOf, notify } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import { withOld } from '../../core/diff.ts'
import { fail } from '../../core/errors.ts'
import { requireOthers } from '../../core/scope.ts'
import type { UserRow } from '../../core/userLog.ts'
import type { Tx } from '../../db/open.ts'
import { licenseLog } from '../licenses/licenses.history.ts'
import { deleteDevicesOf } from '../licenses/licenses.queries.ts'
import { policyLog } from '../policies/policies.history.ts'
import { findOwner } from '../policies/policies.queries.ts'
import { endSessionsOfRemovedDevices } from '../session/session.service.ts'
import { requireEditableOne } from './users.guards.ts'
import { updateUsers } from './users.queries.ts'

/** Removes all of a user's registered PCs: their clients' next call answers 162. */
export function resetLicense(ctx: Change<'licenseUse'>, { idx }: { idx: number }): Promise<Empty> {
  const { actor } = ctx
  if (actor.role !== Role.ADMIN) requireOthers(actor, [idx])
  return ctx.change(async (tx) => {
    const user = await requireEditableOne(tx, actor, idx)
    const log = await freeLicenses(tx, [user])
    await endSessionsOfRemovedDevices(tx, ctx.services, [idx])
    if (log.length > 0) await notify(tx, { topic: 'users', idx, groupIdx: user.groupIdx })
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

/** Ties a user to one PC, or unties them. PCs that are registered already stay. */
export function setIsSinglePC(ctx: Change<'policyManage'>, { idx, isSinglePC }: SinglePc): Promise<Empty> {
  const { actor } = ctx
  if (actor.role !== Role.ADMIN) requireOthers(actor, [idx])
  return ctx.change(async (tx) => {
    const before = await requireEditableOne(tx, actor, idx)
    const owner = await findOwner(tx, { ownerIdx: idx, ownerType: OwnerType.USER })
    if (owner === undefined) fail('NOT_ALLOWED')
    if (before.isSinglePC === isSinglePC) return { result: {}, log: 'unchanged' }
    await updateUsers(tx, [idx], { isSinglePC })
    await notify(tx, { topic: 'users', idx, groupIdx: before.groupIdx })
    const detail = withOld('target', { isSinglePC }, { isSinglePC: before.isSinglePC })
    return { result: {}, log: [policyLog(PolicyManage.UPDATE_ISSINGLEPC, owner, detail)] }
  })
}
