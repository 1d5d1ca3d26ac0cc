// The last day of several accounts at once (spec S1 §5): with the rights and the history rows of the single call, all or none.
import type { Empty } from '@acc/contract/core/fields'
import { UserManage } from '@acc/contract/labels/history'
import { logOf, notifyAll } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import { requireOthers } from '../../core/scope.ts'
import { userLog } from '../../core/userLog.ts'
import { requireEditable, requireNoAdmin } from './users.guards.ts'
import { updateUsers } from './users.queries.ts'
import { requireExpiry } from './users.service.ts'

type Expiry = { idxes: number[]; isMortal: 0 | 1; expireDT?: string | null | undefined }

/** Sets or removes the last day of accounts. Those that have it already are unchanged. */
export function setExpiry(
  ctx: Change<'userManage'>,
  { idxes, isMortal, expireDT: day = null }: Expiry,
): Promise<Empty> {
  const { services, actor } = ctx
  requireOthers(actor, idxes)
  const expireDT = isMortal === 1 ? day : null
  if (isMortal === 1) requireExpiry(services, expireDT)
  return ctx.change(async (tx) => {
    const users = await requireEditable(tx, actor, idxes)
    requireNoAdmin(users)
    const changing = users.filter((user) => user.isMortal !== isMortal || user.expireDT !== expireDT)
    const changed = changing.map(({ idx }) => idx)
    if (changed.length > 0) await updateUsers(tx, changed, { isMortal, expireDT })
    await notifyAll(
      tx,
      changing.map(({ idx, groupIdx }) => ({ topic: 'users', idx, groupIdx })),
    )
    const log = changing.map((before) => userLog(UserManage.UPDATE, { ...before, isMortal, expireDT }, before))
    return { result: {}, log: logOf(log) }
  })
}
