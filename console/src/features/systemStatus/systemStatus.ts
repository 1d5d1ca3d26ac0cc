// Texts and reads of the system status, and the age of a moment.
import { api } from '@acc/contract'
import type { Language } from '@acc/contract/labels/enumOf'
import { faultEntry } from '@acc/contract/labels/systemStatus'
import type { SystemStatus } from '@acc/contract/systemStatus'
import { useApiQuery } from '../../kit/api/query.ts'
import type { Badge } from '../../kit/layout/screen.ts'
import { defineTexts } from '../../kit/texts/texts.ts'

export const systemStatusTexts = defineTexts(
  () => import('./systemStatus.ko.json'),
  () => import('./systemStatus.en.json'),
)

/** Milliseconds between two reads in the frame. Live events cause none in between. */
const PACE = 60_000

/** The status, read every minute for the frame, and more often where it is shown. */
export const useSystemStatus = (every = PACE) => useApiQuery(api.systemStatus.find, {}, { every, pace: PACE })

/** Whether a backup is missing that will be a fault. */
export const isBackupDue = ({ backup, faults }: Pick<SystemStatus, 'backup' | 'faults'>): boolean =>
  backup === null && !faults.includes('backupOld')

/** The number of items to check, for the menu. */
export function useFaultBadge(): Badge | undefined {
  const status = useSystemStatus().data
  if (status === undefined) return undefined
  const isUrgent = status.faults.some((fault) => faultEntry(fault).isUrgent)
  return { count: status.faults.length + Number(isBackupDue(status)), kind: isUrgent ? 'urgentFaults' : 'faults' }
}

/** Returns in how many days, at least one, a moment is. */
export const daysUntil = (moment: string, now = new Date()): number =>
  Math.max(1, Math.ceil((Date.parse(moment) - Number(now)) / 86_400_000))

/** Returns how long ago a moment was: minutes up to two hours, hours up to two days, then days. */
export function agoText(moment: string, language: Language, now = new Date()): string {
  const minutes = Math.max(0, Math.floor((Number(now) - Date.parse(moment)) / 60_000))
  const format = new Intl.RelativeTimeFormat(language)
  if (minutes < 120) return format.format(-minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? format.format(-hours, 'hour') : format.format(-Math.floor(hours / 24), 'day')
}
