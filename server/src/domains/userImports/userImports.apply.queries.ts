// Applying rows as statements: one for each kind of change of a block, not one for each person.
import { Level } from '@acc/contract/labels/access'
import { ImportResult } from '@acc/contract/labels/userImports'
import { type Insertable, type Selectable, sql } from 'kysely'
import { outranksManager, scopeOf, type Viewer } from '../../core/scope.ts'
import type { UserRow } from '../../core/userLog.ts'
import type { Tx } from '../../db/open.ts'
import type { UserImportRows, Users } from '../../db/schema.gen.ts'
import type { RowFault } from './source.ts'
import type { NewGroup } from './userImports.queries.ts'

type Row = Selectable<UserImportRows>
export type WaitingRow = Pick<
  Row,
  | 'idx'
  | 'action'
  | 'key'
  | 'id'
  | 'name'
  | 'email'
  | 'group'
  | 'groupIdx'
  | 'expireDT'
  | 'userIdx'
  | 'userRevision'
  | 'chain'
> & { isGroupChanged: boolean }

const selectWaiting = (tx: Tx, importIdx: number) =>
  tx
    .selectFrom('userImportRows')
    .select([
      'idx',
      'action',
      'key',
      'id',
      'name',
      'email',
      'group',
      'groupIdx',
      'expireDT',
      'userIdx',
      'userRevision',
      'chain',
      sql<boolean>`changes @> '[{"field":"group"}]'`.as('isGroupChanged'),
    ])
    .where('importIdx', '=', importIdx)
    .where('result', '=', ImportResult.WAITING)

/** Finds the next rows to apply. A chain is complete, even if it is longer. */
export async function findBlock(tx: Tx, importIdx: number, limit: number): Promise<WaitingRow[]> {
  const rows = await selectWaiting(tx, importIdx).orderBy('chain').orderBy('idx').limit(limit).execute()
  const last = rows.at(-1)
  if (last === undefined || last.chain === 0 || rows.length < limit) return rows
  const rest = await selectWaiting(tx, importIdx).where('chain', '=', last.chain).where('idx', '>', last.idx).execute()
  return [...rows, ...rest]
}

/** An account before the change, with the author's rights over it at this moment. */
export type Target = UserRow & { isReached: boolean; isStronger: boolean }

/** Locks and returns accounts. */
export async function lockTargets(tx: Tx, viewer: Viewer, idxes: readonly number[]): Promise<Map<number, Target>> {
  await tx
    .selectFrom('users')
    .select('idx')
    .where('idx', '=', sql<number>`any(${idxes}::bigint[])`)
    .orderBy('idx')
    .forNoKeyUpdate()
    .execute()
  const scope = scopeOf(viewer, 'user', Level.EDIT)
  const rows = await tx
    .selectFrom('users')
    .innerJoin('groups', 'groups.idx', 'users.groupIdx')
    .selectAll('users')
    .select('groups.name as groupName')
    .select((eb) => [
      sql<boolean>`${scope(eb.ref('users.groupIdx'))}`.as('isReached'),
      sql<boolean>`${outranksManager(viewer)}`.as('isStronger'),
    ])
    .where('users.idx', '=', sql<number>`any(${idxes}::bigint[])`)
    .execute()
  return new Map(rows.map((row) => [row.idx, row]))
}

/** Locks and returns groups, with the author's right to fill them. */
export async function lockGroups(tx: Tx, viewer: Viewer, idxes: readonly number[]) {
  const scope = scopeOf(viewer, 'user', Level.EDIT)
  const rows = await tx
    .selectFrom('groups')
    .select(['groups.idx', 'groups.name'])
    .where('groups.idx', '=', sql<number>`any(${idxes}::bigint[])`)
    .orderBy('groups.idx')
    .forShare()
    .execute()
  const reached = await tx
    .selectFrom('groups')
    .select('groups.idx')
    .where('groups.idx', '=', sql<number>`any(${idxes}::bigint[])`)
    .where((eb) => scope(eb.ref('groups.idx')))
    .execute()
  const isReached = new Set(reached.map(({ idx }) => idx))
  return new Map(rows.map((row) => [row.idx, { ...row, isReached: isReached.has(row.idx) }]))
}

/** Finds the values of rows that other accounts have. */
export async function findHolders(tx: Tx, rows: readonly WaitingRow[]) {
  const [idxes, own] = [rows.map(({ idx }) => idx), rows.map(({ userIdx }) => userIdx)]
  const fields = (['key', 'id', 'email'] as const).map((field) => {
    const column = sql.ref(field)
    return sql`
      select r.idx as "rowIdx", ${field}::text as field, h.idx as "holderIdx"
      from unnest(${idxes}::bigint[], ${own}::bigint[], ${rows.map((row) => row[field])}::text[]) as r (idx, own, value)
      join users h on lower(h.${column}) = lower(r.value) and h.idx is distinct from r.own`
  })
  const { rows: found } = await sql<{ rowIdx: number; field: 'key' | 'id' | 'email'; holderIdx: number }>`
    ${sql.join(fields, sql` union all `)}`.execute(tx)
  return found
}

/** Frees the values of a chain's accounts until they have their new ones: no value of a person has a `~`. */
export const updateToPlaceholders = (tx: Tx, idxes: readonly number[]) =>
  sql`
    update users set id = '~' || idx, email = '~' || idx, key = '~' || idx
    where idx = any(${idxes}::bigint[])`.execute(tx)

export type Changed = Pick<
  UserRow,
  | 'idx'
  | 'id'
  | 'name'
  | 'email'
  | 'key'
  | 'groupIdx'
  | 'isMortal'
  | 'expireDT'
  | 'state'
  | 'importSuspended'
  | 'loginFails'
  | 'otpFails'
  | 'activeDT'
>

/** Changes accounts to their values of a source. */
export const updateImported = (tx: Tx, source: number, users: readonly Changed[]) =>
  sql`
    update users set id = v.id, name = v.name, email = v.email, key = v.key, "groupIdx" = v."groupIdx",
      "isMortal" = v."isMortal", "expireDT" = v."expireDT", state = v.state, "importSuspended" = v."importSuspended",
      "loginFails" = v."loginFails", "otpFails" = v."otpFails", "activeDT" = v."activeDT",
      "importSource" = ${source}, revision = users.revision + 1
    from jsonb_to_recordset(${JSON.stringify(users)}::jsonb) as v (
      idx bigint, id text, name text, email text, key text, "groupIdx" bigint, "isMortal" smallint, "expireDT" date,
      state smallint, "importSuspended" smallint, "loginFails" int, "otpFails" int, "activeDT" timestamptz)
    where users.idx = v.idx`.execute(tx)

/** Inserts new people. Returns their rows. */
export const insertImported = (tx: Tx, users: readonly Insertable<Users>[]): Promise<Selectable<Users>[]> =>
  tx
    .insertInto('users')
    .values([...users])
    .returningAll()
    .execute()

export type RowResult = {
  idx: number
  result: ImportResult
  userIdx: number | null
  needsPassword: 0 | 1
  faults: RowFault[]
}

/** Stores the results of rows. */
export const updateResults = (tx: Tx, results: readonly RowResult[]) =>
  sql`
    update "userImportRows" r set result = v.result, "userIdx" = v."userIdx", "needsPassword" = v."needsPassword",
      faults = r.faults || v.faults
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as v (
      idx bigint, result smallint, "userIdx" bigint, "needsPassword" smallint, faults jsonb)
    where r.idx = v.idx`.execute(tx)

/** Enters groups into the rows that wait for them. */
export const updateRowsOfGroups = (tx: Tx, importIdx: number, groups: ReadonlyMap<string, number>) =>
  sql`
    update "userImportRows" r set "groupIdx" = g.idx
    from unnest(${[...groups.keys()]}::text[], ${[...groups.values()]}::bigint[]) as g (path, idx)
    where r."importIdx" = ${importIdx} and r.result = ${ImportResult.WAITING} and r."groupIdx" is null
      and r."group" = g.path`.execute(tx)

/** Finds a group by the key of a unit, or by its name below a parent. */
export const findExisting = (tx: Tx, parentIdx: number, { name, key }: Pick<NewGroup, 'name' | 'key'>) =>
  tx
    .selectFrom('groups')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb.and([eb('parentIdx', '=', parentIdx), sql<boolean>`lower(name) = lower(${name})`]),
        ...(key === null ? [] : [sql<boolean>`lower(key) = lower(${key})`]),
      ]),
    )
    .orderBy('idx')
    .limit(1)
    .executeTakeFirst()
