// Unsaved edits of a table of shortcuts. Only typed values are kept, over the version that they were typed over. Other
// cells follow the server, and a save over a newer version is refused.
import type { ShortcutRow, ShortcutValues } from './shortcuts.ts'

export type Errors = Partial<Record<keyof ShortcutValues, string>>
export type Edit = {
  /** The version that was on screen when the edit began. */
  base: ShortcutRow
  typed: Partial<ShortcutValues>
  errors: Errors
  /** The server has a newer version, which the row shows next to the typed values. The next save is over that one. */
  isRefused: boolean
}
export type Edits = ReadonlyMap<number, Edit>

export const FIELDS = ['name', 'target'] as const

/** A row's values as they are edited. */
export const valuesIn = (edits: Edits, { idx, name, target }: ShortcutRow): ShortcutValues => ({
  name,
  target,
  ...edits.get(idx)?.typed,
})

export const isChangedIn = (edits: Edits, row: ShortcutRow, field: keyof ShortcutValues): boolean =>
  valuesIn(edits, row)[field] !== row[field]

export const without = (edits: Edits, idx: number): Edits => new Map([...edits].filter(([other]) => other !== idx))

/** Bases a refused edit on the version that its row has shown since. */
export const rebased = (edit: Edit, row: ShortcutRow): Edit =>
  edit.isRefused ? { ...edit, base: row, isRefused: false } : edit

/** The edits after a change of one row; a row that is as it was is no longer edited. */
export function changed(edits: Edits, row: ShortcutRow, change: Partial<ShortcutValues>): Edits {
  const values = { ...valuesIn(edits, row), ...change }
  const fields = FIELDS.filter((field) => values[field] !== row[field])
  if (fields.length === 0) return without(edits, row.idx)
  const former = edits.get(row.idx)
  const { base } = former ? rebased(former, row) : { base: row }
  const typed = Object.fromEntries(fields.map((field) => [field, values[field]]))
  return new Map(edits).set(row.idx, { base, typed, errors: {}, isRefused: false })
}

/** The fields of a refused edit that another administrator changed; none where it was the icon. */
export const changedByOthers = ({ base }: Edit, row: ShortcutRow): (keyof ShortcutValues)[] =>
  FIELDS.filter((field) => base[field] !== row[field])
