// Hashes of former passwords, which are not used again, and the settings of account protection.
import {
  type AccountProtection,
  DEFAULT_PROTECTION,
  MAX_PASSWORD_HISTORY,
  MIN_MAX_PASSWORD_DAYS,
} from '@acc/contract/accountProtection'
import { sql } from 'kysely'
import { days, later } from '../../clock.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { findSetting } from '../../settings/settings.ts'

/** Finds the settings of account protection. */
export const findProtection = async (db: Reader): Promise<AccountProtection> =>
  (await findSetting(db, 'accountProtection')) ?? DEFAULT_PROTECTION

/** Returns the maximum age of passwords where this one is older, else undefined. */
export async function findExceededAge(db: Reader, pwSetDT: Date | null, now: Date): Promise<number | undefined> {
  const isOlderThan = (count: number) => pwSetDT !== null && later(pwSetDT, days(count)) <= now
  // Most passwords are younger than any limit and need no statement.
  if (!isOlderThan(MIN_MAX_PASSWORD_DAYS)) return undefined
  const { maxPasswordDays } = await findProtection(db)
  return maxPasswordDays > 0 && isOlderThan(maxPasswordDays) ? maxPasswordDays : undefined
}

/** Stores the hash of a password that is about to be replaced. */
export async function insertFormerPassword(tx: Tx, userIdx: number): Promise<void> {
  await sql`insert into "formerPasswords" ("userIdx", "pwHash")
    select idx, "pwHash" from users where idx = ${userIdx} and "pwHash" is not null`.execute(tx)
  await sql`delete from "formerPasswords" where "userIdx" = ${userIdx} and idx not in (
    select idx from "formerPasswords" where "userIdx" = ${userIdx} order by idx desc limit ${MAX_PASSWORD_HISTORY})`.execute(
    tx,
  )
}

/** Finds the hashes of the last own passwords, the current one first, and when that was set. */
export async function findPasswords(
  db: Reader,
  userIdx: number,
  count: number,
): Promise<{ hashes: string[]; setDT: Date | null }> {
  const current = await db
    .selectFrom('users')
    .select(['pwHash', 'pwSetDT'])
    .where('idx', '=', userIdx)
    .executeTakeFirst()
  const former = await db
    .selectFrom('formerPasswords')
    .select('pwHash')
    .where('userIdx', '=', userIdx)
    .orderBy('idx', 'desc')
    .limit(count)
    .execute()
  const hashes = [current, ...former].flatMap((row) => row?.pwHash ?? [])
  return { hashes: hashes.slice(0, count), setDT: current?.pwSetDT ?? null }
}
