// What authorities lose when a group or users are deleted: a row in the history of each, with what it had before and after.
import { AuthManage } from '@acc/contract/labels/history'
import { type HistoryEntry, notifyAll } from '../../core/change.ts'
import { raiseRightsRevision } from '../../core/rights.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Tx } from '../../db/open.ts'
import { endSessionsOf } from '../session/session.service.ts'
import { authorityLog } from './authorities.history.ts'
import {
  type AuthorityRow,
  deleteCoverage,
  deleteMemberships,
  findCoveredGroups,
  findMembers,
  findPowerless,
  lockAuthoritiesOf,
  lockAuthoritiesOver,
  updateAuthorityRow,
} from './authorities.queries.ts'

type Log = HistoryEntry<'authManage'>[]

/** Raises the revisions, so that open forms notice the change, and makes loaded rights outdated. */
async function announce(tx: Tx, authorities: readonly AuthorityRow[]): Promise<void> {
  for (const { idx } of authorities) await updateAuthorityRow(tx, idx, {})
  if (authorities.length > 0) await raiseRightsRevision(tx)
  await notifyAll(
    tx,
    authorities.map(({ idx }) => ({ topic: 'authorities', idx })),
  )
}

/**
 * Takes a group that is being deleted out of the authorities over it. Ends the sessions of members who are no group managers
 * any more. The group is locked against new authorities.
 */
export async function removeGroupFromAuthorities(tx: Tx, services: HandlerServices, groupIdx: number): Promise<Log> {
  const authorities = await lockAuthoritiesOver(tx, groupIdx)
  const log: Log = []
  for (const row of authorities) {
    const before = await findCoveredGroups(tx, row.idx)
    const groups = { before, after: before.filter(({ idx }) => idx !== groupIdx) }
    log.push(authorityLog(AuthManage.UPDATE_AUTH, row, row, { groups }))
  }
  await deleteCoverage(tx, groupIdx)
  const powerless = await findPowerless(
    tx,
    authorities.map(({ idx }) => idx),
  )
  if (powerless.length > 0) await endSessionsOf(tx, services, powerless)
  await announce(tx, authorities)
  return log
}

/** Takes users who are being deleted out of their authorities. They are locked against new ones. */
export async function removeUsersFromAuthorities(tx: Tx, userIdxes: readonly number[]): Promise<Log> {
  const authorities = await lockAuthoritiesOf(tx, userIdxes)
  const gone = new Set(userIdxes)
  const log: Log = []
  for (const row of authorities) {
    const before = await findMembers(tx, row.idx)
    const users = { before, after: before.filter(({ idx }) => !gone.has(idx)) }
    log.push(authorityLog(AuthManage.UPDATE_MANAGER, row, row, { users }))
  }
  await deleteMemberships(tx, userIdxes)
  await announce(tx, authorities)
  return log
}
