// What an account is shown as, as a condition on rows of users: for the filter of their list and for the counts of the dashboard.
import { ShownState, UserState } from '@acc/contract/labels/users'
import { type RawBuilder, type SqlBool, sql } from 'kysely'

const has = (flag: number) => sql<SqlBool>`(users.state & ${sql.lit(flag)}) <> 0`

/** Whether an account is shown as this; `today` decides who has expired. */
export function isShownAs(state: ShownState, today: string): RawBuilder<SqlBool> {
  const isSuspended = has(UserState.DISABLED)
  if (state === ShownState.DISABLED) return isSuspended
  const isExpired = sql<SqlBool>`coalesce(users."isMortal" = 1 and users."expireDT" < ${today}, false)`
  if (state === ShownState.EXPIRED) return sql`(${isExpired} and not ${isSuspended})`
  const isNew = state === ShownState.NEW ? has(UserState.NEW) : sql`not ${has(UserState.NEW)}`
  return sql`(not ${isSuspended} and not ${isExpired} and ${isNew})`
}
