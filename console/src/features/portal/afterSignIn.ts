// The destination after sign-in (spec S1 §2, §4).
import type { AppConfigs } from '@acc/contract/configs'
import type { Role } from '@acc/contract/labels/access'
import type { Session } from '@acc/contract/session'
import { tabMark } from '../../kit/browser/storage.ts'

/** "Later" for an expired license: remembered by the tab until the sign-in page is shown again. */
export const { isSet: isLicensePostponed, set: postponeLicense } = tabMark('acc.licensePostponed')

// The contract's values without its schemas (see portal.calls.ts).
const ADMIN: typeof Role.ADMIN = 0
const USER: typeof Role.USER = 2

/** Whether the license part of the register step is due: without a license, or with an expired one unless postponed. */
export const isLicenseMissing = (
  { isLicensed, isEvaluation }: AppConfigs,
  isPostponed = isLicensePostponed(),
): boolean => isLicensed === 0 && (isEvaluation === 1 || !isPostponed)

/** Administrators see the register step first. In external mode, and for ordinary users, the download page follows. */
export function landing(session: Session, configs: AppConfigs): 'download' | 'register' | 'main' {
  const isReady = !isLicenseMissing(configs) && configs.hasMailServer === 1
  if (session.role === ADMIN && !isReady) return 'register'
  return session.role === USER || configs.runtime.isExternalMode ? 'download' : 'main'
}

const DAY = 86_400_000

/** Whether the password is older than recommended; administrators are exempt. */
export function isPasswordOld(session: Session, recommendDays: number, now: number): boolean {
  if (session.role === ADMIN || session.pwSetDT === null || recommendDays <= 0) return false
  return now - Date.parse(session.pwSetDT) > recommendDays * DAY
}
