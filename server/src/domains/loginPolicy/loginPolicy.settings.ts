// Password rules and account protection, as administrators set them (spec S2 §2.7, §5).
import { type AccountProtection, DEFAULT_PROTECTION, ProtectionSetting } from '@acc/contract/accountProtection'
import type { PasswordRule } from '@acc/contract/configs'
import type { Empty } from '@acc/contract/core/fields'
import { SettingManage } from '@acc/contract/labels/history'
import { DEFAULT_RULES, faultOfRule, PasswordRuleList, presetRule } from '@acc/contract/labels/passwordRules'
import { notify } from '../../core/change.ts'
import type { Change, Read } from '../../core/context.ts'
import { fail, requireRevision } from '../../core/errors.ts'
import { settingLog } from '../../core/settingLog.ts'
import { findRevision, lockSetting, updateSetting } from '../../settings/settings.ts'
import { findProtection } from '../credentials/formerPasswords.ts'
import { findPasswordRules, type PasswordRules, randomPassword } from '../credentials/passwordRules.ts'
import { findUnsafe } from '../credentials/regexSafety.ts'

export const readRules = async ({ read }: Read) => ({
  pwRules: await findPasswordRules(read),
  revision: await findRevision(read, 'passwordRules'),
})

const withPresets = (rules: readonly PasswordRule[]): PasswordRule[] =>
  rules.map((rule) => (rule.preset === undefined ? rule : presetRule(rule.preset)))

/** Rejects rules that share a name or an expression with another rule of either list. */
function requireDistinct(rules: readonly PasswordRule[], others: readonly PasswordRule[]): void {
  rules.forEach((rule, i) => {
    const fault = faultOfRule(rule, rules.slice(0, i), others)
    if (fault === undefined) return
    fail(fault.endsWith('Name') ? 'DUPLICATE_NAME' : 'DUPLICATE_REGEX', { name: rule.name })
  })
}

const allOf = ({ positiveRules, negativeRules }: PasswordRules): PasswordRule[] => [...positiveRules, ...negativeRules]

/** Rejects new expressions that could run long, and rules that allow no temporary password. */
async function requireUsable({ services, read }: Read, rules: PasswordRules): Promise<void> {
  const known = new Set(allOf(await findPasswordRules(read)).map(({ reg }) => reg))
  const isNew = ({ preset, reg }: PasswordRule) => preset === undefined && !known.has(reg)
  const added = allOf(rules).filter(isNew)
  const unsafe = await findUnsafe(added.map(({ reg }) => reg))
  const [first] = added.filter(({ reg }) => unsafe.includes(reg))
  if (first !== undefined) fail('UNSAFE_REGEX', { name: first.name })
  if ((await randomPassword(rules, services.log)) === undefined) fail('UNSATISFIABLE_RULES')
}

const loggedRules = ({ positiveRules, negativeRules }: PasswordRules, isOld: 0 | 1) => {
  const entries = (rules: readonly PasswordRule[], ruleList: 0 | 1) =>
    rules.map(({ name, reg }) => ({ ruleList, ruleName: name, ruleReg: reg, isOld }))
  return [...entries(positiveRules, PasswordRuleList.POSITIVE), ...entries(negativeRules, PasswordRuleList.NEGATIVE)]
}

/** Replaces both lists of rules. */
export async function setRules(
  ctx: Change<'settingManage'>,
  { revision, ...input }: PasswordRules & { revision?: number | undefined },
): Promise<Empty> {
  const after = { positiveRules: withPresets(input.positiveRules), negativeRules: withPresets(input.negativeRules) }
  requireDistinct(after.positiveRules, after.negativeRules)
  requireDistinct(after.negativeRules, after.positiveRules)
  await requireUsable(ctx, after)
  return ctx.change(async (tx) => {
    const before = (await lockSetting(tx, 'passwordRules')) ?? DEFAULT_RULES
    requireRevision({ revision: await findRevision(tx, 'passwordRules') }, revision)
    if (JSON.stringify(before) === JSON.stringify(after)) return { result: {}, log: 'unchanged' }
    await updateSetting(tx, 'passwordRules', after)
    await notify(tx, { topic: 'settings' })
    const passwordRules = [...loggedRules(before, 1), ...loggedRules(after, 0)]
    return { result: {}, log: [settingLog(SettingManage.UPDATE_PASSWORD_RULES, 'passwordRules', { passwordRules })] }
  })
}

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

const loggedProtection = (protection: AccountProtection, isOld: 0 | 1) =>
  (Object.keys(NAMES) as (keyof AccountProtection)[]).map((name) => ({
    protectionName: NAMES[name],
    protectionValue: protection[name],
    isOld,
  }))

/** Replaces the settings. The history contains all old and new values. */
export function setProtection(
  ctx: Change<'settingManage'>,
  { revision, ...after }: AccountProtection & { revision?: number | undefined },
): Promise<Empty> {
  return ctx.change(async (tx) => {
    const before = (await lockSetting(tx, 'accountProtection')) ?? DEFAULT_PROTECTION
    requireRevision({ revision: await findRevision(tx, 'accountProtection') }, revision)
    const [old, now] = [loggedProtection(before, 1), loggedProtection(after, 0)]
    if (old.every(({ protectionValue }, i) => protectionValue === now[i]?.protectionValue))
      return { result: {}, log: 'unchanged' }
    await updateSetting(tx, 'accountProtection', after)
    await notify(tx, { topic: 'settings' })
    const protection = [...old, ...now]
    return { result: {}, log: [settingLog(SettingManage.UPDATE_PROTECTION, 'accountProtection', { protection })] }
  })
}
