// The rules by which BIM servers admit users, and their revision. Both are derived from the rows, so no change is
// missed: addresses, targets, moved groups and users, suspended, expired and deleted accounts, Sync.
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../db/open.ts'
import { isUsable } from '../credentials/accountStates.ts'

export type Rules = { revision: string; exceptions: string[]; users: string[] }

/** The allowed users, each once: those added, and others of the added groups and their subgroups. */
const withAllowed = (today: string) => {
  const isActive = isUsable('u', today)
  return sql`
    with allowed as (
      select u.id from users u join "bimUsers" b on b."userIdx" = u.idx where ${isActive}
      union all
      select u.id from users u join groups g on g.idx = u."groupIdx"
      where g.path && (select array_agg(t."groupIdx") from "bimGroups" t) and ${isActive}
      and not exists (select from "bimUsers" b where b."userIdx" = u.idx))`
}

/**
 * Identifies the content of the rules. Heartbeats compare it every 30 seconds, so users are summed up by two hashes of
 * 64 bits, which need no order.
 */
const REVISION = sql<string>`md5(concat_ws(' ',
  (select value from settings where name = 'bimSyncs'),
  (select string_agg(ip, ',' order by ip) from "bimExceptions"),
  (select concat_ws(' ', count(*), bit_xor(hashtextextended(id, 0)), bit_xor(hashtextextended(id, 1))) from allowed)))`

const select = <T>(today: string, what: RawBuilder<T>): RawBuilder<T> => sql<T>`(${withAllowed(today)} select ${what})`

export async function findRevision(db: Reader, today: string): Promise<string> {
  const row = await db.selectNoFrom(select(today, REVISION).as('revision')).executeTakeFirstOrThrow()
  return row.revision
}

/** The rules with the revision of the same moment. */
export async function findRules(db: Reader, today: string): Promise<Rules> {
  const all = sql<Rules>`json_build_object(
    'revision', ${REVISION},
    'exceptions', (select coalesce(json_agg(ip order by ip::inet), '[]') from "bimExceptions"),
    'users', (select coalesce(json_agg(id order by id), '[]') from allowed))`
  return (await db.selectNoFrom(select(today, all).as('rules')).executeTakeFirstOrThrow()).rules
}
