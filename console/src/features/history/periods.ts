// The period that is chosen in the strip: whole days in the filter, or hours within them.
import type { CountUnit } from '@acc/contract/history/routes'
import { localDayOf } from '@acc/contract/labels/formats'
import type { HistoryView } from './history.ts'

type Period = Pick<HistoryView, 'from' | 'to' | 'since' | 'until'>

/** Returns the change of the view that shows what happened between two moments. */
export function periodOf(unit: CountUnit, start: Date, end: Date): Period {
  if (unit === 'hour') return { since: start.toISOString(), until: end.toISOString() }
  const last = new Date(end.getTime() - 1)
  return { from: localDayOf(start), to: localDayOf(last), since: undefined, until: undefined }
}
