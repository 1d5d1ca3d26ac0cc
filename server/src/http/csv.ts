// A list as CSV: UTF-8 with BOM, CRLF, headings in the caller's language, cells defused against formulas, streamed at
// constant memory (RFC 4180; design, section 2).
import { Readable } from 'node:stream'
import type { CsvColumn } from '@acc/contract/core/paging'
import { momentFormat } from '@acc/contract/labels/formats'
import type { Language } from '../core/context.ts'

// What spreadsheets would run as a formula, in full width too, as those of East Asia read it. An apostrophe makes it text.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const defuse = (text: string) => (FORMULA.test(text) ? `'${text}` : text)

/** Milliseconds: no time zone changes its offset at another moment than a full quarter of an hour. */
const QUARTER = 15 * 60_000
const DAY = 24 * 60 * 60_000
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'))

/** Keeps what was made of a number. */
function kept<T>(make: (number: number) => T): (number: number) => T {
  const known = new Map<number, T>()
  return (number) => {
    const found = known.get(number)
    if (found !== undefined) return found
    const made = make(number)
    known.set(number, made)
    return made
  }
}

/**
 * YYYY-MM-DD HH:mm:ss in the caller's time zone. Offsets and days are looked up once: to ask Intl for each cell would be
 * most of the work of a file.
 */
function localMoment(timeZone: string): (date: Date) => string {
  const format = momentFormat(timeZone)
  const offsetOf = kept((quarter) => {
    const begin = quarter * QUARTER
    return Date.parse(`${format.format(begin).replace(' ', 'T')}Z`) - begin
  })
  const dayOf = kept((day) => new Date(day * DAY).toISOString().slice(0, 10))
  return (date) => {
    const local = date.getTime() + offsetOf(Math.floor(date.getTime() / QUARTER))
    const day = Math.floor(local / DAY)
    const seconds = Math.floor((local - day * DAY) / 1000)
    const [hour, minute, second] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    return `${dayOf(day)} ${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[second]}`
  }
}

type Cell = (value: unknown) => string
function cellOf(column: CsvColumn, language: Language, moment: (date: Date) => string): Cell {
  return (value) => {
    if (value === null || value === undefined) return ''
    if (column.values !== undefined) return column.values[Number(value)]?.[language] ?? String(value)
    if (column.as === 'moment') return moment(value instanceof Date ? value : new Date(String(value)))
    return typeof value === 'number' ? String(value) : defuse(String(value))
  }
}

const BOM = '\ufeff'
const SPECIAL = /[",\r\n]/
const quoted = (text: string) => (SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const lineOf = (cells: string[]) => `${cells.map(quoted).join(',')}\r\n`

/** Rows into CSV bytes. The stream ends the source when it is destroyed. */
export function csvStream(
  columns: Record<string, CsvColumn>,
  batches: AsyncIterable<unknown[]>,
  language: Language,
  timeZone: string,
): Readable {
  const moment = localMoment(timeZone)
  const cells = Object.entries(columns).map(([name, column]) => ({ name, cell: cellOf(column, language, moment) }))
  const headings = Object.values(columns).map((column) => column[language])
  const cellsOf = (row: Record<string, unknown>) => cells.map(({ name, cell }) => cell(row[name]))
  async function* bytes() {
    let head = BOM + lineOf(headings)
    for await (const rows of batches) {
      // The head not before the first rows: what fails until then is answered as an error, not as half a file.
      let lines = head
      for (const row of rows) lines += lineOf(cellsOf(row as Record<string, unknown>))
      yield lines
      head = ''
    }
    if (head !== '') yield head
  }
  return Readable.from(bytes(), { highWaterMark: 1 })
}

/** A time zone of the IANA database as the caller names it, else UTC. */
export function timeZoneOf(header: unknown): string {
  if (typeof header !== 'string' || !/^[A-Za-z0-9_+\-/]{1,64}$/.test(header)) return 'UTC'
  try {
    return new Intl.DateTimeFormat('en', { timeZone: header }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}
