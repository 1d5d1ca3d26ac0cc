// The steps of a request as a timeline: what happened, when and who did it.
import { formatMoment } from '@acc/contract/labels/formats'
import { RequestEvent } from '@acc/contract/labels/requests'
import type { FileEximportDetail } from '@acc/contract/requests'
import { Section } from '../../kit/layout/Page.tsx'
import { StateDot } from '../../kit/table/StatusDot.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Approvals.module.css'
import { approvalsTexts } from './approvals.texts.ts'

export function RequestSteps({ steps }: Pick<FileEximportDetail, 'steps'>) {
  const t = useTexts(approvalsTexts)
  if (steps.length === 0) return null
  return (
    <Section title={t('steps')}>
      <ol className={css.steps} aria-label={t('steps')}>
        {steps.map(({ type, logDT, actorName }) => (
          <li key={`${type} ${logDT}`}>
            <StateDot label={RequestEvent.labels[type]} />
            <span className={css.actor}>{type === RequestEvent.ALLOWED ? t('system') : actorName || t('system')}</span>
            <time dateTime={logDT}>{formatMoment(logDT)}</time>
          </li>
        ))}
      </ol>
    </Section>
  )
}
