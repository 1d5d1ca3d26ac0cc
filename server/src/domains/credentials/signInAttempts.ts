// Attempts with a password: sign-in, the desktop client and the change of a password. Each attempt is verified and its
// failure recorded in one queue slot, so that parallel guesses cannot exceed the limits; a caller who hears that the server
// is busy (503) has spent no attempt.
import { createHmac } from 'node:crypto'
import { type Clock, days, later, minutes } from '../../clock.ts'
import type { Recorder } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { networkOf } from '../../core/networks.ts'
import type { SecretKey } from '../../crypto/secretKey.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { isDisabled, isExpired } from './accountStates.ts'
import { type AdminLimits, adminLimitsOf, countAdminFailure, deleteAdminCounts, mustAdminWait } from './adminDelays.ts'
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
export type FailedAttempt = { id: string; account: Account | undefined; isExceeded: boolean }
/** Records a failure in the transaction that counts it. */
type OnFailure = (tx: Tx, failed: FailedAttempt) => Promise<unknown>

/** A password that was right, and the limits that its attempt was judged by. */
export type VerifiedPassword = { account: Account; usedTemporary: boolean; limits: Limits; counts: readonly Count[] }

/** Uses of an account's right password within a minute: each costs a hash, and may leave a session and rows that stay for years. */
const MAX_A_MINUTE = 60

/** What is counted outside of accounts. */
type Limits = { network: Limit; unknown: Limit; right: Limit; admin: AdminLimits }

/** People type passwords where the ID belongs, so that typed IDs are not stored. */
const unknownKeyOf = (key: SecretKey, id: string) =>
  `signIn:unknown:${createHmac('sha256', key.for('unknownId')).update(id.toLowerCase()).digest('base64url')}`

const limitsOf = ({ id, ip }: Attempt, { env, key }: Settings): Limits => ({
  network: { key: `signIn:address:${networkOf(ip)}`, max: 50, window: minutes(5) },
  // An ID that does not exist must look like one that does: locked after as many failures, until a year without a try.
  unknown: { key: unknownKeyOf(key, id), max: env.maxLoginFails, window: days(365), isSliding: true },
  right: { key: `signIn:right:${id.toLowerCase()}`, max: MAX_A_MINUTE, window: minutes(1) },
  admin: adminLimitsOf('signIn', { id, ip }, env.maxLoginFails),
})
const keysOf = ({ network, unknown, right, admin }: Limits) =>
  [network, unknown, right, ...Object.values(admin)].map(({ key }) => key)

const hasTries = (account: Account, env: Env) => account.isAdmin === 1 || account.loginFails < env.maxLoginFails

/** Whether the attempt is refused without checking the password, so that it costs no hash and reveals nothing about it. */
function isSpent(account: Account | undefined, limits: Limits, counts: readonly Count[], env: Env, now: Date): boolean {
  if (account === undefined) return waitOf(counts, limits.unknown, now) > 0
  return account.isAdmin === 1 ? mustAdminWait(limits.admin, counts, now) : !hasTries(account, env)
}

type Judgement = { account: Account | undefined; limits: Limits; counts: readonly Count[]; isSpent: boolean }

/** Milliseconds for which the network has to wait. An ID that signed in from it is bounded by its own attempts alone. */
function networkWaitOf({ limits, counts, isSpent }: Judgement, now: Date): number {
  const isExempt = !isSpent && countOf(counts, limits.admin.known) > 0
  return isExempt ? 0 : waitOf(counts, limits.network, now)
}

/** Counts a failure and returns whether no attempt is left. */
async function countFailure(tx: Tx, judgement: Judgement, env: Env, now: Date): Promise<boolean> {
  const { account, limits, counts, isSpent } = judgement
  const { max } = limits.unknown
  await updateCountsUp(tx, [limits.network], now)
  if (account === undefined) return (await updateCountsUp(tx, [limits.unknown], now)).some((fails) => fails >= max)
  if (account.isAdmin === 0) return (await updateFailed(tx, account.idx, 'loginFails', env.maxLoginFails)) >= max
  // An attempt that was not looked at must not make the next one wait longer.
  return isSpent || countAdminFailure(tx, limits.admin, counts, now)
}

/** Records the failure and ends the call with 100, or 101 where no attempt is left. */
async function refuse(
  { services, record }: Context,
  attempt: Attempt,
  judgement: Judgement,
  onFailure: OnFailure,
): Promise<never> {
  const now = services.clock.now()
  const isExceeded = await record(async (tx) => {
    const isLast = await countFailure(tx, judgement, services.env, now)
    await onFailure(tx, { id: attempt.id, account: judgement.account, isExceeded: isLast })
    return isLast
  })
  // Where the network waits, nothing shows that the ID signed in from it.
  const wait = waitOf(judgement.counts, judgement.limits.network, now)
  if (wait > 0) fail('TOO_MANY_REQUESTS', { retryAfter: Math.ceil(wait / 1000) })
  return fail(isExceeded ? 'PASSWORD_ATTEMPTS_EXCEEDED' : 'WRONG_CREDENTIALS')
}

/** The temporary password's hash while it is valid. */
export const temporaryHashOf = (account: Account | undefined, now: Date): string | null =>
  account?.tmpPwExpireDT && account.tmpPwExpireDT > now ? account.tmpPwHash : null

async function judge(ctx: Context, attempt: Attempt, onFailure: OnFailure): Promise<VerifiedPassword> {
  const { env, clock } = ctx.services
  const now = clock.now()
  const limits = limitsOf(attempt, ctx.services)
  const [account, counts] = await Promise.all([
    findAccount(ctx.read, { id: attempt.id }),
    findCounts(ctx.read, keysOf(limits), now),
  ])
  const judgement = { account, limits, counts, isSpent: isSpent(account, limits, counts, env, now) }
  const wait = Math.max(networkWaitOf(judgement, now), waitOf(counts, limits.right, now))
  if (wait > 0) fail('TOO_MANY_REQUESTS', { retryAfter: Math.ceil(wait / 1000) })
  if (judgement.isSpent) return refuse(ctx, attempt, judgement, onFailure)
  const isOwn = await matchesHash(account?.pwHash ?? null, attempt.pw)
  // A wrong password costs two hashes whether or not there is an account, or a temporary password beside its own.
  const usedTemporary = !isOwn && (await matchesHash(temporaryHashOf(account, now), attempt.pw))
  if (account === undefined || (!isOwn && !usedTemporary)) return refuse(ctx, attempt, judgement, onFailure)
  return { account, usedTemporary, limits, counts }
}

/**
 * Returns the account that an ID and a password belong to. Ends the call with 100 or 101 for a wrong pair, 113 where too many
 * attempts of the network failed, or the account was signed in to too often. The account's state is checked afterwards, so that nothing of it shows without the password.
 */
export async function verifyPassword(ctx: Context, attempt: Attempt, onFailure: OnFailure): Promise<VerifiedPassword> {
  const verified = await withHashingSlot(() => judge(ctx, attempt, onFailure), attempt.ip)
  // Not in the slot, which others wait for: of uses at once none slips through.
  await recordCount(ctx, verified.limits.right, ctx.services.clock.now())
  return verified
}

/** Checks again, under the account's lock, what other nodes may have counted since the password was verified. */
async function requireTries(db: Reader, account: Account, limits: Limits, { env, clock }: Settings): Promise<void> {
  const now = clock.now()
  const counts = account.isAdmin === 1 ? await findCounts(db, keysOf(limits), now) : []
  if (isSpent(account, limits, counts, env, now)) fail('PASSWORD_ATTEMPTS_EXCEEDED')
}

/** Marks the network of a sign-in as known to the account, once a day. */
async function keepKnown(tx: Tx, known: Limit, counts: readonly Count[], now: Date): Promise<void> {
  const marked = counts.find(({ key }) => key === known.key)
  if (marked === undefined || marked.windowEndDT < later(now, known.window - days(1))) await upsertMark(tx, known, now)
}

/**
 * Locks the account whose password was verified, as it is now, and forgets its failures. 100 where its password was replaced
 * meanwhile, 101 where as many failures as are allowed were counted meanwhile.
 */
export async function lockVerifiedAccount(tx: Tx, verified: VerifiedPassword, services: Settings): Promise<Account> {
  const { account: found, usedTemporary, limits, counts } = verified
  const now = services.clock.now()
  // Before the account: failures lock their network's counter before the account, too.
  if (countOf(counts, limits.network) > 0) await updateCountDown(tx, limits.network.key)
  const account = await lockAccount(tx, found.idx)
  const hash = usedTemporary ? ('tmpPwHash' as const) : ('pwHash' as const)
  if (account === undefined || account[hash] !== found[hash]) return fail('WRONG_CREDENTIALS')
  await requireTries(tx, account, limits, services)
  if (account.loginFails > 0) await updateFailsCleared(tx, account.idx)
  if (account.isAdmin === 1) await deleteAdminCounts(tx, limits.admin)
  await keepKnown(tx, limits.admin.known, counts, now)
  return account
}

/** Ends the call unless the account may be used: 101 and 109 locked by failures, 102 suspended, 103 expired. */
export function requireUsable(account: Account, env: Env, today: string): void {
  if (!hasTries(account, env)) fail('PASSWORD_ATTEMPTS_EXCEEDED')
  if (isDisabled(account) && account.otpFails >= env.maxOtpFails) fail('OTP_ATTEMPTS_EXCEEDED')
  if (isDisabled(account)) fail('ACCOUNT_DISABLED')
  if (isExpired(account, today)) fail('ACCOUNT_EXPIRED')
}
