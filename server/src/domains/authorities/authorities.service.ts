// Authorities give levels over groups to members, who become group managers (spec S2 §2.1, §3 to §6). Only system
// administrators give them. Sessions of users whose rights change end with 962.

import type { AuthorityChange, NewAuthority } from '@acc/contract/authorities'
import type { Empty } from '@acc/contract/core/fields'
import { isSameEnd } from '@acc/contract/ends'
import { AuthManage } from '@acc/contract/labels/history'
import { type FindPeople, type HistoryEntry, logOf, named, notify, notifyAll } from '../../core/change.ts'
import type { Change, Read } from '../../core/context.ts'
import { fail, requireRevision } from '../../core/errors.ts'
import { raiseRightsRevision } from '../../core/rights.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { requireStepsKept } from '../policies/policies.steps.ts'
import { endSessionsOf } from '../session/session.service.ts'
import { deleteEndedMemberships, type MemberEnd, saveEnds } from './authorities.ends.ts'
import { authorityLog, type BeforeAfter, isUnchangedAuthority } from './authorities.history.ts'
import {
  type AuthorityRow,
  type Columns,
  type CoveredGroup,
  deleteAuthority,
  deleteCoverage,
  deleteMemberships,
  type EndingMember,
  findAuthorities,
  findAuthority,
  findAuthorityForUpdate,
  findCoveredGroups,
  findMembers,
  findPowerless,
  insertAuthority,
  lockAuthoritiesOf,
  lockAuthoritiesOver,
  lockMembership,
  lockUsers,
  updateAuthorityRow,
  updateGroups,
  updateMembers,
} from './authorities.queries.ts'

type Ctx = Change<'authManage'>
type AuthoritySnapshot = { row: AuthorityRow; groups: CoveredGroup[]; users: EndingMember[] }

const idxesOf = (list: readonly { idx: number }[]): number[] => list.map(({ idx }) => idx)
const isSameSet = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && difference(a, b).length === 0
const difference = (a: readonly number[], b: readonly number[]): number[] => {
  const known = new Set(b)
  return a.filter((idx) => !known.has(idx))
}

async function snapshotOf(db: Reader, row: AuthorityRow): Promise<AuthoritySnapshot> {
  return { row, groups: await findCoveredGroups(db, row.idx), users: await findMembers(db, row.idx) }
}

export const listAuthorities = async ({ read }: Read) => ({ auths: await findAuthorities(read) })

export async function findAuthorityDetail({ read }: Read, { idx }: { idx: number }) {
  const row = await findAuthority(read, idx)
  if (row === undefined) fail('NOT_ALLOWED')
  const { groups, users } = await snapshotOf(read, row)
  return { ...row, groups, users }
}

/** Locks and returns an authority. Fails with 984 if the caller has seen an older one. */
async function lockAuthority(tx: Tx, idx: number, revision: number | undefined): Promise<AuthoritySnapshot> {
  const row = await findAuthorityForUpdate(tx, idx)
  if (row === undefined) fail('NOT_ALLOWED')
  requireRevision(row, revision)
  return snapshotOf(tx, row)
}

/** Locks every user whose rights may change. Rejects unknown new members with 980, system administrators with 126. */
async function lockMembers(tx: Tx, members: readonly EndingMember[], newIdxes: readonly number[]): Promise<void> {
  const locked = await lockUsers(tx, [...new Set([...idxesOf(members), ...newIdxes])])
  const known = new Map(locked.map((user) => [user.idx, user.isAdmin]))
  if (newIdxes.some((idx) => !known.has(idx))) fail('NOT_ALLOWED')
  if (newIdxes.some((idx) => known.get(idx) === 1)) fail('ADMIN_SELECTED')
}

/** Finds the people that a change of an authority locks first. Nobody joins it in between. */
const peopleOf =
  (idx: number, newIdxes: readonly number[] = []): FindPeople =>
  async (tx) => ({ userIdxes: [...new Set([...(await lockMembership(tx, idx)), ...newIdxes])], isChange: true })

/** Ends the sessions of users whose rights changed, and marks loaded groups and rights as outdated. */
async function announce(tx: Tx, services: HandlerServices, idx: number, userIdxes: readonly number[]): Promise<void> {
  await endSessionsOf(tx, services, userIdxes)
  await raiseRightsRevision(tx)
  await notify(tx, { topic: 'authorities', idx })
}

/** Creates an authority with its first members. */
export function createAuthority(
  ctx: Ctx,
  { groupIdxes, userIdxes, ends, ...columns }: NewAuthority,
): Promise<{ idx: number }> {
  const findPeople = named(userIdxes, true)
  return ctx.change(async (tx) => {
    await lockMembers(tx, [], userIdxes)
    const row = await insertAuthority(tx, columns)
    await updateGroups(tx, row.idx, groupIdxes)
    await updateMembers(tx, row.idx, userIdxes)
    await saveEnds(tx, ctx.actor, row.idx, ends)
    await announce(tx, ctx.services, row.idx, userIdxes)
    const { groups, users } = await snapshotOf(tx, row)
    const lists = { groups: { before: [], after: groups }, users: { before: [], after: users } }
    return { result: { idx: row.idx }, log: [authorityLog(AuthManage.CREATE, row, null, lists)] }
  }, findPeople)
}

/**
 * Returns the history rows of a change, for the authority and for its members, if they differ. The second row starts
 * where the first one ends.
 */
function changeLogs(before: AuthoritySnapshot, after: AuthoritySnapshot): HistoryEntry<'authManage'>[] {
  const groups: BeforeAfter<CoveredGroup> = { before: before.groups, after: after.groups }
  const users: BeforeAfter<EndingMember> = { before: before.users, after: after.users }
  const isChanged =
    !isUnchangedAuthority(before.row, after.row) || !isSameSet(idxesOf(before.groups), idxesOf(after.groups))
  const entries: HistoryEntry<'authManage'>[] = []
  if (isChanged) entries.push(authorityLog(AuthManage.UPDATE_AUTH, after.row, before.row, { groups }))
  if (!isSameMembers(before.users, after.users))
    entries.push(authorityLog(AuthManage.UPDATE_MANAGER, after.row, after.row, { users }))
  return entries
}

const isSameMembers = (before: readonly EndingMember[], after: readonly EndingMember[]): boolean => {
  const ends = new Map(before.map((member) => [member.idx, member]))
  const isSame = (member: EndingMember) => {
    const former = ends.get(member.idx)
    return former !== undefined && isSameEnd(former, member)
  }
  return before.length === after.length && after.every(isSame)
}

const LEVELS = ['policy', 'user', 'fileImportApprove', 'fileExportApprove', 'log'] as const

/** Returns the users whose rights change: all members if levels or groups differ, otherwise added and removed ones. */
function findAffected(before: AuthoritySnapshot, after: AuthoritySnapshot): number[] {
  const [old, now] = [idxesOf(before.users), idxesOf(after.users)]
  const isAnotherRight =
    LEVELS.some((level) => before.row[level] !== after.row[level]) ||
    !isSameSet(idxesOf(before.groups), idxesOf(after.groups))
  return isAnotherRight ? [...new Set([...old, ...now])] : [...difference(old, now), ...difference(now, old)]
}

type AuthorityUpdate = {
  columns?: Columns
  groupIdxes?: number[]
  userIdxes?: number[] | undefined
  ends?: readonly MemberEnd[] | undefined
}

/** Applies an update. Omitted parts are unchanged. */
function applyUpdate(ctx: Ctx, idx: number, revision: number | undefined, update: AuthorityUpdate): Promise<Empty> {
  const { columns = {}, groupIdxes, userIdxes, ends } = update
  const findPeople = peopleOf(idx, userIdxes)
  return ctx.change(async (tx) => {
    const before = await lockAuthority(tx, idx, revision)
    await lockMembers(tx, before.users, userIdxes ?? [])
    if (groupIdxes !== undefined) await updateGroups(tx, idx, groupIdxes)
    if (userIdxes !== undefined) await updateMembers(tx, idx, userIdxes)
    await saveEnds(tx, ctx.actor, idx, ends)
    const after = await snapshotOf(tx, { ...before.row, ...columns })
    await requireStepsKept(tx, idx, after.row)
    const log = changeLogs(before, after)
    if (log.length === 0) return { result: {}, log: 'unchanged' }
    await updateAuthorityRow(tx, idx, columns)
    await announce(tx, ctx.services, idx, findAffected(before, after))
    return { result: {}, log: logOf(log) }
  }, findPeople)
}

/** Replaces the fields and groups of an authority, and its members if they are given. */
export const updateAuthority = (
  ctx: Ctx,
  { idx, revision, groupIdxes, userIdxes, ...columns }: AuthorityChange,
): Promise<Empty> => applyUpdate(ctx, idx, revision, { columns, groupIdxes, userIdxes })

/** Replaces the members of an authority. */
export const setMembers = (
  ctx: Ctx,
  {
    idx,
    revision,
    ...update
  }: { idx: number; userIdxes: number[]; ends?: MemberEnd[] | undefined; revision?: number | undefined },
): Promise<Empty> => applyUpdate(ctx, idx, revision, update)

/** Deletes an authority. Its members lose the rights that it gave. */
export function removeAuthority(ctx: Ctx, { idx }: { idx: number }): Promise<Empty> {
  return ctx.change(async (tx) => {
    const before = await lockAuthority(tx, idx, undefined)
    await requireStepsKept(tx, idx, null)
    await lockMembers(tx, before.users, [])
    await deleteAuthority(tx, idx)
    await announce(tx, ctx.services, idx, idxesOf(before.users))
    const lists = { groups: { before: before.groups, after: [] }, users: { before: before.users, after: [] } }
    return { result: {}, log: [authorityLog(AuthManage.DELETE, before.row, null, lists)] }
  }, peopleOf(idx))
}

type Log = HistoryEntry<'authManage'>[]

/** Removes the memberships of an authority that have ended, and the sessions of these members. */
export async function removeEndedMembers(tx: Tx, services: HandlerServices, idx: number): Promise<Log> {
  await lockUsers(tx, await lockMembership(tx, idx))
  const row = await findAuthorityForUpdate(tx, idx)
  if (row === undefined) return []
  const before = await snapshotOf(tx, row)
  await lockMembers(tx, before.users, [])
  const ended = await deleteEndedMemberships(tx, idx)
  if (ended.length === 0) return []
  await updateAuthorityRow(tx, idx, {})
  await announce(tx, services, idx, ended)
  return changeLogs(before, await snapshotOf(tx, row))
}

/** Raises the revisions, so that open forms notice the change, and marks loaded rights as outdated. */
async function announceAll(tx: Tx, authorities: readonly AuthorityRow[]): Promise<void> {
  for (const { idx } of authorities) await updateAuthorityRow(tx, idx, {})
  if (authorities.length > 0) await raiseRightsRevision(tx)
  await notifyAll(
    tx,
    authorities.map(({ idx }) => ({ topic: 'authorities', idx })),
  )
}

/**
 * Removes a deleted group from the authorities over it, and ends the sessions of members who are no longer group
 * managers. The group must be locked against new authorities.
 */
export async function removeGroupFromAuthorities(tx: Tx, services: HandlerServices, groupIdx: number): Promise<Log> {
  const authorities = await lockAuthoritiesOver(tx, groupIdx)
  const log: Log = []
  for (const row of authorities) {
    const before = await findCoveredGroups(tx, row.idx)
    const groups = { before, after: before.filter(({ idx }) => idx !== groupIdx) }
    if (groups.after.length === 0) await requireStepsKept(tx, row.idx, null)
    log.push(authorityLog(AuthManage.UPDATE_AUTH, row, row, { groups }))
  }
  await deleteCoverage(tx, groupIdx)
  const powerless = await findPowerless(
    tx,
    authorities.map(({ idx }) => idx),
  )
  if (powerless.length > 0) await endSessionsOf(tx, services, powerless)
  await announceAll(tx, authorities)
  return log
}

/** Removes deleted users from their authorities. They must be locked against new ones. */
export async function removeUsersFromAuthorities(tx: Tx, userIdxes: readonly number[]): Promise<Log> {
  const authorities = await lockAuthoritiesOf(tx, userIdxes)
  const removed = new Set(userIdxes)
  const log: Log = []
  for (const row of authorities) {
    const before = await findMembers(tx, row.idx)
    const users = { before, after: before.filter(({ idx }) => !removed.has(idx)) }
    log.push(authorityLog(AuthManage.UPDATE_MANAGER, row, row, { users }))
  }
  await deleteMemberships(tx, userIdxes)
  await announceAll(tx, authorities)
  return log
}
