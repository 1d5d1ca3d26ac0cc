// The user behind an identity: found by key, refreshed from the claims, or created (spec S2 §2.7). A provider never changes a
// system administrator, and its groups decide where a user belongs, never what they may do.
import { UserManage } from '@acc/contract/labels/history'
import { LoginType, UserState } from '@acc/contract/labels/users'
import { type HistoryEntry, notify } from '../../core/change.ts'
import { fail } from '../../core/errors.ts'
import type { HandlerServices } from '../../core/services.ts'
import { isUnchangedUser, type UserRow, userLog } from '../../core/userLog.ts'
import type { Tx } from '../../db/open.ts'
import { findGroup } from '../groups/groups.queries.ts'
import { enqueueChangeMail } from '../mails/mails.service.ts'
import { endSessionsClosedToPartners } from '../session/session.service.ts'
import { findUsers, insertUser, updateUsers } from '../users/users.queries.ts'
import type { SsoIdentity } from './sso.identity.ts'
import { findSsoPolicy } from './sso.policy.ts'
import { findGroupByKeys } from './sso.queries.ts'

type Log = HistoryEntry<'userManage'>

/** The person is the author: the sign-in of theirs caused it. */
const logOfOwn = (type: UserManage, user: UserRow, before: UserRow | null): Log => ({
  ...userLog(type, user, before),
  actor: { idx: user.idx, id: user.id, name: user.name, groupName: user.groupName },
})

/** Creates a user who signs in by single sign-on only, in the group that the identity names or else in that of the policy. */
export async function createSsoUser(
  tx: Tx,
  services: HandlerServices,
  identity: SsoIdentity,
): Promise<{ user: UserRow; log: Log }> {
  const { key, id, email } = identity
  if (id === undefined || email === undefined) fail('SSO_REFUSED')
  const groupIdx = (await findGroupByKeys(tx, identity.groupKeys))?.idx ?? (await findSsoPolicy(tx)).userCreateGroupIdx
  const group = await findGroup(tx, groupIdx)
  if (group === undefined) fail('SSO_REFUSED')
  const row = await insertUser(tx, {
    key,
    id,
    email,
    name: identity.name ?? id,
    groupIdx,
    state: UserState.NORMAL,
    loginType: LoginType.SSO,
    createDT: services.clock.now(),
  })
  const user = { ...row, groupName: group.name }
  await notify(tx, { topic: 'users', idx: user.idx, groupIdx })
  return { user, log: logOfOwn(UserManage.CREATE, user, null) }
}

/** Takes over what the provider says now. The old email address gets a notice of its replacement. */
export async function refreshSsoUser(
  tx: Tx,
  services: HandlerServices,
  userIdx: number,
  identity: SsoIdentity,
): Promise<Log | undefined> {
  const [before] = await findUsers(tx, [userIdx])
  if (before === undefined) return fail('SSO_REFUSED')
  const named = await findGroupByKeys(tx, identity.groupKeys)
  const group = named === undefined ? undefined : await findGroup(tx, named.idx)
  const columns = {
    id: identity.id ?? before.id,
    name: identity.name ?? before.name,
    email: identity.email ?? before.email,
    groupIdx: group?.idx ?? before.groupIdx,
  }
  const after = { ...before, ...columns, groupName: group?.name ?? before.groupName }
  const isMoving = after.groupIdx !== before.groupIdx
  if (isUnchangedUser(before, after) && !isMoving) return undefined
  await updateUsers(tx, [userIdx], columns)
  if (isMoving) await endSessionsClosedToPartners(tx, services)
  if (after.email !== before.email) {
    const mail = { to: before.email, name: before.name, newEmail: after.email, when: services.clock.now() }
    await enqueueChangeMail(tx, services, 'emailChanged', mail)
  }
  for (const groupIdx of new Set([before.groupIdx, after.groupIdx]))
    await notify(tx, { topic: 'users', idx: userIdx, groupIdx })
  return logOfOwn(UserManage.UPDATE, after, before)
}
