// Searching users within the viewer's scope, and one user with details (spec S1 §3, §7).
import { Level, Role } from '@acc/contract/labels/access'
import { flagOf } from '@acc/contract/labels/flags'
import type { UserFilter } from '@acc/contract/userInputs'
import type { User, UserDetail } from '@acc/contract/users'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { today } from '../../clock.ts'
import { listScope } from '../../core/chosenGroups.ts'
import type { Read } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { isManager, isMember } from '../../core/grants.ts'
import type { Scope } from '../../core/scope.ts'
import { USER_SORTS, USER_TEXTS } from '../../core/userSearch.ts'
import { filterBy } from '../../db/filters.ts'
import { type List, listOf, mapList, searchedIn } from '../../db/list.ts'
import type { Reader } from '../../db/open.ts'
import { type FailLimits, isDisabled, isExpired, isFilteredAs } from '../credentials/accountStates.ts'
import { findGroup } from '../groups/groups.queries.ts'
import { findDevices } from '../licenses/licenses.queries.ts'
import { findChain } from '../policies/policies.queries.ts'
import { findOpenSessions } from '../session/session.queries.ts'
import { roleOf } from '../session/session.service.ts'

const COLUMNS = [
  'users.idx',
  'users.id',
  'users.name',
  'users.email',
  'users.groupIdx',
  'users.expireDT',
  'users.isMortal',
  'users.key',
  'users.loginType',
  'users.state',
  'users.useOtp',
  'users.isSinglePC',
  'users.isMyPolicy',
  'users.lastClientLoginDT',
  'users.isAdmin',
  'users.loginFails',
  'users.otpFails',
  'users.revision',
] as const

/** Selects the columns of shown users. Scalar subqueries run for the rows of the page only, not for all matches. */
const shownUsers = (db: Reader) =>
  db
    .selectFrom('users')
    .select(COLUMNS)
    .select([
      sql<string>`(select g.name from groups g where g.idx = users."groupIdx")`.as('groupName'),
      isManager(sql.ref('users.idx')).as('isManager'),
      sql<{ deviceName: string; ip: string }[]>`coalesce((
        select json_agg(json_build_object('deviceName', d."deviceName", 'ip', d.ip) order by d.idx)
        from devices d where d."userIdx" = users.idx), '[]')`.as('usingDevices'),
      sql<boolean>`users."otpSecret" is not null`.as('hasOtpSecret'),
    ])

type ShownUser = z.input<typeof User>
type ShownRow = Awaited<ReturnType<ReturnType<typeof shownUsers>['executeTakeFirstOrThrow']>>

/** Maps rows to what the viewer may see: keys are for system administrators. */
function shownTo({ services, actor }: Read): (row: ShownRow) => ShownUser {
  const { maxLoginFails } = services.env
  const day = today(services.clock)
  return ({ key, ...row }) => {
    const isSuspended = isDisabled(row)
    const isLoginLocked = isSuspended && row.loginFails >= maxLoginFails
    const isOtpLocked = isSuspended && row.otpFails >= maxLoginFails
    return {
      ...row,
      ...(actor.role === Role.ADMIN && { key }),
      role: roleOf(row),
      isOtpRegistered: flagOf(row.hasOtpSecret),
      description: {
        expired: flagOf(isExpired(row, day)),
        loginFailsExceeded: flagOf(isLoginLocked),
        otpFailsExceeded: flagOf(isOtpLocked),
        managed: flagOf(isSuspended && !isLoginLocked && !isOtpLocked),
      },
    }
  }
}

/** Returns the states that have all requested flags; without flags only the state that has none. */
const statesWith = (flags: number) =>
  [0, 1, 2, 3].filter((state) => (flags === 0 ? state === 0 : (state & flags) === flags))

/** Selects users of a group, or of all below it. Groups outside the scope have none, which hides the tree above. */
function inGroup(scope: Scope, groupIdx: number, withSubgroups: 0 | 1): Expression<SqlBool> {
  const isVisible = scope(sql<number>`${groupIdx}::bigint`)
  return withSubgroups === 0
    ? sql<SqlBool>`${isVisible} and users."groupIdx" = ${groupIdx}`
    : sql<SqlBool>`${isVisible} and users."groupIdx" in (select g.idx from groups g where g.path @> array[${groupIdx}::bigint])`
}

const filtersOf = (scope: Scope, filter: UserFilter, day: string, limits: FailLimits) =>
  filterBy(filter, USER_TEXTS, {
    state: (state) => sql<SqlBool>`users.state = any(${statesWith(state)})`,
    shownState: (state) => isFilteredAs(state, day, limits),
    groupIdx: (groupIdx) => inGroup(scope, groupIdx, filter.withSubgroups),
    withSubgroups: null,
    groupIdxes: null,
  })

/** Selects shown users, and joins the groups where the order needs them. */
const sortedUsers = (db: Reader, { sort }: UserFilter) =>
  shownUsers(db).$if(sort === 'groupName', (query) => query.innerJoin('groups', 'groups.idx', 'users.groupIdx'))

/** Searches the users that the viewer may see. */
export async function searchUsers(ctx: Read, filter: UserFilter): Promise<List<ShownUser>> {
  const { read } = ctx
  const scope = await listScope(ctx, 'user', filter.groupIdxes)
  const { condition, texts } = filtersOf(scope, filter, today(ctx.services.clock), ctx.services.env)
  const list = listOf(read, filter, {
    matches: sortedUsers(read, filter)
      .where((eb) => scope(eb.ref('users.groupIdx')))
      .where(condition),
    sorts: USER_SORTS,
    searchIn: searchedIn('users', texts),
  })
  return mapList(list, shownTo(ctx))
}

/** Returns one user with devices, open sessions and groups above, as far as the viewer may see them. */
export async function findUser(ctx: Read, { idx }: { idx: number }): Promise<z.input<typeof UserDetail>> {
  const { read, actor } = ctx
  const [visible, editable] = [ctx.scope('user', Level.READ), ctx.scope('user', Level.EDIT)]
  const row = await shownUsers(read)
    .select((eb) => sql<boolean>`${editable(eb.ref('users.groupIdx'))}`.as('isInEditScope'))
    .select(isMember(sql.ref('users.idx')).as('isMember'))
    .where('users.idx', '=', idx)
    .where((eb) => visible(eb.ref('users.groupIdx')))
    .executeTakeFirst()
  if (row === undefined) fail('NOT_ALLOWED')
  const group = await findGroup(read, row.groupIdx)
  const chain = await findChain(read, visible, group?.path ?? [])
  const [devices, sessions] = [await findDevices(read, idx), await findOpenSessions(read, idx)]
  // The same rule as `requireEditable` for people.
  const isBelow = actor.role === Role.ADMIN || idx === actor.idx || (row.isAdmin === 0 && !row.isMember)
  return {
    ...shownTo(ctx)(row),
    groupPath: chain.filter((link) => link.isVisible).map((link) => link.name),
    usingDevices: devices,
    sessions: sessions.map((one) => ({ ...one, isCurrent: flagOf(one.idx === actor.sessionIdx) })),
    isEditable: flagOf(row.isInEditScope && isBelow),
  }
}
