// Free space, queues and connections over time, as small lines with their numbers.
import { api } from '@acc/contract'
import { formatBytes, formatDay } from '@acc/contract/labels/formats'
import { THRESHOLDS } from '@acc/contract/labels/statusThresholds'
import type { StatusSample } from '@acc/contract/systemStatus'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useApiQuery } from '../../kit/api/query.ts'
import { Hint } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { formatNumber, useTexts } from '../../kit/texts/texts.ts'
import css from './SystemStatus.module.css'
import { systemStatusTexts } from './systemStatus.ts'
import { daysUntilUsedUp, type Point, pathOf } from './trend.ts'

type Figure = Exclude<keyof StatusSample, 'sampleDT'>
const FIGURES = ['filesFree', 'databaseFree', 'mailsWaiting', 'jobsWaiting', 'connections'] as const satisfies Figure[]
const isReserve = (figure: Figure) => figure === 'filesFree' || figure === 'databaseFree'

const PERIODS = [7, 30] as const
const DAY = 86_400_000
const SIZE = { width: 240, height: 48 }
const FLOOR = THRESHOLDS.reservedSpace * 2 ** 30

const pointsOf = (samples: readonly StatusSample[], figure: Figure): Point[] =>
  samples.map((sample) => ({ at: Date.parse(sample.sampleDT), value: sample[figure] }))

type TrendProps = { figure: Figure; samples: readonly StatusSample[]; days: number }

function Trend({ figure, samples, days }: TrendProps) {
  const t = useTexts(systemStatusTexts)
  const all = pointsOf(samples, figure)
  const to = all.at(-1)?.at ?? 0
  const shown = all.filter(({ at }) => at >= to - days * DAY)
  const values = shown.flatMap(({ value }) => value ?? [])
  if (values.length === 0) return null
  const textOf = isReserve(figure) ? formatBytes : formatNumber
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const range = t('range', { least: textOf(least), most: textOf(most) })
  const last = textOf(values.at(-1) ?? 0)
  const week = all.filter(({ at }) => at >= to - 7 * DAY)
  const left = isReserve(figure) ? daysUntilUsedUp(week, FLOOR) : undefined
  return (
    <figure className={css.trend}>
      <figcaption>
        {t(`trend.${figure}`)}
        <strong>{last}</strong>
      </figcaption>
      <svg
        viewBox={`-2 -2 ${SIZE.width + 4} ${SIZE.height + 4}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${t(`trend.${figure}`)}: ${range}`}
      >
        <path d={pathOf(shown, SIZE, [to - days * DAY, to], most)} vectorEffect="non-scaling-stroke" />
      </svg>
      <small aria-hidden>{range}</small>
      {left !== undefined && <p data-tone={left < 14 ? 'bad' : 'warn'}>{t('usedUp', { count: left })}</p>}
    </figure>
  )
}

export function Trends() {
  const t = useTexts(systemStatusTexts)
  const [days, setDays] = useState<number>(PERIODS[0])
  const query = useApiQuery(api.systemStatus.searchSamples, {}, { every: 600_000 })
  return (
    <section className={css.part} aria-label={t('trends')}>
      <div className={css.partHead}>
        <h3>{t('trends')}</h3>
        <SegmentedControl
          size="xs"
          aria-label={t('period')}
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
          data={PERIODS.map((count) => ({ value: String(count), label: t('lastDays', { count }) }))}
        />
      </div>
      <QueryState of={query}>
        {({ samples: [first, ...others] }) =>
          first === undefined ? (
            <Hint>{t('noSamples')}</Hint>
          ) : (
            <>
              <div className={css.trends}>
                {FIGURES.map((figure) => (
                  <Trend key={figure} figure={figure} samples={[first, ...others]} days={days} />
                ))}
              </div>
              <Hint>{t('samplesHint', { day: formatDay(first.sampleDT) })}</Hint>
            </>
          )
        }
      </QueryState>
    </section>
  )
}
