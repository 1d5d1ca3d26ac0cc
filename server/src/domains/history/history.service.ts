// The histories that managers read for the groups where they hold the log page, administrators for all (S2 section 2.6).
import type { ClientSignInFilter, TransferLogFilter } from '@acc/contract/history'
import type { Read } from '../../core/context.ts'
import { GROUPS_EVER, scopeForLargeLists, scopeOf } from '../../core/scope.ts'
import { listOf } from '../../db/list.ts'
import { attachFiles, listWithFiles } from '../requests/requests.files.ts'
import { hasTexts as hasRequestTexts, matchRequests, REQUEST_SORTS } from '../requests/requests.queries.ts'
import { hasTexts, matchClientSignIns, SIGN_IN_SORTS } from './history.queries.ts'

/** Rows of a deleted group are read with those of the group that its people moved to. */
const logScope = ({ read, actor }: Read) =>
  scopeForLargeLists(read, actor, scopeOf(actor, 'log', 1, GROUPS_EVER), GROUPS_EVER)

export async function searchClientSignIns(ctx: Read, filter: ClientSignInFilter) {
  const matches = matchClientSignIns(ctx.read, await logScope(ctx), filter)
  const searchIn = hasTexts(filter) ? 'signIns' : undefined
  return listOf(ctx.read, filter, { matches, sorts: SIGN_IN_SORTS, searchIn })
}

export async function searchTransfers(ctx: Read, { logSDT, logEDT, ...filter }: TransferLogFilter) {
  const asked = { ...filter, from: logSDT, to: logEDT }
  const matches = matchRequests(ctx.read, await logScope(ctx), asked)
  const searchIn = hasRequestTexts(asked) ? 'fileEximports' : undefined
  const list = listOf(ctx.read, filter, { matches, sorts: REQUEST_SORTS, searchIn })
  return listWithFiles(list, (rows) => attachFiles(ctx.read, rows))
}
