// Lists as CSV: UTF-8 with BOM, CRLF, headings in the caller's language, cells safe from formulas, streamed with
// constant memory (RFC 4180; spec S2 §3).
import { Readable } from 'node:stream'
import type { CsvColumn } from '@acc/contract/core/columns'
import { momentFormat } from '@acc/contract/labels/formats'
import type { FastifyRequest } from 'fastify'
import type { Language } from '../core/context.ts'

type Columns = Record<string, CsvColumn>

// First characters of formulas, including the full-width forms that spreadsheets in East Asia accept, where a cell may
// begin. Semicolons and tabs separate cells in many regions, where quotes within a line do not join them. An apostrophe
// makes the cell a text.
const [BREAKS, SIGNS] = ['\\t\\r\\n', '=+\\-@＝＋－＠']
const FORMULA = new RegExp(`^(?=[${BREAKS}])|(^|[;${BREAKS}])(?="*[${SIGNS}])`, 'g')
/** Most texts have none of these characters, of formulas or of CSV. */
const SPECIAL = new RegExp(`[",${BREAKS}${SIGNS}]`)
const QUOTED = /[",\r\n]/
const quoted = (text: string) => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const safe = (text: string) => (SPECIAL.test(text) ? quoted(text.replace(FORMULA, "$1'")) : text)

/** Milliseconds. Time zones change their offset only at full quarters of an hour. */
const QUARTER = 15 * 60_000
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'))

/**
 * Formats moments as YYYY-MM-DD HH:mm:ss in the caller's zone. Caches the day and the seconds of each quarter, since
 * calling Intl or Date for each cell would be most of the work.
 */
function localMoment(timeZone: string): (date: Date) => string {
  const format = momentFormat(timeZone)
  const quarters = new Map<number, { day: string; seconds: number }>()
  const readQuarter = (quarter: number) => {
    const [day = '', time = ''] = format.format(quarter * QUARTER).split(' ')
    const begin = { day, seconds: time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) }
    quarters.set(quarter, begin)
    return begin
  }
  return (date) => {
    const quarter = Math.floor(date.getTime() / QUARTER)
    const begin = quarters.get(quarter) ?? readQuarter(quarter)
    const seconds = begin.seconds + Math.floor((date.getTime() - quarter * QUARTER) / 1000)
    const [hour, minute] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
    return `${begin.day} ${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[seconds % 60]}`
  }
}

type CellFormat = { language: Language; moment: (date: Date) => string }

/** `by`: the value of the field that the labels follow from. */
type Cell = (value: unknown, by?: unknown) => string
function cellOf(column: CsvColumn, format: CellFormat, write = safe): Cell {
  const nested = column.entries && entriesText(column.entries, format)
  return (value, by) => {
    if (value === null || value === undefined) return ''
    if (nested !== undefined) return write(nested(value as Entries))
    const labels = column.valuesBy?.values[Number(by)] ?? column.values
    if (labels !== undefined) return write(labels[Number(value)]?.[format.language] ?? String(value))
    if (column.as === 'moment') return format.moment(value instanceof Date ? value : new Date(String(value)))
    return typeof value === 'number' ? String(value) : write(String(value))
  }
}

/** Nested entries of a row: the first ones, and how many there are. */
type Entries = { count: number; entries: Record<string, unknown>[] | null }

const MORE = { ko: (count: number) => `외 ${count}개`, en: (count: number) => `and ${count} more` }
const signOf = (isOld: unknown) => (isOld === undefined ? '' : isOld === 1 ? '- ' : '+ ')

/** Returns the function that writes nested entries, a line for each: `+ name (other, other)` and `- name (...)`. */
function entriesText(columns: Columns, format: CellFormat): (value: Entries) => string {
  const cells = Object.entries(columns).map(([name, column]) => {
    const by = column.valuesBy?.field
    const text = cellOf(column, format, String)
    return (entry: Record<string, unknown>) => text(entry[name], by === undefined ? undefined : entry[by]) || '-'
  })
  return ({ count, entries }) => {
    const lines = (entries ?? []).map((entry) => {
      const [first, ...others] = cells.map((cell) => cell(entry))
      return `${signOf(entry.isOld)}${first}${others.length === 0 ? '' : ` (${others.join(', ')})`}`
    })
    return [...lines, ...(count > lines.length ? [MORE[format.language](count - lines.length)] : [])].join('\n')
  }
}

const BOM = '\ufeff'
/** Converts rows to CSV. Destroying the stream ends their source. */
export function csvStream(
  columns: Columns,
  batches: AsyncIterable<unknown[]>,
  language: Language,
  timeZone: string,
): Readable {
  const format = { language, moment: localMoment(timeZone) }
  const cells = Object.entries(columns).map(([name, column]) => ({
    name,
    by: column.valuesBy?.field,
    cell: cellOf(column, format),
  }))
  const headings = Object.values(columns).map((column) => safe(column[language]))
  const lineOf = (row: Record<string, unknown>) =>
    `${cells.map(({ name, by, cell }) => cell(row[name], by === undefined ? undefined : row[by])).join(',')}\r\n`
  async function* bytes() {
    let head = `${BOM}${headings.join(',')}\r\n`
    for await (const batch of batches) {
      // The head only with the first rows: a failure before them is still answered as an error, not as half a file.
      yield head + batch.map((row) => lineOf(row as Record<string, unknown>)).join('')
      head = ''
    }
    if (head !== '') yield head
  }
  return Readable.from(bytes(), { highWaterMark: 1 })
}

/** Whether a list is asked for as CSV. */
export const wantsCsv = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/csv') === true
