// Always-allowed IP addresses (spec S2 §2.2, §5, §7).

import { type BimExceptionChange, MAX_BIM, type NewBimException } from '@acc/contract/bim'
import type { Empty } from '@acc/contract/core/fields'
import { BimManage } from '@acc/contract/labels/history'
import type { z } from 'zod'
import { logOf, notify } from '../../core/change.ts'
import type { Change, Read } from '../../core/context.ts'
import { fail, requireAll, requireRevision } from '../../core/errors.ts'
import { exceptionLog, isUnchangedException } from './bim.history.ts'
import {
  countRows,
  deleteExceptions,
  findExceptions,
  insertException,
  lockExceptions,
  lockLists,
  updateExceptionRow,
} from './bim.queries.ts'

type Ctx = Change<'bimManage'>

export const readExceptions = async ({ read }: Read) => ({ exceptions: await findExceptions(read) })

export function createException(ctx: Ctx, columns: z.output<typeof NewBimException>): Promise<{ idx: number }> {
  return ctx.change(async (tx) => {
    await lockLists(tx)
    const max = MAX_BIM.exceptions
    if ((await countRows(tx, 'bimExceptions')) >= max) fail('TOO_MANY_ENTRIES', { max })
    const row = await insertException(tx, columns)
    await notify(tx, { topic: 'bim', idx: row.idx })
    return { result: { idx: row.idx }, log: [exceptionLog(BimManage.CREATE_EXCEPTION, row, null)] }
  })
}

type ExceptionChange = z.output<typeof BimExceptionChange>

export function updateException(ctx: Ctx, { idx, revision, ...columns }: ExceptionChange): Promise<Empty> {
  return ctx.change(async (tx) => {
    const [before] = await lockExceptions(tx, [idx])
    if (before === undefined) fail('NOT_ALLOWED')
    requireRevision(before, revision)
    const after = { ...before, ...columns }
    if (isUnchangedException(before, after)) return { result: {}, log: 'unchanged' }
    await updateExceptionRow(tx, idx, columns)
    await notify(tx, { topic: 'bim', idx })
    return { result: {}, log: [exceptionLog(BimManage.UPDATE_EXCEPTION, after, before)] }
  })
}

/** Deletes addresses, all or none of them. */
export function removeExceptions(ctx: Ctx, { idxes }: { idxes: number[] }): Promise<Empty> {
  return ctx.change(async (tx) => {
    const rows = await lockExceptions(tx, idxes)
    requireAll(idxes, rows)
    await deleteExceptions(tx, idxes)
    await notify(tx, { topic: 'bim' })
    return { result: {}, log: logOf(rows.map((row) => exceptionLog(BimManage.DELETE_EXCEPTION, row, null))) }
  })
}
