// Counters of states with their words; each opens its list where the viewer may open it.
import type { ToneLabel } from '@acc/contract/labels/enumOf'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { formatNumber } from '../../kit/texts/formatNumber.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { Counter } from './Counter.tsx'
import css from './Dashboard.module.css'
import { dashboardTexts } from './dashboard.texts.ts'

export type Count = { label: ToneLabel; value: number | undefined; onOpen?: (() => void) | undefined }

function Cell({ subject, label, value, onOpen }: Count & { subject: string }) {
  const t = useTexts(dashboardTexts)
  const name = label[useLanguage()]
  const content = (
    <>
      <StatusDot tone={label.tone}>{name}</StatusDot>
      <Counter value={value} />
    </>
  )
  if (onOpen === undefined) return <div className={css.count}>{content}</div>
  return (
    <button
      type="button"
      className={css.count}
      title={t('openList', { name })}
      aria-label={value === undefined ? undefined : t('countOf', { subject, name, value: formatNumber(value) })}
      onClick={onOpen}
    >
      {content}
    </button>
  )
}

/** `subject` is what is counted. */
export function CounterGrid({ subject, counts }: { subject: string; counts: readonly Count[] }) {
  return (
    <div className={css.counts}>
      {counts.map((count) => (
        <Cell key={count.label.en} subject={subject} {...count} />
      ))}
    </div>
  )
}
