// How users sign in: temporary passwords, authenticators, and the effects of a changed OTP setting or sign-in method.
import type { Empty } from '@acc/contract/core/fields'
import { hasFlag, withFlag } from '@acc/contract/labels/flags'
import { SettingManage, SignInType, UserManage } from '@acc/contract/labels/history'
import { LoginType, OtpUse, UserState } from '@acc/contract/labels/users'
import type { Insertable } from 'kysely'
import type { HistoryEntry } from '../../core/change.ts'
import type { Actor, Change } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { personValues } from '../../core/historyValues.ts'
import { changePeople, findUsers, notifyUsers } from '../../core/people.ts'
import type { HandlerServices } from '../../core/services.ts'
import { settingLog } from '../../core/settingLog.ts'
import { type UserRow, userLog } from '../../core/userLog.ts'
import type { Tx } from '../../db/open.ts'
import type { Users } from '../../db/schema.gen.ts'
import { findContextWords } from '../configs/configs.contextWords.ts'
import { isDisabled } from '../credentials/accountStates.ts'
import { insertFormerPassword } from '../credentials/formerPasswords.ts'
import { TEMPORARY_HOURS, type TemporaryPassword, temporaryPassword } from '../credentials/passwordRules.ts'
import { enqueueChangeMail, enqueueMail } from '../mails/mails.service.ts'
import { lockOtpNeed } from '../otp/otp.service.ts'
import { endSessionsOf, endSessionsUnless } from '../session/session.service.ts'
import { updateUsers } from './users.queries.ts'

/** Returns the columns of an account that signs in with a temporary password only. */
export const newStateOf = (password: TemporaryPassword): Pick<Insertable<Users>, 'tmpPwHash' | 'tmpPwExpireDT'> => ({
  tmpPwHash: password.hash,
  tmpPwExpireDT: password.expireDT,
})

export const mailTemporaryPassword = (
  tx: Tx,
  services: HandlerServices,
  user: { email: string; name: string; id: string },
  text: string,
  reason: 'created' | 'reset',
) =>
  enqueueMail(tx, services, 'temporaryPassword', {
    to: user.email,
    name: user.name,
    id: user.id,
    password: text,
    validHours: TEMPORARY_HOURS,
    reason,
  })

/** Replaces a user's password with a temporary one and mails it to them. */
export async function resetPassword(ctx: Change<'userManage'>, { idx }: { idx: number }): Promise<Empty> {
  const { services } = ctx
  // Keeps the person's own words out of the password. The transaction checks whether they may be edited.
  const [user = { id: '', name: '', email: '' }] = await findUsers(ctx.read, [idx])
  const words = await findContextWords(ctx.read, services, user)
  const password = await temporaryPassword(services, ctx.read, words)
  const named = { page: 'user', userIdxes: [idx], own: 'refused', admins: 'refused' } as const
  return changePeople(ctx, named, async (tx, [before]) => {
    if (isDisabled(before)) fail('DISABLED_USER')
    if (before.email === '') fail('NO_EMAIL')
    const columns = {
      ...newStateOf(password),
      state: withFlag(before.state, UserState.NEW),
      pwHash: null,
      pwSetDT: null,
      loginFails: 0,
    }
    await insertFormerPassword(tx, idx)
    await updateUsers(tx, [idx], columns)
    await endSessionsOf(tx, services, idx)
    await mailTemporaryPassword(tx, services, before, password.text, 'reset')
    await notifyUsers(tx, [before])
    return { result: {}, log: [userLog(UserManage.RESET_PW, { ...before, ...columns }, before)] }
  })
}

/** The columns of an account without an authenticator. */
export const NO_OTP = {
  otpSecret: null,
  otpStep: null,
  otpPending: null,
  otpPendingExpireDT: null,
  otpFails: 0,
} as const

/**
 * Removes a user's authenticator and mails them a notice. Administrators need another administrator: unlike a password,
 * a lost authenticator cannot be replaced by its owner.
 */
export function resetTotpSecret(ctx: Change<'userManage'>, { idx }: { idx: number }): Promise<Empty> {
  const { services } = ctx
  const named = { page: 'user', userIdxes: [idx], own: 'refused', admins: 'byAdmins' } as const
  return changePeople(ctx, named, async (tx, [before]) => {
    if (isDisabled(before)) fail('DISABLED_USER')
    if (before.otpSecret === null) fail('NO_OTP_TO_RESET')
    await updateUsers(tx, [idx], NO_OTP)
    await endSessionsOf(tx, services, idx)
    const mail = { to: before.email, name: before.name, when: services.clock.now(), change: 'reset' } as const
    await enqueueChangeMail(tx, services, 'secondFactorChanged', mail)
    await notifyUsers(tx, [before])
    return { result: {}, log: [userLog(UserManage.RESET_TOTP, { ...before, ...NO_OTP }, before)] }
  })
}

type Flag = 0 | 1
type Ctx = { services: HandlerServices; actor: Actor }
/** A user as they were before the change. */
type Person = Pick<UserRow, 'idx' | 'id' | 'name' | 'email' | 'groupName' | 'useOtp'>

/** Sign-ins with a second factor. The provider asks for its own (docs/decisions/06-single-sign-on.md). */
export const WITH_FACTOR = [SignInType.OTP_SUCCESS, SignInType.SSO_LOGIN] as const

const EVENTS = {
  add: { [OtpUse.NEVER]: SettingManage.ADD_OTP_NEVER, [OtpUse.ALWAYS]: SettingManage.ADD_OTP_ALWAYS },
  remove: { [OtpUse.NEVER]: SettingManage.REMOVE_OTP_NEVER, [OtpUse.ALWAYS]: SettingManage.REMOVE_OTP_ALWAYS },
}

function exceptionLog(step: 'add' | 'remove', useOtp: Flag, users: readonly Person[]): HistoryEntry<'settingManage'> {
  const isOld = step === 'add' ? 0 : 1
  return settingLog(EVENTS[step][useOtp], 'otpExceptions', {
    targetName: users.length === 1 ? (users[0]?.name ?? null) : null,
    users: users.map((user) => ({ userIdx: user.idx, ...personValues(user), isOld })),
  })
}

/** Returns a row for each list that users are added to or removed from. */
function logsOf(users: readonly Person[], useOtp: Flag | null): HistoryEntry<'settingManage'>[] {
  const added = users.filter((user) => user.useOtp === null && useOtp !== null)
  const left = OtpUse.values.map((use) => ({ use, users: users.filter((user) => user.useOtp === use) }))
  return [
    ...(useOtp !== null && added.length > 0 ? [exceptionLog('add', useOtp, added)] : []),
    ...left.filter((list) => list.users.length > 0).map((list) => exceptionLog('remove', list.use, list.users)),
  ]
}

const MAIL_OF = { [OtpUse.NEVER]: 'never', [OtpUse.ALWAYS]: 'always' } as const

/** Mails users about their new OTP setting, ends sessions without the needed factor, and returns the history rows. */
export async function applyOtpUse(
  tx: Tx,
  { services, actor }: Ctx,
  users: readonly Person[],
  useOtp: Flag | null,
): Promise<HistoryEntry<'settingManage'>[]> {
  const idxes = users.map(({ idx }) => idx)
  if (await lockOtpNeed(tx, { useOtp })) await endSessionsUnless(tx, services, idxes, WITH_FACTOR, actor.sessionIdx)
  const change = useOtp === null ? 'policy' : MAIL_OF[useOtp]
  for (const { email, name } of users)
    await enqueueChangeMail(tx, services, 'secondFactorChanged', {
      to: email,
      name,
      when: services.clock.now(),
      change,
    })
  return logsOf(users, useOtp)
}

/** Returns the types of sign-ins that a set of sign-in methods allows. */
const signInsOf = (loginType: number): readonly SignInType[] => [
  ...(hasFlag(loginType, LoginType.DEFAULT) ? [SignInType.LOGIN, SignInType.OTP_SUCCESS] : []),
  ...(hasFlag(loginType, LoginType.SSO) ? [SignInType.SSO_LOGIN] : []),
]

/** Ends the sessions of users whose sign-in method is no longer allowed. The caller's own session remains open. */
export const endSessionsNotAllowed = (
  tx: Tx,
  { services, actor }: Ctx,
  userIdxes: readonly number[],
  loginType: number,
): Promise<void> => endSessionsUnless(tx, services, userIdxes, signInsOf(loginType), actor.sessionIdx)
