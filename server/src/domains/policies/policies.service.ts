// Policies of groups and users: the one that applies, own ones, their values, inheritance (spec S1 §3, §4).
import { createHash } from 'node:crypto'
import { type EndChange, endAfter, NO_END } from '@acc/contract/ends'
import { ROOT_GROUP } from '@acc/contract/groups'
import { Level, Role } from '@acc/contract/labels/access'
import { flagOf } from '@acc/contract/labels/flags'
import { PolicyManage } from '@acc/contract/labels/history'
import { OwnerType } from '@acc/contract/labels/policies'
import type { Policy, PolicyChange, PolicyUser } from '@acc/contract/policies'
import type { StepChoice } from '@acc/contract/policySteps'
import { isCapacityWithin, type PolicyValues } from '@acc/contract/policyValues'
import { type FindPeople, type HistoryEntry, logOf, notify, SYSTEM } from '../../core/change.ts'
import type { Change, Read } from '../../core/context.ts'
import { endColumns, requireEnds } from '../../core/ends.ts'
import { fail, requireRevision } from '../../core/errors.ts'
import { withOldValues } from '../../core/historyValues.ts'
import { reachedOf, requireEditable } from '../../core/people.ts'
import { isReached, isStronger, requireInScope, type Scope, scopeOf, type Viewer } from '../../core/scope.ts'
import type { List } from '../../db/list.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { changeEnd, endOf } from './policies.ends.ts'
import { insertExceptions, saveExceptions } from './policies.exceptions.ts'
import { isEdited, policyDetail, policyLog, updateLogs, valuesOf } from './policies.history.ts'
import { guardOwnApproval } from './policies.own.ts'
import {
  countReach,
  deletePolicy,
  findChain,
  findLists,
  findOwner,
  findPoliciesUp,
  findPolicyForUpdate,
  findPolicyOwner,
  findUserPolicy,
  hasEndedPolicy,
  insertPolicy,
  lockOwner,
  type Owner,
  type OwnerRow,
  type UserPolicy,
  updateIsMyPolicy,
  updatePolicyRow,
} from './policies.queries.ts'
import { insertShortcuts, saveShortcuts } from './policies.shortcuts.ts'
import { insertSteps, isSameSteps, saveSteps } from './policies.steps.ts'
import { listPolicyUsers, type PolicyUserQuery } from './policies.users.ts'

const named = ({ ownerIdx, ownerType }: Owner) =>
  ownerType === OwnerType.GROUP ? { groupIdxes: [ownerIdx] } : { userIdxes: [ownerIdx] }

/** Returns an owner that the viewer may see, with the policy that applies and the next one above. */
export async function requireOwner(ctx: Read, owner: Owner) {
  await requireInScope(ctx.read, ctx.actor, 'policy', Level.READ, named(owner))
  const row = await findOwner(ctx.read, owner)
  if (row === undefined) fail('NOT_ALLOWED')
  const [applied, above] = await findPoliciesUp(ctx.read, row)
  if (applied === undefined) throw new Error('the root has no policy')
  return { row, applied, above }
}

async function chainOf(db: Reader, scope: Scope, owner: OwnerRow): Promise<Policy['chain']> {
  const groups = await findChain(db, scope, owner.path)
  const links = groups.map(({ idx, name, isMyPolicy, isVisible }) => ({
    ownerIdx: isVisible ? idx : null,
    ownerType: OwnerType.GROUP,
    ownerName: name,
    isMyPolicy,
  }))
  if (owner.ownerType === OwnerType.GROUP) return links
  const { ownerIdx, ownerType, name, isMyPolicy } = owner
  return [...links, { ownerIdx, ownerType, ownerName: name, isMyPolicy }]
}

const reachOf = async (db: Reader, owner: OwnerRow): Promise<Policy['reach']> =>
  owner.ownerType === OwnerType.USER ? { users: 1, groups: 0 } : countReach(db, owner.ownerIdx)

/** Whether the viewer may change an owner's policy, as `lockEditableOwner` decides it. */
async function isEditable({ read, actor, scope }: Read, { ownerIdx, ownerType, groupIdx }: OwnerRow): Promise<boolean> {
  const isUser = ownerType === OwnerType.USER
  if (actor.role === Role.ADMIN) return true
  if (isUser && ownerIdx === actor.idx) return false
  return (
    (await isReached(read, scope('policy', Level.EDIT), groupIdx)) &&
    !(isUser && (await isStronger(read, actor, ownerIdx)))
  )
}

/** Returns the policy that applies to an owner, with its chain. Groups out of the viewer's reach have no idx. */
export async function findPolicy(ctx: Read, owner: Owner): Promise<Policy> {
  const { row, applied, above } = await requireOwner(ctx, owner)
  const isOwn = applied.ownerType === row.ownerType && applied.ownerIdx === row.ownerIdx
  const chain = await chainOf(ctx.read, ctx.scope('policy', Level.READ), row)
  const { name, id, groupName, isSinglePC } = row
  return {
    ...applied,
    ...endOf(applied),
    ownerIdx:
      chain.find((link) => link.ownerIdx === applied.ownerIdx && link.ownerType === applied.ownerType)?.ownerIdx ??
      null,
    owner: { name, id, groupName, isSinglePC, isEditable: flagOf(await isEditable(ctx, row)) },
    isMyPolicy: flagOf(isOwn),
    chain,
    above: isOwn && above !== undefined ? above : null,
    aboveOwnerName: isOwn && above !== undefined ? above.ownerName : null,
    reach: await reachOf(ctx.read, row),
  }
}

/** The users of a group, for viewers of policies. */
export async function searchPolicyUsers(ctx: Read, filter: PolicyUserQuery): Promise<List<PolicyUser>> {
  await requireInScope(ctx.read, ctx.actor, 'policy', Level.READ, { groupIdxes: [filter.groupIdx] })
  return listPolicyUsers(ctx.read, filter)
}

/** Returns the name of the owner of the policy that applies. */
export async function findOwnerName(ctx: Read, owner: Owner): Promise<{ ownerName: string }> {
  const { applied } = await requireOwner(ctx, owner)
  return { ownerName: applied.ownerName }
}

/**
 * Locks the owner if the actor may change its policy: 980 for what the actor does not reach and for stronger users, 125
 * for a manager's own policy.
 */
async function lockEditableOwner(tx: Tx, actor: Viewer, owner: Owner): Promise<OwnerRow> {
  const row = await lockOwner(tx, owner, scopeOf(actor, 'policy', Level.EDIT))
  if (row === undefined) fail('NOT_ALLOWED')
  const named = { page: 'policy', userIdxes: [owner.ownerIdx], own: 'byAdmins', admins: 'hidden' } as const
  if (owner.ownerType === OwnerType.USER) await requireEditable(tx, actor, named)
  return row
}

/** Replaces the steps of a policy, if an edit has other ones. */
async function changeSteps(
  tx: Tx,
  { actor, services }: Change<'policyManage'>,
  idx: number,
  before: readonly StepChoice[],
  after = before,
): Promise<void> {
  if (isSameSteps(before, after)) return
  await guardOwnApproval(tx, actor, () => saveSteps(tx, services, idx, { before, after }))
}

/** Changes values and lists of an own policy; an inherited one is changed at its owner. */
export function updatePolicy(ctx: Change<'policyManage'>, { idx, revision, ...change }: PolicyChange) {
  const findPeople: FindPeople = async (tx) => {
    const owner = await findPolicyOwner(tx, idx)
    const userIdxes = owner?.ownerType === OwnerType.USER ? [owner.ownerIdx] : []
    return reachedOf(ctx.actor, { page: 'policy', userIdxes })(tx)
  }
  return ctx.change(async (tx) => {
    const owner = await findPolicyOwner(tx, idx)
    if (owner === undefined) fail('NOT_ALLOWED')
    const row = await lockEditableOwner(tx, ctx.actor, owner)
    const stored = await findPolicyForUpdate(tx, idx)
    if (stored === undefined) fail('NOT_ALLOWED')
    requireRevision(stored, revision)
    const values = valuesOf({ ...stored, ...change })
    if (!isCapacityWithin(values)) fail('INVALID_INPUT', { fields: ['encryptionDefaultCapacity'] })
    const before = { ...stored, ...(await findLists(tx, idx)) }
    await saveExceptions(tx, idx, before, change, { setBy: ctx.actor.idx })
    await saveShortcuts(tx, idx, before, change)
    await changeSteps(tx, ctx, idx, before.approvalSteps, change.approvalSteps)
    // Read again: new rows have their idx now, new shortcuts their name.
    const after = { ...values, ...(await findLists(tx, idx)) }
    if (!isEdited({ before, after })) return { result: {}, log: 'unchanged' }
    await updatePolicyRow(tx, idx, {
      ...values,
      ...(values.fileExport !== stored.fileExport && { fileExportSetBy: ctx.actor.idx }),
      ...(values.urgentExport !== stored.urgentExport && { urgentExportSetBy: ctx.actor.idx }),
    })
    await notify(tx, { topic: 'policies', idx, groupIdx: row.groupIdx })
    return { result: {}, log: logOf(updateLogs(row, { before, after })) }
  }, findPeople)
}

type Entries = HistoryEntry<'policyManage'>[]

/** Copies the inherited policy as the owner's own one. Returns the history row. A stored own policy gets the end. */
async function separatePolicy(tx: Tx, actor: Viewer, row: OwnerRow, change: EndChange): Promise<Entries> {
  if (row.isMyPolicy === 1) return changeEnd(tx, actor, row, change)
  const end = endAfter(change)
  if (change.endDT !== undefined) await requireEnds(tx, [end], 'endDT')
  const [applied] = await findPoliciesUp(tx, row)
  if (applied === undefined) throw new Error('the root has no policy')
  const { idx } = await insertPolicy(tx, row, {
    ...valuesOf(applied),
    fileExportSetBy: actor.idx,
    urgentExportSetBy: actor.idx,
    ...endColumns(end, actor.idx),
  })
  await insertSteps(tx, idx, applied.approvalSteps)
  await insertExceptions(tx, idx, applied, actor.idx)
  await insertShortcuts(tx, idx, applied)
  await updateIsMyPolicy(tx, row, 1)
  await notify(tx, { topic: 'policies', idx, groupIdx: row.groupIdx })
  const detail = {
    diffOwnerName: applied.ownerName,
    ...policyDetail({ before: applied, after: applied }),
    ...withOldValues('target', end, null),
  }
  return [policyLog(PolicyManage.SEPARATE, row, detail)]
}

/**
 * Drops the owner's own policy, so that the nearest above applies. Returns its history row, none if it had no own one.
 * The root keeps its own (142).
 */
async function inheritPolicy(tx: Tx, row: OwnerRow): Promise<Entries> {
  if (row.ownerType === OwnerType.GROUP && row.ownerIdx === ROOT_GROUP) fail('GROUP_ACTION_REFUSED')
  if (row.isMyPolicy === 0) return []
  const [own, above] = await findPoliciesUp(tx, row, true)
  if (own === undefined || above === undefined) throw new Error('the root has no policy')
  await deletePolicy(tx, own.idx)
  await updateIsMyPolicy(tx, row, 0)
  await notify(tx, { topic: 'policies', idx: own.idx, groupIdx: row.groupIdx })
  const detail = {
    diffOwnerName: above.ownerName,
    ...policyDetail({ before: own, after: above }),
    ...withOldValues('target', NO_END, endOf(own)),
  }
  return [policyLog(PolicyManage.INHERIT, row, detail)]
}

/** Removes a person's own policy that has ended. Returns its history row, none if there is no such policy. */
export async function removeEndedPolicy(tx: Tx, row: OwnerRow): Promise<Entries> {
  if (!(await hasEndedPolicy(tx, row))) return []
  return (await inheritPolicy(tx, row)).map((entry) => ({ ...entry, actor: SYSTEM }))
}

/**
 * Separates or inherits; without `isMyPolicy` switches between them. The caller checks the right. An own policy that
 * has ended is none, even if the job did not remove it yet.
 */
export async function setIsMyPolicy(
  tx: Tx,
  actor: Viewer,
  owner: Owner,
  isMyPolicy?: 0 | 1,
  end: EndChange = {},
): Promise<Entries> {
  const locked = await lockOwner(tx, owner)
  if (locked === undefined) fail('NOT_ALLOWED')
  const ended = await removeEndedPolicy(tx, locked)
  const row: OwnerRow = ended.length > 0 ? { ...locked, isMyPolicy: 0 } : locked
  const entries =
    (isMyPolicy ?? 1 - row.isMyPolicy) === 1
      ? await separatePolicy(tx, actor, row, end)
      : await guardOwnApproval(tx, actor, () => inheritPolicy(tx, row))
  return [...ended, ...entries]
}

/** The policy that applies to a user. */
type EffectivePolicy = Pick<
  UserPolicy,
  'idx' | 'ownerIdx' | 'ownerType' | 'ownerName' | 'fileExportSetBy' | 'isSinglePC'
> & {
  values: PolicyValues
  /** Differs exactly if values, exceptions or shortcuts differ: a hash of them, independent of their owner. */
  revision: string
}

const revisionOf = (values: PolicyValues, digest: string): string =>
  createHash('sha256').update(JSON.stringify(values)).update(digest).digest('base64url').slice(0, 22)

export function effectiveOf(applied: UserPolicy): EffectivePolicy {
  const { idx, ownerIdx, ownerType, ownerName, fileExportSetBy, isSinglePC, digest } = applied
  const values = valuesOf(applied)
  const revision = revisionOf(values, digest)
  return { idx, ownerIdx, ownerType, ownerName, fileExportSetBy, isSinglePC, values, revision }
}

export async function findEffectivePolicy(db: Reader, userIdx: number): Promise<EffectivePolicy | undefined> {
  const applied = await findUserPolicy(db, userIdx)
  return applied && effectiveOf(applied)
}
