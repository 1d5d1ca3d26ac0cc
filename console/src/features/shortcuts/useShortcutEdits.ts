// Saves the edits of a table of shortcuts: rows are edited in place, then saved one after the other.

import { api } from '@acc/contract'
import { ApiError } from '@acc/contract/core/client'
import { type FormEvent, useState } from 'react'
import { markHandled } from '../../kit/api/errors.ts'
import { refresh } from '../../kit/api/query.ts'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { issuesByField } from '../../kit/form/formIssues.ts'
import { useUnsaved } from '../../kit/form/unsaved.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import {
  changed,
  changedByOthers,
  type Edit,
  type Edits,
  isChangedIn,
  rebased,
  valuesIn,
  without,
} from './shortcutEdits.ts'
import { issuesOf, type ShortcutKind, type ShortcutRow, type ShortcutValues, saveRow } from './shortcutRow.ts'
import { shortcutsTexts } from './shortcuts.texts.ts'

/** Saves the edits; resolves to those that the server refused, with the error. */
function useSaveAll(kind: ShortcutKind) {
  const t = useTexts(shortcutsTexts)
  const refused = (edit: Edit, { error }: ApiError): Edit | undefined => {
    if (error === 'DUPLICATE_NAME') return { ...edit, errors: { target: t(`${kind}.duplicate`) } }
    return error === 'CHANGED_MEANWHILE' ? { ...edit, isRefused: true } : undefined
  }
  const saveOne = async (edit: Edit, values: ShortcutValues): Promise<Edit | undefined> => {
    try {
      await saveRow(kind, { ...edit.base, ...values })
      return undefined
    } catch (error) {
      const left = error instanceof ApiError ? refused(edit, error) : undefined
      if (left === undefined) throw error
      markHandled(error)
      return left
    }
  }
  return async (edits: Edits, latest: (edit: Edit) => ShortcutRow, onLeft: (left: Edits) => void): Promise<void> => {
    let left = edits
    try {
      for (const [idx, edit] of edits) {
        const failed = await saveOne(edit, valuesIn(edits, latest(edit)))
        left = failed ? new Map(left).set(idx, failed) : without(left, idx)
      }
    } finally {
      await refresh(api.shortcuts.updateWeb.changes)
      onLeft(left)
    }
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

/** Returns what is wrong with a cell: its value, or that another administrator was first. */
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

export function useShortcutEdits(kind: ShortcutKind, rows: readonly ShortcutRow[]) {
  const kit = useTexts(kitTexts)
  const [edits, setEdits] = useState<Edits>(new Map())
  const [isSaving, setSaving] = useState(false)
  const saveAll = useSaveAll(kind)
  const check = useCheck(kind)
  const isDirty = edits.size > 0
  const reset = () => setEdits(new Map())
  useUnsaved(isDirty, reset, isSaving)
  // The search may have narrowed the table since.
  const latest = ({ base }: Edit): ShortcutRow => rows.find(({ idx }) => idx === base.idx) ?? base

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSaving) return
    const checked = check(edits, latest)
    setEdits(checked)
    if ([...checked.values()].some(hasErrors)) return
    setSaving(true)
    await saveAll(checked, latest, (left) => {
      setEdits(left)
      if (left.size === 0) showToast(kit('saved'))
    }).finally(() => setSaving(false))
  }
  return {
    valuesOf: (row: ShortcutRow) => valuesIn(edits, row),
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
