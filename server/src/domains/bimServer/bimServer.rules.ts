// The rules by which BIM servers let people in, and their revision. Both are derived from the rows, so that nothing that changes
// what is allowed can be missed: addresses, targets, moved groups and users, suspended, expired and deleted accounts, Sync.
import { UserState } from '@acc/contract/labels/users'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../db/open.ts'

export type Rules = { revision: string; exceptions: string[]; users: string[] }

/** The allowed users: those added, and those of the added groups and their subgroups. */
const withAllowed = (today: string) => sql`
  with allowed as materialized (
    select u.id from users u
    where u.state & ${sql.lit(UserState.DISABLED)} = 0
    and (u."isMortal" = 0 or u."expireDT" >= ${today}::date)
    and u.idx in (
      select b."userIdx" from "bimUsers" b
      union
      select m.idx from users m join groups g on g.idx = m."groupIdx"
      where g.path && (select array_agg(t."groupIdx") from "bimGroups" t)))`

/**
 * Names the content of the rules. Users are summed up by two hashes of 64 bits, which needs no order and takes milliseconds
 * for a hundred thousand of them; heartbeats compare it every 30 seconds.
 */
const REVISION = sql<string>`md5(concat_ws(' ',
  (select value from settings where name = 'bimSyncs'),
  (select string_agg(ip, ',' order by ip) from "bimExceptions"),
  (select concat_ws(' ', count(*), sum(hashtextextended(id, 0)), sum(hashtextextended(id, 1))) from allowed)))`

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
