// Keeps the unsaved input of a form: a newer version of its record is merged into it, and so is the draft that an
// earlier page left behind.
import { use, useEffect, useRef, useState } from 'react'
import { deleteDraft, findDraft, storeDraft } from '../browser/drafts.ts'
import { HeldContext } from './conflictGuard.tsx'
import type { ValidatedForm } from './formFields.ts'

type Values = Record<string, unknown>

/** The three-way merge: the values that a form began with, the typed ones, and those that others stored since. */
type Merged = {
  values: Values
  /** Fields that both sides changed to different values. They keep the typed one. */
  collided: string[]
}

/** Undefined, a value that is not sent, differs from null. */
const isSame = (names: readonly string[], one: Values, other: Values): boolean => {
  const textOf = (values: Values) => JSON.stringify(names.map((name) => [values[name] === undefined, values[name]]))
  return textOf(one) === textOf(other)
}

/**
 * Returns the values of both sides. The fields of a unit, such as a switch and the date that it enables, are merged as
 * one value.
 */
export function mergeValues(base: Values, mine: Values, theirs: Values, units: readonly (readonly string[])[]): Merged {
  const merged: Merged = { values: {}, collided: [] }
  const alone = Object.keys(theirs).filter((name) => !units.some((unit) => unit.includes(name)))
  for (const unit of [...units, ...alone.map((name) => [name])]) {
    const names = unit.filter((name) => name in theirs)
    const isTaken = isSame(names, mine, base)
    for (const name of names) merged.values[name] = (isTaken ? theirs : mine)[name]
    if (!isTaken && !isSame(names, theirs, base) && !isSame(names, mine, theirs)) merged.collided.push(...names)
  }
  return merged
}

type Choices = {
  form: ValidatedForm
  initial: Values
  isSaving: boolean
  /** Names the draft: the call and its record. */
  subject: string
  /** The changed fields that a draft keeps. */
  drafted: readonly string[]
}

/** What the form says above its fields (FormNotice.tsx). */
export type FormNews = {
  /** When the restored values were typed, in milliseconds. */
  restoredAt: number | undefined
  /** Changed fields that others have changed as well. */
  collided: readonly string[]
  takeTheirs: (names: readonly string[]) => void
}

/** Keeps the changed fields as a draft, and restores that of an earlier page. Returns whether the browser keeps it. */
function useDraft({ form, subject, drafted }: Choices, merge: (base: Values, mine: Values) => void) {
  const [restoredAt, setRestoredAt] = useState<number>()
  const isStarted = useRef(false)
  const isKept = useRef(false)
  const restore = () => {
    isStarted.current = true
    const draft = findDraft(subject)
    if (!draft) return
    const initial = form.getInitialValues()
    const side = (which: 'base' | 'mine') =>
      Object.fromEntries(Object.entries(draft.values).map(([name, sides]) => [name, sides[which]]))
    merge({ ...initial, ...side('base') }, { ...initial, ...side('mine') })
    setRestoredAt(draft.at)
  }
  const store = () => {
    const [base, mine] = [form.getInitialValues(), form.getValues()]
    const sides = drafted.map((name) => [name, { base: base[name], mine: mine[name] }])
    isKept.current = drafted.length > 0 && storeDraft(subject, Object.fromEntries(sides))
    if (drafted.length === 0) deleteDraft(subject)
    if (!form.isDirty()) setRestoredAt(undefined)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions read what these name.
  useEffect(() => (isStarted.current ? store() : restore()), [form.values, drafted.join()])
  return { restoredAt, isKept: () => isKept.current }
}

export function useMergedForm(choices: Choices): FormNews & { isKept: () => boolean } {
  const { form, initial, isSaving } = choices
  const held = use(HeldContext)
  const [collided, setCollided] = useState<readonly string[]>([])
  const merge = (base: Values, mine: Values) => {
    const units = held?.changes.map(({ names }) => names).filter((names) => names.length > 0) ?? []
    const merged = mergeValues(base, mine, initial, units)
    form.resetDirty(initial)
    form.setValues(merged.values)
    setCollided((before) => [...before, ...merged.collided])
  }
  const version = useRef(held?.version)
  // While it is saved, the newer version may be the form's own.
  useEffect(() => {
    if (isSaving || version.current === held?.version) return
    version.current = held?.version
    merge(form.getInitialValues(), form.getValues())
  })
  const isDirty = form.isDirty()
  useEffect(() => {
    if (!isDirty) setCollided([])
  }, [isDirty])
  return {
    ...useDraft(choices, merge),
    collided: collided.filter((name) => form.isDirty(name)),
    takeTheirs: (names) => {
      const theirs = form.getInitialValues()
      for (const name of names) form.setFieldValue(name, theirs[name])
    },
  }
}
