// The histories that managers read for the groups where they hold the log page, administrators for all (S2 section 2.6).
import type { ClientSignInFilter, TransferLogFilter } from '@acc/contract/history'
import { plannedScope } from '../access/planned.ts'
import { REQUEST_SORTS } from '../approvals/approvals.queries.ts'
import type { Read } from '../http/context.ts'
import { listOf } from '../http/list.ts'
import { matchClientSignIns, matchRequestsWithFiles, SIGN_IN_SORTS } from './history.queries.ts'

const logScope = (ctx: Read) => plannedScope(ctx.read, ctx.actor, ctx.scope('log', 1))

export async function searchClientSignIns(ctx: Read, filter: ClientSignInFilter) {
  const matches = matchClientSignIns(ctx.read, await logScope(ctx), filter)
  return listOf(ctx.read, filter, { matches, sorts: SIGN_IN_SORTS })
}

export async function searchTransfers(ctx: Read, { logSDT, logEDT, ...filter }: TransferLogFilter) {
  const asked = { ...filter, from: logSDT, to: logEDT }
  const matches = matchRequestsWithFiles(ctx.read, await logScope(ctx), asked)
  return listOf(ctx.read, filter, { matches, sorts: REQUEST_SORTS })
}
