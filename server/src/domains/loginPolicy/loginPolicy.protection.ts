// The settings of account protection.

import { type AccountProtection, DEFAULT_PROTECTION } from '@acc/contract/accountProtection'
import type { Empty } from '@acc/contract/core/fields'
import { SettingManage } from '@acc/contract/labels/history'
import { ProtectionSetting } from '@acc/contract/labels/protection'
import { notify } from '../../core/change.ts'
import type { Change, Read } from '../../core/context.ts'
import { requireRevision } from '../../core/errors.ts'
import { settingLog } from '../../core/settingLog.ts'
import { findRevision, lockSetting, updateSetting } from '../../settings/settings.ts'
import { findProtection } from '../credentials/formerPasswords.ts'

export const readProtection = async ({ read }: Read) => ({
  ...(await findProtection(read)),
  revision: await findRevision(read, 'accountProtection'),
})

const NAMES = {
  passwordHistory: ProtectionSetting.PASSWORD_HISTORY,
  minPasswordDays: ProtectionSetting.MIN_PASSWORD_DAYS,
  maxPasswordDays: ProtectionSetting.MAX_PASSWORD_DAYS,
  commonPasswords: ProtectionSetting.COMMON_PASSWORDS,
  expiryReminders: ProtectionSetting.EXPIRY_REMINDERS,
  dormantDays: ProtectionSetting.DORMANT_DAYS,
  contextWords: ProtectionSetting.CONTEXT_WORDS,
  changeMails: ProtectionSetting.CHANGE_MAILS,
} as const satisfies Record<keyof AccountProtection, number>

const logged = (protection: AccountProtection, isOld: 0 | 1) =>
  (Object.keys(NAMES) as (keyof AccountProtection)[]).map((name) => ({
    protectionName: NAMES[name],
    protectionValue: protection[name],
    isOld,
  }))

/** Replaces the settings; the history keeps all of them, old and new. */
export function setProtection(
  ctx: Change<'settingManage'>,
  { revision, ...after }: AccountProtection & { revision?: number | undefined },
): Promise<Empty> {
  return ctx.change(async (tx) => {
    const before = (await lockSetting(tx, 'accountProtection')) ?? DEFAULT_PROTECTION
    requireRevision({ revision: await findRevision(tx, 'accountProtection') }, revision)
    const [old, now] = [logged(before, 1), logged(after, 0)]
    if (old.every(({ protectionValue }, i) => protectionValue === now[i]?.protectionValue))
      return { result: {}, log: 'unchanged' }
    await updateSetting(tx, 'accountProtection', after)
    await notify(tx, { topic: 'settings' })
    const protection = [...old, ...now]
    return { result: {}, log: [settingLog(SettingManage.UPDATE_PROTECTION, 'accountProtection', { protection })] }
  })
}
