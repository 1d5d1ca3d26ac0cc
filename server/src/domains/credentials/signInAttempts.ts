// Attempts with a password: sign-in, the desktop client and the change of a password. Each attempt is verified and its
// failure recorded in one queue slot, so that parallel guesses cannot exceed the limits. A call that ends with 503
// counts no attempt.
import { createHmac } from 'node:crypto'
import { type Clock, days, later, minutes } from '../../clock.ts'
import type { Recorder } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { networkOf } from '../../core/networks.ts'
import type { SecretKey } from '../../crypto/secretKey.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { isDisabled, isExpired, isSuspended } from './accountStates.ts'
import { type AdminLimits, adminLimitsOf, countAdminFailure, deleteAdminCounts, isAdminDelayed } from './adminDelays.ts'
import { type Account, findAccount, lockAccount, updateFailed, updateFailsCleared } from './credentials.queries.ts'
import { matchesHash, withHashingSlot } from './hashing.ts'
import {
  type Count,
  countOf,
  findCounts,
  type Limit,
  recordCount,
  updateCountDown,
  updateCountsUp,
  upsertMark,
  waitOf,
} from './throttles.ts'

type Settings = { env: Env; clock: Clock; key: SecretKey }
type Context = { services: Settings; read: Reader } & Recorder
type Attempt = { id: string; pw: string; ip: string }

/** A failed attempt. `account` is undefined for an unknown ID. */
type FailedAttempt = { id: string; account: Account | undefined; isExceeded: boolean }
/** Records a failure in the transaction that counts it. */
type OnFailure = (tx: Tx, failed: FailedAttempt) => Promise<unknown>

/** A correct password, and the limits that applied to its attempt. */
export type VerifiedPassword = { account: Account; usedTemporary: boolean; limits: Limits; counts: readonly Count[] }

/** Uses of a correct password within a minute. Each costs a hash, and may leave a session and lasting rows. */
const MAX_A_MINUTE = 60

/** Counters that are not columns of the account. */
type Limits = { network: Limit; unknown: Limit; right: Limit; admin: AdminLimits }

/** People type passwords where the ID belongs, so that typed IDs are not stored. */
const unknownKeyOf = (key: SecretKey, id: string) =>
  `signIn:unknown:${createHmac('sha256', key.for('unknownId')).update(id.toLowerCase()).digest('base64url')}`

const limitsOf = ({ id, ip }: Attempt, { env, key }: Settings): Limits => ({
  network: { key: `signIn:address:${networkOf(ip)}`, max: 50, window: minutes(5) },
  // Unknown IDs behave like existing ones: locked after as many failures, until a year without a try.
  unknown: { key: unknownKeyOf(key, id), max: env.maxLoginFails, window: days(365), isSliding: true },
  right: { key: `signIn:right:${id.toLowerCase()}`, max: MAX_A_MINUTE, window: minutes(1) },
  admin: adminLimitsOf('signIn', { id, ip }, env.maxLoginFails),
})
const keysOf = ({ network, unknown, right, admin }: Limits) =>
  [network, unknown, right, ...Object.values(admin)].map(({ key }) => key)

/**
 * Returns whether an account counts its failures. On a suspended account they would become the reason of its
 * suspension, and a manager who takes it for a mere lock would release it: they are counted as those of unknown IDs.
 */
const isCounting = (account: Account | undefined, env: Env): account is Account =>
  account !== undefined && !isSuspended(account, env)
const hasAttempts = (account: Account, env: Env) => account.isAdmin === 1 || account.loginFails < env.maxLoginFails

/** Returns whether the attempt is refused without checking the password, which costs no hash and reveals nothing. */
function isRefused(
  account: Account | undefined,
  limits: Limits,
  counts: readonly Count[],
  env: Env,
  now: Date,
): boolean {
  if (account?.isAdmin === 1) return isAdminDelayed(limits.admin, counts, now)
  return isCounting(account, env) ? !hasAttempts(account, env) : waitOf(counts, limits.unknown, now) > 0
}

type Evaluation = { account: Account | undefined; limits: Limits; counts: readonly Count[]; isRefused: boolean }

/** Returns the milliseconds for which the network has to wait. Accounts that signed in from it are exempt. */
function networkWaitOf({ limits, counts, isRefused }: Evaluation, now: Date): number {
  const isExempt = !isRefused && countOf(counts, limits.admin.known) > 0
  return isExempt ? 0 : waitOf(counts, limits.network, now)
}

/** Counts a failure and returns whether no attempt is left. */
async function countFailure(tx: Tx, evaluation: Evaluation, env: Env, now: Date): Promise<boolean> {
  const { account, limits, counts, isRefused } = evaluation
  const { max } = limits.unknown
  await updateCountsUp(tx, [limits.network], now)
  // A refused attempt whose password was not checked does not extend the wait.
  if (account?.isAdmin === 1) return isRefused || countAdminFailure(tx, limits.admin, counts, now)
  if (!isCounting(account, env)) return (await updateCountsUp(tx, [limits.unknown], now)).some((fails) => fails >= max)
  return (await updateFailed(tx, account.idx, 'loginFails', env.maxLoginFails)) >= max
}

/** Records the failure and ends the call with 100, or 101 where no attempt is left. */
async function refuse(
  { services, record }: Context,
  attempt: Attempt,
  evaluation: Evaluation,
  onFailure: OnFailure,
): Promise<never> {
  const now = services.clock.now()
  const isExceeded = await record(async (tx) => {
    const isLast = await countFailure(tx, evaluation, services.env, now)
    await onFailure(tx, { id: attempt.id, account: evaluation.account, isExceeded: isLast })
    return isLast
  })
  // Hides that the ID has signed in from this network before.
  const wait = waitOf(evaluation.counts, evaluation.limits.network, now)
  if (wait > 0) fail('TOO_MANY_REQUESTS', { retryAfter: Math.ceil(wait / 1000) })
  return fail(isExceeded ? 'PASSWORD_ATTEMPTS_EXCEEDED' : 'WRONG_CREDENTIALS')
}

/** Returns the temporary password's hash while it is valid. */
export const temporaryHashOf = (account: Account | undefined, now: Date): string | null =>
  account?.tmpPwExpireDT && account.tmpPwExpireDT > now ? account.tmpPwHash : null

async function evaluateAttempt(ctx: Context, attempt: Attempt, onFailure: OnFailure): Promise<VerifiedPassword> {
  const { env, clock } = ctx.services
  const now = clock.now()
  const limits = limitsOf(attempt, ctx.services)
  const [account, counts] = await Promise.all([
    findAccount(ctx.read, { id: attempt.id }),
    findCounts(ctx.read, keysOf(limits), now),
  ])
  const evaluation = { account, limits, counts, isRefused: isRefused(account, limits, counts, env, now) }
  const wait = Math.max(networkWaitOf(evaluation, now), waitOf(counts, limits.right, now))
  if (wait > 0) fail('TOO_MANY_REQUESTS', { retryAfter: Math.ceil(wait / 1000) })
  if (evaluation.isRefused) return refuse(ctx, attempt, evaluation, onFailure)
  const isOwn = await matchesHash(account?.pwHash ?? null, attempt.pw)
  // A wrong password always costs two hashes, with or without an account or a temporary password.
  const usedTemporary = !isOwn && (await matchesHash(temporaryHashOf(account, now), attempt.pw))
  if (account === undefined || (!isOwn && !usedTemporary)) return refuse(ctx, attempt, evaluation, onFailure)
  return { account, usedTemporary, limits, counts }
}

/**
 * Returns the account of an ID and a password. Fails with 100 or 101 for a wrong pair, 113 after too many failures of
 * the network or sign-ins of the account. The account's state is checked later, so that it needs the password.
 */
export async function verifyPassword(ctx: Context, attempt: Attempt, onFailure: OnFailure): Promise<VerifiedPassword> {
  const verified = await withHashingSlot(() => evaluateAttempt(ctx, attempt, onFailure), attempt.ip)
  // Outside the slot, which others wait for. The counter itself prevents more uses than allowed.
  await recordCount(ctx, verified.limits.right, ctx.services.clock.now())
  return verified
}

/** Repeats the check of failures under the account's lock, since other nodes may have counted more. */
async function requireAttempts(db: Reader, account: Account, limits: Limits, { env, clock }: Settings): Promise<void> {
  const now = clock.now()
  const isElsewhere = account.isAdmin === 1 || !isCounting(account, env)
  const counts = isElsewhere ? await findCounts(db, keysOf(limits), now) : []
  if (isRefused(account, limits, counts, env, now)) fail('PASSWORD_ATTEMPTS_EXCEEDED')
}

/** Stores the network of a sign-in as known to the account, once a day. */
async function markKnownNetwork(tx: Tx, known: Limit, counts: readonly Count[], now: Date): Promise<void> {
  const marked = counts.find(({ key }) => key === known.key)
  if (marked === undefined || marked.windowEndDT < later(now, known.window - days(1))) await upsertMark(tx, known, now)
}

/**
 * Locks the account whose password was verified, and resets its failures. 100 where its password was replaced in
 * between, 101 where the maximum number of failures was reached in between.
 */
export async function lockVerifiedAccount(tx: Tx, verified: VerifiedPassword, services: Settings): Promise<Account> {
  const { account: found, usedTemporary, limits, counts } = verified
  const now = services.clock.now()
  // Before the account: failures also lock their network's counter before the account.
  if (countOf(counts, limits.network) > 0) await updateCountDown(tx, limits.network.key)
  const account = await lockAccount(tx, found.idx)
  const hash = usedTemporary ? ('tmpPwHash' as const) : ('pwHash' as const)
  if (account === undefined || account[hash] !== found[hash]) return fail('WRONG_CREDENTIALS')
  await requireAttempts(tx, account, limits, services)
  if (account.loginFails > 0) await updateFailsCleared(tx, account.idx)
  if (account.isAdmin === 1) await deleteAdminCounts(tx, limits.admin)
  await markKnownNetwork(tx, limits.admin.known, counts, now)
  return account
}

/** Ends the call unless the account may be used: 101 and 109 locked by failures, 102 suspended, 103 expired. */
export function requireUsable(account: Account, env: Env, today: string): void {
  if (!hasAttempts(account, env)) fail('PASSWORD_ATTEMPTS_EXCEEDED')
  if (isDisabled(account) && account.otpFails >= env.maxLoginFails) fail('OTP_ATTEMPTS_EXCEEDED')
  if (isDisabled(account)) fail('ACCOUNT_DISABLED')
  if (isExpired(account, today)) fail('ACCOUNT_EXPIRED')
}
