// Numbers, sizes and times as people read them (S1 section 9): dates YYYY-MM-DD, with HH:mm:ss where told, local time;
// sizes base 1024 with 2 decimals.
import { language } from './texts.ts'

const two = (value: number) => String(value).padStart(2, '0')

/** YYYY-MM-DD of a moment, in local time. A day that is one already stays as it is. */
export function formatDay(value: string | null): string {
  if (value === null || /^\d{4}-\d{2}-\d{2}$/.test(value)) return value ?? '-'
  const at = new Date(value)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** YYYY-MM-DD HH:mm:ss of a moment, in local time. */
export function formatMoment(value: string | null): string {
  if (value === null) return '-'
  const at = new Date(value)
  return `${formatDay(value)} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1)
  return power === 0 ? `${bytes} B` : `${(bytes / 1024 ** power).toFixed(2)} ${UNITS[power]}`
}

const numbers = { ko: new Intl.NumberFormat('ko'), en: new Intl.NumberFormat('en') }

export const formatNumber = (value: number): string => numbers[language()].format(value)

/** YYYYMMDDHHmmss in local time, for the names of files. */
export const fileStamp = (at: Date = new Date()): string => formatMoment(at.toISOString()).replace(/\D/g, '')
