// Panels of states: requests of a direction in the period, and users (spec S2 §2.5, §4).
import type { RequestStates } from '@acc/contract/dashboard'
import type { ToneLabel } from '@acc/contract/labels/enumOf'
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import { ShownState } from '@acc/contract/labels/users'
import { ActionIcon, Progress, Tooltip } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useCanOpen, useOpenScreen } from '../../kit/layout/view.ts'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { formatNumber, useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { Change, useChangeWords } from './Change.tsx'
import { Counter } from './Counter.tsx'
import css from './Dashboard.module.css'
import {
  dashboardTexts,
  daysOf,
  type FigureProps,
  useLicenseStates,
  useRequestStates,
  useUserStates,
} from './dashboard.ts'
import { Panel } from './Panel.tsx'

/** Counters of states with their words; each opens its list where the viewer may open it. */
type Count = {
  label: ToneLabel
  value: number | undefined
  /** The same of the period before, where it can be compared. */
  before?: number | undefined
  onOpen?: (() => void) | undefined
}

function Cell({ subject, label, value, before, onOpen }: Count & { subject: string }) {
  const t = useTexts(dashboardTexts)
  const change = useChangeWords()(value, before)
  const name = label[useLanguage()]
  const content = (
    <>
      <StatusDot tone={label.tone}>{name}</StatusDot>
      <span className={css.compared}>
        <Counter value={value} />
        <Change value={value} before={before} />
      </span>
    </>
  )
  if (onOpen === undefined) return <div className={css.count}>{content}</div>
  return (
    <button
      type="button"
      className={css.count}
      title={t('openList', { name })}
      aria-label={
        value === undefined
          ? `${subject}: ${name}`
          : [t('countOf', { subject, name, value: formatNumber(value) }), change].filter(Boolean).join(', ')
      }
      onClick={onOpen}
    >
      {content}
    </button>
  )
}

/** `subject` names the counted rows. */
function CounterGrid({ subject, counts }: { subject: string; counts: readonly Count[] }) {
  return (
    <div className={css.counts}>
      {counts.map((count) => (
        <Cell key={count.label.en} subject={subject} {...count} />
      ))}
    </div>
  )
}

/** How much of the license is used; the numbers open the license and its PCs (spec S2 §2.5). */
export function LicensePanel() {
  const t = useTexts(dashboardTexts)
  const openScreen = useOpenScreen()
  const open = () => openScreen('settings', { menu: 'license' })
  const { useCount, maxCount } = useLicenseStates() ?? {}
  const share = useCount === undefined || maxCount === undefined ? undefined : (100 * useCount) / maxCount
  const tone = share === undefined || share < 90 ? undefined : share < 100 ? 'yellow' : 'red'
  return (
    <Panel
      title={t('license')}
      aside={<span className={css.share}>{share !== undefined && t('share', { percent: Math.round(share) })}</span>}
    >
      <Progress
        value={Math.min(100, share ?? 0)}
        color={tone}
        aria-label={t('usage', { used: useCount ?? 0, max: maxCount ?? 0 })}
      />
      <div className={css.counts}>
        {(
          [
            [t('used'), useCount],
            [t('licensed'), maxCount],
          ] as const
        ).map(([name, value]) => (
          <button key={name} type="button" className={css.count} title={t('openList', { name })} onClick={open}>
            <span>{name}</span>
            <Counter value={value} />
          </button>
        ))}
      </div>
    </Panel>
  )
}

/** What none of the four counts says. */
function Remarks({ states }: { states: RequestStates }) {
  const t = useTexts(dashboardTexts)
  const { allowCounts, uploadCounts } = states
  const remarks = [
    t('allowed', { count: allowCounts }),
    ...(uploadCounts > 0 ? [t('uploading', { count: uploadCounts })] : []),
  ].join(' ')
  return (
    <Tooltip label={remarks} maw={280} events={{ hover: true, focus: true, touch: true }}>
      <ActionIcon size="sm" aria-label={remarks}>
        <IconInfoCircle size={16} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  )
}

const STATES = [
  { state: RequestState.REQUESTED, count: 'requestCounts', tab: 'waiting' },
  { state: RequestState.APPROVED, count: 'approveCounts', tab: 'approved' },
  { state: RequestState.REJECTED, count: 'rejectCounts', tab: 'rejected' },
  { state: RequestState.CANCELED, count: 'cancelCounts', tab: 'canceled' },
] as const

export function RequestsPanel({ type, ...props }: FigureProps & { type: Transfer }) {
  const t = useTexts(dashboardTexts)
  const [canOpen, openScreen] = [useCanOpen(), useOpenScreen()]
  const isImport = type === Transfer.IMPORT
  const { states, before } = useRequestStates(type, props)
  const screen = isImport ? 'imports' : 'approvals'
  const { groups } = props.view
  const days = daysOf(props.view, props.today)
  const counts = STATES.map(({ state, count, tab }) => ({
    label: RequestState.labels[state],
    value: states?.[count],
    // Those of the period before have had more time to be decided.
    ...(state !== RequestState.REQUESTED && { before: before?.[count] }),
    ...(canOpen(screen) && {
      onOpen: () => openScreen(screen, { tab, isMulti: true, showsAll: true, groups, ...days }),
    }),
  }))
  return (
    <Panel title={t(isImport ? 'imports' : 'exports')} aside={states && <Remarks states={states} />}>
      <CounterGrid subject={t(isImport ? 'imports' : 'exports')} counts={counts} />
    </Panel>
  )
}

const USER_STATES = [
  { state: ShownState.NORMAL, count: 'normalCounts' },
  { state: ShownState.NEW, count: 'newCounts' },
  { state: ShownState.EXPIRED, count: 'expiredCounts' },
  { state: ShownState.DISABLED, count: 'disabledCounts' },
] as const

export function UsersPanel(props: FigureProps) {
  const t = useTexts(dashboardTexts)
  const [canOpen, openScreen] = [useCanOpen(), useOpenScreen()]
  const states = useUserStates(props)
  const { groups } = props.view
  const counts = USER_STATES.map(({ state, count }) => ({
    label: ShownState.labels[state],
    value: states?.[count],
    ...(canOpen('users') && { onOpen: () => openScreen('users', { state, groups }) }),
  }))
  return (
    <Panel title={t('users')}>
      <CounterGrid subject={t('users')} counts={counts} />
    </Panel>
  )
}
