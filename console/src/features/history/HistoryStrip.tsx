// The rows of a list over its period, as a strip of bars. A period is chosen by dragging, or by arrows with Shift.
import type { Counts, CountUnit } from '@acc/contract/history/routes'
import { Button } from '@mantine/core'
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useId, useMemo, useState } from 'react'
import { useApiQuery } from '../../kit/api/query.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import css from './HistoryStrip.module.css'
import { type HistoryProps, historyTexts } from './history.ts'
import type { CountsRoute } from './logs.ts'
import { periodOf } from './periods.ts'

const FORMATS: Record<CountUnit, Intl.DateTimeFormatOptions> = {
  hour: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { month: 'short', day: 'numeric', weekday: 'short' },
  week: { month: 'short', day: 'numeric' },
  month: { year: 'numeric', month: 'short' },
  year: { year: 'numeric' },
}

type Bar = { start: Date; end: Date; count: number; isEstimated: boolean }
const barsOf = ({ parts, endDT }: Counts): Bar[] =>
  parts.map(({ startDT, count, isEstimated }, at) => ({
    start: new Date(startDT),
    end: new Date(parts[at + 1]?.startDT ?? endDT),
    count,
    isEstimated: isEstimated === 1,
  }))

/** Returns the words of a period: `Nov 26, 09:00–12:00`. The end is exclusive, so days end a moment before it. */
function useSpanWords(unit: CountUnit): (start: Date, end: Date) => string {
  const language = useLanguage()
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(language, FORMATS[unit])
    return (start, end) =>
      format.formatRange(start, unit === 'hour' ? end : new Date(Math.max(start.getTime(), end.getTime() - 1)))
  }, [language, unit])
}

const percent = (share: number) => `${100 * share}%`

type Range = { from: number; to: number }
const inOrder = ({ from, to }: Range): [number, number] => [Math.min(from, to), Math.max(from, to)]

type BarsProps = {
  bars: readonly Bar[]
  unit: CountUnit
  chosen: (bar: Bar) => boolean
  onChoose: (start: Date, end: Date) => void
}

function useMarking({ bars, onChoose }: BarsProps) {
  const [range, setRange] = useState<Range>()
  const [isDragging, setDragging] = useState(false)
  const last = bars.length - 1
  const choose = (one: Range) => {
    const [first, final] = inOrder(one)
    const [begin, end] = [bars[first], bars[final]]
    setRange(undefined)
    if (begin && end) onChoose(begin.start, end.end)
  }
  const at = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * bars.length)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const now = Math.min(range?.to ?? last, last)
    const steps: Record<string, number> = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }
    const next = steps[event.key]
    if (next !== undefined) {
      const to = Math.min(last, Math.max(0, range === undefined && event.key.startsWith('Arrow') ? now : next))
      setRange({ from: event.shiftKey ? (range?.from ?? now) : to, to })
    } else if ((event.key === 'Enter' || event.key === ' ') && range) choose(range)
    else if (event.key === 'Escape' && range) setRange(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    range,
    handlers: {
      onKeyDown,
      // A press does not take the focus: it marks a period.
      onMouseDown: (event: MouseEvent) => event.preventDefault(),
      onBlur: () => setRange(undefined),
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDragging(true)
        setRange({ from: at(event), to: at(event) })
      },
      onPointerMove: (event: PointerEvent) => {
        const to = at(event)
        setRange(isDragging && range ? { ...range, to } : { from: to, to })
      },
      onPointerUp: () => {
        setDragging(false)
        if (isDragging && range) choose(range)
      },
      onPointerCancel: () => setDragging(false),
      onPointerLeave: () => isDragging || setRange(undefined),
    },
  }
}

function Bars(props: BarsProps) {
  const { bars, unit, chosen } = props
  const t = useTexts(historyTexts)
  const spanWords = useSpanWords(unit)
  const id = useId()
  const { range, handlers } = useMarking(props)
  const most = Math.max(1, ...bars.map(({ count }) => count))
  const countWords = (shown: readonly Bar[]) => {
    const isEstimated = shown.some((bar) => bar.isEstimated)
    const sum = shown.reduce((sum, bar) => sum + bar.count, 0)
    return isEstimated ? t('strip.about', { count: Number(sum.toPrecision(2)) }) : t('strip.count', { count: sum })
  }
  const words = (first: number, final: number) => {
    const shown = bars.slice(first, final + 1)
    const [begin, end] = [shown[0], shown.at(-1)]
    return begin && end ? `${spanWords(begin.start, end.end)} · ${countWords(shown)}` : ''
  }
  const [first, final] = range ? inOrder(range) : [-1, -1]
  const [oldest, newest] = [bars[0], bars.at(-1)]
  return (
    <>
      <div
        className={css.bars}
        role="listbox"
        tabIndex={0}
        aria-multiselectable
        aria-label={t('strip.label')}
        aria-description={t('strip.hint')}
        aria-activedescendant={range && `${id}${range.to}`}
        {...handlers}
      >
        {bars.map((bar, at) => {
          const height = bar.count === 0 ? 0 : Math.max(bar.count / most, 0.08)
          return (
            <div
              key={bar.start.getTime()}
              id={`${id}${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={range ? at >= first && at <= final : chosen(bar)}
              aria-label={words(at, at)}
            >
              <svg aria-hidden>
                <title>-</title>
                <rect x="10%" width="80%" y={percent(1 - height)} height={percent(height)} rx="1" />
              </svg>
            </div>
          )
        })}
      </div>
      <div className={css.words} aria-hidden>
        {range ? (
          <span>{words(first, final)}</span>
        ) : (
          <>
            <span>{oldest && spanWords(oldest.start, oldest.start)}</span>
            <span>{countWords(bars)}</span>
            <span>{newest && spanWords(newest.start, newest.start)}</span>
          </>
        )}
      </div>
    </>
  )
}

type Props = HistoryProps & { route: CountsRoute; filter: Record<string, unknown> }

export function HistoryStrip({ route, filter, view, setView }: Props) {
  const t = useTexts(kitTexts)
  const query = useApiQuery(route, filter, { keepsFormer: true, isLocal: true })
  const { since, until } = view
  const chosen = ({ start, end }: Bar) =>
    since !== undefined && until !== undefined && start.toISOString() >= since && end.toISOString() <= until
  if (query.isError && query.data === undefined)
    return (
      <div className={css.strip} data-failed>
        {t('loadFailed')}
        <Button variant="subtle" color="gray" size="compact-xs" onClick={() => void query.refetch()}>
          {t('retry')}
        </Button>
      </div>
    )
  const { data } = query
  return (
    <div className={css.strip} aria-busy={query.isFetching}>
      {data !== undefined && data.parts.length > 0 && (
        <Bars
          bars={barsOf(data)}
          unit={data.unit}
          chosen={chosen}
          onChoose={(start, end) => setView({ idx: undefined, ...periodOf(data.unit, start, end) })}
        />
      )}
    </div>
  )
}
