// View state of the dashboard, the periods and hours that follow from it in the viewer's time zone, and its figures.
// Failures are silent (spec S2 §4): a panel keeps its last values or shows nothing. It fetches them again with the next
// change, or when the window gets the focus.
import { api } from '@acc/contract'
import type { Access } from '@acc/contract/core/access'
import { type OffsetAt, splitByOffset } from '@acc/contract/labels/offsets'
import { Transfer } from '@acc/contract/labels/requests'
import { useQueries } from '@tanstack/react-query'
import { z } from 'zod'
import { queryOf, useApiQuery } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import type { ViewProps } from '../../kit/layout/view.ts'
import { type DayRange, lastDays, momentsOf } from '../../kit/table/dayRange.ts'
import { defineTexts } from '../../kit/texts/texts.ts'

export const RANGES = ['today', 'week', 'month'] as const
export type Range = (typeof RANGES)[number]
const DAYS: Record<Range, number> = { today: 1, week: 7, month: 30 }

export const DashboardView = z.object({
  range: z.enum(RANGES).catch('week').default('week'),
  /** The chosen groups; none means all. */
  groups: z.array(z.number()).default([]),
  /** Direction of the monthly chart. */
  type: z.literal(Transfer.values).catch(Transfer.EXPORT).default(Transfer.EXPORT),
})
export type DashboardView = z.output<typeof DashboardView>
export type DashboardProps = ViewProps<typeof DashboardView>

/** The days of a range, the given one included. */
export const daysOf = (range: Range, today: Date): { from: string; to: string } => lastDays(DAYS[range], today)

export type Period = { logSDT: string; logEDT: string }

/** From the start of the first day to the end of the last one. */
export function periodOf(range: DayRange): Period {
  const { from = '', to = '' } = momentsOf(range)
  return { logSDT: from, logEDT: to }
}

/** The last 11 months and the current one, until the end of the day (spec S2 §9). */
export function yearOf(today: Date): Period {
  const { logEDT } = periodOf(daysOf('today', today))
  return { logSDT: new Date(today.getFullYear(), today.getMonth() - 11, 1).toISOString(), logEDT }
}

/** The days of a month, as filters of a list. */
export function daysOfMonth(month: string): { from: string; to: string } {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return { from: `${month}-01`, to: `${month}-${last}` }
}

export const localOffset: OffsetAt = (moment) => -new Date(moment).getTimezoneOffset()

/** Splits a period where summer time begins or ends, so that each part has one offset from UTC. */
export const splitPeriod = (
  { logSDT, logEDT }: Period,
  offsetAt: OffsetAt = localOffset,
): (Period & { offset: number })[] =>
  splitByOffset(Date.parse(logSDT), Date.parse(logEDT), offsetAt).map(({ start, end, offset }) => ({
    logSDT: new Date(start).toISOString(),
    logEDT: new Date(end).toISOString(),
    offset,
  }))

const HOUR = 60

/**
 * Minutes after the full hour at which each bar begins: counts come by hour in UTC, which begins at half past where the
 * offset has half an hour. In the rare zone that changes by half an hour, those at the end of the period.
 */
export const minuteOf = (parts: readonly { offset: number }[]): number =>
  (((parts.at(-1)?.offset ?? 0) % HOUR) + HOUR) % HOUR

/** Moves counts by hour in UTC to the local hours; half an hour counts to the whole one below. */
export function rotate(counts: readonly number[], offset: number): number[] {
  const hours = Math.floor(offset / HOUR)
  return counts.map((_, hour) => counts[(((hour - hours) % 24) + 24) % 24] ?? 0)
}

export const dashboardTexts = defineTexts(
  () => import('./dashboard.ko.json'),
  () => import('./dashboard.en.json'),
)

/** Minimum milliseconds between two fetches of a figure, however many changes there are. */
const PACE = 5_000

export type FigureProps = { view: DashboardView; today: Date }

const groupsOf = ({ groups }: DashboardView) => (groups.length === 0 ? {} : { groupIdxes: groups })
const inputOf = ({ view, today }: FigureProps) => ({ ...periodOf(daysOf(view.range, today)), ...groupsOf(view) })

function useChoices(access: Access) {
  const { can } = useViewer()
  return { enabled: can(access), keepsFormer: true, pace: PACE }
}

type HourlyLogins = {
  /** By local hour. */
  counts: number[]
  /** Minutes after the full hour at which each of them begins. */
  minute: number
}

/** Returns sign-ins by local hour; parts of the period with another offset from UTC are asked for apart. */
export function useHourlyLogins(props: FigureProps): HourlyLogins | undefined {
  const { can } = useViewer()
  const route = api.dashboard.findHourlyUserLogins
  const input = inputOf(props)
  const parts = splitPeriod(input)
  return useQueries({
    queries: parts.map(({ logSDT, logEDT }) => ({
      ...queryOf(route, { ...input, logSDT, logEDT }, { pace: PACE }),
      enabled: can(route.access),
    })),
    combine: (results) => {
      const counts = results.map(({ data }, at) => data && rotate(data.loginCounts, parts[at]?.offset ?? 0))
      const sumAt = (hour: number) => counts.reduce((sum, one) => sum + (one?.[hour] ?? 0), 0)
      if (counts.includes(undefined)) return undefined
      return { counts: Array.from({ length: 24 }, (_, hour) => sumAt(hour)), minute: minuteOf(parts) }
    },
  })
}

export function useMonths({ view, today }: FigureProps) {
  const route = api.dashboard.searchApproveRequests
  const input = { ...yearOf(today), ...groupsOf(view), type: view.type }
  return useApiQuery(route, input, { ...useChoices(route.access), isLocal: true }).data?.approveRequests
}

export function useRequestStates(type: Transfer, props: FigureProps) {
  const { findFileImportStates, findFileExportStates } = api.dashboard
  const route = type === Transfer.IMPORT ? findFileImportStates : findFileExportStates
  return useApiQuery(route, inputOf(props), useChoices(route.access)).data
}

export function useUserStates({ view }: FigureProps) {
  const route = api.dashboard.findUserStates
  return useApiQuery(route, groupsOf(view), useChoices(route.access)).data
}

export function useLicenseStates() {
  const route = api.dashboard.findLicenseStates
  return useApiQuery(route, {}, useChoices(route.access)).data
}
