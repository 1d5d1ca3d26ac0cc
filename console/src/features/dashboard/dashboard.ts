// View state of the dashboard, the periods and hours that follow from it in the viewer's time zone, and its figures.
// Failures are silent (spec S2 §4): a panel keeps its last values or shows nothing. It fetches them again with the next
// change, or when the window gets the focus.
import { api } from '@acc/contract'
import type { Access } from '@acc/contract/core/access'
import { MAX_DASHBOARD_DAYS, TOP_GROUP_KINDS } from '@acc/contract/dashboard'
import { localDayOf } from '@acc/contract/labels/formats'
import { type OffsetAt, splitByOffset } from '@acc/contract/labels/offsets'
import { Transfer } from '@acc/contract/labels/requests'
import { useQueries } from '@tanstack/react-query'
import { z } from 'zod'
import { queryOf, useApiQuery } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import type { ViewProps } from '../../kit/layout/view.ts'
import { type DayRange, lastDays, momentsOf } from '../../kit/table/dayRange.ts'
import { defineTexts } from '../../kit/texts/texts.ts'

const DAY = 86_400_000

export const RANGES = ['today', 'week', 'month'] as const
export type Range = (typeof RANGES)[number]
const DAYS: Record<Range, number> = { today: 1, week: 7, month: 30 }

export const DashboardView = z.object({
  range: z.enum(RANGES).catch('week').default('week'),
  /** Chosen days, in place of the range. */
  days: z.object({ from: z.string().nullable(), to: z.string().nullable() }).optional().catch(undefined),
  /** The chosen groups; none means all. */
  groups: z.array(z.number()).default([]),
  /** Direction of the charts of requests. */
  type: z.literal(Transfer.values).catch(Transfer.EXPORT).default(Transfer.EXPORT),
  /** What groups are compared by. */
  kind: z.enum(TOP_GROUP_KINDS).catch('clientLogin').default('clientLogin'),
})
export type DashboardView = z.output<typeof DashboardView>
export type DashboardProps = ViewProps<typeof DashboardView>

type Days = { from: string; to: string }

/** The days of a range, the given one included. */
export const rangeOf = (range: Range, today: Date): Days => lastDays(DAYS[range], today)

/** The days of the view; while a person still chooses the last one, only the first. */
export function daysOf({ range, days }: Pick<DashboardView, 'range' | 'days'>, today: Date): Days {
  if (!days?.from) return rangeOf(range, today)
  return { from: days.from, to: days.to ?? days.from }
}

const dayAfter = (day: string, count: number) => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + count)
}

/** The earliest day that can be chosen. */
export const earliestDay = (today: Date): string => lastDays(MAX_DASHBOARD_DAYS, today).from

/** As many days before some days; the last one ends as early as the present day does so far. */
export function periodBefore({ from, to }: Days, now: Date): Period {
  const end = Math.min(dayAfter(to, 1).getTime(), now.getTime())
  const count = Math.round((dayAfter(to, 1).getTime() - dayAfter(from, 0).getTime()) / DAY)
  const before = new Date(end)
  before.setDate(before.getDate() - count)
  return { logSDT: dayAfter(from, -count).toISOString(), logEDT: before.toISOString() }
}

/** How much a count differs from that of the period before, in percent; undefined if nothing was counted before. */
export const changeOf = (count: number | undefined, before: number | undefined): number | undefined =>
  count === undefined || !before ? undefined : Math.round((100 * (count - before)) / before)

export type Period = { logSDT: string; logEDT: string }

/** From the start of the first day to the end of the last one. */
export function periodOf(range: DayRange): Period {
  const { from = '', to = '' } = momentsOf(range)
  return { logSDT: from, logEDT: to }
}

const WEEKS = 12

/** Complete weeks, from Monday on: those of the chosen days, 12 at least, as far back as can be chosen. */
export function weeksOf({ from, to }: Days, today: Date): Period {
  const last = dayAfter(to, 0)
  const monday = (day: Date) =>
    localDayOf(new Date(day.getFullYear(), day.getMonth(), day.getDate() - ((day.getDay() + 6) % 7)))
  const first = [monday(dayAfter(from, 0)), localDayOf(dayAfter(monday(last), -7 * (WEEKS - 1)))].toSorted()[0] ?? from
  return periodOf({ from: [first, earliestDay(today)].toSorted()[1] ?? first, to })
}

/** The days of a week, as filters of a list. */
export const daysOfWeek = (monday: string): Days => ({ from: monday, to: localDayOf(dayAfter(monday, 6)) })

/** The last 11 months and the current one, until the end of the day (spec S2 §9). */
export function yearOf(today: Date): Period {
  const { logEDT } = periodOf(rangeOf('today', today))
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
/** The same for figures that change slowly and take longer. */
const SLOW_PACE = 60_000

export type FigureProps = {
  view: DashboardView
  /** The present day, at its start. */
  today: Date
  /** The end of the present quarter of an hour. */
  now: Date
}

const groupsOf = ({ groups }: DashboardView) => (groups.length === 0 ? {} : { groupIdxes: groups })
const inputOf = ({ view, today }: FigureProps) => ({ ...periodOf(daysOf(view, today)), ...groupsOf(view) })
const inputBefore = ({ view, today, now }: FigureProps) => ({
  ...periodBefore(daysOf(view, today), now),
  ...groupsOf(view),
})

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

/** Returns how many sign-ins there were in the period before. */
export function useLoginsBefore(props: FigureProps): number | undefined {
  const route = api.dashboard.findHourlyUserLogins
  const { data } = useApiQuery(route, inputBefore(props), useChoices(route.access))
  return data?.loginCounts.reduce((sum, count) => sum + count, 0)
}

export function useDecisions({ view, today }: FigureProps) {
  const route = api.dashboard.searchDecisions
  const input = { ...weeksOf(daysOf(view, today), today), ...groupsOf(view), type: view.type }
  return useApiQuery(route, input, { ...useChoices(route.access), pace: SLOW_PACE, isLocal: true }).data?.weeks
}

export function useTopGroups(props: FigureProps) {
  const route = api.dashboard.findTopGroups
  const input = { ...inputOf(props), kind: props.view.kind }
  return useApiQuery(route, input, { ...useChoices(route.access), pace: SLOW_PACE }).data
}

export function useUsedVersions({ view }: FigureProps) {
  const route = api.dashboard.findUsedVersions
  return useApiQuery(route, groupsOf(view), { ...useChoices(route.access), pace: SLOW_PACE }).data
}

export function useMonths({ view, today }: FigureProps) {
  const route = api.dashboard.searchApproveRequests
  const input = { ...yearOf(today), ...groupsOf(view), type: view.type }
  return useApiQuery(route, input, { ...useChoices(route.access), isLocal: true }).data?.approveRequests
}

export function useRequestStates(type: Transfer, props: FigureProps) {
  const { findFileImportStates, findFileExportStates } = api.dashboard
  const route = type === Transfer.IMPORT ? findFileImportStates : findFileExportStates
  const choices = useChoices(route.access)
  const states = useApiQuery(route, inputOf(props), choices).data
  const before = useApiQuery(route, inputBefore(props), { ...choices, pace: SLOW_PACE }).data
  return { states, before }
}

export function useUserStates({ view }: FigureProps) {
  const route = api.dashboard.findUserStates
  return useApiQuery(route, groupsOf(view), useChoices(route.access)).data
}

export function useLicenseStates() {
  const route = api.dashboard.findLicenseStates
  return useApiQuery(route, {}, useChoices(route.access)).data
}
