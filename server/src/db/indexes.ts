// Indexes over tables with rows: built CONCURRENTLY, which no transaction can do, and therefore after the migrations
// (docs/decisions/24-upgrade.md). An interrupted index is invalid; the next start drops it and builds it anew.
import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { inTurns, PATIENCE } from './busyTables.ts'
import { isTableBusy } from './constraints.ts'
import { StartError } from './embedded/errors.ts'
import type { DB } from './schema.gen.ts'

/** `on` are its columns and what follows them: `(kind, idx desc) where detail ? 'diff'`. */
export type Index = { name: string; table: string; on: string }

/** Kinds of history that are searched by their object and by what changed. */
const TRACED = `kind in ('userManage', 'groupManage', 'policyManage', 'authManage', 'shortcutManage', 'bimManage')`

/** Indexes that were added since 1.0.0. A migration that drops one takes it from this list. */
export const INDEXES: readonly Index[] = [
  { name: 'usersImportSource', table: 'users', on: '("importSource") where "importSource" is not null' },
  { name: 'historyObject', table: 'history', on: `("subjectIdx", kind) where ${TRACED}` },
  // The last condition is what a search by changes implies. Without it, PostgreSQL reads all of the index for a kind.
  {
    name: 'historyChanges',
    table: 'history',
    on: `using gin (indexed."changedFields"(detail)) where ${TRACED} and indexed."changedFields"(detail) is not null`,
  },
  { name: 'usersAdmins', table: 'users', on: '(idx) where "isAdmin" = 1' },
  // Newest first, so that a sort by overdue ones keeps the first rows that it reads. Includes what such lists compare.
  {
    name: 'fileEximportsWaitingOrder',
    table: 'fileEximports',
    on: `(idx desc) include (type, step, "waitDT", "requesterIdx", "requesterGroupIdx") where state = 0 and "isFileUploaded" = 1`,
  },
  { name: 'fileEximportsLaterStep', table: 'fileEximports', on: '(type, idx) where state = 0 and step > 1' },
  {
    name: 'fileEximportsToReview',
    table: 'fileEximports',
    on: '("reviewDueDT") where state = 4 and "reviewDueDT" is not null',
  },
  { name: 'requestDecisionsLater', table: 'requestDecisions', on: '("deciderIdx", "fileEximportIdx") where step > 1' },
  { name: 'policiesEnd', table: 'policies', on: '("endDT") where "endDT" is not null' },
  { name: 'policiesUrgentExportSetBy', table: 'policies', on: '("urgentExportSetBy")' },
  { name: 'policyNetworkExceptionsEnd', table: 'policyNetworkExceptions', on: '("endDT") where "endDT" is not null' },
  { name: 'authorityUsersEnd', table: 'authorityUsers', on: '("endDT") where "endDT" is not null' },
]

const BUSY =
  'An index could not be built, since others hold its table: let CSV exports and backups end. The next start continues.'
/** Held while indexes are built (PostgreSQL 18 manual, section 9.28.10). */
const LOCK = sql.raw('4276035, 2')
/** Milliseconds between two looks whether another node has ended: a statement that waits would itself be waited for. */
const PAUSE = 1_000
/** How long a build waits for transactions that it may not overtake, such as a CSV export. They do not wait for it. */
const LONGEST_WAIT = '3min'

type State = { isPartitioned: boolean; isThere: boolean; isValid: boolean }

async function findState(db: Kysely<DB>, { name, table }: Index): Promise<State> {
  const { rows } = await sql<State>`
    select relkind = 'p' as "isPartitioned", i.indexrelid is not null as "isThere",
      coalesce(i.indisvalid, false) as "isValid"
    from pg_class t left join pg_index i on i.indrelid = t.oid and i.indexrelid = to_regclass(quote_ident(${name}))
    where t.oid = to_regclass(quote_ident(${table}))`.execute(db)
  const [state] = rows
  if (state === undefined) throw new Error(`There is no table ${table} for the index ${name}.`)
  return state
}

const definitionOf = ({ name, table, on }: Index, only = '') =>
  sql`${sql.id(name)} on ${sql.raw(only)} ${sql.id(table)} ${sql.raw(on)}`

/** For statements that take a moment once they have their table. */
const runInTurns = (db: Kysely<DB>, statement: RawBuilder<unknown>) =>
  inTurns(BUSY, () =>
    db.transaction().execute(async (tx) => {
      await sql.raw(PATIENCE).execute(tx)
      await statement.execute(tx)
    }),
  )

async function buildConcurrently(db: Kysely<DB>, index: Index): Promise<void> {
  const { isThere, isValid } = await findState(db, index)
  if (isValid) return
  try {
    if (isThere) await sql`drop index concurrently ${sql.id(index.name)}`.execute(db)
    await sql`create index concurrently ${definitionOf(index)}`.execute(db)
  } catch (error) {
    throw isTableBusy(error) ? new StartError(BUSY) : error
  }
}

/** The partitions that have no part of an index yet. */
async function findPartitions(db: Kysely<DB>, { name, table }: Index): Promise<string[]> {
  const { rows } = await sql<{ partition: string }>`
    select p.relname as partition from pg_inherits h join pg_class p on p.oid = h.inhrelid
    where h.inhparent = to_regclass(quote_ident(${table})) and not exists (
      select from pg_inherits a join pg_index i on i.indexrelid = a.inhrelid
      where a.inhparent = to_regclass(quote_ident(${name})) and i.indrelid = p.oid)
    order by 1`.execute(db)
  return rows.map(({ partition }) => partition)
}

/** Creates the index of all partitions first, so that new months get their part. It is valid once every part exists. */
async function buildPartitioned(db: Kysely<DB>, index: Index): Promise<void> {
  const { isThere } = await findState(db, index)
  if (!isThere) await runInTurns(db, sql`create index ${definitionOf(index, 'only')}`)
  for (const table of await findPartitions(db, index)) {
    const part = { ...index, table, name: `${index.name}_${table}` }
    await buildConcurrently(db, part)
    await runInTurns(db, sql`alter index ${sql.id(index.name)} attach partition ${sql.id(part.name)}`)
  }
}

/**
 * Builds the missing indexes. Nodes that start at the same time do so one after the other. Throws StartError if a build
 * has to wait for others longer than `longestWait`.
 */
export async function buildIndexes(
  connection: Kysely<DB>,
  indexes: readonly Index[] = INDEXES,
  longestWait = LONGEST_WAIT,
): Promise<void> {
  if (indexes.length === 0) return
  const tryLock = sql<{ isTaken: boolean }>`select pg_try_advisory_lock(${LOCK}) as "isTaken"`
  while ((await tryLock.execute(connection)).rows[0]?.isTaken !== true) await wait(PAUSE)
  try {
    await sql`set lock_timeout = ${sql.lit(longestWait)}`.execute(connection)
    for (const index of indexes) {
      const { isPartitioned, isValid } = await findState(connection, index)
      if (!isValid) await (isPartitioned ? buildPartitioned : buildConcurrently)(connection, index)
    }
  } finally {
    await sql`reset lock_timeout`.execute(connection)
    await sql`select pg_advisory_unlock(${LOCK})`.execute(connection)
  }
}
