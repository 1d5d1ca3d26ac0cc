// A pane with a form on a record that others may change meanwhile: what was typed stays on the record that it was typed
// over, and the newer one is offered beside it. A read that fails later keeps the pane and only stops Save (S1 section 4).
import { Alert, Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Loaded } from '../layout/Status.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import { confirmLeave, useIsEdited } from './unsaved.ts'

type Revised = { idx: number; revision: number }
const isSame = (one: Revised, other: Revised) => one.idx === other.idx && one.revision === other.revision

export type Held<T> = {
  /** The record for the form: the newest one, or the one that unsaved changes stand on. */
  held: T
  /** Says that there is a newer one, and takes it over. */
  outdated: ReactNode
}

/** Keeps the record of a form while it holds unsaved changes. */
export function useHeld<T extends Revised>(fresh: T): Held<T> {
  const t = useTexts(kitTexts)
  const [kept, setKept] = useState(fresh)
  const isEdited = useIsEdited()
  const isOutdated = !isSame(kept, fresh) && isEdited
  if (!isSame(kept, fresh) && !isOutdated) setKept(fresh)
  const take = async () => {
    if (await confirmLeave()) setKept(fresh)
  }
  const outdated = isOutdated && (
    <Alert role="status" color="yellow" flex="none" mb={12} p="8px 12px" title={t('held.changed')}>
      <Button size="compact-sm" variant="default" onClick={() => void take()}>
        {t('held.take')}
      </Button>
    </Alert>
  )
  return { held: isOutdated ? kept : fresh, outdated }
}

type Props<T> = {
  of: UseQueryResult<T>
  /** `whyDisabled` goes to the SaveBar. */
  children: (record: T, state: { whyDisabled: string | undefined }) => ReactNode
}

/** Like `Loaded`, for panes whose unsaved changes must outlast a failing server. */
export function LoadedForm<T>({ of: query, children }: Props<T>) {
  const t = useTexts(kitTexts)
  return (
    <Loaded of={query}>
      {(record) => children(record, { whyDisabled: query.isError ? t('form.failed') : undefined })}
    </Loaded>
  )
}
