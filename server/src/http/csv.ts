// A list as CSV: UTF-8 with BOM, CRLF, headings in the caller's language, cells defused against formulas, streamed at
// constant memory (RFC 4180; design, section 2).
import { Readable } from 'node:stream'
import type { CsvColumn } from '@acc/contract/paging'
import { stringify } from 'csv-stringify'
import type { Language } from './context.ts'

// What spreadsheets would run as a formula, in full width too, as those of East Asia read it. An apostrophe makes it text.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const defuse = (text: string) => (FORMULA.test(text) ? `'${text}` : text)

/** YYYY-MM-DD HH:mm:ss in the caller's time zone. */
function localMoment(timeZone: string): (date: Date) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (date) => format.format(date)
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

/** Rows into CSV bytes. The stream ends the source when it is destroyed. */
export function csvStream(
  columns: Record<string, CsvColumn>,
  rows: AsyncIterable<unknown>,
  language: Language,
  timeZone: string,
): Readable {
  const names = Object.keys(columns)
  const moment = localMoment(timeZone)
  const cells = Object.values(columns).map((column) => cellOf(column, language, moment))
  async function* lines() {
    const headings = Object.values(columns).map((column) => column[language])
    let isBegun = false
    for await (const row of rows) {
      // Not before the first row: what fails until then is answered as an error, not as half a file.
      if (!isBegun) yield headings
      isBegun = true
      const record = row as Record<string, unknown>
      yield cells.map((cell, i) => cell(record[names[i] ?? '']))
    }
    if (!isBegun) yield headings
  }
  const writer = stringify({ bom: true, record_delimiter: 'windows' })
  const source = Readable.from(lines())
  source.on('error', (error) => writer.destroy(error))
  writer.on('close', () => source.destroy())
  return source.pipe(writer)
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
