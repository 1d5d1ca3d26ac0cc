// Proving a password, for sign-in, the desktop client and the change of a password alike (design, section 4). A try is
// judged and its failure kept within one turn at the hash, so that a burst of guesses is judged no more often than they
// come one after another, and whoever is told that the server is busy has lost no try.
import { type Clock, hours, minutes } from '../../clock.ts'
import type { Recorder } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import {
  type Account,
  findAccount,
  findHeldAccount,
  isDisabled,
  updateFailed,
  updateFailsCleared,
} from './credentials.queries.ts'
import { inTurn, verifyPassword } from './hashing.ts'
import { type Count, deleteCounts, findCounts, type Limit, updateCountedUp, waitOf } from './throttles.ts'

type Outside = Recorder & { readonly read: Reader; app: { env: Env; clock: Clock } }
type Attempt = { id: string; pw: string; ip: string }

/** A refused try: whose, if anybody's, and whether no more are left. Kept in the transaction that counts it. */
export type Refused = { id: string; account: Account | undefined; isExceeded: boolean }
type Keep = (tx: Tx, refused: Refused) => Promise<unknown>

/** Whose password it was, and what failures before it are forgotten with success. */
export type Proof = { account: Account; usedTemporary: boolean; counters: string[] }

/** What is counted outside of accounts. */
const limitsOf = ({ id, ip }: Attempt, max: number) => ({
  address: { key: `signIn:address:${ip}`, max: 50, windowMs: minutes(5) },
  // What wrong passwords do to an ID that nobody has is what they do to one that somebody has: it looks disabled.
  unknown: { key: `signIn:unknown:${id.toLowerCase()}`, max, windowMs: hours(24) },
  // A system administrator is never disabled, only kept waiting, an address at a time.
  admin: { key: `signIn:admin:${id.toLowerCase()}:${ip}`, max, windowMs: minutes(5) },
})

function requireNoWait(counts: readonly Count[], limit: Limit, now: Date): void {
  const wait = waitOf(counts, limit, now)
  if (wait > 0) fail('TOO_MANY_REQUESTS', { retryAfter: Math.ceil(wait / 1000) })
}

/** Counts the failure, keeps it, and ends the call with 100, or 101 where no try is left. */
async function refuse(outside: Outside, attempt: Attempt, account: Account | undefined, keep: Keep): Promise<never> {
  const { env, clock } = outside.app
  const now = clock.now()
  const max = env.maxLoginFails
  const limits = limitsOf(attempt, max)
  const isExceeded = await outside.record(async (tx) => {
    await updateCountedUp(tx, limits.address, now)
    const isAdmin = account?.isAdmin === 1
    const fails =
      account === undefined || isAdmin
        ? await updateCountedUp(tx, isAdmin ? limits.admin : limits.unknown, now)
        : await updateFailed(tx, account.idx, max)
    const isLast = !isAdmin && fails >= max
    await keep(tx, { id: attempt.id, account, isExceeded: isLast })
    return isLast
  })
  return fail(isExceeded ? 'PASSWORD_ATTEMPTS_EXCEEDED' : 'WRONG_CREDENTIALS')
}

const validTemporary = (account: Account | undefined, now: Date): string | null =>
  account?.tmpPwExpireDT && account.tmpPwExpireDT > now ? account.tmpPwHash : null

async function judge(outside: Outside, attempt: Attempt, keep: Keep): Promise<Proof> {
  const { env, clock } = outside.app
  const now = clock.now()
  const { address, unknown, admin } = limitsOf(attempt, env.maxLoginFails)
  const [account, counts] = await Promise.all([
    findAccount(outside.read, { id: attempt.id }),
    findCounts(outside.read, [address.key, unknown.key, admin.key], now),
  ])
  requireNoWait(counts, address, now)
  if (account?.isAdmin === 1) requireNoWait(counts, admin, now)
  const isSpent = account === undefined ? waitOf(counts, unknown, now) > 0 : !hasTries(account, env)
  if (isSpent) return refuse(outside, attempt, account, keep)
  const isOwn = await verifyPassword(account?.pwHash ?? null, attempt.pw)
  // A wrong password costs two hashes whether or not there is an account, or a temporary password beside its own.
  const usedTemporary = !isOwn && (await verifyPassword(validTemporary(account, now), attempt.pw))
  if (account === undefined || (!isOwn && !usedTemporary)) return refuse(outside, attempt, account, keep)
  return { account, usedTemporary, counters: counts.some(({ key }) => key === admin.key) ? [admin.key] : [] }
}

/**
 * The account whose password this is. Ends the call with 100 or 101 for a wrong or unknown pair, 113 where tries come too
 * fast. What state the account is in is judged afterwards, so that nobody learns it without the password.
 */
export const provePassword = (outside: Outside, attempt: Attempt, keep: Keep): Promise<Proof> =>
  inTurn(() => judge(outside, attempt, keep))

/**
 * The proven account as it is now, held, with the failures before this success forgotten. 100 where its password is another
 * one than was proven, 101 where as many wrong ones as are allowed were judged before it.
 */
export async function findProven(tx: Tx, proof: Proof, env: Env): Promise<Account> {
  const { account: proven, usedTemporary, counters } = proof
  const account = await findHeldAccount(tx, proven.idx)
  const hash = usedTemporary ? ('tmpPwHash' as const) : ('pwHash' as const)
  if (account === undefined || account[hash] !== proven[hash]) return fail('WRONG_CREDENTIALS')
  if (!hasTries(account, env)) fail('PASSWORD_ATTEMPTS_EXCEEDED')
  if (account.loginFails > 0) await updateFailsCleared(tx, account.idx)
  if (counters.length > 0) await deleteCounts(tx, counters)
  return account
}

const hasTries = (account: Account, env: Env) => account.isAdmin === 1 || account.loginFails < env.maxLoginFails

/** Ends the call unless the proven account may be used: 101 or 102 disabled, 103 expired. */
export function requireUsable(account: Account, env: Env, today: string): void {
  if (!hasTries(account, env)) fail('PASSWORD_ATTEMPTS_EXCEEDED')
  if (isDisabled(account)) fail('ACCOUNT_DISABLED')
  if (account.isMortal === 1 && account.expireDT !== null && account.expireDT < today) fail('ACCOUNT_EXPIRED')
}
