// The policy of single sign-on: the group of new users, and who may sign in with it (spec S2 §2.7, §7).
import type { Empty } from '@acc/contract/core/fields'
import { ROOT_GROUP } from '@acc/contract/groups'
import { hasFlag } from '@acc/contract/labels/flags'
import { SettingManage, UserManage } from '@acc/contract/labels/history'
import { LoginType } from '@acc/contract/labels/users'
import { SSO_RULES, type SsoPolicy } from '@acc/contract/sso'
import { sql } from 'kysely'
import { logOf, notify } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { changePeople, notifyGroups } from '../../core/people.ts'
import { settingLog } from '../../core/settingLog.ts'
import { userLog } from '../../core/userLog.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { findSetting, lockSetting, updateSetting } from '../../settings/settings.ts'
import { findGroup } from '../groups/groups.queries.ts'
import { updateUsers } from '../users/users.queries.ts'
import { endSessionsNotAllowed } from '../users/users.signIn.ts'

/** Finds the group, or the group above that received the users of a deleted one. */
const findGroupOrHeir = (db: Reader | Tx, groupIdx: number) =>
  db
    .selectFrom('groups')
    .select(['idx', 'name'])
    .where(
      'idx',
      '=',
      sql<number>`coalesce((select "heirIdx" from "deletedGroups" where idx = ${groupIdx}), ${groupIdx})`,
    )
    .executeTakeFirstOrThrow()

async function policyOf(db: Reader | Tx, groupIdx: number | undefined) {
  const { idx, name } = await findGroupOrHeir(db, groupIdx ?? ROOT_GROUP)
  return {
    ...SSO_RULES,
    userMatchProps: [...SSO_RULES.userMatchProps],
    ssoUpdateProps: [...SSO_RULES.ssoUpdateProps],
    userCreateGroupIdx: idx,
    userCreateGroupName: name,
  } satisfies SsoPolicy
}

/** Finds the policy in force. Until a group is chosen, new users are created in the root group. */
export async function findSsoPolicy(db: Reader): Promise<SsoPolicy> {
  return policyOf(db, (await findSetting(db, 'ssoPolicy'))?.userCreateGroupIdx)
}

/** Sets the group of new users. */
export function setSsoPolicy(
  ctx: Change<'settingManage'>,
  { userCreateGroupIdx }: { userCreateGroupIdx: number },
): Promise<Empty> {
  return ctx.change(async (tx) => {
    const before = await policyOf(tx, (await lockSetting(tx, 'ssoPolicy'))?.userCreateGroupIdx)
    const group = await findGroup(tx, userCreateGroupIdx)
    if (group === undefined) fail('NO_GROUP')
    if (group.idx === before.userCreateGroupIdx) return { result: {}, log: 'unchanged' }
    await updateSetting(tx, 'ssoPolicy', { userCreateGroupIdx })
    await notify(tx, { topic: 'settings' })
    const values = { targetValue: group.name, targetOldValue: before.userCreateGroupName }
    return { result: {}, log: [settingLog(SettingManage.UPDATE_SSO_POLICY, 'ssoPolicy', values)] }
  })
}

/** Sets the sign-in methods of users. Users who have these already are unchanged. */
export function setLoginTypes(
  ctx: Change<'userManage'>,
  { userIdxes, loginType }: { userIdxes: number[]; loginType: number },
): Promise<Empty> {
  const admins = hasFlag(loginType, LoginType.DEFAULT) ? 'byAdmins' : 'refused'
  return changePeople(ctx, { page: 'user', userIdxes, own: 'allowed', admins }, async (tx, users) => {
    const changing = users.filter((user) => user.loginType !== loginType)
    const changed = changing.map(({ idx }) => idx)
    if (changed.length > 0) await updateUsers(tx, changed, { loginType })
    await endSessionsNotAllowed(tx, ctx, changed, loginType)
    await notifyGroups(tx, changing)
    const log = changing.map((before) => userLog(UserManage.UPDATE, { ...before, loginType }, before))
    return { result: {}, log: logOf(log) }
  })
}
