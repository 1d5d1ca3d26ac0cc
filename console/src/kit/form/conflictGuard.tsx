// A form on a record that others may change at the same time. Unsaved input keeps the version that it is based on.
// Above the form, the fields that others changed are listed with both values, and the newer version is offered.
import { Alert, Button } from '@mantine/core'
import { createContext, type ReactNode, use, useState } from 'react'
import { BeforeAfter, type Change } from '../layout/BeforeAfter.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import { confirmDiscardForNewer, useIsEdited } from './unsaved.ts'

/** Settings have no `idx`. */
type RevisionRow = { idx?: number; revision: number | string }
const isSame = (one: RevisionRow, other: RevisionRow) => one.idx === other.idx && one.revision === other.revision

/** Label and value of each field of a form, always in the same order. */
export type FieldWords = readonly (readonly [label: string, value: string | null])[]

type ConflictGuard<T> = {
  /** The record for the form: the latest version, or the one that unsaved changes are based on. */
  record: T
  /** The version that others have stored since; undefined where there is none. */
  newer: T | undefined
  /** Says what others changed in the newer version, and loads it. */
  conflictNotice: ReactNode
}

/** Keeps the version of a record that a form was filled from while the form has unsaved changes. */
export function useConflictGuard<T extends RevisionRow>(
  latest: T,
  changesOf: (kept: T, newer: T) => readonly Change[],
): ConflictGuard<T> {
  const t = useTexts(kitTexts)
  const [kept, setKept] = useState(latest)
  const isEdited = useIsEdited()
  const isOutdated = !isSame(kept, latest) && isEdited
  if (!isSame(kept, latest) && !isOutdated) setKept(latest)
  const take = async () => {
    if (await confirmDiscardForNewer()) setKept(latest)
  }
  if (!isOutdated) return { record: latest, newer: undefined, conflictNotice: false }
  const changed = changesOf(kept, latest).filter(({ before, after }) => before !== after)
  const conflictNotice = (
    <Alert role="status" color="yellow" flex="none" mb={12} p="8px 12px" title={t('held.changed')}>
      {changed.length > 0 && <BeforeAfter changes={changed} />}
      <Button size="compact-sm" variant="default" mt={changed.length > 0 ? 8 : 0} onClick={() => void take()}>
        {t('held.take')}
      </Button>
    </Alert>
  )
  return { record: kept, newer: latest, conflictNotice }
}

const NoticeContext = createContext<ReactNode>(null)

/** What a form shows, below the notice of the HeldForm around it. Forms inside of it are about other records. */
export function BelowNotice({ children }: { children: ReactNode }) {
  return (
    <>
      {use(NoticeContext)}
      <NoticeContext value={null}>{children}</NoticeContext>
    </>
  )
}

type HeldFormProps<T> = {
  latest: T
  /** Two versions of the record are compared field by field, by their words. */
  wordsOf: (record: T) => FieldWords
  children: (record: T) => ReactNode
}

/**
 * The form of a record, guarded as above: a PaneForm or a FormDialog, which show the notice. Another record or version
 * of it starts another form.
 */
export function HeldForm<T extends RevisionRow>({ latest, wordsOf, children }: HeldFormProps<T>) {
  const { record, conflictNotice } = useConflictGuard(latest, (kept, newer) => {
    const after = wordsOf(newer)
    return wordsOf(kept).map(([label, before], at) => ({ label, before, after: after[at]?.[1] ?? null }))
  })
  return (
    <NoticeContext key={`${record.idx}.${record.revision}`} value={conflictNotice}>
      {children(record)}
    </NoticeContext>
  )
}
