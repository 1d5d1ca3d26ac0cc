// Loading and failure states of the panes (spec S2 §2.1).
import { ApiError } from '@acc/contract/core/client'
import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { errorText } from '../../kit/api/errorText.ts'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Authorities.module.css'

type Props<T> = {
  of: UseQueryResult<T>
  /** Text shown if loading takes a while. */
  loading: string
  failed: string
  /** `whyDisabled` goes to the SaveBar: the data is shown, but the last refetch failed. */
  children: (data: T, state: { whyDisabled: string | undefined }) => ReactNode
}

export function AuthorityState<T>({ of: query, loading, failed, children }: Props<T>) {
  const t = useTexts(kitTexts)
  const isRefused = query.error instanceof ApiError && query.error.error !== undefined
  if (query.data !== undefined && !isRefused)
    return children(query.data, { whyDisabled: query.isError ? t('form.failed') : undefined })
  if (query.isError && !query.isFetching)
    return (
      <div className={css.state} role="alert">
        <Empty title={failed} hint={errorText(query.error)}>
          <Button variant="default" mt={8} onClick={() => void query.refetch()}>
            {t('retry')}
          </Button>
        </Empty>
      </div>
    )
  return (
    <div className={`${css.state} ${css.late}`} role="status">
      <Empty title={loading} />
    </div>
  )
}
