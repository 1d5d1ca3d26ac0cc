// Unsaved edits of a table of shortcuts: rows are edited in place, then saved one after the other. Only typed values
// are kept, over the version that they were typed over. Other cells follow the server, and a save over a newer version
// is refused.
import { api } from '@acc/contract'
import { ApiError } from '@acc/contract/core/client'
import { type FormEvent, useState } from 'react'
import { markHandled } from '../../kit/api/errors.ts'
import { refresh } from '../../kit/api/query.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { issuesByField } from '../../kit/form/formIssues.ts'
import { useUnsaved } from '../../kit/form/unsaved.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import {
  issuesOf,
  type ShortcutKind,
  type ShortcutRow,
  type ShortcutValues,
  saveRow,
  shortcutsTexts,
} from './shortcuts.ts'

type Errors = Partial<Record<keyof ShortcutValues, string>>
type Edit = {
  /** The version that was on screen when the edit began. */
  base: ShortcutRow
  typed: Partial<ShortcutValues>
  errors: Errors
  /** The server has a newer version, which the row shows next to the typed values. The next save is over that one. */
  isRefused: boolean
}
export type Edits = ReadonlyMap<number, Edit>

const FIELDS = ['name', 'target'] as const

/** A row's values as they are edited. */
export const valuesIn = (edits: Edits, { idx, name, target }: ShortcutRow): ShortcutValues => ({
  name,
  target,
  ...edits.get(idx)?.typed,
})

export const isChangedIn = (edits: Edits, row: ShortcutRow, field: keyof ShortcutValues): boolean =>
  valuesIn(edits, row)[field] !== row[field]

const without = (edits: Edits, idx: number): Edits => new Map([...edits].filter(([other]) => other !== idx))

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

/** Saves the edits; resolves to those that the server refused, with the error. */
function useSaveAll(kind: ShortcutKind) {
  const t = useTexts(shortcutsTexts)
  const kit = useTexts(kitTexts)
  const refused = (edit: Edit, { error }: ApiError): Edit | undefined => {
    if (error === 'DUPLICATE_NAME') return { ...edit, errors: { target: t(`${kind}.duplicate`) } }
    return error === 'CHANGED_MEANWHILE' ? { ...edit, isRefused: true } : undefined
  }
  /** Returns the edit where it is still unsaved. Errors that no row can show are left to the global handler. */
  const saveOne = async (edit: Edit, values: ShortcutValues, onMissing: () => void): Promise<Edit | undefined> => {
    try {
      await saveRow(kind, { ...edit.base, ...values })
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const isMissing = error.error === 'NOT_ALLOWED'
      const left = refused(edit, error)
      if (isMissing || left !== undefined) markHandled(error)
      if (isMissing) onMissing()
      return isMissing ? undefined : (left ?? edit)
    }
  }
  return async (
    edits: Edits,
    latest: (edit: Edit) => ShortcutRow,
    onLeft: (left: Edits, areAllThere: boolean) => void,
  ): Promise<void> => {
    let left = edits
    const missing: string[] = []
    try {
      for (const [idx, edit] of edits) {
        const failed = await saveOne(edit, valuesIn(edits, latest(edit)), () => missing.push(edit.base.name))
        left = failed ? new Map(left).set(idx, failed) : without(left, idx)
      }
    } finally {
      await refresh(api.shortcuts.updateWeb.changes)
      onLeft(left, missing.length === 0)
    }
    if (missing.length > 0)
      await showMessage({ title: kit('form.refused'), body: t('missing', { names: missing.join(', ') }) })
  }
}

/** Returns the edits with what the schema finds wrong. */
function useCheck(kind: ShortcutKind) {
  const t = useTexts(shortcutsTexts)
  const kit = useTexts(kitTexts)
  const formats = { name: t('nameFormat'), target: t(`${kind}.format`) }
  return (edits: Edits, latest: (edit: Edit) => ShortcutRow): Edits =>
    new Map(
      [...edits].map(([idx, edit]) => {
        const row = latest(edit)
        const values = valuesIn(edits, row)
        const errors = issuesByField(issuesOf(kind, { ...row, ...values }), values, formats, kit)
        return [idx, { ...rebased(edit, row), errors }]
      }),
    )
}

/** Returns the error of a cell: of its value, or that another administrator was first. */
function useErrorOf(edits: Edits) {
  const t = useTexts(shortcutsTexts)
  return (row: ShortcutRow, field: keyof ShortcutValues): string | undefined => {
    const edit = edits.get(row.idx)
    if (edit?.isRefused !== true) return edit?.errors[field]
    const others = changedByOthers(edit, row)
    if (others.includes(field) && isChangedIn(edits, row, field)) return t('changedTo', { value: row[field] })
    return others.includes(field) || (others.length === 0 && field === 'name') ? t('changed') : undefined
  }
}

const hasErrors = (edit: Edit) => Object.keys(edit.errors).length > 0

/** Edits of rows that were deleted are dropped; a filter only hides rows. */
export function useShortcutEdits(kind: ShortcutKind, rows: readonly ShortcutRow[], isFiltered: boolean) {
  const kit = useTexts(kitTexts)
  const [stored, setEdits] = useState<Edits>(new Map())
  const isShown = ([idx]: [number, Edit]) => rows.some((row) => row.idx === idx)
  const edits: Edits = isFiltered ? stored : new Map([...stored].filter(isShown))
  const [isSaving, setSaving] = useState(false)
  const saveAll = useSaveAll(kind)
  const check = useCheck(kind)
  const isDirty = edits.size > 0
  const reset = () => setEdits(new Map())
  useUnsaved(isDirty, reset, { isSaving })
  // The search may have narrowed the table since.
  const latest = ({ base }: Edit): ShortcutRow => rows.find(({ idx }) => idx === base.idx) ?? base

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSaving) return
    const checked = check(edits, latest)
    setEdits(checked)
    if ([...checked.values()].some(hasErrors)) return
    setSaving(true)
    await saveAll(checked, latest, (left, areAllThere) => {
      setEdits(left)
      if (left.size === 0 && areAllThere) showToast(kit('saved'))
    }).finally(() => setSaving(false))
  }
  return {
    valuesOf: (row: ShortcutRow) => valuesIn(edits, row),
    drop: (idxes: readonly number[]) => setEdits(idxes.reduce(without, edits)),
    set: (row: ShortcutRow, change: Partial<ShortcutValues>) => setEdits(changed(edits, row, change)),
    isChanged: (row: ShortcutRow, field: keyof ShortcutValues) => isChangedIn(edits, row, field),
    errorOf: useErrorOf(edits),
    /** Whether the row holds a value that could not be saved. */
    isWrong: ({ idx }: ShortcutRow) => {
      const edit = edits.get(idx)
      return edit !== undefined && (edit.isRefused || hasErrors(edit))
    },
    bar: {
      changed: [...edits.values()].flatMap(({ typed }) => Object.keys(typed)),
      isDirty,
      isSaving,
      whyDisabled: isDirty ? undefined : kit('form.unchanged'),
      reset,
    },
    submit: (event: FormEvent) => void submit(event),
  }
}
