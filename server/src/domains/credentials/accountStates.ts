// States of accounts, of a loaded row and as SQL conditions for lists and the dashboard.
import { hasFlag } from '@acc/contract/labels/flags'
import { ShownState, type StateFilter, Suspension, UserState } from '@acc/contract/labels/users'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/** Failures at which an account is suspended. */
export type FailLimits = { maxLoginFails: number }

export const isDisabled = (account: { state: number }): boolean => hasFlag(account.state, UserState.DISABLED)
export const isNew = (account: { state: number }): boolean => hasFlag(account.state, UserState.NEW)
/** Returns whether a person, an import or a job disabled the account, not failures, which strangers can cause. */
export const isSuspended = (
  account: { state: number; loginFails: number; otpFails: number },
  { maxLoginFails }: FailLimits,
): boolean => isDisabled(account) && account.loginFails < maxLoginFails && account.otpFails < maxLoginFails
export const isExpired = (account: { isMortal: 0 | 1; expireDT: string | null }, today: string): boolean =>
  account.isMortal === 1 && account.expireDT !== null && account.expireDT < today

/** Builds the condition that the account of a table or alias is neither suspended nor expired. */
export function isUsable(table: string, today: string | Expression<string>): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql`(${column('state')} & ${sql.lit(UserState.DISABLED)} = 0
    and (${column('isMortal')} = 0 or ${column('expireDT')} >= ${today}::date))`
}

const has = (flag: number) => sql<SqlBool>`(users.state & ${sql.lit(flag)}) <> 0`

/** Builds the condition that an account is shown in this state. `today` decides who has expired. */
export function isShownAs(state: ShownState, today: string): RawBuilder<SqlBool> {
  const isSuspended = has(UserState.DISABLED)
  if (state === ShownState.DISABLED) return isSuspended
  const isOver = sql<SqlBool>`coalesce(users."isMortal" = 1 and users."expireDT" < ${today}, false)`
  if (state === ShownState.EXPIRED) return sql`(${isOver} and not ${isSuspended})`
  const isOfState = state === ShownState.NEW ? has(UserState.NEW) : sql`not ${has(UserState.NEW)}`
  return sql`(not ${isSuspended} and not ${isOver} and ${isOfState})`
}

/** Builds the condition that an account is suspended for this reason. */
function isSuspendedBy(reason: Suspension, { maxLoginFails }: FailLimits): RawBuilder<SqlBool> {
  const byPasswords = sql<SqlBool>`users."loginFails" >= ${maxLoginFails}`
  const byOtps = sql<SqlBool>`users."otpFails" >= ${maxLoginFails}`
  if (reason === Suspension.BY_PASSWORDS) return byPasswords
  if (reason === Suspension.BY_OTPS) return sql`(${byOtps} and not ${byPasswords})`
  return sql`(not ${byPasswords} and not ${byOtps})`
}

const isReason = (state: StateFilter): state is Suspension => (Suspension.values as readonly number[]).includes(state)

/** Builds the condition of a state filter of lists, which may name the reason of a suspension. */
export function isFilteredAs(state: StateFilter, today: string, limits: FailLimits): RawBuilder<SqlBool> {
  if (!isReason(state)) return isShownAs(state, today)
  return sql`(${isShownAs(ShownState.DISABLED, today)} and ${isSuspendedBy(state, limits)})`
}
