// BIM servers, always-allowed addresses and live connections as rows.
import { MAX_LISTED_CONNECTIONS } from '@acc/contract/bim'
import { OFFLINE_SECONDS } from '@acc/contract/bimServer'
import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import { later } from '../../clock.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { BimExceptions, BimServers } from '../../db/schema.gen.ts'

/** The moment after which a server that is online has reported. */
export const silentSince = (now: Date): Date => later(now, -OFFLINE_SECONDS * 1000)

/** Whether a server `s` is online. */
export const isOnline = (now: Date) => sql<SqlBool>`(s."isOnline" = 1 and s."heartbeatDT" > ${silentSince(now)})`

export type ServerRow = Selectable<BimServers>
export type ExceptionRow = Selectable<BimExceptions>

/** Serializes additions, so that no list grows beyond its limit. */
export const lockLists = async (tx: Tx): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock(hashtext('bim'))`.execute(tx))

export async function countRows(tx: Tx, table: 'bimServers' | 'bimExceptions' | 'bimGroups' | 'bimUsers') {
  const { count } = await tx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the seconds after which a server that is online will have fallen silent, unless it reports before. */
export async function findCheckAfter(db: Reader, now: Date): Promise<number | null> {
  const { first } = await db
    .selectFrom('bimServers as s')
    .select(sql<Date | null>`min(s."heartbeatDT")`.as('first'))
    .where(isOnline(now))
    .executeTakeFirstOrThrow()
  return first === null ? null : Math.ceil((first.getTime() - silentSince(now).getTime()) / 1000)
}

export const findServers = (db: Reader, now: Date) =>
  db
    .selectFrom('bimServers as s')
    .select(['s.idx', 's.idSealed', 's.pcName', 's.ip', 's.description', 's.heartbeatDT', 's.revision'])
    .select(sql<0 | 1>`${isOnline(now)}::int`.as('isOnline'))
    .orderBy(sql`"pcName" collate people`)
    .execute()

export async function findNextServerIdx(tx: Tx): Promise<number> {
  const next = sql<number>`nextval(pg_get_serial_sequence('"bimServers"', 'idx'))`
  return (await tx.selectNoFrom(next.as('idx')).executeTakeFirstOrThrow()).idx
}

export const insertServer = (tx: Tx, row: Insertable<BimServers>): Promise<ServerRow> =>
  tx.insertInto('bimServers').values(row).returningAll().executeTakeFirstOrThrow()

/** Locks and returns servers in the order of their idxes. */
export const lockServers = (tx: Tx, idxes: readonly number[]): Promise<ServerRow[]> =>
  tx
    .selectFrom('bimServers')
    .selectAll()
    .where('idx', '=', sql<number>`any(${idxes})`)
    .orderBy('idx')
    .forUpdate()
    .execute()

export const updateServerRow = async (tx: Tx, idx: number, columns: Updateable<BimServers>): Promise<void> =>
  void (await tx
    .updateTable('bimServers')
    .set({ ...columns, revision: sql<number>`revision + 1` })
    .where('idx', '=', idx)
    .execute())

/** Deletes servers; their connections go by the foreign key. */
export const deleteServers = (tx: Tx, idxes: readonly number[]) =>
  tx.deleteFrom('bimServers').where('idx', '=', sql<number>`any(${idxes})`).execute()

export const deleteConnections = (tx: Tx, serverIdxes: readonly number[]) =>
  tx.deleteFrom('bimConnections').where('serverIdx', '=', sql<number>`any(${serverIdxes})`).execute()

export const findExceptions = (db: Reader): Promise<ExceptionRow[]> =>
  db.selectFrom('bimExceptions').selectAll().orderBy(sql`ip::inet`).execute()

export const insertException = (tx: Tx, row: Insertable<BimExceptions>): Promise<ExceptionRow> =>
  tx.insertInto('bimExceptions').values(row).returningAll().executeTakeFirstOrThrow()

/** Locks and returns always-allowed addresses in the order of their idxes. */
export const lockExceptions = (tx: Tx, idxes: readonly number[]): Promise<ExceptionRow[]> =>
  tx
    .selectFrom('bimExceptions')
    .selectAll()
    .where('idx', '=', sql<number>`any(${idxes})`)
    .orderBy('idx')
    .forUpdate()
    .execute()

export const updateExceptionRow = async (tx: Tx, idx: number, columns: Updateable<BimExceptions>): Promise<void> =>
  void (await tx
    .updateTable('bimExceptions')
    .set({ ...columns, revision: sql<number>`revision + 1` })
    .where('idx', '=', idx)
    .execute())

export const deleteExceptions = (tx: Tx, idxes: readonly number[]) =>
  tx.deleteFrom('bimExceptions').where('idx', '=', sql<number>`any(${idxes})`).execute()

const liveConnections = (db: Reader, now: Date) =>
  db.selectFrom('bimConnections as c').innerJoin('bimServers as s', 's.idx', 'c.serverIdx').where(isOnline(now))

/** The newest connections of the servers that are online, with the user of each reported id, and the number of all. */
export async function findConnections(db: Reader, now: Date) {
  const { totalCount } = await liveConnections(db, now)
    .select(({ fn }) => fn.countAll<number>().as('totalCount'))
    .executeTakeFirstOrThrow()
  const newest = liveConnections(db, now)
    .select(['c.idx', 'c.userId', 'c.ip', 'c.connectDT', 's.pcName as serverName'])
    .orderBy('c.connectDT', 'desc')
    .orderBy('c.idx', 'desc')
    .limit(MAX_LISTED_CONNECTIONS)
  const connections = await db
    .selectFrom(newest.as('live'))
    .leftJoin('users as u', (join) => join.on(sql`lower(u.id)`, '=', sql`lower(live."userId")`))
    .leftJoin('groups as g', 'g.idx', 'u.groupIdx')
    .select(['live.idx', 'live.userId', 'live.ip', 'live.connectDT', 'live.serverName'])
    .select([
      sql<string>`coalesce(u.name, '')`.as('userName'),
      sql<string>`coalesce(u.email, '')`.as('userEmail'),
      sql<string>`coalesce(g.name, '')`.as('groupName'),
    ])
    .orderBy('live.connectDT', 'desc')
    .orderBy('live.idx', 'desc')
    .execute()
  return { totalCount, connections }
}
