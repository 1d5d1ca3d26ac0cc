// Where signing in leads (S1 sections 2 and 4), and how a new password is judged (S1 section 5).

import type { AppConfigs, PasswordRule } from '@acc/contract/configs'
import type { Role } from '@acc/contract/core/access'
import type { Session } from '@acc/contract/session'

// The contract's own numbers, without its schemas (portal.calls.ts).
const ADMIN: typeof Role.ADMIN = 0
const USER: typeof Role.USER = 2

/** Ordinary users and external mode end at the download page; administrators settle licence and mail first. */
export function landing(session: Session, configs: AppConfigs): 'download' | 'register' | 'main' {
  if (session.role === USER || configs.runtime.isExternalMode) return 'download'
  const isReady = configs.isLicensed === 1 && configs.hasMailServer === 1
  return session.role === ADMIN && !isReady ? 'register' : 'main'
}

const DAY = 86_400_000

/** The password is older than the site recommends; administrators are exempt. */
export function isPasswordOld(session: Session, recommendDays: number, now: number): boolean {
  if (session.role === ADMIN || session.pwSetDT === null || recommendDays <= 0) return false
  return now - Date.parse(session.pwSetDT) > recommendDays * DAY
}

type Rules = { positiveRules: readonly PasswordRule[]; negativeRules: readonly PasswordRule[] }
export type Verdict = { name: string; isNegative: boolean; isMet: boolean }

/** A rule whose expression the browser cannot read is left to the server. */
function matches(rule: PasswordRule, password: string): boolean | undefined {
  try {
    return new RegExp(rule.reg).test(password)
  } catch {
    return undefined
  }
}

/** Every rule with whether the password meets it: positive ones match, negative ones must not. */
export function judgePassword({ positiveRules, negativeRules }: Rules, password: string): Verdict[] {
  const positive = positiveRules.map((rule) => ({
    name: rule.name,
    isNegative: false,
    isMet: matches(rule, password) ?? true,
  }))
  const negative = negativeRules.map((rule) => ({
    name: rule.name,
    isNegative: true,
    isMet: !(matches(rule, password) ?? false),
  }))
  return [...positive, ...negative]
}
