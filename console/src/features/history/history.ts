// Texts and view state of the history screen. All menus share the period (spec S2 §2.6).
import { HISTORY_MENUS, type HistoryMenu } from '@acc/contract/history/kinds'
import { z } from 'zod'
import type { ViewProps } from '../../kit/layout/view.ts'
import { type DayRange, defaultRange } from '../../kit/table/dayRange.ts'
import { defineTexts } from '../../kit/texts/texts.ts'

export const historyTexts = defineTexts(
  () => import('./history.ko.json'),
  () => import('./history.en.json'),
)

const NAMES = Object.keys(HISTORY_MENUS) as [HistoryMenu, ...HistoryMenu[]]

export const HistoryView = z.object({
  menu: z.enum(NAMES).catch('clientLogin').default('clientLogin'),
  from: z.string().nullable().optional(),
  to: z.string().nullable().optional(),
  idx: z.number().optional(),
  /** The chosen groups; none means all. */
  groups: z.array(z.number()).default([]),
  /** The hour of the day that begins at this many minutes. */
  hour: z.int().min(0).max(1439).optional().catch(undefined),
  /** Moments within the period, chosen in the strip. */
  since: z.string().optional().catch(undefined),
  until: z.string().optional().catch(undefined),
  /** The name of the object in `filters.targetIdx`. */
  objectName: z.string().optional().catch(undefined),
  /** Texts and values of enumerations by field name, and the filters of `SPECIAL`. */
  filters: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
})
export type HistoryView = z.output<typeof HistoryView>
type Filters = HistoryView['filters']
export type HistoryProps = ViewProps<typeof HistoryView>

/** Returns the chosen period, otherwise the operator's default. */
export function rangeOf(view: HistoryView, runtime: Parameters<typeof defaultRange>[0]): DayRange {
  if (view.from !== undefined && view.to !== undefined) return { from: view.from, to: view.to }
  return defaultRange(runtime)
}

/** Removes all filters but the period. */
export const UNFILTERED = {
  filters: {},
  groups: [],
  hour: undefined,
  since: undefined,
  until: undefined,
  objectName: undefined,
}

/** Sets one filter; an empty one is removed. */
export function withFilter(filters: Filters, name: string, value: string | number | undefined): Filters {
  const { [name]: _former, ...rest } = filters
  return value === '' || value === undefined ? rest : { ...rest, [name]: value }
}
