// A run in few words, where another screen shows it: state, time, numbers, brake, and why a source was refused.
import { formatMoment } from '@acc/contract/labels/formats'
import { ImportRefusal, ImportState } from '@acc/contract/labels/userImports'
import type { Refusal, UserImport } from '@acc/contract/userImports'
import { Button } from '@mantine/core'
import { StateDot } from '../../kit/table/StatusDot.tsx'
import { useLabel } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './UserImports.module.css'
import { useNumbersText, userImportsTexts } from './userImports.ts'

/** Shows line, text and reason of a refusal, and the nearest known name. */
export function RefusalText({ refusal: { reason, line, text, hint } }: { refusal: Refusal }) {
  const t = useTexts(userImportsTexts)
  const label = useLabel()
  const places = [line !== null && t('refusedLine', { line }), text !== '' && t('refusedText', { text })]
  const place = places.filter(Boolean).join(' ')
  return (
    <>
      <p>
        {place !== '' && <strong>{place}: </strong>}
        {label(ImportRefusal.labels[reason])}
      </p>
      {hint !== '' && <p>{t('refusedHint', { hint })}</p>}
    </>
  )
}

export function RunSummary({ run, onOpen }: { run: UserImport; onOpen: (idx: number) => void }) {
  const t = useTexts(userImportsTexts)
  const numbers = useNumbersText()
  const { idx, state, startDT, counts, brake, refusal } = run
  return (
    <div className={css.summary}>
      <div className={css.summaryHead}>
        <StateDot label={ImportState.labels[state]} />
        <span>{formatMoment(startDT)}</span>
        <Button
          variant="default"
          size="compact-xs"
          aria-label={`${t('title')} ${t('open')}`}
          onClick={() => onOpen(idx)}
        >
          {t('open')}
        </Button>
      </div>
      {refusal ? (
        <RefusalText refusal={refusal} />
      ) : (
        state !== ImportState.PLANNING && (
          <span>
            {numbers(counts)}
            {counts.error > 0 && ` · ${t('number.error', { count: counts.error })}`}
          </span>
        )
      )}
      {brake && state === ImportState.PLANNED && <strong data-tone="bad">{t('brakeTitle', brake)}</strong>}
    </div>
  )
}
