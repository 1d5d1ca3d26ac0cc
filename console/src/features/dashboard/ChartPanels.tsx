// The panels with charts, whose bars open the history of what they count (spec S2 §2.5, §9).

import { formatBytes, formatTimeOfDay } from '@acc/contract/labels/formats'
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import { SegmentedControl } from '@mantine/core'
import { useCanOpen, useOpenScreen } from '../../kit/layout/view.ts'
import { formatNumber, useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { Change } from './Change.tsx'
import { Chart, Legend, sumOf, ticksOf } from './Chart.tsx'
import css from './Dashboard.module.css'
import {
  type DashboardProps,
  dashboardTexts,
  daysOf,
  daysOfMonth,
  daysOfWeek,
  type FigureProps,
  useDecisions,
  useHourlyLogins,
  useLoginsBefore,
  useMonths,
} from './dashboard.ts'
import { ChartPanel } from './Panel.tsx'

const SMALL_STEP = 10
const HOUR = 60

/** Sign-ins of desktop clients by local hour. */
export function LoginsPanel(props: FigureProps) {
  const t = useTexts(dashboardTexts)
  const [canOpen, openScreen] = [useCanOpen(), useOpenScreen()]
  const logins = useHourlyLogins(props)
  const before = useLoginsBefore(props)
  const { counts = [], minute = 0 } = logins ?? {}
  const bars = counts.map((value, hour) => {
    const start = hour * HOUR + minute
    const span = t('hour', { from: formatTimeOfDay(start), to: formatTimeOfDay(start + HOUR) })
    return {
      start,
      key: String(hour),
      tick: hour % 3 === 0 ? String(hour) : '',
      values: [value],
      span,
      words: `${span}: ${t('loginCount', { count: value })}`,
    }
  })
  const { groups } = props.view
  const open = ({ start }: { start: number }) =>
    openScreen('history', { menu: 'clientLogin', groups, hour: start, ...daysOf(props.view, props.today) })
  const total = counts.reduce((sum, count) => sum + count, 0)
  return (
    <ChartPanel
      title={t('logins')}
      aside={
        logins && (
          <span className={css.sum}>
            <Change value={total} before={before} />
            <span className={css.strong}>{t('total', { count: total })}</span>
          </span>
        )
      }
      table={
        logins && {
          heads: [t('hourLabel'), t('loginsLabel')],
          rows: bars.map(({ span, values }) => [span, ...values.map(formatNumber)]),
        }
      }
    >
      <Chart
        label={t('logins')}
        hint={t('keys')}
        bars={bars}
        ticks={ticksOf(Math.max(0, ...counts), SMALL_STEP)}
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
  const [canOpen, openScreen] = [useCanOpen(), useOpenScreen()]
  const { type, groups } = props.view
  const months = useMonths(props)
  const bars = (months ?? []).map(({ dt, count, size }) => {
    const month = nameOf(dt, language, 'long')
    const words = `${month}: ${t('requestSum', { count, size: formatBytes(size) })}`
    return { key: dt, tick: nameOf(dt, language, 'short'), values: [count], month, size, words }
  })
  const menu = type === Transfer.IMPORT ? 'fileImport' : 'fileExport'
  return (
    <ChartPanel
      title={t('requests')}
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
          rows: bars.map(({ month, values, size }) => [month, ...values.map(formatNumber), formatBytes(size)]),
        }
      }
    >
      <Chart
        label={t('requests')}
        hint={t('keys')}
        bars={bars}
        ticks={ticksOf(Math.max(0, ...bars.map(sumOf)), REQUEST_STEP)}
        onOpen={
          canOpen('history') ? ({ key }) => openScreen('history', { menu, groups, ...daysOfMonth(key) }) : undefined
        }
      />
    </ChartPanel>
  )
}

const DECIDED = [RequestState.APPROVED, RequestState.REJECTED, RequestState.CANCELED] as const

/** Units of waiting times, each with its seconds and from how many of them on it is used. */
const UNITS = [
  { unit: 'day', seconds: 86_400, from: 2 },
  { unit: 'hour', seconds: 3_600, from: 2 },
  { unit: 'minute', seconds: 60, from: 0 },
] as const
const unitFor = (time: number) => UNITS.find(({ seconds, from }) => time >= from * seconds) ?? UNITS[2]

function useTime(): (seconds: number, unit?: (typeof UNITS)[number]) => string {
  const language = useLanguage()
  return (time, unit = unitFor(time)) =>
    new Intl.NumberFormat(language, { style: 'unit', unit: unit.unit, maximumFractionDigits: 1 }).format(
      time / unit.seconds,
    )
}

/** `2026-01-05` as the axis shows it. */
const shortDay = (day: string, language: string) =>
  new Intl.DateTimeFormat(language, { month: 'numeric', day: 'numeric' }).format(new Date(`${day}T00:00`))

/** How requests ended, by the week in which they were made, and how long they waited for it. */
export function DecisionsPanel(props: FigureProps) {
  const t = useTexts(dashboardTexts)
  const [language, timeOf] = [useLanguage(), useTime()]
  const [canOpen, openScreen] = [useCanOpen(), useOpenScreen()]
  const { type, groups } = props.view
  const weeks = useDecisions(props)
  const unit = unitFor(Math.max(0, ...(weeks ?? []).map(({ waitSeconds }) => waitSeconds ?? 0)))
  const bars = (weeks ?? []).map(({ dt, approveCounts, rejectCounts, cancelCounts, waitSeconds }) => {
    const { from, to } = daysOfWeek(dt)
    const span = t('weekOf', { from, to })
    const time = waitSeconds === null ? undefined : timeOf(waitSeconds)
    const counts = { approved: approveCounts, rejected: rejectCounts, canceled: cancelCounts }
    const wait = time === undefined ? t('notWaited') : t('waited', { time })
    return {
      key: dt,
      tick: shortDay(dt, language),
      values: [approveCounts, rejectCounts, cancelCounts],
      point: waitSeconds === null ? undefined : waitSeconds / unit.seconds,
      span,
      time,
      words: `${span}: ${t('weekSum', { ...counts, wait })}`,
    }
  })
  const menu = type === Transfer.IMPORT ? 'fileImport' : 'fileExport'
  const open = ({ key }: { key: string }) => openScreen('history', { menu, groups, ...daysOfWeek(key) })
  const title = t('weeks', { direction: Transfer.labels[type][language] })
  const parts = DECIDED.map((state) => RequestState.labels[state][language])
  return (
    <ChartPanel
      title={title}
      legend={<Legend parts={parts} line={t('wait')} />}
      table={
        weeks && {
          heads: [t('weekLabel'), ...parts, t('wait')],
          rows: bars.map(({ span, values, time }) => [span, ...values.map(formatNumber), time ?? '-']),
        }
      }
    >
      <Chart
        label={title}
        hint={t('keys')}
        bars={bars}
        ticks={ticksOf(Math.max(0, ...bars.map(sumOf)), SMALL_STEP)}
        line={{
          ticks: ticksOf(Math.max(0, ...bars.map(({ point }) => point ?? 0)), 1),
          format: (value) => timeOf(value * unit.seconds, unit),
        }}
        onOpen={canOpen('history') ? open : undefined}
      />
    </ChartPanel>
  )
}
