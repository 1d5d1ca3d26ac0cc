// Shortcuts as rows. Web pages and programs share a table: they differ in what `target` is, a URL or a path.
import type { shortcuts } from '@acc/contract/shortcuts'
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { filterBy } from '../../db/filters.ts'
import { type List, listOf } from '../../db/list.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { Shortcuts } from '../../db/schema.gen.ts'
import { nameContains } from '../../db/search.ts'

export const ShortcutKind = { WEB: 0, PROGRAM: 1 } as const
export type ShortcutKind = (typeof ShortcutKind)[keyof typeof ShortcutKind]

export type ShortcutRow = Omit<Selectable<Shortcuts>, 'iconDigest'>
type Revised = { revision: string }
export type ListedShortcut = Pick<ShortcutRow, 'idx' | 'name' | 'target' | 'iconName'> &
  Revised & { policyCount: number }

const COLUMNS = ['idx', 'kind', 'name', 'target', 'targetKey', 'iconName', 'iconData'] as const

export type ShortcutQuery = z.output<typeof shortcuts.searchWebs.input | typeof shortcuts.searchPrograms.input>

const policyCount = sql<number>`(select count(*) from "policyShortcuts" p where p."shortcutIdx" = shortcuts.idx)`
/** Derived, so that every way of changing a shortcut changes it. */
const revision = sql<string>`md5(jsonb_build_array(name, target, "iconName", "iconDigest")::text)`.as('revision')
const target = sql.ref('target')
const SORTS = { idx: sql.ref('idx'), name: sql`name collate people`, url: target, path: target }

/** The shortcuts of a kind whose name or target contains the keyword, without their icons. */
export function listShortcuts(db: Reader, kind: ShortcutKind, query: ShortcutQuery): List<ListedShortcut> {
  const keyword = (text: string) => sql<SqlBool>`(${nameContains('name', text)} or ${nameContains('target', text)})`
  const { condition } = filterBy(query, { keyword }, {})
  const matches = db
    .selectFrom('shortcuts')
    .select(['idx', 'name', 'target', 'iconName', revision, policyCount.as('policyCount')])
    .where('kind', '=', kind)
    .where(condition)
  return listOf(db, query, { matches, sorts: SORTS })
}

/** The icons of shortcuts, in the order of the idxes, as many of them as fit into so many bytes. */
export async function findIcons(db: Reader, idxes: readonly number[], maxBytes: number): Promise<Map<number, Buffer>> {
  const sizes = db
    .selectFrom('shortcuts')
    .select('idx')
    .select(sql<number>`sum(length("iconData")) over (order by array_position(${idxes}::bigint[], idx))`.as('upTo'))
    .where('idx', '=', sql<number>`any(${idxes})`)
    .where('iconData', 'is not', null)
  const rows = await db
    .with('sizes', () => sizes)
    .selectFrom('shortcuts')
    .innerJoin('sizes', 'sizes.idx', 'shortcuts.idx')
    .select(['shortcuts.idx', 'shortcuts.iconData'])
    .where('sizes.upTo', '<=', maxBytes)
    .$narrowType<{ iconData: Buffer }>()
    .execute()
  return new Map(rows.map(({ idx, iconData }) => [idx, iconData]))
}

export const insertShortcut = (tx: Tx, row: Insertable<Shortcuts>): Promise<ShortcutRow> =>
  tx.insertInto('shortcuts').values(row).returning(COLUMNS).executeTakeFirstOrThrow()

/** Locks and returns the shortcuts of a kind. */
export const lockShortcuts = (
  tx: Tx,
  kind: ShortcutKind,
  idxes: readonly number[],
): Promise<(ShortcutRow & Revised)[]> =>
  tx
    .selectFrom('shortcuts')
    .select([...COLUMNS, revision])
    .where('kind', '=', kind)
    .where('idx', '=', sql<number>`any(${idxes})`)
    .orderBy('idx')
    .forUpdate()
    .execute()

export const updateShortcutRow = async (tx: Tx, { idx, ...columns }: ShortcutRow): Promise<void> =>
  void (await tx.updateTable('shortcuts').set(columns).where('idx', '=', idx).execute())

const policiesOf = (tx: Tx, idxes: readonly number[]) =>
  tx.selectFrom('policyShortcuts').select('policyIdx').where('shortcutIdx', '=', sql<number>`any(${idxes}::bigint[])`)

/** Locks the policies with shortcuts. Called before these are locked, since an edit of a policy takes this order. */
export const lockPoliciesOf = (tx: Tx, idxes: readonly number[]) =>
  tx.selectFrom('policies').select('idx').where('idx', 'in', policiesOf(tx, idxes)).orderBy('idx').forUpdate().execute()

/** Deletes shortcuts. The foreign key removes them from policies, whose revision rises for those who edit one. */
export async function deleteShortcuts(tx: Tx, idxes: readonly number[]): Promise<void> {
  const users = policiesOf(tx, idxes)
  await tx.updateTable('policies').set({ revision: sql<number>`revision + 1` }).where('idx', 'in', users).execute()
  await tx.deleteFrom('shortcuts').where('idx', '=', sql<number>`any(${idxes})`).execute()
}
