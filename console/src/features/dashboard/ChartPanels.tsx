// The panels with charts, whose bars open the history of what they count (spec S2 §2.5, §9).
import { api } from '@acc/contract'
import { formatBytes, formatTimeOfDay } from '@acc/contract/labels/formats'
import { Transfer } from '@acc/contract/labels/requests'
import { SegmentedControl } from '@mantine/core'
import { useViewer } from '../../kit/api/viewer.ts'
import { useCanOpen, useOpenScreen } from '../../kit/layout/view.ts'
import { formatNumber, useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { BarChart, ticksOf } from './BarChart.tsx'
import {
  type DashboardProps,
  dashboardTexts,
  daysOf,
  daysOfMonth,
  type FigureProps,
  useHourlyLogins,
  useMonths,
} from './dashboard.ts'
import { ChartPanel } from './Panel.tsx'

const LOGIN_STEP = 10
const HOUR = 60

/** Sign-ins of desktop clients by local hour. */
export function LoginsPanel(props: FigureProps) {
  const t = useTexts(dashboardTexts)
  const { can } = useViewer()
  const [canOpen, openScreen] = [useCanOpen(), useOpenScreen()]
  const logins = useHourlyLogins(props)
  const { counts = [], minute = 0 } = logins ?? {}
  const bars = counts.map((value, hour) => {
    const start = hour * HOUR + minute
    const span = t('hour', { from: formatTimeOfDay(start), to: formatTimeOfDay(start + HOUR) })
    return {
      start,
      key: String(hour),
      tick: hour % 3 === 0 ? String(hour) : '',
      value,
      span,
      words: `${span}: ${t('loginCount', { count: value })}`,
    }
  })
  const { groups, range } = props.view
  const open = ({ start }: { start: number }) =>
    openScreen('history', { menu: 'clientLogin', groups, hour: start, ...daysOf(range, props.today) })
  const total = counts.reduce((sum, count) => sum + count, 0)
  return (
    <ChartPanel
      title={t('logins')}
      refusal={can(api.dashboard.findHourlyUserLogins.access) ? undefined : t('noLog')}
      aside={logins && <span className="quiet">{t('total', { count: total })}</span>}
      table={
        logins && {
          heads: [t('hourLabel'), t('loginsLabel')],
          rows: bars.map(({ span, value }) => [span, formatNumber(value)]),
        }
      }
    >
      <BarChart
        label={t('logins')}
        hint={t('keys')}
        bars={bars}
        ticks={ticksOf(Math.max(0, ...counts), LOGIN_STEP)}
        onOpen={canOpen('history') ? open : undefined}
      />
    </ChartPanel>
  )
}

const REQUEST_STEP = 100

const DIRECTIONS = [Transfer.EXPORT, Transfer.IMPORT] as const

/** `2026-01` as a month of the calendar, long or as short as an axis needs it. */
function nameOf(month: string, language: string, length: 'short' | 'long'): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const withYear = length === 'long' ? ({ year: 'numeric' } as const) : {}
  return new Intl.DateTimeFormat(language, { month: length, ...withYear }).format(new Date(year, number - 1, 1))
}

/** Requests of one direction in this month and the 11 before. */
export function MonthsPanel({ setView, ...props }: FigureProps & DashboardProps) {
  const t = useTexts(dashboardTexts)
  const language = useLanguage()
  const { can } = useViewer()
  const [canOpen, openScreen] = [useCanOpen(), useOpenScreen()]
  const { type, groups } = props.view
  const months = useMonths(props)
  const bars = (months ?? []).map(({ dt, count, size }) => {
    const month = nameOf(dt, language, 'long')
    const words = `${month}: ${t('requestSum', { count, size: formatBytes(size) })}`
    return { key: dt, tick: nameOf(dt, language, 'short'), value: count, month, size, words }
  })
  const menu = type === Transfer.IMPORT ? 'fileImport' : 'fileExport'
  return (
    <ChartPanel
      title={t('requests')}
      refusal={can(api.dashboard.searchApproveRequests.access) ? undefined : t('noLog')}
      aside={
        <SegmentedControl
          size="xs"
          aria-label={t('direction')}
          data={DIRECTIONS.map((value) => ({ value, label: Transfer.labels[value][language] }))}
          value={type}
          onChange={(value) => setView({ type: value }, { replace: true })}
        />
      }
      table={
        months && {
          heads: [t('monthLabel'), t('requestsLabel'), t('sizeLabel')],
          rows: bars.map(({ month, value, size }) => [month, formatNumber(value), formatBytes(size)]),
        }
      }
    >
      <BarChart
        label={t('requests')}
        hint={t('keys')}
        bars={bars}
        ticks={ticksOf(Math.max(0, ...bars.map(({ value }) => value)), REQUEST_STEP)}
        onOpen={
          canOpen('history') ? ({ key }) => openScreen('history', { menu, groups, ...daysOfMonth(key) }) : undefined
        }
      />
    </ChartPanel>
  )
}
