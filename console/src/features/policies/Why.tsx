// Why a value applies: whose policy it is, since when and who set it, below each value once the viewer asks.
import { api } from '@acc/contract'
import { formatDay, formatMoment } from '@acc/contract/labels/formats'
import type { PolicyOrigin } from '@acc/contract/policies'
import { Button } from '@mantine/core'
import { IconArrowUpRight, IconInfoCircle } from '@tabler/icons-react'
import { createContext, type ReactNode, use, useMemo } from 'react'
import { useApiQuery } from '../../kit/api/query.ts'
import { Stale } from '../../kit/layout/QueryState.tsx'
import { useCanOpen, useOpenScreen } from '../../kit/layout/view.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Policies.module.css'
import { type Owner, policiesTexts } from './policies.ts'
import type { PolicyField } from './policyFields.ts'
import { usePolicyWords } from './policyWords.ts'

/** The value that receives the focus. */
export const AimContext = createContext<PolicyField | undefined>(undefined)

type Why = { ownerName: string; origins: ReadonlyMap<string, PolicyOrigin> }
/** Null while the values are not explained. */
const WhyContext = createContext<Why | 'loading' | null>(null)

type ExplainedProps = {
  owner: Owner
  isOn: boolean
  /** The value that receives the focus. */
  aim: PolicyField | undefined
  children: ReactNode
}

/** Explains the values below by `Since` while it is on. Switching it keeps the typed values. */
export function Explained({ owner, isOn, aim, children }: ExplainedProps) {
  const t = useTexts(policiesTexts)
  const query = useApiQuery(api.policies.findOrigins, owner, { enabled: isOn })
  const why = useMemo(
    () =>
      query.data && {
        ownerName: query.data.ownerName,
        origins: new Map(query.data.origins.map((origin) => [origin.name, origin])),
      },
    [query.data],
  )
  const isFailed = isOn && query.isError && why === undefined
  return (
    <WhyContext value={isOn && !isFailed ? (why ?? 'loading') : null}>
      {isOn && <Stale of={query} />}
      {isFailed && (
        <p className={css.failed} data-tone="bad" role="alert">
          {t('why.failed')}{' '}
          <Button size="compact-xs" variant="default" onClick={() => void query.refetch()}>
            {t('why.retry')}
          </Button>
        </p>
      )}
      <AimContext value={aim}>{children}</AimContext>
    </WhyContext>
  )
}

/** Shows or hides since when the values apply. */
export function WhySwitch({ isOn, onSwitch }: { isOn: boolean; onSwitch: (isOn: boolean) => void }) {
  const t = useTexts(policiesTexts)
  return (
    <Button
      size="compact-xs"
      variant={isOn ? 'light' : 'default'}
      leftSection={<IconInfoCircle size={13} />}
      aria-pressed={isOn}
      onClick={() => onSwitch(!isOn)}
    >
      {t('why.ask')}
    </Button>
  )
}

/** Opens the row of the history that set a value. */
function HistoryLink({ origin: { name, logDT, logIdx } }: { origin: PolicyOrigin }) {
  const t = useTexts(policiesTexts)
  const { nameText } = usePolicyWords()
  const openScreen = useOpenScreen()
  const canOpen = useCanOpen()
  if (logIdx === null || !canOpen('history')) return null
  const day = formatDay(logDT)
  return (
    <button
      type="button"
      aria-label={t('why.openOf', { name: nameText(name) })}
      onClick={() => openScreen('history', { menu: 'policyManage', from: day, to: day, idx: logIdx })}
    >
      {t('why.open')}
      <IconArrowUpRight size={12} aria-hidden />
    </button>
  )
}

function useSinceText() {
  const t = useTexts(policiesTexts)
  return ({ ownerName, origins }: Why, name: string) => {
    const origin = origins.get(name)
    if (origin === undefined) return t('why.unknown', { ownerName })
    const { logDT, copiedFrom, actorName } = origin
    const words = { ownerName, since: formatMoment(logDT), copiedFrom: copiedFrom ?? '', actorName: actorName ?? '' }
    if (copiedFrom === null) return actorName === null ? t('why.set', words) : t('why.setBy', words)
    return actorName === null ? t('why.copied', words) : t('why.copiedBy', words)
  }
}

/** Whose value or list this is, since when, and who set it; nothing unless the viewer asked. */
export function Since({ of: name, as: Line = 'p' }: { of: string; as?: 'p' | 'dd' }) {
  const sinceText = useSinceText()
  const why = use(WhyContext)
  if (why === null) return null
  // The line keeps its place while it loads.
  if (why === 'loading') return <Line className={css.since}>{'\u00a0'}</Line>
  const origin = why.origins.get(name)
  return (
    <Line className={css.since}>
      {sinceText(why, name)}
      {origin && <HistoryLink origin={origin} />}
    </Line>
  )
}
