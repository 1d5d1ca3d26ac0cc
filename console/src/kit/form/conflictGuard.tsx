// A form on a record that others may change at the same time. It always shows the latest version: its form merges the
// unsaved input into that (mergedForm.ts), and a notice lists what others changed.
import { createContext, type ReactNode, useState } from 'react'
import type { Change } from '../layout/BeforeAfter.tsx'
import { useIsEdited } from './unsaved.ts'

/** Settings have no `idx`. */
type RevisionRow = { idx?: number; revision: number | string }
const isSame = (one: RevisionRow, other: RevisionRow) => one.idx === other.idx && one.revision === other.revision

/** Returns the version of a record that unsaved changes began from; without any, the latest one. */
export function useBeginning<T extends RevisionRow>(latest: T): T {
  const [kept, setKept] = useState(latest)
  const isEdited = useIsEdited()
  if (isSame(kept, latest)) return latest
  if (isEdited) return kept
  setKept(latest)
  return latest
}

/** What others changed, and the fields of the form that show it; several fields are one value. */
export type HeldChange = Change & { names: readonly string[] }
type Held = { version: string; changes: readonly HeldChange[] }

/** For the form of a record. Forms inside of it are about other records. */
export const HeldContext = createContext<Held | null>(null)

type Props<T> = {
  latest: T
  changesOf: (before: T, after: T) => readonly HeldChange[]
  children: (record: T) => ReactNode
}

/** Another record starts another form; another version of it is merged into the form. */
export function HeldRecord<T extends RevisionRow>({ latest, changesOf, children }: Props<T>) {
  const version = `${latest.idx}.${latest.revision}`
  return (
    <HeldContext key={latest.idx} value={{ version, changes: changesOf(useBeginning(latest), latest) }}>
      {children(latest)}
    </HeldContext>
  )
}

/** Label and value of each field, always in the same order, and the names of the form's fields that show it. */
export type FieldWords = readonly (readonly [label: string, value: string | null, ...names: string[]])[]

type HeldFormProps<T> = Omit<Props<T>, 'changesOf'> & {
  /** Two versions of the record are compared field by field, by their words. */
  wordsOf: (record: T) => FieldWords
}

/** The form of a record whose versions differ in a fixed list of fields. */
export function HeldForm<T extends RevisionRow>({ wordsOf, ...props }: HeldFormProps<T>) {
  const changesOf = (one: T, other: T) => {
    const after = wordsOf(other)
    return wordsOf(one).map(([label, before, ...names], at) => ({
      label,
      before,
      after: after[at]?.[1] ?? null,
      names,
    }))
  }
  return <HeldRecord {...props} changesOf={changesOf} />
}
