// A form on a record that others may change meanwhile: what was typed stays on the version that it was typed over, and the
// newer version is offered above the form.
import { Alert, Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import { confirmDiscardForNewer, useIsEdited } from './unsaved.ts'

type RevisionRow = { idx: number; revision: number | string }
const isSame = (one: RevisionRow, other: RevisionRow) => one.idx === other.idx && one.revision === other.revision

type ConflictGuard<T> = {
  /** The record for the form: the latest version, or the one that unsaved changes are based on. */
  record: T
  /** The version that others have stored since; undefined where there is none. */
  newer: T | undefined
  /** Says that there is a newer version, and loads it. */
  conflictNotice: ReactNode
}

/** Keeps the version of a record that a form was filled from while the form has unsaved changes. */
export function useConflictGuard<T extends RevisionRow>(latest: T): ConflictGuard<T> {
  const t = useTexts(kitTexts)
  const [kept, setKept] = useState(latest)
  const isEdited = useIsEdited()
  const isOutdated = !isSame(kept, latest) && isEdited
  if (!isSame(kept, latest) && !isOutdated) setKept(latest)
  const take = async () => {
    if (await confirmDiscardForNewer()) setKept(latest)
  }
  const conflictNotice = isOutdated && (
    <Alert role="status" color="yellow" flex="none" mb={12} p="8px 12px" title={t('held.changed')}>
      <Button size="compact-sm" variant="default" onClick={() => void take()}>
        {t('held.take')}
      </Button>
    </Alert>
  )
  return { record: isOutdated ? kept : latest, newer: isOutdated ? latest : undefined, conflictNotice }
}
