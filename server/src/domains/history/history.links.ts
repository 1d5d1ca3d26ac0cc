// The objects that a row links to: null if the object no longer exists or the viewer may not open its screen, so no
// link leads nowhere. Prepared statements find them for the rows of a page: with the viewer's rights in the statement
// of the list, PostgreSQL took longer to plan it than to read its rows.
import type { TargetKind } from '@acc/contract/history/kind'
import { Level, type Page, Role } from '@acc/contract/labels/access'
import { BimManage } from '@acc/contract/labels/history'
import { OwnerType } from '@acc/contract/labels/policies'
import { Transfer } from '@acc/contract/labels/requests'
import { type RawBuilder, sql } from 'kysely'
import { scopeOf, type Viewer } from '../../core/scope.ts'
import type { Reader } from '../../db/open.ts'

type ObjectKind = 'user' | 'group' | 'request' | 'authority' | 'shortcut' | 'bimServer' | 'bimException' | 'userImport'

const reachOf = (viewer: Viewer, page: Page, group: string) => scopeOf(viewer, page, Level.READ)(sql.ref(group))

/** The objects of each kind whose screen a viewer may open. */
const OPEN: Record<ObjectKind, (viewer: Viewer) => RawBuilder<{ idx: number }>> = {
  user: (viewer) => sql`(select users.idx from users where ${reachOf(viewer, 'user', 'users.groupIdx')})`,
  group: (viewer) => sql`(select groups.idx from groups where ${reachOf(viewer, 'policy', 'groups.idx')})`,
  request: (viewer) => {
    const reach = (page: Page) => reachOf(viewer, page, 'fileEximports.requesterGroupIdx')
    return sql`(
      select "fileEximports".idx from "fileEximports" where case "fileEximports".type
        when ${sql.lit(Transfer.EXPORT)} then ${reach('fileExportApprove')} else ${reach('fileImportApprove')} end)`
  },
  authority: () => sql`(select idx from authorities)`,
  shortcut: () => sql`(select idx from shortcuts)`,
  bimServer: () => sql`(select idx from "bimServers")`,
  bimException: () => sql`(select idx from "bimExceptions")`,
  userImport: (viewer) => sql`(
    select idx from "userImports" where ${viewer.role === Role.ADMIN} or "authorIdx" = ${viewer.idx})`,
}

async function findOpen(
  db: Reader,
  viewer: Viewer,
  kind: ObjectKind,
  idxes: ReadonlySet<number>,
): Promise<Set<number>> {
  const rows = await db
    .selectFrom(OPEN[kind](viewer).as('open'))
    .select('open.idx')
    // Unnested, so that the estimate does not depend on their number. Otherwise PostgreSQL plans it anew at each call.
    .where('open.idx', '=', sql<number>`any(array(select unnest(${[...idxes]}::bigint[])))`)
    .execute()
  return new Set(rows.map(({ idx }) => idx))
}

/** Numbers of what a row leads to, whether or not the viewer may open it. */
type LinkedRow = { targetIdx: number | null; actorIdx?: number | null }

const EXCEPTION_EVENTS: readonly number[] = [
  BimManage.CREATE_EXCEPTION,
  BimManage.UPDATE_EXCEPTION,
  BimManage.DELETE_EXCEPTION,
]

type TargetRow = { type: number | null; detail: Record<string, unknown> }

/** The kind of object that a row is about; null where the console opens a place without one. */
export function targetKindOf(target: TargetKind | null, { type, detail }: TargetRow): ObjectKind | null {
  if (target === 'policyOwner') return detail.targetType === OwnerType.GROUP ? 'group' : 'user'
  if (target === 'bim') return type !== null && EXCEPTION_EVENTS.includes(type) ? 'bimException' : 'bimServer'
  return target === 'setting' || target === 'clientVersion' ? null : target
}

/** Removes from the rows of a page the links that the viewer may not open. */
export async function keepOpenLinks<R extends LinkedRow>(
  db: Reader,
  viewer: Viewer,
  rows: readonly R[],
  kindOf: (row: R) => ObjectKind | null,
): Promise<R[]> {
  const named = new Map<ObjectKind, Set<number>>()
  const add = (kind: ObjectKind | null, idx: number | null = null) => {
    if (kind !== null && idx !== null) named.set(kind, (named.get(kind) ?? new Set()).add(idx))
  }
  for (const row of rows) {
    add(kindOf(row), row.targetIdx)
    add('user', row.actorIdx)
  }
  const open = new Map<ObjectKind, Set<number>>()
  await Promise.all([...named].map(async ([kind, idxes]) => open.set(kind, await findOpen(db, viewer, kind, idxes))))
  const opened = (kind: ObjectKind | null, idx: number | null) =>
    kind !== null && idx !== null && open.get(kind)?.has(idx) ? idx : null
  return rows.map((row) => ({
    ...row,
    targetIdx: opened(kindOf(row), row.targetIdx),
    ...(row.actorIdx !== undefined && { actorIdx: opened('user', row.actorIdx) }),
  }))
}
