// A bar chart. Each bar shows its value to the pointer and to the keyboard, and opens the rows that it counts. The
// chart is one stop of the tab key; arrow keys move between the bars. SVG percentages need no inline style (CSP).
import { createScopedKeydownHandler, Tooltip } from '@mantine/core'
import { useState } from 'react'
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
  value: number
  /** What the bar says of itself. */
  words: string
}
type Props<B extends Bar> = {
  label: string
  /** How to use the keyboard. */
  hint: string
  bars: readonly B[]
  /** From 0 up. */
  ticks: readonly number[]
  onOpen?: ((bar: B) => void) | undefined
}

const percent = (share: number) => `${100 * share}%`

const moveByKeys = createScopedKeydownHandler({
  parentSelector: '[role="toolbar"]',
  siblingSelector: 'button',
  orientation: 'horizontal',
  dir: 'ltr',
  loop: false,
})

function Axis({ ticks }: { ticks: readonly number[] }) {
  const top = ticks.at(-1) ?? 1
  return (
    <>
      <div className={css.axis} aria-hidden>
        {ticks.toReversed().map((tick) => (
          <span key={tick}>{formatNumber(tick)}</span>
        ))}
      </div>
      <svg className={css.lines} aria-hidden>
        <title>-</title>
        {ticks.map((tick) => (
          <line key={tick} x1="0" x2="100%" y1={percent(1 - tick / top)} y2={percent(1 - tick / top)} />
        ))}
      </svg>
    </>
  )
}

export function BarChart<B extends Bar>({ label, hint, bars, ticks, onOpen }: Props<B>) {
  const [focused, setFocused] = useState(0)
  const top = ticks.at(-1) ?? 1
  return (
    <div className={css.chart}>
      <Axis ticks={ticks} />
      <div className={css.bars} role="toolbar" aria-label={label} aria-description={hint}>
        {bars.map((bar, at) => {
          const height = bar.value === 0 ? 0 : Math.max(bar.value / top, 0.006)
          return (
            <Tooltip key={bar.key} label={bar.words} events={{ hover: true, focus: true, touch: true }}>
              <button
                type="button"
                className={css.bar}
                aria-label={bar.words}
                tabIndex={at === Math.min(focused, bars.length - 1) ? 0 : -1}
                onFocus={() => setFocused(at)}
                onKeyDown={moveByKeys}
                onClick={() => onOpen?.(bar)}
                data-opens={onOpen !== undefined || undefined}
              >
                <svg aria-hidden>
                  <title>-</title>
                  <rect x="18%" width="64%" y={percent(1 - height)} height={percent(height)} rx="2" />
                </svg>
                <span aria-hidden>{bar.tick}</span>
              </button>
            </Tooltip>
          )
        })}
      </div>
    </div>
  )
}
