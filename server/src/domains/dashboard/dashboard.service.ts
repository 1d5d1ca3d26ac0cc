// The figures of the dashboard (spec S2 §2.5, §3, §7).
import {
  type DashboardPeriod,
  type DecisionWeek,
  type FirstSteps,
  MAX_USED_VERSIONS,
  type RequestMonth,
  type RequestStates,
  type TopGroupKind,
  type TopGroups,
  USED_PC_DAYS,
  type UsedVersions,
  type UserStates,
} from '@acc/contract/dashboard'
import { Transfer } from '@acc/contract/labels/requests'
import { days, later, today } from '../../clock.ts'
import { findScope } from '../../core/chosenGroups.ts'
import type { Read } from '../../core/context.ts'
import { OF_ANY_GROUP, type Scope } from '../../core/scope.ts'
import { findDeployed } from '../clientVersions/clientVersions.queries.ts'
import { usesOutbox } from '../configs/configs.register.ts'
import { countDevices } from '../licenses/licenses.queries.ts'
import { findLicense } from '../licenses/licenses.status.ts'
import { monthsOf, weeksOf } from './dashboard.calendar.ts'
import { splitByCounts, sumRequestsBetween, sumSignIns } from './dashboard.counts.ts'
import {
  countDecisions,
  countPcsByVersion,
  countRequestStates,
  countRequestsBetween,
  countSignIns,
  countUserStates,
  findDoneSteps,
  findTopGroups,
  type Period,
} from './dashboard.queries.ts'

const HOURS = 24

const periodOf = ({ logSDT, logEDT }: DashboardPeriod): Period => ({ from: new Date(logSDT), to: new Date(logEDT) })

/**
 * Counts a period for the scope of a call. For the whole organization most of it is counted in advance (`counted`), and
 * only the rest is counted from the rows.
 */
async function countIn<T>(
  { read }: Read,
  scope: Scope | undefined,
  period: Period,
  fromRows: (scope: Scope, period: Period) => Promise<T[]>,
  fromCounts: (period: Period) => Promise<T[]>,
): Promise<T[]> {
  if (scope !== undefined) return fromRows(scope, period)
  const { counted, rest } = await splitByCounts(read, period)
  const rows: T[] = []
  for (const part of counted) rows.push(...(await fromCounts(part)))
  for (const part of rest) rows.push(...(await fromRows(OF_ANY_GROUP, part)))
  return rows
}

export async function readHourlyLogins(ctx: Read, input: DashboardPeriod): Promise<{ loginCounts: number[] }> {
  const scope = await findScope(ctx, 'log', input.groupIdxes)
  const rows = await countIn(
    ctx,
    scope,
    periodOf(input),
    (some, period) => countSignIns(ctx.read, some, period),
    (period) => sumSignIns(ctx.read, period),
  )
  const loginCounts = Array.from({ length: HOURS }, () => 0)
  for (const { hour, count } of rows) loginCounts[hour] = (loginCounts[hour] ?? 0) + count
  return { loginCounts }
}

export async function readMonths(
  ctx: Read,
  { type, ...input }: DashboardPeriod & { type: Transfer },
): Promise<{ approveRequests: RequestMonth[] }> {
  const scope = await findScope(ctx, 'log', input.groupIdxes)
  const whole = periodOf(input)
  const months = monthsOf(whole.from, whole.to, ctx.timeZone)
  const bounds = months.map(({ start }) => start)
  const rows = await countIn(
    ctx,
    scope,
    whole,
    (some, period) => countRequestsBetween(ctx.read, some, type, period, bounds),
    (period) => sumRequestsBetween(ctx.read, type, period, bounds),
  )
  const approveRequests = months.map(({ name }, at) => {
    const found = rows.filter(({ bucket }) => bucket === at + 1)
    const sumOf = (column: 'count' | 'size') => found.reduce((sum, row) => sum + row[column], 0)
    // Announced bytes need no space, so that their sum may be beyond exact numbers.
    return { dt: name, count: sumOf('count'), size: Math.min(sumOf('size'), Number.MAX_SAFE_INTEGER) }
  })
  return { approveRequests }
}

export async function readDecisions(
  ctx: Read,
  { type, ...input }: DashboardPeriod & { type: Transfer },
): Promise<{ weeks: DecisionWeek[] }> {
  const scope = (await findScope(ctx, 'log', input.groupIdxes)) ?? OF_ANY_GROUP
  const { from, to } = periodOf(input)
  const weeks = weeksOf(from, to, ctx.timeZone)
  const bounds = [from, ...weeks.slice(1).map(({ start }) => start), to]
  const parts = weeks.map((_, at) => ({ from: bounds[at] ?? from, to: bounds[at + 1] ?? to }))
  const counts = await countDecisions(ctx.read, scope, type, parts)
  return { weeks: counts.map((count, at) => ({ dt: weeks[at]?.name ?? '', ...count })) }
}

export async function readTopGroups(
  ctx: Read,
  { kind, ...input }: DashboardPeriod & { kind: TopGroupKind },
): Promise<TopGroups> {
  const scope = (await findScope(ctx, 'log', input.groupIdxes)) ?? OF_ANY_GROUP
  return findTopGroups(ctx.read, scope, kind, periodOf(input))
}

export async function readUsedVersions(
  ctx: Read,
  { groupIdxes }: Pick<DashboardPeriod, 'groupIdxes'>,
): Promise<UsedVersions> {
  const scope = await findScope(ctx, 'log', groupIdxes)
  const versions = await countPcsByVersion(ctx.read, scope, later(ctx.services.clock.now(), -days(USED_PC_DAYS)))
  const deployed = await findDeployed(ctx.read)
  const countOf = (name: string) => versions.find(({ version }) => version === name)?.count ?? 0
  return {
    versions: versions.slice(0, MAX_USED_VERSIONS),
    totalCount: versions.reduce((sum, { count }) => sum + count, 0),
    deployed: deployed ? { version: deployed.version, count: countOf(deployed.version) } : null,
  }
}

const PAGES_OF = { [Transfer.IMPORT]: 'fileImportApprove', [Transfer.EXPORT]: 'fileExportApprove' } as const

export const readRequestStates =
  (type: Transfer) =>
  async (ctx: Read, input: DashboardPeriod): Promise<RequestStates> => {
    const scope = (await findScope(ctx, PAGES_OF[type], input.groupIdxes)) ?? OF_ANY_GROUP
    return countRequestStates(ctx.read, scope, type, periodOf(input))
  }

export async function readUserStates(ctx: Read, input: Pick<DashboardPeriod, 'groupIdxes'>): Promise<UserStates> {
  const scope = (await findScope(ctx, 'user', input.groupIdxes)) ?? OF_ANY_GROUP
  return countUserStates(ctx.read, scope, today(ctx.services.clock))
}

export async function readLicenseStates({ read, services }: Read): Promise<{ useCount: number; maxCount: number }> {
  const { maxCount } = await findLicense(read, services)
  return { useCount: await countDevices(read), maxCount }
}

export async function readFirstSteps({ read, services }: Read): Promise<FirstSteps> {
  return { mail: (await usesOutbox(read, services)) ? 0 : 1, ...(await findDoneSteps(read)) }
}
