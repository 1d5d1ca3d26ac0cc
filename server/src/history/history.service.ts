// The histories that managers read for the groups where they hold the log page, administrators for all (S2 section 2.6).
import type { ClientSignInFilter, TransferLogFilter } from '@acc/contract/history'
import { REQUEST_SORTS } from '../approvals/approvals.queries.ts'
import type { Read } from '../http/context.ts'
import { listOf } from '../http/list.ts'
import { matchClientSignIns, matchRequestsWithFiles, SIGN_IN_SORTS } from './history.queries.ts'

export const searchClientSignIns = (ctx: Read, filter: ClientSignInFilter) =>
  listOf(ctx.read, filter, {
    matches: matchClientSignIns(ctx.read, ctx.scope('log', 1), filter),
    sorts: SIGN_IN_SORTS,
  })

export const searchTransfers = (ctx: Read, { logSDT, logEDT, ...filter }: TransferLogFilter) =>
  listOf(ctx.read, filter, {
    matches: matchRequestsWithFiles(ctx.read, ctx.scope('log', 1), { ...filter, from: logSDT, to: logEDT }),
    sorts: REQUEST_SORTS,
  })
