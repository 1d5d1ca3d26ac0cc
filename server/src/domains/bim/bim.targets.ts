// Groups and users that BIM servers let in (spec S2 §2.2, §7). A group allows its subgroups too.

import { MAX_BIM } from '@acc/contract/bim'
import type { Empty } from '@acc/contract/core/fields'
import { type HistoryEntry, notify } from '../../core/change.ts'
import type { Change, Read } from '../../core/context.ts'
import { fail, requireAll } from '../../core/errors.ts'
import type { Tx } from '../../db/open.ts'
import { groupTargetsLog, userTargetsLog } from './bim.history.ts'
import { countRows, lockLists } from './bim.queries.ts'
import {
  deleteTargetGroups,
  deleteTargetUsers,
  findTargetGroups,
  findTargetUsers,
  insertTargetGroups,
  insertTargetUsers,
  lockGroups,
  lockUsers,
} from './bim.targets.queries.ts'

type Ctx = Change<'bimManage'>
type Target = { idx: number; isTarget: boolean }
/** What groups and users have in common. */
type Kind<T extends Target> = {
  table: 'bimGroups' | 'bimUsers'
  max: number
  lock(tx: Tx, idxes: readonly number[]): Promise<T[]>
  insert(tx: Tx, idxes: readonly number[]): Promise<unknown>
  remove(tx: Tx, idxes: readonly number[]): Promise<unknown>
  log(step: 'add' | 'remove', targets: readonly T[]): HistoryEntry<'bimManage'>
}

const GROUPS: Kind<Awaited<ReturnType<typeof lockGroups>>[number]> = {
  table: 'bimGroups',
  max: MAX_BIM.groups,
  lock: lockGroups,
  insert: insertTargetGroups,
  remove: deleteTargetGroups,
  log: groupTargetsLog,
}
const USERS: Kind<Awaited<ReturnType<typeof lockUsers>>[number]> = {
  table: 'bimUsers',
  max: MAX_BIM.users,
  lock: lockUsers,
  insert: insertTargetUsers,
  remove: deleteTargetUsers,
  log: userTargetsLog,
}

function add<T extends Target>(ctx: Ctx, kind: Kind<T>, idxes: readonly number[]): Promise<Empty> {
  return ctx.change(async (tx) => {
    await lockLists(tx)
    const targets = await kind.lock(tx, idxes)
    requireAll(idxes, targets)
    if (targets.some(({ isTarget }) => isTarget)) fail('ALREADY_ADDED')
    if ((await countRows(tx, kind.table)) + idxes.length > kind.max) fail('TOO_MANY_ENTRIES', { max: kind.max })
    await kind.insert(tx, idxes)
    await notify(tx, { topic: 'bim' })
    return { result: {}, log: [kind.log('add', targets)] }
  })
}

function remove<T extends Target>(ctx: Ctx, kind: Kind<T>, idxes: readonly number[]): Promise<Empty> {
  return ctx.change(async (tx) => {
    await lockLists(tx)
    const targets = await kind.lock(tx, idxes)
    requireAll(
      idxes,
      targets.filter(({ isTarget }) => isTarget),
    )
    await kind.remove(tx, idxes)
    await notify(tx, { topic: 'bim' })
    return { result: {}, log: [kind.log('remove', targets)] }
  })
}

/** Removes targets that are being deleted, and returns the row of the history; none if they are no targets. */
async function removeDeleted<T extends Target>(tx: Tx, kind: Kind<T>, idxes: readonly number[]) {
  const targets = (await kind.lock(tx, idxes)).filter(({ isTarget }) => isTarget)
  if (targets.length === 0) return []
  await kind.remove(
    tx,
    targets.map(({ idx }) => idx),
  )
  await notify(tx, { topic: 'bim' })
  return [kind.log('remove', targets)]
}

export const removeDeletedGroup = (tx: Tx, idx: number) => removeDeleted(tx, GROUPS, [idx])
export const removeDeletedUsers = (tx: Tx, idxes: readonly number[]) => removeDeleted(tx, USERS, idxes)
export const readUsers = async ({ read }: Read) => ({ users: await findTargetUsers(read) })
export const readGroups = async ({ read }: Read) => ({ groups: await findTargetGroups(read) })
export const addUsers = (ctx: Ctx, { userIdxes }: { userIdxes: number[] }) => add(ctx, USERS, userIdxes)
export const removeUsers = (ctx: Ctx, { userIdxes }: { userIdxes: number[] }) => remove(ctx, USERS, userIdxes)
export const addGroups = (ctx: Ctx, { groupIdxes }: { groupIdxes: number[] }) => add(ctx, GROUPS, groupIdxes)
export const removeGroups = (ctx: Ctx, { groupIdxes }: { groupIdxes: number[] }) => remove(ctx, GROUPS, groupIdxes)
