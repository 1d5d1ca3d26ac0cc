// Panels of states: requests of a direction in the period, and users (spec S2 §2.5, §4).
import { api } from '@acc/contract'
import type { RequestStates } from '@acc/contract/dashboard'
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import { ShownState } from '@acc/contract/labels/users'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useViewer } from '../../kit/api/viewer.ts'
import { useCanOpen, useOpenScreen } from '../../kit/layout/view.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { CounterGrid } from './CounterGrid.tsx'
import { type FigureProps, useRequestStates, useUserStates } from './dashboard.queries.ts'
import { dashboardTexts } from './dashboard.texts.ts'
import { daysOf } from './dashboardView.ts'
import { Panel } from './Panel.tsx'

/** What none of the four counts says. */
function Remarks({ states }: { states: RequestStates }) {
  const t = useTexts(dashboardTexts)
  const { allowCounts, uploadCounts } = states
  const remarks = [
    t('allowed', { count: allowCounts }),
    ...(uploadCounts > 0 ? [t('uploading', { count: uploadCounts })] : []),
  ].join(' ')
  return (
    <Tooltip label={remarks} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={remarks}>
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
  const { can } = useViewer()
  const [canOpen, openScreen] = [useCanOpen(), useOpenScreen()]
  const isImport = type === Transfer.IMPORT
  const { fileImportStates, fileExportStates } = api.dashboard
  const isAllowed = can(isImport ? fileImportStates.access : fileExportStates.access)
  const states = useRequestStates(type, props)
  const screen = isImport ? 'imports' : 'approvals'
  const { range, groups } = props.view
  const days = daysOf(range, props.today)
  const counts = STATES.map(({ state, count, tab }) => ({
    label: RequestState.labels[state],
    value: states?.[count],
    ...(canOpen(screen) && {
      onOpen: () => openScreen(screen, { tab, isMulti: true, showsAll: true, groups, ...days }),
    }),
  }))
  return (
    <Panel
      title={t(isImport ? 'imports' : 'exports')}
      aside={states && <Remarks states={states} />}
      refusal={isAllowed ? undefined : t(isImport ? 'noImport' : 'noExport')}
    >
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

/** Shown to viewers who may view users; there is no refusal for the others. */
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
