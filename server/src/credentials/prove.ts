// Proving a password, for sign-in, the desktop client and the change of a password alike (design, section 4). Tries are
// counted before they are judged, in transactions of their own, so that neither many at once nor a rollback wins more.
import { type Clock, hours, minutes } from '../clock.ts'
import type { Database, Tx } from '../db/open.ts'
import type { Env } from '../env.ts'
import { fail } from '../http/errors.ts'
import {
  type Account,
  findAccount,
  findHeldAccount,
  isDisabled,
  updateDisabledByFails,
  updateFailsCleared,
  updateTryTaken,
} from './credentials.queries.ts'
import { verifyPassword } from './hashing.ts'
import { clearCount, countUp, type Limit, waitOf } from './throttles.ts'

type Outside = { db: Database; env: Env; clock: Clock }
/** Told once when wrong passwords have disabled an account, and at each wrong password of a known one. */
type OnFailure = (account: Account, isDisabledNow: boolean) => Promise<void>

const addressLimit = (ip: string): Limit => ({ key: `signIn:address:${ip}`, max: 50, windowMs: minutes(5) })
// What wrong passwords do to an ID that nobody has is what they do to one that somebody has: it looks disabled.
const unknownLimit = (id: string, max: number): Limit => ({
  key: `signIn:unknown:${id.toLowerCase()}`,
  max,
  windowMs: hours(24),
})
// A system administrator is never disabled, only kept waiting, an address at a time.
const adminLimit = (idx: number, ip: string, max: number): Limit => ({
  key: `signIn:admin:${idx}:${ip}`,
  max,
  windowMs: minutes(5),
})

async function requireNoWait(outside: Outside, limit: Limit): Promise<void> {
  const wait = await waitOf(outside.db.read, limit, outside.clock.now())
  if (wait > 0) fail('TOO_MANY_REQUESTS', { retryAfter: Math.ceil(wait / 1000) })
}

async function refuseUnknown(outside: Outside, id: string, pw: string, address: Limit): Promise<never> {
  const { db, env, clock } = outside
  await verifyPassword(null, pw)
  await countUp(db, address, clock.now())
  const count = await countUp(db, unknownLimit(id, env.maxLoginFails), clock.now())
  return fail(count >= env.maxLoginFails ? 'PASSWORD_ATTEMPTS_EXCEEDED' : 'WRONG_CREDENTIALS')
}

async function takeTry(outside: Outside, account: Account, ip: string): Promise<void> {
  const { db, env } = outside
  if (account.isAdmin === 1) {
    const limit = adminLimit(account.idx, ip, env.maxLoginFails)
    const count = await countUp(db, limit, outside.clock.now())
    if (count > limit.max) {
      const wait = await waitOf(db.read, limit, outside.clock.now())
      fail('TOO_MANY_REQUESTS', { retryAfter: Math.ceil(wait / 1000) })
    }
    return
  }
  const isTaken = await db.write.transaction().execute((tx) => updateTryTaken(tx, account.idx, env.maxLoginFails))
  if (isTaken) return
  // Every try is used: the account is disabled, or the last ones are being judged this moment.
  if (isDisabled(account)) fail('PASSWORD_ATTEMPTS_EXCEEDED')
  fail('TOO_MANY_REQUESTS', { retryAfter: 1 })
}

async function refuseWrong(outside: Outside, account: Account, address: Limit, onFailure: OnFailure): Promise<never> {
  const { db, env, clock } = outside
  await countUp(db, address, clock.now())
  const isDisabledNow =
    account.isAdmin === 0 &&
    (await db.write.transaction().execute((tx) => updateDisabledByFails(tx, account.idx, env.maxLoginFails)))
  await onFailure(account, isDisabledNow)
  return fail(isDisabledNow ? 'PASSWORD_ATTEMPTS_EXCEEDED' : 'WRONG_CREDENTIALS')
}

export type Proof = { account: Account; usedTemporary: boolean }

/**
 * The account whose password this is. Ends the call with 100 or 101 for a wrong or unknown pair, 113 where tries come too
 * fast. What state the account is in is judged afterwards, so that nobody learns it without the password.
 */
export async function provePassword(
  outside: Outside,
  { id, pw, ip }: { id: string; pw: string; ip: string },
  onFailure: OnFailure,
): Promise<Proof> {
  const { db, clock } = outside
  const address = addressLimit(ip)
  await requireNoWait(outside, address)
  const account = await findAccount(db.read, { id })
  if (account === undefined) return refuseUnknown(outside, id, pw, address)
  await takeTry(outside, account, ip)
  const isOwn = await verifyPassword(account.pwHash, pw)
  const isTemporaryValid = account.tmpPwExpireDT !== null && account.tmpPwExpireDT > clock.now()
  const usedTemporary = !isOwn && isTemporaryValid && (await verifyPassword(account.tmpPwHash, pw))
  if (!isOwn && !usedTemporary) return refuseWrong(outside, account, address, onFailure)
  await db.write.transaction().execute((tx) => updateFailsCleared(tx, account.idx))
  if (account.isAdmin === 1) await clearCount(db, adminLimit(account.idx, ip, 0).key)
  return { account, usedTemporary }
}

/** The proven account as it is now, held. 100 where its password is another one than was proven. */
export async function findProven(tx: Tx, { account: proven, usedTemporary }: Proof): Promise<Account> {
  const account = await findHeldAccount(tx, proven.idx)
  const hash = usedTemporary ? ('tmpPwHash' as const) : ('pwHash' as const)
  if (account === undefined || account[hash] !== proven[hash]) return fail('WRONG_CREDENTIALS')
  return account
}

/** Ends the call unless the proven account may be used: 101 or 102 disabled, 103 expired. */
export function requireUsable(account: Account, env: Env, today: string): void {
  if (isDisabled(account))
    fail(account.loginFails >= env.maxLoginFails ? 'PASSWORD_ATTEMPTS_EXCEEDED' : 'ACCOUNT_DISABLED')
  if (account.isMortal === 1 && account.expireDT !== null && account.expireDT < today) fail('ACCOUNT_EXPIRED')
}
