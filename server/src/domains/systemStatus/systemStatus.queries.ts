// Figures of a running installation: its database, mail, administrators and nodes.
import { MailState } from '@acc/contract/labels/mails'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Reader, Tx } from '../../db/open.ts'
import { canAlter } from '../../db/role.ts'
import type { Nodes, StatusSamples } from '../../db/schema.gen.ts'

export type NodeRow = Selectable<Nodes>

const connections = sql<number>`(select sum(numbackends)::int from pg_stat_database)`

/** Size in bytes; connections of all databases of the server, since they share its limit. */
export const findDatabase = (db: Reader) =>
  db
    .selectNoFrom([
      sql<string>`current_setting('server_version')`.as('version'),
      sql<number>`pg_database_size(current_database())`.as('size'),
      connections.as('connections'),
      sql<number>`current_setting('max_connections')::int`.as('maxConnections'),
      sql<0 | 1>`${canAlter}::int`.as('canAlter'),
    ])
    .executeTakeFirstOrThrow()

export async function findConnections(db: Reader): Promise<number> {
  const found = await db.selectNoFrom(connections.as('connections')).executeTakeFirstOrThrow()
  return found.connections
}

/** Counts waiting mail and mail that failed since a moment. Returns when the longest overdue one was due. */
export const findMailState = (db: Reader, since: Date) =>
  // Each count by the partial index of its state: a month of sent mail is never read.
  db
    .with('waitingMails', (qb) =>
      qb
        .selectFrom('mails')
        .where('state', '=', sql.lit(MailState.WAITING))
        .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min('createDT').as('dueDT')]),
    )
    .with('failedMails', (qb) =>
      qb
        .selectFrom('mails')
        .where('state', '=', sql.lit(MailState.FAILED))
        .where('createDT', '>=', since)
        .select(({ fn }) => fn.countAll<number>().as('failed')),
    )
    .selectFrom(['waitingMails', 'failedMails'])
    .selectAll()
    .executeTakeFirstOrThrow()

/** Returns when this installation began: the creation of its first account. */
export async function findBeginning(db: Reader): Promise<Date | undefined> {
  const first = await db.selectFrom('users').select('createDT').orderBy('idx').limit(1).executeTakeFirst()
  return first?.createDT
}

export const findNodes = (db: Reader): Promise<NodeRow[]> =>
  db.selectFrom('nodes').selectAll().orderBy('name').orderBy('startDT').execute()

/** Stores what a node reports of itself; its clock is compared with the database's. */
export async function insertOrUpdateNode(tx: Tx, node: Omit<Insertable<Nodes>, 'clockOffset'>): Promise<void> {
  const clockOffset = sql<number>`round(extract(epoch from ${node.seenDT}::timestamptz - clock_timestamp()) * 1000)::int`
  const { seenDT, memory, keys, sealsWith } = node
  await tx
    .insertInto('nodes')
    .values({ ...node, clockOffset })
    .onConflict((oc) => oc.column('id').doUpdateSet({ seenDT, memory, keys, sealsWith, clockOffset }))
    .execute()
}

export async function deleteNode(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('nodes').where('id', '=', id).execute()
}

/** Deletes nodes that have been silent since before `bound`. */
export async function deleteSilentNodes(tx: Tx, bound: Date): Promise<void> {
  await tx.deleteFrom('nodes').where('seenDT', '<', bound).execute()
}

/** Stores a sample, unless one of the same time exists. */
export async function insertSample(tx: Tx, sample: Insertable<StatusSamples>): Promise<void> {
  await tx
    .insertInto('statusSamples')
    .values(sample)
    .onConflict((oc) => oc.doNothing())
    .execute()
}

export async function deleteSamples(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('statusSamples').where('sampleDT', '<', before).execute()
}

/** Returns the least reserves and the longest queues of each hour. */
export const findHourlySamples = (db: Reader, since: Date) =>
  db
    .selectFrom('statusSamples')
    .where('sampleDT', '>=', since)
    .select(({ fn }) => [
      sql<Date>`date_trunc('hour', "sampleDT")`.as('sampleDT'),
      fn.min('filesFree').as('filesFree'),
      fn.min('databaseFree').as('databaseFree'),
      fn.max('mailsWaiting').as('mailsWaiting'),
      fn.max('jobsWaiting').as('jobsWaiting'),
      fn.max('connections').as('connections'),
    ])
    .groupBy(sql`1`)
    .orderBy(sql`1`)
    .execute()
