// What the history screen keeps of itself: which kind is open, the period, the filters, the chosen entry. Dates and filters
// are shared by the kinds where they mean the same (S2 section 2.6: a shared range).
import type { HISTORY_MENUS } from '@acc/contract/history/kinds'
import { z } from 'zod'
import { type DayRange, lastDays } from '../../kit/table/dayRange.ts'

export const MENUS = [
  'clientLogin',
  'fileExport',
  'fileImport',
] as const satisfies readonly (keyof typeof HISTORY_MENUS)[]
export type Menu = (typeof MENUS)[number]

export const HistoryView = z.object({
  menu: z.enum(MENUS).default('clientLogin'),
  from: z.string().nullable().optional(),
  to: z.string().nullable().optional(),
  idx: z.number().optional(),
  filters: z.record(z.string(), z.string()).default({}),
  type: z.number().optional(),
})
export type HistoryView = z.output<typeof HistoryView>
export type SetHistoryView = (change: Partial<HistoryView>, options?: { replace?: boolean }) => void

/** Days that one unit of the operator's default range stands for. */
const UNIT_DAYS = { day: 1, week: 7, month: 30, year: 365 } as const

/** The chosen period, else the operator's default one. */
export function rangeOf(
  view: HistoryView,
  runtime: { defaultDateRange: number; defaultDateRangeUnit: keyof typeof UNIT_DAYS },
): DayRange {
  if (view.from !== undefined && view.to !== undefined) return { from: view.from, to: view.to }
  return lastDays(runtime.defaultDateRange * UNIT_DAYS[runtime.defaultDateRangeUnit])
}

/** One filter's text changed: an empty one is left out. */
export function withFilter(filters: Record<string, string>, name: string, value: string): Record<string, string> {
  const { [name]: _former, ...rest } = filters
  return value === '' ? rest : { ...rest, [name]: value }
}
