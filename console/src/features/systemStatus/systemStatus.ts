// Texts of the system status, and the age of a moment.
import type { Language } from '@acc/contract/labels/enumOf'
import { defineTexts } from '../../kit/texts/texts.ts'

export const systemStatusTexts = defineTexts(
  () => import('./systemStatus.ko.json'),
  () => import('./systemStatus.en.json'),
)

/** Returns how long ago a moment was: minutes up to two hours, hours up to two days, then days. */
export function agoText(moment: string, language: Language, now = new Date()): string {
  const minutes = Math.max(0, Math.floor((Number(now) - Date.parse(moment)) / 60_000))
  const format = new Intl.RelativeTimeFormat(language)
  if (minutes < 120) return format.format(-minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? format.format(-hours, 'hour') : format.format(-Math.floor(hours / 24), 'day')
}
