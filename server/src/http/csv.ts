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
/** Most texts have none of these characters. */
const PERHAPS_FORMULA = new RegExp(`[${BREAKS}${SIGNS}]`)
const defuse = (text: string) => (PERHAPS_FORMULA.test(text) ? text.replace(FORMULA, "$1'") : text)

/** Milliseconds. Time zones change their offset only at full quarters of an hour. */
const QUARTER = 15 * 60_000

/**
 * Formats moments as YYYY-MM-DD HH:mm:ss in the caller's zone. Caches the offsets, since calling Intl for each cell
 * would be most of the work.
 */
function localMoment(timeZone: string): (date: Date) => string {
  const format = momentFormat(timeZone)
  const offsets = new Map<number, number>()
  const offsetAt = (quarter: number) => {
    const begin = quarter * QUARTER
    const offset = offsets.get(quarter) ?? Date.parse(`${format.format(begin).replace(' ', 'T')}Z`) - begin
    offsets.set(quarter, offset)
    return offset
  }
  return (date) => {
    const local = new Date(date.getTime() + offsetAt(Math.floor(date.getTime() / QUARTER)))
    return local.toISOString().slice(0, 19).replace('T', ' ')
  }
}

type CellFormat = { language: Language; moment: (date: Date) => string }

/** `by`: the value of the field that the labels follow from. */
type Cell = (value: unknown, by?: unknown) => string
function cellOf(column: CsvColumn, format: CellFormat, protect = defuse): Cell {
  const nested = column.entries && entriesText(column.entries, format)
  return (value, by) => {
    if (value === null || value === undefined) return ''
    if (nested !== undefined) return protect(nested(value as Entries))
    const labels = column.valuesBy?.values[Number(by)] ?? column.values
    if (labels !== undefined) return labels[Number(value)]?.[format.language] ?? String(value)
    if (column.as === 'moment') return format.moment(value instanceof Date ? value : new Date(String(value)))
    return typeof value === 'number' ? String(value) : protect(String(value))
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
const SPECIAL = /[",\r\n]/
const quoted = (text: string) => (SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const lineOf = (cells: string[]) => `${cells.map(quoted).join(',')}\r\n`

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
  const headings = Object.values(columns).map((column) => column[language])
  const cellsOf = (row: Record<string, unknown>) =>
    cells.map(({ name, by, cell }) => cell(row[name], by === undefined ? undefined : row[by]))
  async function* bytes() {
    let head = BOM + lineOf(headings)
    for await (const batch of batches) {
      // The head only with the first rows: a failure before them is still answered as an error, not as half a file.
      yield head + batch.map((row) => lineOf(cellsOf(row as Record<string, unknown>))).join('')
      head = ''
    }
    if (head !== '') yield head
  }
  return Readable.from(bytes(), { highWaterMark: 1 })
}

/** Whether a list is asked for as CSV. */
export const wantsCsv = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/csv') === true
