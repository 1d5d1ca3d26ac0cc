// A chart of bars, stacked where they have several parts, with a line where there is one. Each bar shows its values to
// the pointer and to the keyboard, and opens the rows that it counts. The chart is one stop of the tab key; arrow keys
// move between the bars: buttons above the drawing, which is hidden from screen readers.
import { createScopedKeydownHandler, Tooltip } from '@mantine/core'
import { useId, useState } from 'react'
import { Bar as Bars, CartesianGrid, ComposedChart, Line, XAxis, YAxis } from 'recharts'
import { formatNumber } from '../../kit/texts/texts.ts'
import css from './Dashboard.module.css'

/** Ticks of an axis at the most (spec S2 §9). */
const MAX_TICKS = 5

/** Returns the ticks from 0 up to `largest` or above. A step is `base` times a power of ten, times 1, 2 or 5. */
export function ticksOf(largest: number, base: number): number[] {
  for (let power = base; ; power *= 10) {
    for (const factor of [1, 2, 5]) {
      const step = power * factor
      const count = Math.max(1, Math.ceil(largest / step))
      if (count < MAX_TICKS) return Array.from({ length: count + 1 }, (_, at) => at * step)
    }
  }
}

export type Bar = {
  key: string
  /** Below the bar; empty for none. */
  tick: string
  /** Of the parts, from the lowest up. */
  values: readonly number[]
  /** Undefined for a gap. */
  point?: number | undefined
  /** What the bar says of itself. */
  words: string
}
/** A second axis, for the line. */
type LineAxis = { ticks: readonly number[]; format: (value: number) => string }
type Props<B extends Bar> = {
  label: string
  /** How to use the keyboard. */
  hint: string
  bars: readonly B[]
  /** From 0 up. */
  ticks: readonly number[]
  line?: LineAxis | undefined
  onOpen?: ((bar: B) => void) | undefined
}

const moveByKeys = createScopedKeydownHandler({
  parentSelector: '[role="toolbar"]',
  siblingSelector: 'button',
  orientation: 'horizontal',
  dir: 'ltr',
  loop: false,
})

/** Pixels of an axis with these words. */
const axisWidth = (words: readonly string[]) => 10 + 7 * Math.max(...words.map(({ length }) => length))
const widthsOf = ({ ticks, line }: Pick<Props<Bar>, 'ticks' | 'line'>) => ({
  left: axisWidth(ticks.map(formatNumber)),
  right: line ? axisWidth(line.ticks.map(line.format)) : 0,
})
/** How parts are filled: they differ without their colors too. */
const PARTS = ['solid', 'striped', 'hollow'] as const

export const sumOf = ({ values }: Pick<Bar, 'values'>): number => values.reduce((sum, value) => sum + value, 0)

function Stripes({ id }: { id: string }) {
  return (
    <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="5" height="5" className={css.stripesBack} />
      <rect width="2" height="5" className={css.stripes} />
    </pattern>
  )
}

/** The names of the parts and of the line, each with its look. */
export function Legend({ parts, line }: { parts: readonly string[]; line: string }) {
  const id = useId()
  return (
    <ul className={css.legend}>
      {parts.map((name, at) => (
        <li key={name}>
          <svg width="12" height="12" aria-hidden>
            <title>-</title>
            {PARTS[at] === 'striped' && <Stripes id={id} />}
            <rect x="1" y="1" width="10" height="10" rx="2" className={css[PARTS[at] ?? 'solid']} {...fillOf(at, id)} />
          </svg>
          {name}
        </li>
      ))}
      <li>
        <svg width="16" height="12" aria-hidden>
          <title>-</title>
          <path d="M0 6h16" className={css.line} />
          <circle cx="8" cy="6" r="3" className={css.point} />
        </svg>
        {line}
      </li>
    </ul>
  )
}

const fillOf = (part: number, id: string) => (PARTS[part] === 'striped' ? { fill: `url(#${id})` } : {})

const TICK = { fontSize: 11, fill: 'var(--ink-3)' }

function Drawing({ bars, ticks, line }: Pick<Props<Bar>, 'bars' | 'ticks' | 'line'>) {
  const id = useId()
  const widths = widthsOf({ ticks, line })
  const parts = Math.max(1, ...bars.map(({ values }) => values.length))
  const plain = { axisLine: false, tickLine: false, tick: TICK }
  const still = { isAnimationActive: false }
  return (
    <ComposedChart
      responsive
      className={css.drawing}
      data={[...bars]}
      margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
      barCategoryGap="18%"
      accessibilityLayer={false}
    >
      <defs>
        <Stripes id={id} />
      </defs>
      <CartesianGrid vertical={false} />
      <XAxis dataKey="tick" height={22} interval="equidistantPreserveStart" {...plain} />
      <YAxis
        width={widths.left}
        ticks={[...ticks]}
        domain={[0, ticks.at(-1) ?? 1]}
        tickFormatter={formatNumber}
        {...plain}
      />
      {Array.from({ length: parts }, (_, at) => (
        <Bars
          key={PARTS[at]}
          dataKey={(bar: Bar) => bar.values[at]}
          stackId="parts"
          className={css[PARTS[at] ?? 'solid']}
          maxBarSize={40}
          minPointSize={(value) => (typeof value === 'number' && value > 0 ? 1 : 0)}
          {...fillOf(at, id)}
          {...still}
        />
      ))}
      {line && (
        <YAxis
          yAxisId="line"
          orientation="right"
          width={widths.right}
          ticks={[...line.ticks]}
          domain={[0, line.ticks.at(-1) ?? 1]}
          tickFormatter={line.format}
          {...plain}
        />
      )}
      {line && (
        <Line yAxisId="line" dataKey="point" className={css.line} dot={{ r: 3, className: css.point }} {...still} />
      )}
    </ComposedChart>
  )
}

export function Chart<B extends Bar>({ label, hint, bars, ticks, line, onOpen }: Props<B>) {
  const [focused, setFocused] = useState(0)
  const widths = widthsOf({ ticks, line })
  return (
    <div className={css.chart}>
      <div className={css.drawn} aria-hidden>
        <Drawing bars={bars} ticks={ticks} line={line} />
      </div>
      <div
        className={css.bars}
        style={{ marginInline: `${widths.left}px ${widths.right}px` }}
        role="toolbar"
        aria-label={label}
        aria-description={hint}
      >
        {bars.map((bar, at) => {
          const opens = onOpen !== undefined && sumOf(bar) > 0
          return (
            <Tooltip
              key={bar.key}
              label={bar.words}
              maw={280}
              multiline
              events={{ hover: true, focus: true, touch: true }}
            >
              <button
                type="button"
                className={css.bar}
                aria-label={bar.words}
                aria-disabled={!opens}
                tabIndex={at === Math.min(focused, bars.length - 1) ? 0 : -1}
                onFocus={() => setFocused(at)}
                onKeyDown={moveByKeys}
                onClick={() => opens && onOpen(bar)}
                data-opens={opens || undefined}
              />
            </Tooltip>
          )
        })}
      </div>
    </div>
  )
}
