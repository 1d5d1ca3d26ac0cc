// acc-client status: lists the caller's requests, or shows one with its files.
import { DEFAULT_MAX_COUNT, MAX_ROWS } from '@acc/contract/core/paging'
import { type Context, signedIn } from '../context.ts'
import { defineCommand, idxOf, numberIn, type Result } from '../options.ts'
import { listLines, requestLines } from '../requests.ts'
import { findRequest } from '../upload.ts'

const ROWS = 20

export const status = defineCommand({
  options: { rows: { type: 'string' } },
  args: [0, 1],
  async run(context, { rows }, [idx]) {
    if (idx !== undefined) return showOne(context, idxOf(idx))
    return showList(context, rows === undefined ? ROWS : numberIn('rows', rows, [1, MAX_ROWS]))
  },
})

async function showOne(context: Context, idx: number): Promise<Result> {
  const { calls } = await signedIn(context)
  const request = await findRequest({ calls, signal: context.signal }, idx)
  return { document: request, lines: requestLines(request, context.texts) }
}

async function showList(context: Context, rowsCount: number): Promise<Result> {
  const { calls } = await signedIn(context)
  const { texts, signal } = context
  const answer = await calls.requests.searchOwn({ rowsCount }, { signal })
  const { items, totalCount } = answer
  if (items.length === 0) return { document: answer, lines: [texts.noRequests] }
  const total = totalCount > DEFAULT_MAX_COUNT ? `${DEFAULT_MAX_COUNT}+` : String(totalCount)
  const rest = totalCount > items.length ? [texts.more(items.length, total)] : []
  return { document: answer, lines: [...listLines(items, texts), ...rest] }
}
