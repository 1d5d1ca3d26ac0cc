// The figures of the dashboard (spec S2 §2.5, §3, §7).
import type { DashboardPeriod, RequestMonth, RequestStates, UserStates } from '@acc/contract/dashboard'
import { Transfer } from '@acc/contract/labels/requests'
import { today } from '../../clock.ts'
import type { Read } from '../../core/context.ts'
import { EVERYWHERE, type Scope } from '../../core/scope.ts'
import { countDevices } from '../licenses/licenses.queries.ts'
import { findLicense } from '../licenses/licenses.status.ts'
import { monthsOf } from './dashboard.months.ts'
import {
  countRequestStates,
  countRequestsBetween,
  countSignIns,
  countUserStates,
  type Period,
} from './dashboard.queries.ts'
import { findScope } from './dashboard.scope.ts'

const HOURS = 24

const periodOf = ({ logSDT, logEDT }: DashboardPeriod): Period => ({ from: new Date(logSDT), to: new Date(logEDT) })
const scopeFrom = (found: Scope | 'everything'): Scope => (found === 'everything' ? EVERYWHERE : found)

export async function readHourlyLogins(ctx: Read, input: DashboardPeriod): Promise<{ loginCounts: number[] }> {
  const scope = scopeFrom(await findScope(ctx, 'log', input.groupIdxes))
  const rows = await countSignIns(ctx.read, scope, periodOf(input))
  const counts = new Map(rows.map(({ hour, count }) => [hour, count]))
  return { loginCounts: Array.from({ length: HOURS }, (_, hour) => counts.get(hour) ?? 0) }
}

export async function readMonths(
  ctx: Read,
  input: DashboardPeriod & { type: Transfer },
): Promise<{ approveRequests: RequestMonth[] }> {
  const scope = scopeFrom(await findScope(ctx, 'log', input.groupIdxes))
  const period = periodOf(input)
  const months = monthsOf(period.from, period.to, ctx.timeZone)
  const bounds = months.map(({ start }) => start)
  const rows = await countRequestsBetween(ctx.read, scope, input.type, period, bounds)
  const found = new Map(rows.map((row) => [row.bucket, row]))
  const approveRequests = months.map(({ name }, at) => {
    const { count = 0, size = 0 } = found.get(at + 1) ?? {}
    return { dt: name, count, size }
  })
  return { approveRequests }
}

const PAGES_OF = { [Transfer.IMPORT]: 'fileImportApprove', [Transfer.EXPORT]: 'fileExportApprove' } as const

export const readRequestStates =
  (type: Transfer) =>
  async (ctx: Read, input: DashboardPeriod): Promise<RequestStates> => {
    const scope = scopeFrom(await findScope(ctx, PAGES_OF[type], input.groupIdxes))
    return countRequestStates(ctx.read, scope, type, periodOf(input))
  }

export async function readUserStates(ctx: Read, input: Pick<DashboardPeriod, 'groupIdxes'>): Promise<UserStates> {
  const scope = scopeFrom(await findScope(ctx, 'user', input.groupIdxes))
  return countUserStates(ctx.read, scope, today(ctx.services.clock))
}

export async function readLicenseStates({ read, services }: Read): Promise<{ useCount: number; maxCount: number }> {
  const { maxCount } = await findLicense(read, services)
  return { useCount: await countDevices(read), maxCount }
}
