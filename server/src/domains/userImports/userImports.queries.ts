// Runs of imports as rows, the rows of their plans, their authors, and the groups that these reach.
import { Level } from '@acc/contract/labels/access'
import {
  type ImportField,
  type ImportRefusal,
  ImportResult,
  ImportSource,
  ImportState,
  SyncKind,
} from '@acc/contract/labels/userImports'
import type { ImportCounts, ImportOptions, Refusal, UserImport } from '@acc/contract/userImports'
import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Author } from '../../core/change.ts'
import { highestLevels } from '../../core/grants.ts'
import { scopeOf, type Viewer } from '../../core/scope.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { UserImports } from '../../db/schema.gen.ts'
import type { RowFault } from './source.ts'

/** A group that a plan creates. Rows name it by its path. */
export type NewGroup = {
  path: string
  /** The existing parent, or the path of one that the plan creates before. */
  parentIdx: number | null
  parentPath: string | null
  name: string
  key: string | null
  isSync: 0 | 1
}

type Typed = {
  options: ImportOptions
  fields: ImportField[]
  counts: Partial<ImportCounts>
  brake: UserImport['brake']
  refusal: Refusal | null
  groups: NewGroup[]
}
export type RunRow = Omit<Selectable<UserImports>, keyof Typed> & Typed

/** Whose run it is, where its rows come from and how they are treated. */
export type NewImport = {
  source: ImportSource
  /** The name of the file, or the address of the directory. */
  fileName: string
  options: ImportOptions
  /** The group below which paths begin, which takes people without a group. Null: the tree of the author. */
  baseGroupIdx: number | null
  /** SYSTEM for runs that the server starts. */
  author: Author
}

/** Returns the columns of the person whose name a run has in its history. */
export const authorColumns = ({ idx, id, name, groupName, ip }: Author) => ({
  authorIdx: idx,
  authorId: id,
  authorName: name,
  authorGroupName: groupName,
  ip,
})

/** Inserts a run. A second open one of the author, or of a source of synchronization, violates a unique index. */
export async function insertRun(tx: Tx, run: NewImport, at: Date): Promise<number> {
  const { source, fileName, options, baseGroupIdx, author } = run
  const { idx } = await tx
    .insertInto('userImports')
    .values({
      source,
      fileName,
      options: JSON.stringify(options),
      baseGroupIdx,
      ...authorColumns(author),
      startDT: at,
      activeDT: at,
    })
    .returning('idx')
    .executeTakeFirstOrThrow()
  return idx
}

const selectRun = (db: Reader, idx: number) => db.selectFrom('userImports').selectAll().where('idx', '=', idx)

export const findRun = (db: Reader, idx: number): Promise<RunRow | undefined> =>
  selectRun(db, idx).$castTo<RunRow>().executeTakeFirst()

export const lockRun = (tx: Tx, idx: number): Promise<RunRow | undefined> =>
  selectRun(tx, idx).forNoKeyUpdate().$castTo<RunRow>().executeTakeFirst()

/** Finds the last run of a source that was read to its end. */
export const findLastRun = (db: Reader, source: ImportSource): Promise<RunRow | undefined> =>
  db
    .selectFrom('userImports')
    .selectAll()
    .where('source', '=', source)
    .where('hash', '<>', '')
    .orderBy('idx', 'desc')
    .limit(1)
    .$castTo<RunRow>()
    .executeTakeFirst()

/** Finds why the run of the same source that ended before a run was refused; undefined if it was not. */
export async function findEarlierReason(tx: Tx, { idx, source }: RunRow): Promise<ImportRefusal | undefined> {
  const earlier = await tx
    .selectFrom('userImports')
    .select('refusal')
    .where('source', '=', source)
    .where('idx', '<', idx)
    .where('endDT', 'is not', null)
    .orderBy('idx', 'desc')
    .limit(1)
    .$castTo<Pick<RunRow, 'refusal'>>()
    .executeTakeFirst()
  return earlier?.refusal?.reason
}

const isSwitchedOff = sql<SqlBool>`exists (
  select from settings where name = 'userSync' and (value->>'kind')::int = ${sql.lit(SyncKind.NONE)})`

/**
 * Finds whether a synchronization waits for a confirmation, and whether the last one that ended was refused, unless the
 * source is switched off.
 */
export async function findSyncFaults(db: Reader): Promise<{ isBraked: boolean; isRefused: boolean }> {
  const runs = db.selectFrom('userImports').where('source', '>', ImportSource.FILE)
  const braked = await runs.select('idx').where('state', '=', ImportState.PLANNED).limit(1).executeTakeFirst()
  const on = runs.select('state').where((eb) => eb.not(isSwitchedOff))
  const ended = on.where('endDT', 'is not', null).orderBy('idx', 'desc').limit(1)
  return { isBraked: braked !== undefined, isRefused: (await ended.executeTakeFirst())?.state === ImportState.REFUSED }
}

/** Finds the open runs: their states, and when they were last active. */
export const findOpenRuns = (db: Reader) =>
  db
    .selectFrom('userImports')
    .select(['idx', 'state', 'hash', 'refusal', 'activeDT'])
    .where('state', '<', ImportState.DONE)
    .orderBy('idx')
    .$castTo<Pick<RunRow, 'idx' | 'state' | 'hash' | 'refusal' | 'activeDT'>>()
    .execute()

type Columns = Partial<Omit<RunRow, 'idx'>>
const JSON_COLUMNS: readonly string[] = ['options', 'counts', 'brake', 'refusal', 'groups']

/** Changes columns of a run. */
export async function updateRun(tx: Tx, idx: number, columns: Columns): Promise<void> {
  const values = Object.entries(columns).map(([name, value]) => [
    name,
    JSON_COLUMNS.includes(name) && value !== null ? JSON.stringify(value) : value,
  ])
  await tx.updateTable('userImports').set(Object.fromEntries(values)).where('idx', '=', idx).execute()
}

/** A row of a source whose cells are checked. Null keeps a value, an empty `expireDT` removes the last day. */
export type CheckedRow = {
  line: number | null
  key: string | null
  id: string | null
  name: string | null
  email: string | null
  group: string | null
  groupIdx: number | null
  expireDT: string | null
  isEnabled: 0 | 1 | null
  faults: RowFault[]
}

/** Inserts rows of a plan. */
export const insertRows = (tx: Tx, importIdx: number, rows: readonly CheckedRow[]) =>
  sql`
    insert into "userImportRows"
      ("importIdx", line, key, id, name, email, "group", "groupIdx", "expireDT", "isEnabled", faults)
    select ${importIdx}, line, key, id, name, email, "group", "groupIdx", "expireDT", "isEnabled", faults
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (
      line int, key text, id text, name text, email text, "group" text, "groupIdx" bigint, "expireDT" text,
      "isEnabled" smallint, faults jsonb)`.execute(tx)

export const deleteRows = (tx: Tx, importIdx: number) =>
  tx.deleteFrom('userImportRows').where('importIdx', '=', importIdx).execute()

/** Counts the applied rows of a run by action. */
export async function countApplied(tx: Tx, importIdx: number): Promise<Map<number, number>> {
  const rows = await tx
    .selectFrom('userImportRows')
    .select(({ fn }) => ['action', fn.countAll<number>().as('count')])
    .where('importIdx', '=', importIdx)
    .where('result', '=', ImportResult.APPLIED)
    .groupBy('action')
    .execute()
  return new Map(rows.map(({ action, count }) => [action, Number(count)]))
}

/** Deletes runs that ended before a moment, with their rows. Returns their number. */
export async function deleteRunsBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from "userImports" where idx in (
      select idx from "userImports" where "endDT" < ${moment} order by idx limit ${limit}) returning idx`.execute(tx)
  return rows.length
}

/** Locks and returns an author: state, role and highest level on users. */
export async function findAuthor(tx: Tx, idx: number) {
  // Rights are read by a separate statement: one that waited for the lock would see them as they were before the wait.
  await tx.selectFrom('users').select('idx').where('idx', '=', idx).forShare().execute()
  const row = await tx
    .selectFrom('users')
    .select(['idx', 'isAdmin', 'state', 'isMortal', 'expireDT', highestLevels(sql.ref('users.idx')).as('levels')])
    .where('idx', '=', idx)
    .executeTakeFirst()
  return row && { ...row, level: row.levels.user }
}

/** Finds the groups that a viewer may fill with people, parents first, and whether groups may be added below them. */
export const findReachedGroups = (db: Reader, viewer: Viewer) => {
  const [users, policies] = [scopeOf(viewer, 'user', Level.EDIT), scopeOf(viewer, 'policy', Level.EDIT)]
  return db
    .selectFrom('groups')
    .leftJoin(
      (eb) => eb.selectFrom('groups').select('idx').where('isDmsParent', '=', 1).limit(1).as('dms'),
      (join) => join.onTrue(),
    )
    .select([
      'groups.idx',
      'groups.parentIdx',
      'groups.name',
      'groups.key',
      sql<number>`cardinality(groups.path)`.as('depth'),
    ])
    .select((eb) => [
      // Partner groups are created by hand alone, as in `POST /Group`.
      sql<boolean>`${policies(eb.ref('groups.idx'))}
        and not coalesce(dms.idx = any(groups.path) and dms.idx <> groups.idx, false)`.as('isAddable'),
    ])
    .where((eb) => users(eb.ref('groups.idx')))
    .orderBy(sql`cardinality(groups.path)`)
    .orderBy('groups.position')
    .orderBy('groups.idx')
    .execute()
}

export const findWaitingPasswords = (db: Reader, limit: number) =>
  db
    .selectFrom('userImportRows')
    .select(['idx', 'userIdx'])
    .where('needsPassword', '=', 1)
    .orderBy('idx')
    .limit(limit)
    .execute()

/** Marks a password as mailed or no longer needed. Returns whether it still was needed. */
export async function updatePasswordSettled(tx: Tx, rowIdx: number): Promise<boolean> {
  const query = tx.updateTable('userImportRows').set({ needsPassword: 0 })
  const result = await query.where('idx', '=', rowIdx).where('needsPassword', '=', 1).executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Locks and returns a person who has no password of any kind. */
export const lockWithoutPassword = (tx: Tx, idx: number) =>
  tx
    .selectFrom('users')
    .select(['idx', 'id', 'name', 'email', 'groupIdx', 'state'])
    .where('idx', '=', idx)
    .where('pwHash', 'is', null)
    .where('tmpPwHash', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
