// Creates or refreshes a user from the claims of a provider (spec S2 §2.7). The key comes from the signed ID token
// alone. Providers never change system administrators, and their groups give no rights.
import { email, key, loginId, personName } from '@acc/contract/core/fields'
import { UserManage } from '@acc/contract/labels/history'
import { LoginType, UserState } from '@acc/contract/labels/users'
import { z } from 'zod'
import { type HistoryEntry, notify } from '../../core/change.ts'
import { fail } from '../../core/errors.ts'
import { findUsers } from '../../core/people.ts'
import type { HandlerServices } from '../../core/services.ts'
import { isUnchangedUser, type UserRow, userLog } from '../../core/userLog.ts'
import type { Tx } from '../../db/open.ts'
import type { OidcClaims } from '../../env.oidc.ts'
import { findGroup } from '../groups/groups.queries.ts'
import { enqueueChangeMail } from '../mails/mails.service.ts'
import { endSessionsClosedToPartners } from '../session/session.service.ts'
import { insertUser, updateUsers } from '../users/users.queries.ts'
import { findSsoPolicy } from './sso.policy.ts'
import type { Claims, ProvenClaims } from './sso.provider.ts'
import { findGroupByKeys } from './sso.queries.ts'

export type SsoIdentity = {
  key: string
  id: string | undefined
  name: string | undefined
  email: string | undefined
  /** Keys of groups. The first known one counts. */
  groupKeys: string[]
}

const MAX_NAME = 30
const MAX_GROUPS = 200
/** Directories may use numbers as identifiers. */
const text = z.union([z.string(), z.number().transform(String)])

const fitting = <T>(schema: z.ZodType<T>, value: unknown): T | undefined => schema.safeParse(value).data

/** Sign-in name: in lower case, and without the domain of an address. */
const signInName = text.transform((value) => value.toLowerCase().split('@')[0] ?? '').pipe(loginId)
const shortName = text.transform((value) => value.trim().slice(0, MAX_NAME)).pipe(personName)
const groupKeys = z.union([text.transform((one) => [one]), z.array(text)])

/** Some providers send text, others nothing. */
const VERIFIED: readonly unknown[] = [undefined, true, 'true']

/** Returns the address unless the provider calls it unverified, since it may then be anybody's. */
const emailOf = (claims: Claims, name: string) =>
  VERIFIED.includes(claims.email_verified) ? fitting(email, claims[name]) : undefined

/** Returns the identity; undefined without a usable key. */
export function identityOf({ signed, all }: ProvenClaims, names: OidcClaims): SsoIdentity | undefined {
  const found = fitting(text.pipe(key), signed[names.key])
  if (found === undefined) return undefined
  return {
    key: found,
    id: fitting(signInName, all[names.id]),
    name: fitting(shortName, all[names.name]),
    email: emailOf(all, names.email),
    groupKeys: (fitting(groupKeys, all[names.group]) ?? []).slice(0, MAX_GROUPS),
  }
}

type Log = HistoryEntry<'userManage'>

/** Returns a history row whose author is the person who signs in. */
const logOfOwn = (type: UserManage, user: UserRow, before: UserRow | null): Log => ({
  ...userLog(type, user, before),
  actor: { idx: user.idx, id: user.id, name: user.name, groupName: user.groupName },
})

/** Creates a user who can use single sign-on only, in the group of the identity or of the policy. */
export async function createSsoUser(
  tx: Tx,
  services: HandlerServices,
  identity: SsoIdentity,
): Promise<{ user: UserRow; log: Log }> {
  const { id, email } = identity
  if (id === undefined || email === undefined) fail('SSO_REFUSED')
  const groupIdx = (await findGroupByKeys(tx, identity.groupKeys))?.idx ?? (await findSsoPolicy(tx)).userCreateGroupIdx
  const group = await findGroup(tx, groupIdx)
  if (group === undefined) fail('SSO_REFUSED')
  const row = await insertUser(tx, {
    key: identity.key,
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

/** Updates a user from the provider's values. The old email address gets a notice of its replacement. */
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
