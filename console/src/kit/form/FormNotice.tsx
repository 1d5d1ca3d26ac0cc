// The notices above the fields of a form: a restored draft, the changes of others, and the fields that both changed.
import { Alert, Button, Group } from '@mantine/core'
import { type ReactNode, use } from 'react'
import { draftTime } from '../browser/drafts.ts'
import { BeforeAfter } from '../layout/BeforeAfter.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import { HeldContext } from './conflictGuard.tsx'
import type { FormNews } from './mergedForm.ts'
import css from './PaneForm.module.css'

/** Values of a form without news, such as that of a row, are optional. */
export type NoticedForm = { news?: FormNews; isDirty?: boolean; isSaving?: boolean; reset?: () => void }

function Conflict({ news: { collided, takeTheirs } }: { news: FormNews }) {
  const t = useTexts(kitTexts)
  const changes = use(HeldContext)?.changes ?? []
  const both = changes.filter(({ names }) => names.some((name) => collided.includes(name)))
  const isChanged = changes.some(({ before, after }) => before !== after)
  if (!isChanged && both.length === 0) return null
  // What changed between a draft and this page has no words of its value before.
  const shown = changes.flatMap((change) => {
    if (change.before !== change.after) return change
    return both.includes(change) ? { ...change, before: null } : []
  })
  return (
    <Alert role="status" color="yellow" className={css.notice} title={t('held.changed')}>
      <BeforeAfter changes={shown} />
      <p>{t(both.length > 0 ? 'held.collided' : 'held.merged')}</p>
      <Group gap={8}>
        {both.map(({ label, names }) => (
          <Button key={label} size="compact-sm" variant="default" onClick={() => takeTheirs(names)}>
            {t('held.take', { label })}
          </Button>
        ))}
      </Group>
    </Alert>
  )
}

/** Forms inside of the children are about other records. */
export function WithNotice({ form, children }: { form: NoticedForm; children: ReactNode }) {
  const t = useTexts(kitTexts)
  const { news, isDirty = false, isSaving = false, reset } = form
  const isShown = news !== undefined && isDirty && !isSaving
  return (
    <>
      {isShown && news.restoredAt !== undefined && (
        <Alert role="status" color="blue" className={css.notice}>
          <Group justify="space-between" gap={8}>
            {t('draft.restored', { at: draftTime(news.restoredAt) })}
            <Button size="compact-sm" variant="default" onClick={reset}>
              {t('draft.discard')}
            </Button>
          </Group>
        </Alert>
      )}
      {isShown && <Conflict news={news} />}
      <HeldContext value={null}>{children}</HeldContext>
    </>
  )
}
