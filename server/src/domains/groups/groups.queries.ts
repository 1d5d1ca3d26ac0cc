// Groups as rows of one tree. Each stores its path from the root, so that subtree and ancestors are one indexed
// condition. Every change of the tree's shape takes `lockTree` first.
import { type Selectable, sql } from 'kysely'
import type { Reader, Tx } from '../../db/open.ts'
import type { Groups } from '../../db/schema.gen.ts'

export type GroupRow = Selectable<Groups>

// Covers all changes of the tree's shape and names until the transaction ends.
const TREE_LOCK = 4_801_002

export const lockTree = async (tx: Tx): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock(${TREE_LOCK})`.execute(tx))

type NewRow = { parentIdx: number; name: string; key: string; description: string; isSync?: 0 | 1 }

/** Inserts a group as the last child of its parent. */
export async function insertGroup(
  tx: Tx,
  { parentIdx, name, key, description, isSync = 0 }: NewRow,
): Promise<GroupRow> {
  const { idx } = await tx
    .selectNoFrom(sql<number>`nextval(pg_get_serial_sequence('groups', 'idx'))`.as('idx'))
    .executeTakeFirstOrThrow()
  return tx
    .insertInto('groups')
    .columns(['idx', 'parentIdx', 'name', 'key', 'description', 'isSync', 'path', 'position'])
    .expression((eb) =>
      eb
        .selectFrom('groups as parent')
        .select([
          eb.val(idx).as('idx'),
          'parent.idx as parentIdx',
          eb.val(name).as('name'),
          eb.val(key).as('key'),
          eb.val(description).as('description'),
          sql<0 | 1>`${isSync}::smallint`.as('isSync'),
          sql<number[]>`parent.path || ${idx}::bigint`.as('path'),
          sql<number>`(select coalesce(max(s.position) + 1, 0) from groups s where s."parentIdx" = ${parentIdx})`.as(
            'position',
          ),
        ])
        .where('parent.idx', '=', parentIdx),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

const selectGroup = (db: Reader, idx: number) => db.selectFrom('groups').selectAll().where('idx', '=', idx)

export const findGroup = (db: Reader, idx: number): Promise<GroupRow | undefined> =>
  selectGroup(db, idx).executeTakeFirst()

/** Locks and returns a group against other changes. Users may still be moved into it. */
export const findGroupForUpdate = (tx: Tx, idx: number): Promise<GroupRow | undefined> =>
  selectGroup(tx, idx).forNoKeyUpdate().executeTakeFirst()

/** Locks and returns a group against every change, including users who are moved into it. */
export const findGroupForDelete = (tx: Tx, idx: number): Promise<GroupRow | undefined> =>
  selectGroup(tx, idx).forUpdate().executeTakeFirst()

export const findChildren = (db: Reader, parentIdx: number): Promise<GroupRow[]> =>
  db.selectFrom('groups').selectAll().where('parentIdx', '=', parentIdx).orderBy('position').execute()

/** Finds the DMS root, if one is set. */
export const findDmsRoot = (db: Reader): Promise<GroupRow | undefined> =>
  db.selectFrom('groups').selectAll().where('isDmsParent', '=', 1).executeTakeFirst()

type Columns = Partial<Pick<GroupRow, 'name' | 'key' | 'description' | 'isDmsParent'>>

export const updateGroupRow = (tx: Tx, idx: number, columns: Columns): Promise<GroupRow> =>
  tx
    .updateTable('groups')
    .set({ ...columns, revision: sql<number>`revision + 1` })
    .where('idx', '=', idx)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Numbers siblings in the given order. Unchanged positions are not written. */
export const updateOrder = (tx: Tx, orderedIdxes: readonly number[]) =>
  sql`
    update groups set position = ordered.position, revision = groups.revision + 1
    from (select idx, (ordinality - 1)::int as position
          from unnest(${orderedIdxes}::bigint[]) with ordinality as o (idx, ordinality)) ordered
    where groups.idx = ordered.idx and groups.position <> ordered.position`.execute(tx)
