// The states of a pane's data: loading, failed, empty, and outdated because it could not be fetched again.
import { ApiError } from '@acc/contract/core/client'
import { Box, Button, Loader, Text } from '@mantine/core'
import { IconAlertTriangle, IconInbox, IconSearchOff } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { errorText, errorTextWithDetail } from '../api/errorText.ts'
import { repeatReads } from '../api/query.ts'
import { useSilence } from '../browser/connection.ts'
import { dialogTexts } from '../dialogs/dialogs.texts.ts'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import { reloadForPart } from './fetchedComponent.ts'
import css from './QueryState.module.css'
import { ScreenContext } from './screen.ts'

type LoadingProps = { text?: string | undefined; onRetry?: () => Promise<void> }

/**
 * Nothing for the first 100 ms, then a subtle sign, with a text where the specification wants one. Says when the server
 * does not answer; without `onRetry` the page waits for a part of its code, which only a reload repeats.
 */
export function Loading({ text, onRetry = reloadForPart }: LoadingProps) {
  const [t, words] = [useTexts(kitTexts), useTexts(dialogTexts)]
  const { isSilent, restart } = useSilence()
  const retry = () => {
    restart()
    void onRetry()
  }
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 100)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={css.middle} role="status" aria-label={text ?? t('loading')}>
      {isSlow && <Loader size="sm" color="gray" />}
      {isSlow && text !== undefined && (
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      )}
      {isSilent && (
        <>
          <Text size="sm">{words('silent')}</Text>
          <Button variant="default" mt={8} onClick={retry}>
            {t('retry')}
          </Button>
        </>
      )}
    </div>
  )
}

type FailedProps = { error: unknown; title?: string | undefined; onRetry: () => void }

/** The record was deleted, or the viewer may not see it. */
const isMissing = (error: unknown): boolean => error instanceof ApiError && error.error === 'NOT_ALLOWED'

export function Failed({ error, title, onRetry }: FailedProps) {
  const t = useTexts(kitTexts)
  if (isMissing(error)) return <Empty title={t('missing')} hint={errorText(error)} isAlert />
  return (
    <div className={css.middle} role="alert">
      <IconAlertTriangle size={22} stroke={1.6} color="var(--bad)" />
      <Text fw={600}>{title ?? t('loadFailed')}</Text>
      <Text size="sm" c="dimmed" ta="center" style={{ whiteSpace: 'pre-line' }}>
        {errorTextWithDetail(error)}
      </Text>
      <Button variant="default" mt={8} onClick={onRetry}>
        {t('retry')}
      </Button>
    </div>
  )
}

type EmptyProps = {
  title: string
  hint?: ReactNode
  /** The next step: a button. */
  children?: ReactNode
  /** There may be some, but none matches the filters, which this clears. */
  onClear?: (() => void) | undefined
  /** Read out at once: it replaces the previous content. */
  isAlert?: boolean
}

/** Says what the pane will show, and how to get there, below the icon of the screen. */
export function Empty({ title, hint, children, onClear, isAlert }: EmptyProps) {
  const t = useTexts(kitTexts)
  const screen = use(ScreenContext)
  const Icon = onClear ? IconSearchOff : (screen?.icon ?? IconInbox)
  return (
    <div className={css.middle} role={isAlert ? 'alert' : undefined}>
      <span className={css.picture} aria-hidden>
        <Icon size={20} stroke={1.5} />
      </span>
      <Text fw={600} c="var(--ink-2)" ta="center">
        {title}
      </Text>
      {hint && (
        <Text size="sm" c="dimmed" ta="center" maw={420}>
          {hint}
        </Text>
      )}
      {children && <Box mt={8}>{children}</Box>}
      {onClear && (
        <Button variant="default" mt={8} onClick={onClear}>
          {t('filter.reset')}
        </Button>
      )}
    </div>
  )
}

/** The server rejected the read (no such record, no right to it): retrying will not help. */
export const isRefused = (error: unknown): boolean => error instanceof ApiError && error.error !== undefined

type RefetchableQuery = Pick<UseQueryResult, 'data' | 'error' | 'isError' | 'isFetching' | 'refetch'>

/** Notice above stale data whose refetch failed, and above rows that the server does not answer. */
export function Stale({ of: query }: { of: RefetchableQuery }) {
  const [t, words] = [useTexts(kitTexts), useTexts(dialogTexts)]
  const { isSilent, restart } = useSilence(query.isFetching)
  const retry = () => {
    restart()
    if (isSilent) void repeatReads()
    else if (!query.isFetching) void query.refetch()
  }
  if (!isSilent && (!query.isError || query.data === undefined)) return null
  return (
    <div className={css.stale} role="status">
      {isSilent ? <span>{words('silent')}</span> : <span title={errorTextWithDetail(query.error)}>{t('stale')}</span>}
      <Button
        size="compact-xs"
        variant="default"
        aria-busy={(query.isFetching && !isSilent) || undefined}
        onClick={retry}
      >
        {t('retry')}
      </Button>
    </div>
  )
}

/** Why the data on screen cannot be edited: the last refetch failed. */
export const StaleContext = createContext<string | undefined>(undefined)

type QueryStateProps<T> = {
  of: UseQueryResult<T>
  /** Texts of the states, where the specification names them (S2 §2.1). */
  loading?: string
  failed?: string
  /** `whyDisabled` for forms of their own; a SaveBar finds it by itself. */
  children: (data: T, state: { whyDisabled: string | undefined }) => ReactNode
}

/** `<QueryState of={query}>{(user) => ...}</QueryState>`: loading, error with retry, data, and data not reloaded. */
export function QueryState<T>({ of: query, loading, failed, children }: QueryStateProps<T>) {
  const t = useTexts(kitTexts)
  if (query.data !== undefined && !(query.isError && isRefused(query.error))) {
    const whyDisabled = query.isError ? t('form.failed') : undefined
    return (
      <StaleContext value={whyDisabled}>
        <Stale of={query} />
        {children(query.data, { whyDisabled })}
      </StaleContext>
    )
  }
  if (query.isError && !query.isFetching)
    return <Failed error={query.error} title={failed} onRetry={() => void query.refetch()} />
  return <Loading text={loading} onRetry={repeatReads} />
}
