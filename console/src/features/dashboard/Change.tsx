// How a count differs from the period before, as words for screen readers. Nothing without a count before.
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Dashboard.module.css'
import { changeOf, dashboardTexts } from './dashboard.ts'

/** From this many percent on, a multiple is easier to read. */
const MANY = 900
const timesOf = (change: number) => Math.round(change / 100) + 1

/** The comparison in words; undefined without one. */
export function useChangeWords(): (value: number | undefined, before: number | undefined) => string | undefined {
  const t = useTexts(dashboardTexts)
  return (value, before) => {
    const change = changeOf(value, before)
    if (change === undefined) return undefined
    if (change >= MANY) return t('comparedTimes', { times: timesOf(change) })
    if (change === 0) return t('comparedEqual')
    return t(change > 0 ? 'comparedMore' : 'comparedLess', { percent: Math.abs(change) })
  }
}

const signed = new Intl.NumberFormat('en', { style: 'percent', signDisplay: 'exceptZero' })

export function Change({ value, before }: { value: number | undefined; before: number | undefined }) {
  const words = useChangeWords()(value, before)
  const change = changeOf(value, before)
  if (words === undefined || change === undefined) return null
  return (
    <span className={css.change} title={words}>
      <span aria-hidden>{change >= MANY ? `×${timesOf(change)}` : signed.format(change / 100)}</span>
      <span className="unseen">{words}</span>
    </span>
  )
}
