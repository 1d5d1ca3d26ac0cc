// Groups as rows of one tree. Every group carries the idxes from the root down to itself, so that a subtree and the
// ancestors of a group are one indexed condition. Whatever changes the tree's shape holds `lockTree` first.
import { sql } from 'kysely'
import type { Reader, Tx } from '../db/open.ts'

const COLUMNS = [
  'idx',
  'parentIdx',
  'name',
  'key',
  'description',
  'path',
  'position',
  'isMyPolicy',
  'isDmsParent',
  'isSync',
  'revision',
] as const

export type GroupRow = {
  idx: number
  parentIdx: number | null
  name: string
  key: string
  description: string
  path: number[]
  position: number
  isMyPolicy: 0 | 1
  isDmsParent: 0 | 1
  isSync: 0 | 1
  revision: number
}

// One number for all: whoever changes the shape of the tree holds it until the transaction ends, so that a group is never
// made below one that is being deleted, and two deletions never pass each other.
const TREE_LOCK = 4_801_002

export const lockTree = async (tx: Tx): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock(${TREE_LOCK})`.execute(tx))

type NewRow = { parentIdx: number; name: string; key: string; description: string }

/** A new group as the last of its parent's children. */
export async function insertGroup(tx: Tx, { parentIdx, name, key, description }: NewRow): Promise<GroupRow> {
  const { idx } = await tx
    .selectNoFrom(sql<number>`nextval(pg_get_serial_sequence('groups', 'idx'))`.as('idx'))
    .executeTakeFirstOrThrow()
  return tx
    .insertInto('groups')
    .columns(['idx', 'parentIdx', 'name', 'key', 'description', 'path', 'position'])
    .expression((eb) =>
      eb
        .selectFrom('groups as parent')
        .select([
          eb.val(idx).as('idx'),
          'parent.idx as parentIdx',
          eb.val(name).as('name'),
          eb.val(key).as('key'),
          eb.val(description).as('description'),
          sql<number[]>`parent.path || ${idx}::bigint`.as('path'),
          sql<number>`(select coalesce(max(s.position) + 1, 0) from groups s where s."parentIdx" = ${parentIdx})`.as(
            'position',
          ),
        ])
        .where('parent.idx', '=', parentIdx),
    )
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export const findGroup = (db: Reader, idx: number): Promise<GroupRow | undefined> =>
  db.selectFrom('groups').select(COLUMNS).where('idx', '=', idx).executeTakeFirst()
