// How a list of an own policy compares with that of the policy above.
import { Tooltip, VisuallyHidden } from '@mantine/core'
import { useTexts } from '../../kit/texts/texts.ts'
import { listDifference } from './exceptionValues.ts'
import css from './Policies.module.css'
import { policiesTexts } from './policies.ts'

type Row = { idx: number }
type Props<T> = {
  rows: readonly T[]
  above: { name: string; rows: readonly T[] } | null
  /** Inherited lists are those of the owner that the chain names. */
  isOwn: boolean
}

export function ListOrigin<T extends Row>({ rows, above, isOwn }: Props<T>) {
  const t = useTexts(policiesTexts)
  if (above === null || !isOwn) return null
  const { name } = above
  const { added, removed } = listDifference(above.rows, rows)
  if (added.length + removed.length === 0)
    return rows.length === 0 ? null : (
      <Tooltip label={t('sameAsHint', { name })}>
        <span className={css.origin}>
          <span aria-hidden>{t('sameAs', { name })}</span>
          <VisuallyHidden>{t('same', { name })}</VisuallyHidden>
        </span>
      </Tooltip>
    )
  const changes = [
    ...(added.length > 0 ? [t('listAdded', { count: added.length })] : []),
    ...(removed.length > 0 ? [t('listRemoved', { count: removed.length })] : []),
  ]
  return (
    <span className={css.origin} data-differs>
      {t('listDiffers', { name, changes: changes.join(', ') })}
    </span>
  )
}
