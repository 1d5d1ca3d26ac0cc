// Unsaved edits of a table of shortcuts: rows are edited in place, then saved one after the other.

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
import { issuesOf, type ShortcutKind, type ShortcutRow, type ShortcutValues, saveRow } from './shortcutRow.ts'
import { shortcutsTexts } from './shortcuts.texts.ts'

type Errors = Partial<Record<keyof ShortcutValues, string>>
type Edit = { row: ShortcutRow; values: ShortcutValues; errors: Errors }
type Edits = ReadonlyMap<number, Edit>

const FIELDS = ['name', 'target'] as const

/** A row's values as they are edited. */
const valuesIn = (edits: Edits, row: ShortcutRow): ShortcutValues => edits.get(row.idx)?.values ?? row
const isChangedIn = (edits: Edits, row: ShortcutRow, field: keyof ShortcutValues) =>
  valuesIn(edits, row)[field] !== row[field]

const without = (edits: Edits, idx: number): Edits => new Map([...edits].filter(([other]) => other !== idx))

/** The edits after a change of one row; a row that is as it was is no longer edited. */
function changed(edits: Edits, row: ShortcutRow, change: Partial<ShortcutValues>): Edits {
  const { name, target } = { ...valuesIn(edits, row), ...change }
  if (name === row.name && target === row.target) return without(edits, row.idx)
  return new Map(edits).set(row.idx, { row, values: { name, target }, errors: {} })
}

/** Saves the edits; resolves to those that the server refused, with the error. */
function useSaveAll(kind: ShortcutKind) {
  const t = useTexts(shortcutsTexts)
  const saveOne = async (edit: Edit): Promise<Edit | undefined> => {
    try {
      await saveRow(kind, { idx: edit.row.idx, ...edit.values })
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError) || error.error !== 'DUPLICATE_NAME') throw error
      markHandled(error)
      return { ...edit, errors: { target: t(`${kind}.duplicate`) } }
    }
  }
  return async (edits: Edits, onLeft: (left: Edits) => void): Promise<void> => {
    let left = edits
    try {
      for (const [idx, edit] of edits) {
        const failed = await saveOne(edit)
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
  return (edits: Edits): Edits =>
    new Map(
      [...edits].map(([idx, edit]) => {
        const errors = issuesByField(issuesOf(kind, { idx, ...edit.values }), edit.values, formats, kit)
        return [idx, { ...edit, errors }]
      }),
    )
}

const isWrong = (edit: Edit | undefined) => Object.keys(edit?.errors ?? {}).length > 0

export function useShortcutEdits(kind: ShortcutKind) {
  const kit = useTexts(kitTexts)
  const [edits, setEdits] = useState<Edits>(new Map())
  const [isSaving, setSaving] = useState(false)
  const saveAll = useSaveAll(kind)
  const check = useCheck(kind)
  const isDirty = edits.size > 0
  const reset = () => setEdits(new Map())
  useUnsaved(isDirty, reset, isSaving)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSaving) return
    const checked = check(edits)
    setEdits(checked)
    if ([...checked.values()].some(isWrong)) return
    setSaving(true)
    await saveAll(checked, (left) => {
      setEdits(left)
      if (left.size === 0) showToast(kit('saved'))
    }).finally(() => setSaving(false))
  }
  return {
    valuesOf: (row: ShortcutRow) => valuesIn(edits, row),
    set: (row: ShortcutRow, change: Partial<ShortcutValues>) => setEdits(changed(edits, row, change)),
    isChanged: (row: ShortcutRow, field: keyof ShortcutValues) => isChangedIn(edits, row, field),
    errorOf: (row: ShortcutRow, field: keyof ShortcutValues) => edits.get(row.idx)?.errors[field],
    /** Whether the row holds a value that could not be saved. */
    isWrong: ({ idx }: ShortcutRow) => isWrong(edits.get(idx)),
    bar: {
      changed: [...edits.values()].flatMap(({ row }) => FIELDS.filter((field) => isChangedIn(edits, row, field))),
      isDirty,
      isSaving,
      whyDisabled: isDirty ? undefined : kit('form.unchanged'),
      reset,
    },
    submit: (event: FormEvent) => void submit(event),
  }
}
