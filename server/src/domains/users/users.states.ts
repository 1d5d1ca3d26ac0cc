// What administrators do to an account's way in: suspend and release, reset the password, end a session, free the
// registered PCs, tie it to one PC, give it a policy of its own (S1 sections 2, 4 and 6).
import { Role } from '@acc/contract/core/access'
import { hasFlag, OwnerType, PolicyManage, UserManage, UserState, withFlag, withoutFlag } from '@acc/contract/enums'
import { logOf, notify } from '../../core/change.ts'
import type { Actor, Change, FreeContext } from '../../core/context.ts'
import { withOld } from '../../core/diff.ts'
import { fail } from '../../core/errors.ts'
import { requireOthers } from '../../core/scope.ts'
import { isLocked } from '../credentials/credentials.queries.ts'
import { temporaryPassword } from '../credentials/temporaryPasswords.ts'
import { policyLog } from '../policies/policies.history.ts'
import { findOwner } from '../policies/policies.queries.ts'
import { setIsMyPolicy as setPolicyOwned } from '../policies/policies.service.ts'
import { endSessionOf, endSessionsOf, endSessionsOfRemovedDevices } from '../session/session.service.ts'
import { requireEditableOne, requireNoAdmin } from './users.access.ts'
import { userLog } from './users.history.ts'
import { updateUsers } from './users.queries.ts'
import { freeLicenses, mailTemporaryPassword, newStateOf } from './users.service.ts'

type Done = Record<string, never>

/** Suspends or releases a user, and forgets failures. A temporary password stays one. */
export function setDisabled(ctx: Change<'userManage'>, { idx, state }: { idx: number; state: number }): Promise<Done> {
  const { app, actor } = ctx
  requireOthers(actor, [idx])
  return ctx.change(async (tx) => {
    const before = await requireEditableOne(tx, actor, idx)
    requireNoAdmin([before])
    const isDisabled = hasFlag(state, UserState.DISABLED)
    // Locked by failures is not suspended: open sessions of a locked account go on until somebody suspends it.
    const wasSuspended = hasFlag(before.state, UserState.DISABLED) && !isLocked(before, app.env.maxLoginFails)
    if (isDisabled ? wasSuspended : !hasFlag(before.state, UserState.DISABLED)) return { result: {}, log: 'unchanged' }
    const after = {
      ...before,
      state: (isDisabled ? withFlag : withoutFlag)(before.state, UserState.DISABLED),
    }
    await updateUsers(tx, [idx], { state: after.state, loginFails: 0, otpFails: 0 })
    if (isDisabled) await endSessionsOf(tx, app, idx)
    await notify(tx, { topic: 'users', idx, groupIdx: after.groupIdx })
    const type = isDisabled ? UserManage.DISABLED : UserManage.ENABLED
    return { result: {}, log: [userLog(type, after, before)] }
  })
}

/** Puts a temporary password in place of a user's own and mails it to them. */
export async function resetPassword(ctx: Change<'userManage'>, { idx }: { idx: number }): Promise<Done> {
  const { app, actor } = ctx
  requireOthers(actor, [idx])
  const password = await temporaryPassword(app.clock)
  return ctx.change(async (tx) => {
    const before = await requireEditableOne(tx, actor, idx)
    requireNoAdmin([before])
    if (hasFlag(before.state, UserState.DISABLED)) fail('DISABLED_USER')
    if (before.email === '') fail('NO_EMAIL')
    const columns = {
      ...newStateOf(password),
      state: withFlag(before.state, UserState.NEW),
      pwHash: null,
      pwSetDT: null,
      loginFails: 0,
    }
    await updateUsers(tx, [idx], columns)
    await endSessionsOf(tx, app, idx)
    await mailTemporaryPassword(tx, app, before, password.text, 'reset')
    await notify(tx, { topic: 'users', idx, groupIdx: before.groupIdx })
    const after = { ...before, ...columns }
    return { result: {}, log: [userLog(UserManage.RESET_PW, after, before)] }
  })
}

/** Removes all of a user's registered PCs: their clients' next call answers 162. */
export function resetLicense(ctx: Change<'licenseUse'>, { idx }: { idx: number }): Promise<Done> {
  const { actor } = ctx
  if (actor.role !== Role.ADMIN) requireOthers(actor, [idx])
  return ctx.change(async (tx) => {
    const user = await requireEditableOne(tx, actor, idx)
    const log = await freeLicenses(tx, [user])
    await endSessionsOfRemovedDevices(tx, ctx.app, [idx])
    if (log.length > 0) await notify(tx, { topic: 'users', idx, groupIdx: user.groupIdx })
    return { result: {}, log: logOf(log) }
  })
}

type SinglePc = { idx: number; isSinglePC: 0 | 1 }

/** Ties a user to one PC, or unties them. PCs that are registered already stay. */
export function setIsSinglePC(ctx: Change<'policyManage'>, { idx, isSinglePC }: SinglePc): Promise<Done> {
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

type MyPolicy = { idx: number; isMyPolicy?: 0 | 1 | undefined }

/** Gives a user a policy of their own, a copy of the one that applied, or lets them inherit again. */
export function setIsMyPolicy(ctx: Change<'policyManage'>, { idx, isMyPolicy }: MyPolicy): Promise<Done> {
  return ctx.change(async (tx) => {
    const user = await requireEditableOne(tx, ctx.actor, idx, 'policy')
    if (ctx.actor.role !== Role.ADMIN) requireOthers(ctx.actor, [idx])
    const log = await setPolicyOwned(tx, ctx.actor, { ownerIdx: idx, ownerType: OwnerType.USER }, isMyPolicy)
    if (log.length > 0) await notify(tx, { topic: 'users', idx, groupIdx: user.groupIdx })
    return { result: {}, log: logOf(log) }
  })
}

/** Ends one of a user's open sign-ins. */
export function endUserSession(
  ctx: FreeContext<Actor>,
  { idx, sessionIdx }: { idx: number; sessionIdx: number },
): Promise<Done> {
  return ctx.change(async (tx) => {
    await requireEditableOne(tx, ctx.actor, idx)
    if (!(await endSessionOf(tx, ctx.app, idx, sessionIdx))) fail('NOT_ALLOWED')
    return { result: {} }
  })
}
