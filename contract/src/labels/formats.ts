// Display formats of sizes, days and moments (spec S1 §9): base 1024 with two decimals, YYYY-MM-DD, HH:mm:ss. Times are
// local unless the function's name says otherwise.

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

/** `30.00 MB`; below 1 KB whole bytes. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1)
  return power === 0 ? `${Math.floor(bytes)} B` : `${(bytes / 1024 ** power).toFixed(2)} ${UNITS[power]}`
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** YYYY-MM-DD. */
export const localDayOf = (date: Date): string =>
  `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`

/** HH:MM of a time of day, given in minutes; the end of a day is 24:00. */
export function formatTimeOfDay(minutes: number): string {
  const time = minutes > 1440 ? minutes % 1440 : minutes
  return `${twoDigits(Math.floor(time / 60))}:${twoDigits(time % 60)}`
}

/** YYYY-MM-DD of a moment; a day is unchanged, null is `-`. */
export function formatDay(value: string | null): string {
  if (value === null) return '-'
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : localDayOf(new Date(value))
}

/** YYYY-MM-DD HH:mm:ss of a moment; null is `-`. */
export function formatMoment(value: string | null): string {
  if (value === null) return '-'
  const date = new Date(value)
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')
  return `${localDayOf(date)} ${time}`
}

/** Formats moments as YYYY-MM-DD HH:mm:ss in a time zone; Swedish has exactly this form. */
export const momentFormat = (timeZone?: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })

/** YYYYMMDDHHmmss, for file names. */
export const fileStamp = (date: Date, timeZone?: string): string =>
  momentFormat(timeZone).format(date).replace(/\D/g, '')
