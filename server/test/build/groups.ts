// Inserts groups, named by their path below the root:
// `const { sales, east } = await buildGroups(app.db, 'sales', 'sales/east')`.
import { randomUUID } from 'node:crypto'
import { ROOT_GROUP } from '@acc/contract/groups'
import type { Database, Tx } from '../../src/db/open.ts'
import { type GroupRow, insertGroup } from '../../src/domains/groups/groups.queries.ts'

export type BuiltGroup = GroupRow

type Last<Path extends string> = Path extends `${string}/${infer Rest}` ? Last<Rest> : Path

async function ensureGroup(tx: Tx, parentIdx: number, name: string): Promise<GroupRow> {
  const known = await tx
    .selectFrom('groups')
    .selectAll()
    .where('parentIdx', '=', parentIdx)
    .where('name', '=', name)
    .executeTakeFirst()
  return known ?? insertGroup(tx, { parentIdx, name, key: randomUUID(), description: '' })
}

async function ensurePath(tx: Tx, path: string): Promise<GroupRow> {
  let group: GroupRow | undefined
  for (const name of path.split('/')) group = await ensureGroup(tx, group?.idx ?? ROOT_GROUP, name)
  if (group === undefined) throw new Error('a group needs a name')
  return group
}

/**
 * Inserts the groups and their missing ancestors; returns each under the last name of its path, so these names must be
 * unique.
 */
export async function buildGroups<const Path extends string>(
  db: Database,
  ...paths: Path[]
): Promise<{ [Name in Last<Path>]: BuiltGroup }> {
  return db.write.transaction().execute(async (tx) => {
    const built: Record<string, BuiltGroup> = {}
    for (const path of paths) {
      const group = await ensurePath(tx, path)
      if (group.name in built) throw new Error(`two groups are called ${group.name}`)
      built[group.name] = group
    }
    return built as { [Name in Last<Path>]: BuiltGroup }
  })
}

/** The names of a group's children in their order. */
export async function childrenOf(db: Database, parentIdx: number): Promise<string[]> {
  const rows = await db.read
    .selectFrom('groups')
    .select('name')
    .where('parentIdx', '=', parentIdx)
    .orderBy('position')
    .execute()
  return rows.map(({ name }) => name)
}
