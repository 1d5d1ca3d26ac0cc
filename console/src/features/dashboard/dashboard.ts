// Figures of the dashboard. Failures are silent (spec S2 §4): a panel keeps its last values or shows nothing. It
// fetches them again with the next change, or when the window gets the focus.

import { api } from '@acc/contract'
import type { Access } from '@acc/contract/core/access'
import { Transfer } from '@acc/contract/labels/requests'
import { useQueries } from '@tanstack/react-query'
import { queryOf, useApiQuery } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { defineTexts } from '../../kit/texts/texts.ts'
import { type DashboardView, daysOf, minuteOf, periodOf, rotate, splitPeriod, yearOf } from './dashboardView.ts'

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
