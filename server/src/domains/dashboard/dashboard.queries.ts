// Counts of sign-ins, requests and users: each reads a covering index, and no row of a table. And the first steps.
import type { FirstSteps } from '@acc/contract/dashboard'
import { ROOT_GROUP } from '@acc/contract/groups'
import { SUCCESSFUL_SIGN_INS } from '@acc/contract/labels/history'
import { RequestState, type Transfer } from '@acc/contract/labels/requests'
import { ShownState } from '@acc/contract/labels/users'
import { INCOMPLETE, WAITING } from '@acc/contract/requestState'
import { type RawBuilder, sql } from 'kysely'
import { isManager } from '../../core/grants.ts'
import type { Scope } from '../../core/scope.ts'
import type { Reader } from '../../db/open.ts'
import { isShownAs } from '../credentials/accountStates.ts'

export type Period = { from: Date; to: Date }

/** Counts the successful sign-ins of desktop clients by hour of the day in UTC; hours without any are left out. */
export const countSignIns = (db: Reader, scope: Scope, { from, to }: Period) =>
  db
    .selectFrom('signIns')
    .select((eb) => [
      sql<number>`date_part('hour', "loginDT" at time zone 'UTC')::int`.as('hour'),
      eb.fn.countAll<number>().as('count'),
    ])
    .where('kind', '=', 'client')
    .where('type', 'in', SUCCESSFUL_SIGN_INS)
    .where('loginDT', '>=', from)
    .where('loginDT', '<', to)
    .where((eb) => scope(eb.ref('signIns.groupIdx')))
    .groupBy('hour')
    .execute()

const requestsIn = (db: Reader, scope: Scope, type: Transfer, { from, to }: Period) =>
  db
    .selectFrom('fileEximports')
    .where('type', '=', type)
    .where('requestDT', '>=', from)
    .where('requestDT', '<', to)
    .where((eb) => scope(eb.ref('fileEximports.requesterGroupIdx')))

/** Counts requests and their bytes between consecutive bounds, numbered from 1; those without any are left out. */
export const countRequestsBetween = (
  db: Reader,
  scope: Scope,
  type: Transfer,
  period: Period,
  bounds: readonly Date[],
) =>
  requestsIn(db, scope, type, period)
    .select((eb) => [
      sql<number>`width_bucket("requestDT", ${bounds.map((bound) => bound.toISOString())}::timestamptz[])`.as('bucket'),
      eb.fn.countAll<number>().as('count'),
      sql<number>`sum("fileSize")::bigint`.as('size'),
    ])
    .groupBy('bucket')
    .execute()

/** Counts requests by state. */
export const countRequestStates = (db: Reader, scope: Scope, type: Transfer, period: Period) =>
  requestsIn(db, scope, type, period)
    .select((eb) => {
      const countOf = (state: RequestState) => eb.fn.countAll<number>().filterWhere('state', '=', state)
      const undecidedOf = ({ state, isFileUploaded }: typeof WAITING | typeof INCOMPLETE) =>
        countOf(state).filterWhere('isFileUploaded', '=', isFileUploaded)
      return [
        countOf(RequestState.APPROVED).as('approveCounts'),
        countOf(RequestState.REJECTED).as('rejectCounts'),
        countOf(RequestState.CANCELED).as('cancelCounts'),
        undecidedOf(WAITING).as('requestCounts'),
        undecidedOf(INCOMPLETE).as('uploadCounts'),
        countOf(RequestState.ALLOWED).as('allowCounts'),
      ]
    })
    .executeTakeFirstOrThrow()

/** Counts users by state; `today` decides who has expired. */
export const countUserStates = (db: Reader, scope: Scope, today: string) =>
  db
    .selectFrom('users')
    .select((eb) => {
      const countOf = (state: ShownState) => eb.fn.countAll<number>().filterWhere(isShownAs(state, today))
      return [
        countOf(ShownState.NORMAL).as('normalCounts'),
        countOf(ShownState.NEW).as('newCounts'),
        countOf(ShownState.EXPIRED).as('expiredCounts'),
        countOf(ShownState.DISABLED).as('disabledCounts'),
      ]
    })
    .where((eb) => scope(eb.ref('users.groupIdx')))
    .executeTakeFirstOrThrow()

/** Returns which steps the data shows as done; each looks for one row. */
export function findDoneSteps(db: Reader): Promise<Omit<FirstSteps, 'mail'>> {
  const isAny = (rows: RawBuilder<unknown>) => sql<0 | 1>`(exists (select from ${rows}))::int`
  return db
    .selectNoFrom([
      isAny(sql`groups where "parentIdx" is not null`).as('groups'),
      isAny(sql`policies where revision > 1 or "groupIdx" is distinct from ${ROOT_GROUP}`).as('policy'),
      isAny(sql`users where "isAdmin" = 0`).as('people'),
      isAny(sql`"authorityUsers" m where ${isManager(sql.ref('m.userIdx'))}`).as('authority'),
      isAny(sql`"clientVersions" where "isDeploy" = 1`).as('client'),
    ])
    .executeTakeFirstOrThrow()
}
