// Personal policies of users: made and dropped (spec S1 §4).
import type { Empty } from '@acc/contract/core/fields'
import { Role } from '@acc/contract/labels/access'
import { OwnerType } from '@acc/contract/labels/policies'
import { logOf, notify } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import { requireOthers } from '../../core/scope.ts'
import { setIsMyPolicy as setPolicyOwned } from '../policies/policies.service.ts'
import { requireEditableOne } from './users.guards.ts'

type MyPolicy = { idx: number; isMyPolicy?: 0 | 1 | undefined }

/** Gives a user an own policy, a copy of the inherited one, or makes them inherit again. */
export function setIsMyPolicy(ctx: Change<'policyManage'>, { idx, isMyPolicy }: MyPolicy): Promise<Empty> {
  return ctx.change(async (tx) => {
    const user = await requireEditableOne(tx, ctx.actor, idx, 'policy')
    if (ctx.actor.role !== Role.ADMIN) requireOthers(ctx.actor, [idx])
    const log = await setPolicyOwned(tx, ctx.actor, { ownerIdx: idx, ownerType: OwnerType.USER }, isMyPolicy)
    if (log.length > 0) await notify(tx, { topic: 'users', idx, groupIdx: user.groupIdx })
    return { result: {}, log: logOf(log) }
  })
}
