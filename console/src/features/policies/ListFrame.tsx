// A list of a policy, its error, and how it compares with that of the policy above.
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../kit/texts/texts.ts'
import { listDifference } from './exceptionValues.ts'
import css from './Policies.module.css'
import { policiesTexts } from './policies.ts'
import type { PolicyList } from './policyLists.ts'
import { Since } from './Why.tsx'

type OriginProps<T> = {
  rows: readonly T[]
  /** The rows of the policy above and its owner's name; null without one to compare with. */
  above: { name: string; rows: readonly T[] } | null
}

function Origin<T extends { idx: number }>({ rows, above }: OriginProps<T>) {
  const t = useTexts(policiesTexts)
  if (above === null) return null
  const { name } = above
  const { added, removed } = listDifference(above.rows, rows)
  if (added.length + removed.length === 0) return null
  const changes = [
    ...(added.length > 0 ? [t('listAdded', { count: added.length })] : []),
    ...(removed.length > 0 ? [t('listRemoved', { count: removed.length })] : []),
  ]
  return <span className={css.origin}>{t('listDiffers', { name, changes: changes.join(', ') })}</span>
}

type Props<T> = OriginProps<T> & {
  /** Inherited lists are those of the owner that the chain names. */
  isOwn: boolean
  name: PolicyList
  error?: ReactNode
  children: ReactNode
}

export function ListFrame<T extends { idx: number }>({ rows, above, isOwn, name, error, children }: Props<T>) {
  return (
    <div className={css.list}>
      {children}
      {error && (
        <Text size="xs" c="var(--bad)" mb={8}>
          {error}
        </Text>
      )}
      {isOwn && <Origin rows={rows} above={above} />}
      <Since of={name} />
    </div>
  )
}
