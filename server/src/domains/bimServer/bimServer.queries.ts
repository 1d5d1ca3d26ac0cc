// BIM servers as callers, and the connections that they report.
import type { ReportedConnection } from '@acc/contract/bimServer'
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { BimServerCaller } from '../../core/context.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { type StatementPool, statement } from '../../db/statement.ts'
import { isOnline, silentSince } from '../bim/bim.queries.ts'
import { isUsable } from '../credentials/accountStates.ts'

const selectCaller = statement('bimServer', (db, idHash: Expression<Buffer>) =>
  db.selectFrom('bimServers').select(['idx', 'idHash', 'pcName', 'ip']).where('idHash', '=', idHash),
)
/** The server with an id, by the hash of it. */
export const findCaller = async (pool: StatementPool, idHash: Buffer): Promise<BimServerCaller | undefined> =>
  (await selectCaller(pool, idHash))[0]

/** Locks a server and returns whether it was online; undefined if its id or address is not the caller's any more. */
export const lockCaller = (tx: Tx, { idx, idHash, ip }: BimServerCaller, now: Date) =>
  tx
    .selectFrom('bimServers as s')
    .select(isOnline(now).as('isOnline'))
    .where('s.idx', '=', idx)
    .where('s.idHash', '=', idHash)
    .where('s.ip', '=', ip)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const updateHeartbeat = (tx: Tx, idx: number, now: Date) =>
  tx.updateTable('bimServers').set({ heartbeatDT: now, isOnline: 1 }).where('idx', '=', idx).execute()

/**
 * Replaces the connections of a server, writing only those that differ. Returns whether any did. No connection begins
 * later than `now`.
 */
export async function updateConnections(
  tx: Tx,
  serverIdx: number,
  connections: readonly ReportedConnection[],
  now: Date,
): Promise<boolean> {
  const userIds = connections.map(({ userId }) => userId)
  const ips = connections.map(({ ip }) => ip)
  const moments = connections.map(({ connectDT }) => connectDT)
  const { rows } = await sql<{ isChanged: boolean }>`
    with reported as (
      select distinct "userId", ip, least(date_trunc('milliseconds', "connectDT"), ${now}) as "connectDT"
      from unnest(${userIds}::text[], ${ips}::text[], ${moments}::timestamptz[]) as r ("userId", ip, "connectDT")
    ), gone as (
      delete from "bimConnections" c where "serverIdx" = ${serverIdx}
      and ("userId", ip, "connectDT") not in (select "userId", ip, "connectDT" from reported)
      returning idx
    ), come as (
      insert into "bimConnections" ("serverIdx", "userId", ip, "connectDT")
      select ${serverIdx}, "userId", ip, "connectDT" from reported
      where ("userId", ip, "connectDT") not in (
        select "userId", ip, "connectDT" from "bimConnections" where "serverIdx" = ${serverIdx})
      returning idx
    )
    select exists (select from gone) or exists (select from come) as "isChanged"`.execute(tx)
  return rows[0]?.isChanged === true
}

/** Marks servers offline that fell silent, and returns them. */
export async function updateSilent(tx: Tx, now: Date): Promise<number[]> {
  const rows = await tx
    .updateTable('bimServers')
    .set({ isOnline: 0 })
    .where('isOnline', '=', 1)
    .where('heartbeatDT', '<=', silentSince(now))
    .returning('idx')
    .execute()
  return rows.map(({ idx }) => idx)
}

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
