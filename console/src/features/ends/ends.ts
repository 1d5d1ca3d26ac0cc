// Ends as they are chosen and shown: the last day on which something applies, in the browser's time zone.
import { MAX_END_DAYS, NO_END, type StoredEnd } from '@acc/contract/ends'
import { EndChoice, EndingKind, Finding } from '@acc/contract/labels/ends'
import { localDayOf } from '@acc/contract/labels/formats'
import { z } from 'zod'
import { defineTexts, useTexts } from '../../kit/texts/texts.ts'

export const endsTexts = defineTexts(
  () => import('./ends.ko.json'),
  () => import('./ends.en.json'),
)

/** The filters of the list. */
export const ReportView = z.object({
  finding: z.literal(Finding.values).optional(),
  kind: z.literal(EndingKind.values).optional(),
  report: z.string().default(''),
})

/** The fields of a form. `endDT` is the last day, YYYY-MM-DD. */
export type EndValues = { endChoice: EndChoice; endDT: string | null; endReason: string }

const dayIn = (now: Date, days: number) => localDayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days))

/** A month later, or the last day of a shorter month. */
function monthLater(now: Date): string {
  const last = new Date(now.getFullYear(), now.getMonth() + 2, 0)
  return localDayOf(new Date(last.getFullYear(), last.getMonth(), Math.min(now.getDate(), last.getDate())))
}

const LAST_DAYS: Partial<Record<EndChoice, (now: Date) => string>> = {
  [EndChoice.DAY]: (now) => dayIn(now, 1),
  [EndChoice.WEEK]: (now) => dayIn(now, 7),
  [EndChoice.MONTH]: monthLater,
}

/** The first and the last day that can be chosen. */
export const endBounds = (now: Date = new Date()) => ({ from: dayIn(now, 0), to: dayIn(now, MAX_END_DAYS - 1) })

/** The last day on which something with this end applies. */
export const lastDayOf = (endDT: string): string => localDayOf(new Date(Date.parse(endDT) - 1))

/** A new row ends after a month. */
export const newEnd = (now: Date = new Date()): EndValues => ({
  endChoice: EndChoice.MONTH,
  endDT: monthLater(now),
  endReason: '',
})

export const valuesOfEnd = ({ endDT, endReason }: StoredEnd): EndValues => ({
  endChoice: endDT === null ? EndChoice.NONE : EndChoice.DATE,
  endDT: endDT && lastDayOf(endDT),
  endReason: endReason ?? '',
})

/** The fields that a choice sets. */
export const chosen = (endChoice: EndChoice, { endDT }: EndValues, now: Date = new Date()): Partial<EndValues> => ({
  endChoice,
  endDT: endChoice === EndChoice.NONE ? null : (LAST_DAYS[endChoice]?.(now) ?? endDT ?? monthLater(now)),
})

/** The start of the day after the last one. The stored moment is kept while its day is the same. */
function momentOf(day: string, stored: StoredEnd): string {
  if (stored.endDT !== null && lastDayOf(stored.endDT) === day) return stored.endDT
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + 1).toISOString()
}

/** The end that a form sends. */
export function endOf({ endDT, endReason }: EndValues, stored: StoredEnd = NO_END): StoredEnd {
  if (endDT !== null) return { endDT: momentOf(endDT, stored), endReason: null }
  return { endDT: null, endReason: endReason.trim() || null }
}

type Fault = 'noDay' | 'wrongDay' | 'noReason'
/** Returns the faults of the fields. */
export function endFaults(
  { endChoice, endDT, endReason }: EndValues,
  stored: StoredEnd = NO_END,
  now: Date = new Date(),
): { endDT?: Fault; endReason?: Fault } {
  if (endChoice === EndChoice.NONE) return endReason.trim() === '' ? { endReason: 'noReason' } : {}
  if (endDT === null) return { endDT: 'noDay' }
  const { from, to } = endBounds(now)
  const isKept = stored.endDT !== null && lastDayOf(stored.endDT) === endDT
  return isKept || (endDT >= from && endDT <= to) ? {} : { endDT: 'wrongDay' }
}

/** Returns the texts of faults, by field. */
export function useEndFaultTexts() {
  const t = useTexts(endsTexts)
  return (faults: ReturnType<typeof endFaults>) => ({
    ...(faults.endDT && { endDT: t(faults.endDT) }),
    ...(faults.endReason && { endReason: t(faults.endReason) }),
  })
}

/** Returns the words of a stored end; empty for rows from before ends existed. */
export function useEndText(): (end: StoredEnd) => string {
  const t = useTexts(endsTexts)
  return ({ endDT, endReason }) => {
    if (endDT !== null) return t('until', { day: lastDayOf(endDT) })
    return endReason === null ? t('noEnd') : t('noEndBecause', { reason: endReason })
  }
}
