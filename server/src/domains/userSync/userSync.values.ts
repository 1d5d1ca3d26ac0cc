// Values of directory entries as the text of an import.
import { localDayOf } from '@acc/contract/labels/formats'
import type { Entry } from './userSync.messages.ts'

/** Longer than any field of an account, so that a longer value is refused and not shortened into a valid one. */
const MAX_VALUE = 1_000

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Text of UTF-8; undefined for other bytes. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes).slice(0, MAX_VALUE)
  } catch {
    return undefined
  }
}

/** Writes a GUID as Microsoft does: its first three numbers are stored with the lowest byte first. */
export function guidOf(bytes: Buffer): string {
  const hex = (...order: number[]) => order.map((at) => (bytes[at] ?? 0).toString(16).padStart(2, '0')).join('')
  return [hex(3, 2, 1, 0), hex(5, 4), hex(7, 6), hex(8, 9), hex(10, 11, 12, 13, 14, 15)].join('-')
}

const isGuid = (attribute: string, bytes: Buffer) => bytes.length === 16 && /guid(;|$)/i.test(attribute)

/** Returns the first value of an attribute as text, empty without one. Bytes that are no text are hexadecimal. */
export function textIn(entry: Entry, attribute: string): string {
  const bytes = entry.attributes.get(attribute.toLowerCase())?.[0]
  if (bytes === undefined) return ''
  if (isGuid(attribute, bytes)) return guidOf(bytes)
  return textOf(bytes) ?? bytes.toString('hex').slice(0, MAX_VALUE)
}

/** 1601-01-01 in milliseconds: file times count from it in units of 100 nanoseconds. */
const FILE_EPOCH = Date.UTC(1601, 0, 1)
const NEVER = new Set(['0', '9223372036854775807'])
const GENERALIZED = /^(\d{4})(\d{2})(\d{2})(\d{2})(?:(\d{2})(\d{2})?)?(?:[.,]\d+)?(?:Z|([+-])(\d{2})(\d{2})?)$/

/** The day that ends at a moment: an account that expires at midnight is used on the day before. */
const lastDay = (milliseconds: number) => {
  const moment = new Date(milliseconds - 1)
  return Number.isNaN(Number(moment)) ? undefined : localDayOf(moment)
}

/** Returns the last day of a file time of Active Directory or a generalized time; `-` for never, others unchanged. */
export function dayOf(text: string): string {
  if (NEVER.has(text)) return '-'
  if (/^\d{16,19}$/.test(text)) return lastDay(FILE_EPOCH + Number(BigInt(text) / 10_000n)) ?? text
  const match = GENERALIZED.exec(text)
  if (match === null) return text
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const [sign, zoneHours = '0', zoneMinutes = '0'] = match.slice(7)
  const zone = (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000
  return lastDay(Date.UTC(year, month - 1, day, hour, minute, second) - zone) ?? text
}
