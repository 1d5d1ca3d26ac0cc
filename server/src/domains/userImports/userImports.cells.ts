// Checks the cells of a source by the rules that calls have for the same values.
import { anyLine, day, email, key, loginId, personName } from '@acc/contract/core/fields'
import { ImportFault, type ImportField } from '@acc/contract/labels/userImports'
import type { z } from 'zod'
import { type RowFault, type SourceRow, shownText } from './source.ts'
import type { CheckedRow } from './userImports.queries.ts'

const MAX_GROUP = 2_000

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
  group: by(anyLine(MAX_GROUP)),
  expireDT: dayOf,
  isEnabled: flagOf,
}
const FORMATS: Partial<Record<ImportField, string>> = {
  id: 'gildong.hong',
  email: 'gildong@example.com',
  expireDT: '2026-12-31',
  isEnabled: '1, 0',
}

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
  return { value: shownText(text), fault: { field, fault: ImportFault.FORMAT, hint: FORMATS[field] ?? '' } }
}

const FIELDS = Object.keys(READ) as ImportField[]

/** Checks the cells of a row. */
export function checkRow({ line, values, faults = [] }: SourceRow): CheckedRow {
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
    faults: [...faults.map((fault) => ({ ...fault, hint: shownText(fault.hint) })), ...found],
  }
}
