// Consequences of a changed OTP setting of users, whichever call changes it: rows in the history of settings, mails to the owners,
// and the end of sessions that were opened without a factor that is needed now.

import { hasFlag } from '@acc/contract/labels/flags'
import { SettingManage, SignInType } from '@acc/contract/labels/history'
import { LoginType, OtpUse } from '@acc/contract/labels/users'
import type { HistoryEntry } from '../../core/change.ts'
import type { Actor } from '../../core/context.ts'
import type { HandlerServices } from '../../core/services.ts'
import { settingLog } from '../../core/settingLog.ts'
import type { UserRow } from '../../core/userLog.ts'
import type { Tx } from '../../db/open.ts'
import { enqueueChangeMail } from '../mails/mails.service.ts'
import { holdOtpNeed } from '../otp/otp.service.ts'
import { endSessionsUnless } from '../session/session.service.ts'

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
    users: users.map((user) => ({
      userIdx: user.idx,
      userId: user.id,
      userName: user.name,
      userGroupName: user.groupName,
      isOld,
    })),
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

/** Settles what follows from a new OTP setting of users, and returns its rows in the history of settings. */
export async function settleOtpUse(
  tx: Tx,
  { services, actor }: Ctx,
  users: readonly Person[],
  useOtp: Flag | null,
): Promise<HistoryEntry<'settingManage'>[]> {
  const idxes = users.map(({ idx }) => idx)
  if (await holdOtpNeed(tx, { useOtp })) await endSessionsUnless(tx, services, idxes, WITH_FACTOR, actor.sessionIdx)
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

/** The sign-ins that a set of sign-in methods allows. */
const signInsOf = (loginType: number): readonly SignInType[] => [
  ...(hasFlag(loginType, LoginType.DEFAULT) ? [SignInType.LOGIN, SignInType.OTP_SUCCESS] : []),
  ...(hasFlag(loginType, LoginType.SSO) ? [SignInType.SSO_LOGIN] : []),
]

/** Ends the sessions of users that were opened in a way which they may no longer use. The caller's own remains open. */
export const endSessionsNotAllowed = (
  tx: Tx,
  { services, actor }: Ctx,
  userIdxes: readonly number[],
  loginType: number,
): Promise<void> => endSessionsUnless(tx, services, userIdxes, signInsOf(loginType), actor.sessionIdx)
