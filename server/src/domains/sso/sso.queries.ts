// Users and groups by the keys that a provider names.
import { sql } from 'kysely'
import type { Reader, Tx } from '../../db/open.ts'

/** Locks and returns the user with this key in any case. */
export const lockByKey = (tx: Tx, key: string): Promise<{ idx: number; key: string } | undefined> =>
  tx
    .selectFrom('users')
    .select(['idx', 'key'])
    .where(sql`lower(key)`, '=', key.toLowerCase())
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Finds the first group with one of these keys, in their order. */
export async function findGroupByKeys(db: Reader, keys: readonly string[]): Promise<{ idx: number } | undefined> {
  if (keys.length === 0) return undefined
  const lower = keys.map((key) => key.toLowerCase())
  return db
    .selectFrom('groups')
    .select('idx')
    .where(sql`lower(key)`, '=', sql<string>`any(${lower})`)
    .orderBy(sql`array_position(${lower}::text[], lower(key))`)
    .limit(1)
    .executeTakeFirst()
}
