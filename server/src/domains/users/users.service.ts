// Creating, updating, moving and deleting users (spec S1 §4 to §7).
import { randomUUID } from 'node:crypto'
import type { Empty } from '@acc/contract/core/fields'
import { Level, Role } from '@acc/contract/labels/access'
import { hasFlag } from '@acc/contract/labels/flags'
import { localDayOf } from '@acc/contract/labels/formats'
import { UserManage } from '@acc/contract/labels/history'
import { LoginType, UserState } from '@acc/contract/labels/users'
import type { NewUser, UserChange } from '@acc/contract/userInputs'
import { isExpiryAllowed } from '@acc/contract/userInputs'
import type { Updateable } from 'kysely'
import { days, later, today } from '../../clock.ts'
import { type HistoryEntry, logOf } from '../../core/change.ts'
import type { Actor, Change, Read } from '../../core/context.ts'
import { fail, requireRevision } from '../../core/errors.ts'
import { changePeople, notifyGroups, notifyUsers } from '../../core/people.ts'
import { requireKeyAllowed } from '../../core/rights.ts'
import { lockInScope, requireInScope } from '../../core/scope.ts'
import type { HandlerServices } from '../../core/services.ts'
import { isUnchangedUser, type UserRow, userLog } from '../../core/userLog.ts'
import type { Tx } from '../../db/open.ts'
import type { Users } from '../../db/schema.gen.ts'
import { countChangesOfUsers } from '../authorities/authorities.queries.ts'
import { removeUsersFromAuthorities } from '../authorities/authorities.service.ts'
import { removeDeletedUsers } from '../bim/bim.targets.ts'
import { findContextWords } from '../configs/configs.contextWords.ts'
import { temporaryPassword } from '../credentials/passwordRules.ts'
import { findGroup, type GroupRow } from '../groups/groups.queries.ts'
import { enqueueChangeMail } from '../mails/mails.service.ts'
import { cancelRequestsOf, removeBytes } from '../requests/requests.own.ts'
import { endSessionsClosedToPartners, endSessionsOf } from '../session/session.service.ts'
import { freeLicenses } from './users.devices.ts'
import { deleteUsers, insertUser, lockForDeletion, updateUsers } from './users.queries.ts'
import { applyOtpUse, endSessionsNotAllowed, mailTemporaryPassword, newStateOf } from './users.signIn.ts'

type Ctx = Change<'userManage'>

/** Rejects a last day that is not allowed. */
export function requireExpiry(services: HandlerServices, expireDT: string | null): void {
  const { maxExpireDT } = services.env.runtime
  if (expireDT === null || !isExpiryAllowed(expireDT, today(services.clock), maxExpireDT))
    fail('INVALID_INPUT', { fields: ['expireDT'] })
}

/** Returns the last day of an account that names none: the latest allowed day, or a year from today. */
function defaultExpiry({ env, clock }: HandlerServices): string {
  const { maxExpireDT } = env.runtime
  return localDayOf(later(clock.now(), days(maxExpireDT > 0 ? maxExpireDT : 365)))
}

/** Locks and returns the target group of new or moved users. It needs level 2. */
async function requireTargetGroup(tx: Tx, actor: Actor, groupIdx: number): Promise<GroupRow> {
  const group = await findGroup(tx, groupIdx)
  // Administrators see every group, so it can only be deleted; managers get 980 in both cases.
  if (group === undefined && actor.role === Role.ADMIN) fail('NO_GROUP')
  await lockInScope(tx, actor, 'user', Level.EDIT, { groupIdxes: [groupIdx] })
  if (group === undefined) fail('NOT_ALLOWED')
  return group
}

/** Creates a user with a temporary password that is mailed to them. */
export async function createUser(ctx: Ctx, { key, expireDT: day, ...user }: NewUser): Promise<{ idx: number }> {
  const { services, actor } = ctx
  requireKeyAllowed(actor, key)
  const expireDT = user.isMortal === 0 ? null : (day ?? defaultExpiry(services))
  if (expireDT !== null) requireExpiry(services, expireDT)
  const password = await temporaryPassword(services, ctx.read, await findContextWords(ctx.read, services, user))
  return ctx.change(async (tx) => {
    const group = await requireTargetGroup(tx, actor, user.groupIdx)
    const row = await insertUser(tx, {
      ...user,
      ...newStateOf(password),
      expireDT,
      key: key ?? randomUUID(),
      state: UserState.NEW,
      createDT: services.clock.now(),
      activeDT: services.clock.now(),
    })
    const created = { ...row, groupName: group.name }
    await mailTemporaryPassword(tx, services, created, password.text, 'created')
    await notifyUsers(tx, [created])
    return { result: { idx: created.idx }, log: [userLog(UserManage.CREATE, created, null)] }
  })
}

/** Returns the account after an edit, without checks. Without an end it has no last day. */
function userAfter(before: UserRow, { idx, revision, ...columns }: UserChange, groupName: string): UserRow {
  const after = { ...before, ...columns, groupName }
  return after.isMortal === 1 ? after : { ...after, expireDT: null }
}

/**
 * Rejects changes of the OTP setting by managers, of oneself and of administrators. Users leave one list of exceptions
 * before they enter the other.
 */
function requireOtpChange(actor: Actor, before: UserRow, after: UserRow): void {
  if (actor.role !== Role.ADMIN) fail('NOT_ALLOWED')
  if (before.idx === actor.idx) fail('SELF_ACTION')
  if (before.isAdmin === 1) fail('ADMIN_SELECTED', { userIdxes: [before.idx] })
  if (before.useOtp !== null && after.useOtp !== null) fail('ALREADY_ADDED')
}

/** Rejects managers who extend or move their own account, and administrators with an end or without a password. */
function requireAllowedChange({ services, actor }: Ctx, before: UserRow, after: UserRow): void {
  const isExpiryChanged = after.isMortal !== before.isMortal || after.expireDT !== before.expireDT
  const isAdmin = actor.role === Role.ADMIN
  if (!isAdmin && after.loginType !== before.loginType) fail('NOT_ALLOWED')
  if (!isAdmin && before.idx === actor.idx && (isExpiryChanged || after.groupIdx !== before.groupIdx))
    fail('SELF_ACTION')
  if (before.isAdmin === 1 && (after.isMortal === 1 || !hasFlag(after.loginType, LoginType.DEFAULT)))
    fail('ADMIN_SELECTED')
  if (after.useOtp !== before.useOtp) requireOtpChange(actor, before, after)
  if (isExpiryChanged && after.isMortal === 1) requireExpiry(services, after.expireDT)
}

const EDITABLE = ['name', 'email', 'groupIdx', 'isMortal', 'expireDT', 'key', 'loginType', 'useOtp'] as const
const editableOf = (row: UserRow): Updateable<Users> => Object.fromEntries(EDITABLE.map((name) => [name, row[name]]))

/** Changes a user. The old email address gets a notice of its replacement. */
export function updateUser(ctx: Ctx, change: UserChange): Promise<Empty> {
  const { services, actor } = ctx
  requireKeyAllowed(actor, change.key)
  const named = { page: 'user', userIdxes: [change.idx], own: 'allowed', admins: 'byAdmins' } as const
  return changePeople(ctx, named, async (tx, [before]) => {
    requireRevision(before, change.revision)
    const isMoving = change.groupIdx !== undefined && change.groupIdx !== before.groupIdx
    const groupName = isMoving ? (await requireTargetGroup(tx, actor, change.groupIdx ?? 0)).name : before.groupName
    const after = userAfter(before, change, groupName)
    requireAllowedChange(ctx, before, after)
    if (isUnchangedUser(before, after) && !isMoving) return { result: {}, log: 'unchanged' }
    await updateUsers(tx, [before.idx], editableOf(after))
    if (isMoving) await endSessionsClosedToPartners(tx, services)
    if (after.email !== before.email) {
      const mail = { to: before.email, name: before.name, newEmail: after.email, when: services.clock.now() }
      await enqueueChangeMail(tx, services, 'emailChanged', mail)
    }
    const isOtpChanged = after.useOtp !== before.useOtp
    const otpLogs = isOtpChanged ? await applyOtpUse(tx, ctx, [before], after.useOtp) : []
    if (after.loginType !== before.loginType) await endSessionsNotAllowed(tx, ctx, [before.idx], after.loginType)
    await notifyUsers(tx, isMoving ? [before, after] : [before])
    return { result: {}, log: [userLog(UserManage.UPDATE, after, before), ...otpLogs] }
  })
}

/** Moves users into a group; users who are already there are unchanged. */
export function moveUsers(ctx: Ctx, { idxes, groupIdx }: { idxes: number[]; groupIdx: number }): Promise<Empty> {
  const named = { page: 'user', userIdxes: idxes, own: 'byAdmins', admins: 'byAdmins' } as const
  return changePeople(ctx, named, async (tx, users) => {
    const group = await requireTargetGroup(tx, ctx.actor, groupIdx)
    const moving = users.filter((user) => user.groupIdx !== groupIdx)
    if (moving.length === 0) fail('INVALID_INPUT', { fields: ['groupIdx'] })
    const movingIdxes = moving.map(({ idx }) => idx)
    await updateUsers(tx, movingIdxes, { groupIdx })
    await endSessionsClosedToPartners(tx, ctx.services)
    await notifyGroups(tx, [...moving, { groupIdx }])
    const log = moving.map((before) =>
      userLog(UserManage.UPDATE, { ...before, groupIdx, groupName: group.name }, before),
    )
    return { result: {}, log: logOf(log) }
  })
}

/**
 * Deletes accounts with their sessions and PCs, and cancels their open requests. Returns the history rows, users first,
 * and the files of the requests, whose bytes are removed after the commit.
 */
export async function deleteAccounts(tx: Tx, services: Pick<HandlerServices, 'clock'>, users: readonly UserRow[]) {
  const idxes = users.map(({ idx }) => idx)
  const requests = await cancelRequestsOf(tx, idxes)
  const licenses = await freeLicenses(tx, users)
  await endSessionsOf(tx, services, idxes)
  await lockForDeletion(tx, idxes)
  const authorities = await removeUsersFromAuthorities(tx, idxes)
  const targets = await removeDeletedUsers(tx, idxes)
  await deleteUsers(tx, idxes)
  await notifyGroups(tx, users)
  const [first, ...others] = users.map((user) => userLog(UserManage.DELETE, user, null))
  if (first === undefined) fail('NOT_ALLOWED')
  const log: [HistoryEntry<'userManage'>, ...HistoryEntry[]] = [
    first,
    ...others,
    ...licenses,
    ...authorities,
    ...targets,
    ...requests.log,
  ]
  return { files: requests.files, log }
}

/** Counts the changes that a deletion causes elsewhere. */
export async function findRemoval({ read, actor }: Read, { idxes }: { idxes: number[] }) {
  await requireInScope(read, actor, 'user', Level.READ, { userIdxes: idxes })
  return countChangesOfUsers(read, idxes)
}

/** Deletes users. Their names and decided requests remain; their open requests are canceled. */
export async function removeUsers(ctx: Ctx, { idxes }: { idxes: number[] }): Promise<Empty> {
  const named = { page: 'user', userIdxes: idxes, own: 'refused', admins: 'refused' } as const
  const files = await changePeople(ctx, named, async (tx, users) => {
    const { files, log } = await deleteAccounts(tx, ctx.services, users)
    return { result: files, log }
  })
  await removeBytes(ctx.services, files)
  return {}
}
