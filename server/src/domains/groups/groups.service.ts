// Groups: one tree, changed by administrators and by managers with level 2 on policy (spec S1 §4 to §6). Calls check
// the scope before the rules of the tree.
import { randomUUID } from 'node:crypto'
import { type GroupChange, MAX_DEPTH, type NewGroup, ROOT_GROUP } from '@acc/contract/groups'
import { Level, PAGES, Role } from '@acc/contract/labels/access'
import { GroupManage, UserManage } from '@acc/contract/labels/history'
import { OwnerType } from '@acc/contract/labels/policies'
import { type FindPeople, type HistoryEntry, logOf, notify } from '../../core/change.ts'
import type { Actor, Change, Read } from '../../core/context.ts'
import { fail, requireRevision } from '../../core/errors.ts'
import { type Classes, isUnchanged, type TrackedOf, withOldValues } from '../../core/historyValues.ts'
import { requireEditable } from '../../core/people.ts'
import { raiseRightsRevision, requireKeyAllowed } from '../../core/rights.ts'
import { anyOf, isReached, lockInScope, requireInScope, scopeOf } from '../../core/scope.ts'
import { userLog } from '../../core/userLog.ts'
import type { Tx } from '../../db/open.ts'
import { countChangesOfGroup, findAuthoritiesOver, findManagingAdmins } from '../authorities/authorities.queries.ts'
import { removeGroupFromAuthorities } from '../authorities/authorities.service.ts'
import { removeDeletedGroup } from '../bim/bim.targets.ts'
import { guardOwnApproval } from '../policies/policies.own.ts'
import { setIsMyPolicy as setPolicyOwned } from '../policies/policies.service.ts'
import { endSessionsClosedToPartners } from '../session/session.service.ts'
import { type AuthGroups, findSharedForest } from './groups.forest.ts'
import {
  findChildren,
  findDmsRoot,
  findGroup,
  findGroupForDelete,
  findGroupForUpdate,
  type GroupRow,
  insertGroup,
  lockTree,
  updateGroupRow,
  updateOrder,
} from './groups.queries.ts'
import { deleteGroupRow, findUsersOf, lockBranch, lockContentsOf, lockUsersOf } from './groups.removal.ts'

const CLASSES = {
  idx: 'ignore',
  parentIdx: 'ignore',
  name: 'track',
  key: 'track',
  description: 'track',
  path: 'ignore',
  position: 'ignore',
  isMyPolicy: 'ignore',
  isDmsParent: 'track',
  isSync: 'ignore',
  revision: 'ignore',
} as const satisfies Classes<GroupRow>

type Ctx = Change<'groupManage'>

const loggedColumns = ({
  name,
  key,
  description,
  isDmsParent,
}: GroupRow): Pick<GroupRow, TrackedOf<typeof CLASSES>> => ({
  name,
  key,
  description,
  isDmsParent,
})

/** Returns a history row about a group. Managers of `groupIdx` read it, by default those of the group itself. */
const groupLog = (
  type: GroupManage,
  group: GroupRow,
  before: GroupRow | null,
  { groupIdx = group.idx, ...detail }: { groupIdx?: number } & Partial<HistoryEntry<'groupManage'>['detail']> = {},
): HistoryEntry<'groupManage'> => ({
  kind: 'groupManage',
  type,
  subject: group.name,
  subjectIdx: group.idx,
  groupIdx,
  detail: {
    ...withOldValues('target', loggedColumns(group), before && loggedColumns(before)),
    targetChildren: null,
    targetOldChildren: null,
    parentName: null,
    movedGroups: null,
    userCount: null,
    requestCount: null,
    authorityCount: null,
    bimTargetCount: null,
    ...detail,
  },
})

/** Announces a changed group, and marks loaded groups as outdated. */
async function announce(tx: Tx, idx: number, groupIdx: number): Promise<void> {
  await raiseRightsRevision(tx)
  await notify(tx, { topic: 'groups', idx, groupIdx })
}

/** Returns the viewer's forest. The revision was read before, so that a change in between makes the viewer reload. */
export async function findAuthGroups({ services, read, actor }: Read): Promise<AuthGroups> {
  // External mode has no administration.
  if (services.env.runtime.isExternalMode) return { groups: [], rightsRevision: actor.rightsRevision }
  return findSharedForest(read, actor)
}

/** Returns whether the DMS root is among a group's ancestors. */
async function isPartner(tx: Tx, group: GroupRow): Promise<boolean> {
  const dms = await findDmsRoot(tx)
  return dms !== undefined && dms.idx !== group.idx && group.path.includes(dms.idx)
}

/** Returns whether the actor sees a group, by any level on any page. */
const isVisible = (tx: Tx, actor: Actor, idx: number): Promise<boolean> =>
  isReached(tx, anyOf(PAGES.map((page) => scopeOf(actor, page, Level.READ))), idx)

/**
 * Inserts a group as the last child of its parent. The caller has locked the tree and checked the rights. Returns it
 * with its history row.
 */
export async function addGroup(
  tx: Tx,
  parent: GroupRow,
  columns: Pick<GroupRow, 'name' | 'key' | 'description' | 'isSync'>,
): Promise<{ group: GroupRow; log: HistoryEntry<'groupManage'> }> {
  if (parent.path.length >= MAX_DEPTH || (await isPartner(tx, parent))) fail('GROUP_ACTION_REFUSED')
  const group = await insertGroup(tx, { parentIdx: parent.idx, ...columns })
  await announce(tx, group.idx, group.idx)
  return { group, log: groupLog(GroupManage.CREATE, group, null, { parentName: parent.name }) }
}

/** Creates a group as the last child of its parent. */
export function createGroup(ctx: Ctx, { parentIdx, name, description, key }: NewGroup) {
  requireKeyAllowed(ctx.actor, key)
  return ctx.change(async (tx) => {
    await lockTree(tx)
    const parent = await findGroup(tx, parentIdx)
    // Administrators see every group, so it can only be deleted; managers get 980 in both cases.
    if (parent === undefined && ctx.actor.role === Role.ADMIN) fail('NO_GROUP')
    await lockInScope(tx, ctx.actor, 'policy', Level.EDIT, { groupIdxes: [parentIdx] })
    if (parent === undefined) fail('GROUP_ACTION_REFUSED')
    const { group, log } = await addGroup(tx, parent, { name, description, key: key ?? randomUUID(), isSync: 0 })
    return { result: { idx: group.idx }, log: [log] }
  })
}

/** Changes name, description and key. Names are unique among siblings, hence the lock on the tree. */
export function updateGroup(ctx: Ctx, { idx, revision, ...columns }: GroupChange) {
  requireKeyAllowed(ctx.actor, columns.key)
  return ctx.change(async (tx) => {
    await lockTree(tx)
    const before = await findGroupForUpdate(tx, idx)
    await lockInScope(tx, ctx.actor, 'policy', Level.EDIT, { groupIdxes: [idx] })
    if (before === undefined) fail('NOT_ALLOWED')
    requireRevision(before, revision)
    if (isUnchanged(before, { ...before, ...columns }, CLASSES)) return { result: {}, log: 'unchanged' }
    const group = await updateGroupRow(tx, idx, columns)
    await announce(tx, idx, idx)
    return { result: {}, log: [groupLog(GroupManage.UPDATE, group, before)] }
  })
}

/**
 * Returns the parent of a group that the actor may delete. This needs level 2 on the parent too, which receives its
 * users and subgroups. The root, the DMS root, partner groups and the viewer's top groups fail with 142.
 */
async function requireRemovable(tx: Tx, actor: Actor, group: GroupRow): Promise<GroupRow> {
  if (group.parentIdx === null || group.isDmsParent === 1) fail('GROUP_ACTION_REFUSED')
  if (!(await isVisible(tx, actor, group.parentIdx))) fail('GROUP_ACTION_REFUSED')
  await lockInScope(tx, actor, 'policy', Level.EDIT, { groupIdxes: [group.parentIdx] })
  if (await isPartner(tx, group)) fail('GROUP_ACTION_REFUSED')
  const parent = await findGroup(tx, group.parentIdx)
  if (parent === undefined) fail('NOT_ALLOWED')
  return parent
}

/** Counts the changes that a deletion causes elsewhere. */
export async function findRemoval({ read, actor }: Read, { idx }: { idx: number }) {
  await requireInScope(read, actor, 'policy', Level.READ, { groupIdxes: [idx] })
  return countChangesOfGroup(read, idx)
}

/** Returns who manages a group: the authorities over it with their people, and the system administrators. */
export async function findManagers({ read, actor }: Read, { idx }: { idx: number }) {
  await requireInScope(read, actor, 'policy', Level.READ, { groupIdxes: [idx] })
  return { authorities: await findAuthoritiesOver(read, idx), ...(await findManagingAdmins(read)) }
}

/** Deletes a group. Its users, subgroups and requests move to the parent. */
export function removeGroup(ctx: Ctx, { idx }: { idx: number }) {
  const findPeople: FindPeople = async (tx) => {
    // Before any lock, so that a foreign group takes as long as a nonexistent one.
    if (!(await isReached(tx, scopeOf(ctx.actor, 'policy', Level.EDIT), idx))) fail('NOT_ALLOWED')
    return { userIdxes: await findUsersOf(tx, idx), isChange: true }
  }
  return ctx.change(async (tx) => {
    await lockTree(tx)
    // People who came since the call began.
    await lockUsersOf(tx, idx)
    await lockBranch(tx, idx)
    const group = await findGroupForDelete(tx, idx)
    // Checked once more, since the right may have been withdrawn during the waits.
    await lockInScope(tx, ctx.actor, 'policy', Level.EDIT, { groupIdxes: [idx] })
    if (group === undefined) fail('NOT_ALLOWED')
    const parent = await requireRemovable(tx, ctx.actor, group)
    const userIdxes = await findUsersOf(tx, idx)
    // People may move themselves in this way. `guardOwnApproval` below protects the approval of their requests.
    const named = { page: 'policy', userIdxes, own: 'allowed', admins: 'hidden' } as const
    const people = userIdxes.length === 0 ? [] : await requireEditable(tx, ctx.actor, named)
    await lockContentsOf(tx, idx)
    const { authorities, targets, moved } = await guardOwnApproval(tx, ctx.actor, async () => ({
      authorities: await removeGroupFromAuthorities(tx, ctx.services, idx),
      targets: await removeDeletedGroup(tx, idx),
      moved: await deleteGroupRow(tx, group, parent.idx),
    }))
    await announce(tx, idx, parent.idx)
    if (moved.userCount > 0) await notify(tx, { topic: 'users', groupIdx: parent.idx })
    if (moved.requestCount > 0) await notify(tx, { topic: 'requests', groupIdx: parent.idx })
    const users = people.map((before) =>
      userLog(UserManage.UPDATE, { ...before, groupIdx: parent.idx, groupName: parent.name }, before),
    )
    const detail = {
      ...{ groupIdx: parent.idx, parentName: parent.name, ...moved },
      ...{ authorityCount: authorities.length, bimTargetCount: targets.length },
    }
    return {
      result: {},
      log: [groupLog(GroupManage.DELETE, group, null, detail), ...users, ...authorities, ...targets],
    }
  }, findPeople)
}

type MyPolicy = { idx: number; isMyPolicy?: 0 | 1 | undefined }

/** Gives a group an own policy, or makes it inherit again. */
export function setIsMyPolicy(ctx: Change<'policyManage'>, { idx, isMyPolicy }: MyPolicy) {
  return ctx.change(async (tx) => {
    // Locked before the scope's weaker lock, so that two calls at once queue up instead of deadlocking.
    await findGroupForUpdate(tx, idx)
    await lockInScope(tx, ctx.actor, 'policy', Level.EDIT, { groupIdxes: [idx] })
    const entries = await setPolicyOwned(tx, ctx.actor, { ownerIdx: idx, ownerType: OwnerType.GROUP }, isMyPolicy)
    if (entries.length > 0) await announce(tx, idx, idx)
    return { result: {}, log: logOf(entries) }
  })
}

/** Makes a group the DMS root. The previous root loses the flag. The groups below become partner groups. */
export function setIsDmsParent(ctx: Ctx, { idx }: { idx: number }) {
  return ctx.change(async (tx) => {
    await lockTree(tx)
    const group = await findGroupForUpdate(tx, idx)
    if (group === undefined) fail('NOT_ALLOWED')
    if (idx === ROOT_GROUP || group.isDmsParent === 1) fail('GROUP_ACTION_REFUSED')
    const former = await findDmsRoot(tx)
    const log: HistoryEntry<'groupManage'>[] = []
    const set = async (before: GroupRow, isDmsParent: 0 | 1) => {
      const after = await updateGroupRow(tx, before.idx, { isDmsParent })
      log.push(groupLog(GroupManage.UPDATE, after, before))
      await announce(tx, after.idx, after.idx)
    }
    if (former !== undefined) await set(former, 0)
    await set(group, 1)
    await endSessionsClosedToPartners(tx, ctx.services)
    return { result: {}, log: logOf(log) }
  })
}

/** Returns the common parent of the named groups. Rejects a parent that the actor does not see with 142. */
async function requireCommonParent(tx: Tx, actor: Actor, idxes: readonly number[]): Promise<GroupRow> {
  const first = await findGroup(tx, idxes[0] ?? 0)
  const parent = first?.parentIdx ? await findGroup(tx, first.parentIdx) : undefined
  if (parent === undefined || !(await isVisible(tx, actor, parent.idx))) fail('GROUP_ACTION_REFUSED')
  return parent
}

/** Puts the children of one parent into a new order. */
export function reorderGroups(ctx: Ctx, { orderedIdxes }: { orderedIdxes: number[] }) {
  return ctx.change(async (tx) => {
    await lockTree(tx)
    await lockInScope(tx, ctx.actor, 'policy', Level.EDIT, { groupIdxes: orderedIdxes })
    const parent = await requireCommonParent(tx, ctx.actor, orderedIdxes)
    const children = await findChildren(tx, parent.idx)
    if (children.length < 2) fail('GROUP_ACTION_REFUSED')
    const nameOf = new Map(children.map((child) => [child.idx, child.name]))
    // Each sibling once, since a reorder never moves a group to another parent.
    if (orderedIdxes.length !== children.length || !orderedIdxes.every((idx) => nameOf.has(idx)))
      fail('INVALID_INPUT', { fields: ['orderedIdxes'] })
    const [before, after] = [children.map((child) => child.name), orderedIdxes.map((idx) => nameOf.get(idx))]
    if (children.every((child, position) => child.idx === orderedIdxes[position]))
      return { result: {}, log: 'unchanged' }
    await updateOrder(tx, orderedIdxes)
    await announce(tx, parent.idx, parent.idx)
    const order = { targetChildren: after.join(', '), targetOldChildren: before.join(', ') }
    return { result: {}, log: [groupLog(GroupManage.UPDATE, parent, parent, order)] }
  })
}
