// Counts of sign-ins, requests and users: each reads a covering index, and no row of a table. And the first steps.
import {
  type DecisionWeek,
  type FirstSteps,
  MAX_COMPARED_ROWS,
  MAX_TIMED_DECISIONS,
  MAX_TOP_GROUPS,
  type TopGroupKind,
  type TopGroups,
} from '@acc/contract/dashboard'
import { ROOT_GROUP } from '@acc/contract/groups'
import { SUCCESSFUL_SIGN_INS } from '@acc/contract/labels/history'
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import { ShownState } from '@acc/contract/labels/users'
import { INCOMPLETE, WAITING } from '@acc/contract/requestState'
import { type RawBuilder, sql } from 'kysely'
import { isManager } from '../../core/grants.ts'
import { GROUPS_EVER, OF_ANY_GROUP, type Scope } from '../../core/scope.ts'
import type { Reader } from '../../db/open.ts'
import { isShownAs } from '../credentials/accountStates.ts'

export type Period = { from: Date; to: Date }

const signInsIn = (db: Reader, scope: Scope, { from, to }: Period) =>
  db
    .selectFrom('signIns')
    .where('kind', '=', 'client')
    .where('type', 'in', SUCCESSFUL_SIGN_INS)
    .where('loginDT', '>=', from)
    .where('loginDT', '<', to)
    .where((eb) => scope(eb.ref('signIns.groupIdx')))

/** Counts the successful sign-ins of desktop clients by hour of the day in UTC; hours without any are left out. */
export const countSignIns = (db: Reader, scope: Scope, period: Period) =>
  signInsIn(db, scope, period)
    .select((eb) => [
      sql<number>`date_part('hour', "loginDT" at time zone 'UTC')::int`.as('hour'),
      eb.fn.countAll<number>().as('count'),
    ])
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

/**
 * Counts the requests of each part of a period by how they ended. The median of the time that they waited reads the
 * newest ones of each part: to sort all would take longer than to count them.
 */
export async function countDecisions(
  db: Reader,
  scope: Scope,
  type: Transfer,
  parts: readonly Period[],
): Promise<Omit<DecisionWeek, 'dt'>[]> {
  const decided = [RequestState.APPROVED, RequestState.REJECTED]
  const part = { from: sql.ref<Date>('part.from'), to: sql.ref<Date>('part.to') }
  const inPart = () =>
    db
      .selectFrom('fileEximports')
      .where('type', '=', type)
      .where('requestDT', '>=', part.from)
      .where('requestDT', '<', part.to)
      .where((eb) => scope(eb.ref('fileEximports.requesterGroupIdx')))
  const counts = inPart().select((eb) => {
    const countOf = (state: RequestState) => eb.fn.countAll<number>().filterWhere('state', '=', state)
    return [
      countOf(RequestState.APPROVED).as('approveCounts'),
      countOf(RequestState.REJECTED).as('rejectCounts'),
      countOf(RequestState.CANCELED).as('cancelCounts'),
    ]
  })
  const waits = inPart()
    .where('state', 'in', decided)
    // Nobody waited for the review of an urgent export.
    .where('reviewDueDT', 'is', null)
    .orderBy('requestDT', 'desc')
    .limit(MAX_TIMED_DECISIONS)
    .select(sql<number>`extract(epoch from "approveDT" - coalesce("completeDT", "requestDT"))::int`.as('wait'))
  const bounds = (name: keyof Period) => parts.map((each) => each[name].toISOString())
  const found = sql<Omit<DecisionWeek, 'dt'> & { no: number }>`(
    select part.no, counts.*, median."waitSeconds"
    from unnest(${bounds('from')}::timestamptz[], ${bounds('to')}::timestamptz[]) with ordinality part("from", "to", no),
      lateral ${counts} counts,
      lateral (select percentile_disc(0.5) within group (order by wait) as "waitSeconds" from ${waits} waits) median)`
  const rows = await db.selectFrom(found.as('weeks')).selectAll().orderBy('no').execute()
  return rows.map(({ no: _no, ...counted }) => counted)
}

/** The groups of the newest rows of a kind. */
function newestOf(db: Reader, scope: Scope, kind: TopGroupKind, period: Period) {
  if (kind === 'clientLogin')
    return signInsIn(db, scope, period).select('groupIdx').orderBy('loginDT', 'desc').limit(MAX_COMPARED_ROWS)
  const type = kind === 'fileExport' ? Transfer.EXPORT : Transfer.IMPORT
  return requestsIn(db, scope, type, period)
    .select('requesterGroupIdx as groupIdx')
    .orderBy('requestDT', 'desc')
    .limit(MAX_COMPARED_ROWS)
}

/**
 * Finds the groups with most rows on the first level at which the rows differ. The path that all have in common is that
 * of the smallest and the largest one. A group outside of the scope is replaced by the covered one below it.
 */
export function findTopGroups(db: Reader, scope: Scope, kind: TopGroupKind, period: Period): Promise<TopGroups> {
  const found = sql<TopGroups>`(
    with placed as materialized (
      select ever.path, counted.count
      from (
        select "groupIdx", count(*) as count
        from ${newestOf(db, scope, kind, period)} newest
        group by "groupIdx"
      ) counted join ${GROUPS_EVER} ever on ever.idx = counted."groupIdx"
    ), shared as (
      select least(count(*) filter (where step = other), max(cardinality(last)) - 1) as depth
      from (select min(path) as first, max(path) as last from placed) ends,
        unnest(first, last) with ordinality steps(step, other, no)
      where first[:no] = last[:no]
    ), top as (
      select g.idx as "groupIdx", g.name as "groupName", sum(count)::int as count
      from placed cross join shared cross join lateral (
        select above.idx from unnest(path) with ordinality above(idx, no)
        where no > shared.depth and ${scope(sql.ref('above.idx'))}
        order by no limit 1
      ) unit join groups g on g.idx = unit.idx
      group by g.idx
      order by count desc, g.idx
      limit ${MAX_TOP_GROUPS}
    )
    select coalesce((select sum(count) from placed), 0)::int as "totalCount",
      coalesce((select json_agg(top order by count desc, "groupIdx") from top), '[]') as groups)`
  return db.selectFrom(found.as('compared')).selectAll().executeTakeFirstOrThrow()
}

/** Counts the PCs that were seen since a moment by the version of their client; the most frequent first. */
export const countPcsByVersion = (db: Reader, scope: Scope | undefined, since: Date) =>
  db
    .selectFrom('devices')
    .select((eb) => ['clientVersion as version', eb.fn.countAll<number>().as('count')])
    .where('useDT', '>=', since)
    .$if(scope !== undefined, (query) =>
      query.where('userIdx', 'in', (eb) =>
        eb
          .selectFrom('users')
          .select('users.idx')
          .where((user) => (scope ?? OF_ANY_GROUP)(user.ref('users.groupIdx'))),
      ),
    )
    .groupBy('clientVersion')
    .orderBy('count', 'desc')
    .orderBy('clientVersion', 'desc')
    .execute()

/**
 * Counts users by state; `today` decides who has expired. Users of the same state and last day are counted first:
 * to evaluate the conditions for each user takes most of the time.
 */
export function countUserStates(db: Reader, scope: Scope, today: string) {
  const countOf = (state: ShownState) =>
    sql<number>`coalesce(sum(count) filter (where ${isShownAs(state, today)}), 0)::int`
  return db
    .selectFrom(
      db
        .selectFrom('users')
        .select((eb) => ['state', 'isMortal', 'expireDT', eb.fn.countAll<number>().as('count')])
        .where((eb) => scope(eb.ref('users.groupIdx')))
        .groupBy(['state', 'isMortal', 'expireDT'])
        .as('users'),
    )
    .select([
      countOf(ShownState.NORMAL).as('normalCounts'),
      countOf(ShownState.NEW).as('newCounts'),
      countOf(ShownState.EXPIRED).as('expiredCounts'),
      countOf(ShownState.DISABLED).as('disabledCounts'),
    ])
    .executeTakeFirstOrThrow()
}

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
