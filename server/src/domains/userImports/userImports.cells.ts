// Checks the cells of a source by the rules that calls have for the same values.
import { setImmediate as turn } from 'node:timers/promises'
import { day, email, key, loginId, personName } from '@acc/contract/core/fields'
import { ImportFault, type ImportField } from '@acc/contract/labels/userImports'
import type { z } from 'zod'
import type { RowFault, SourceRow } from './source.ts'
import type { CheckedRow } from './userImports.queries.ts'

/** Characters of a faulty cell that are kept to show it. */
const MAX_KEPT = 200
const MAX_GROUP = 2_000
/** Rows between two turns of the event loop. */
const BATCH = 1_000

/** Clears a value. */
const CLEAR = '-'

const YES = ['1', 'y', 'yes', 'true', 'o', 'on', '예', '사용', '재직', 'active', 'enabled']
const NO = ['0', 'n', 'no', 'false', 'x', 'off', '아니오', '아니요', '정지', '퇴직', 'inactive', 'disabled']

const by =
  (schema: z.ZodType<string>) =>
  (text: string): string | undefined =>
    schema.safeParse(text).data

/** 2026-01-31, and as spreadsheets in Korea write it: 2026. 1. 31. */
const DAY = /^(\d{4})\s?[-./]\s?(\d{1,2})\s?[-./]\s?(\d{1,2})\.?$/
function dayOf(text: string): string | undefined {
  const [, year = '', month = '', date = ''] = DAY.exec(text) ?? []
  return day.safeParse(`${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`).data
}

function flagOf(text: string): string | undefined {
  const word = text.toLowerCase()
  return YES.includes(word) ? '1' : NO.includes(word) ? '0' : undefined
}

/** Return the value of a cell, or undefined if its format is wrong. */
const READ: Record<ImportField, (text: string) => string | undefined> = {
  key: by(key),
  // Directories write the same sign-in name in different cases.
  id: (text) => by(loginId)(text.toLowerCase()),
  name: by(personName),
  email: by(email),
  group: (text) => (text.length <= MAX_GROUP ? text.normalize('NFC') : undefined),
  expireDT: dayOf,
  isEnabled: flagOf,
}
const FORMATS: Partial<Record<ImportField, string>> = {
  id: 'gildong.hong',
  email: 'gildong@example.com',
  expireDT: '2026-12-31',
  isEnabled: '1, 0',
}

/** Returns the part of a faulty cell that is shown, as PostgreSQL can store it. */
const keptOf = (text: string) =>
  text
    .slice(0, MAX_KEPT)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\ufffd')

type Cell = { value: string | null; fault?: RowFault }

function readCell(field: ImportField, given: string | undefined): Cell {
  const text = given?.trim() ?? ''
  if (text === '') return { value: null }
  if (text === CLEAR) {
    if (field === 'expireDT') return { value: '' }
    return { value: null, fault: { field, fault: ImportFault.NOT_CLEARABLE, hint: '' } }
  }
  const value = READ[field](text)
  if (value !== undefined) return { value }
  return { value: keptOf(text), fault: { field, fault: ImportFault.FORMAT, hint: FORMATS[field] ?? '' } }
}

const FIELDS = Object.keys(READ) as ImportField[]

function checkRow({ line, values, faults = [] }: SourceRow): CheckedRow {
  const cells = Object.fromEntries(FIELDS.map((field) => [field, readCell(field, values[field])])) as Record<
    ImportField,
    Cell
  >
  const found = FIELDS.flatMap((field) => cells[field].fault ?? [])
  const { expireDT, isEnabled } = cells
  return {
    line,
    key: cells.key.value,
    id: cells.id.value,
    name: cells.name.value,
    email: cells.email.value,
    group: cells.group.value,
    groupIdx: null,
    expireDT: expireDT.fault === undefined ? expireDT.value : null,
    isEnabled: isEnabled.fault === undefined && isEnabled.value !== null ? (isEnabled.value === '1' ? 1 : 0) : null,
    faults: [...faults, ...found],
  }
}

/** Marks rows that have a key, an ID or an address in common. Each names the other's line. */
async function findRepeated(rows: readonly CheckedRow[]): Promise<void> {
  for (const field of ['key', 'id', 'email'] as const) {
    await turn()
    const first = new Map<string, CheckedRow>()
    for (const row of rows) {
      const value = row[field]?.toLowerCase()
      if (value === undefined || row.faults.some((fault) => fault.field === field)) continue
      const other = first.get(value)
      if (other === undefined) first.set(value, row)
      else {
        row.faults.push(repeated(field, other))
        if (!other.faults.some((one) => one.field === field)) other.faults.push(repeated(field, row))
      }
    }
  }
}
const repeated = (field: ImportField, { line, id }: CheckedRow): RowFault => ({
  field,
  fault: ImportFault.REPEATED,
  hint: line === null ? (id ?? '') : String(line),
})

/** Checks the cells of all rows. */
export async function checkRows(rows: readonly SourceRow[]): Promise<CheckedRow[]> {
  const checked: CheckedRow[] = []
  for (let from = 0; from < rows.length; from += BATCH) {
    for (const row of rows.slice(from, from + BATCH)) checked.push(checkRow(row))
    await turn()
  }
  await findRepeated(checked)
  return checked
}
