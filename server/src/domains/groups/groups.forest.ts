// Groups as a viewer sees them (spec S1 §3, §6): all for a system administrator, otherwise those that the viewer's
// authorities cover, each with its highest levels.
import { FULL_PAGE_AUTH } from '@acc/contract/core/access'
import type { Group } from '@acc/contract/groups'
import { type Level, Role } from '@acc/contract/labels/access'
import { flagOf } from '@acc/contract/labels/flags'
import { sql } from 'kysely'
import { grantsOf } from '../../core/grants.ts'
import type { Viewer } from '../../core/scope.ts'
import type { Reader } from '../../db/open.ts'

/** With more groups, comparing paths costs more than reading every group. */
const FEW_GRANTS = 100
const isPerhapsVisible = sql<boolean>`(
  (select count(*) from grants) > ${FEW_GRANTS} or g.path && (select coalesce(array_agg("groupIdx"), '{}') from grants))`

/**
 * Finds at least the visible groups in one statement, parents before children and siblings in order, with the levels
 * given at each group. `forestOf` removes the rest.
 */
export const findForest = (db: Reader, viewer: Viewer) =>
  db
    .with('grants', () => grantsOf(db, viewer.idx))
    .with('people', (qb) =>
      qb
        .selectFrom('users')
        .select(({ fn }) => ['groupIdx', fn.countAll<number>().as('count')])
        .groupBy('groupIdx'),
    )
    .selectFrom('groups as g')
    .leftJoin('grants', 'grants.groupIdx', 'g.idx')
    .leftJoin('people', 'people.groupIdx', 'g.idx')
    .leftJoin(
      (eb) => eb.selectFrom('groups').select('idx').where('isDmsParent', '=', 1).limit(1).as('dms'),
      (join) => join.onTrue(),
    )
    .select([
      'g.idx',
      'g.parentIdx',
      'g.name',
      'g.key',
      'g.description',
      'g.isMyPolicy',
      'g.isDmsParent',
      'g.isSync',
      'g.revision',
      'grants.policy',
      'grants.user',
      'grants.fileExportApprove',
      'grants.fileImportApprove',
      'grants.log',
      'people.count as userCount',
      sql<boolean | null>`dms.idx = any(g.path) and dms.idx <> g.idx`.as('isUnderDmsParent'),
    ])
    .$if(viewer.role !== Role.ADMIN, (query) => query.where(isPerhapsVisible))
    .orderBy(sql`cardinality(g.path)`)
    .orderBy('g.position')
    .orderBy('g.idx')
    .execute()

type ForestRow = Awaited<ReturnType<typeof findForest>>[number]

const highest = <L extends Level>(given: L | null, inherited: L | undefined): L | 0 => {
  const own = given ?? 0
  return inherited !== undefined && inherited > own ? inherited : own
}

function nodeOf(row: ForestRow, parent: Group | undefined, isAdmin: boolean): Group {
  const full = isAdmin ? FULL_PAGE_AUTH : undefined
  return {
    idx: row.idx,
    parentIdx: parent?.idx ?? null,
    name: row.name,
    ...(isAdmin && { key: row.key }),
    description: row.description,
    isMyPolicy: row.isMyPolicy,
    isDmsParent: row.isDmsParent,
    isUnderDmsParent: flagOf(row.isUnderDmsParent === true),
    isTop: flagOf(parent === undefined),
    isSync: row.isSync,
    userCount: row.userCount ?? 0,
    maxUser: full?.user ?? highest(row.user, parent?.maxUser),
    maxPolicy: full?.policy ?? highest(row.policy, parent?.maxPolicy),
    maxFileExportApprove: full?.fileExportApprove ?? highest(row.fileExportApprove, parent?.maxFileExportApprove),
    maxFileImportApprove: full?.fileImportApprove ?? highest(row.fileImportApprove, parent?.maxFileImportApprove),
    maxLog: full?.log ?? highest(row.log, parent?.maxLog),
    revision: row.revision,
    children: [],
  }
}

/** Builds the trees and passes levels down in one pass, since parents come before children. */
export function forestOf(rows: readonly ForestRow[], viewer: Viewer): Group[] {
  const isAdmin = viewer.role === Role.ADMIN
  const byIdx = new Map<number, Group>()
  const tops: Group[] = []
  for (const row of rows) {
    const parent = row.parentIdx === null ? undefined : byIdx.get(row.parentIdx)
    if (!isAdmin && parent === undefined && row.policy === null) continue
    const node = nodeOf(row, parent, isAdmin)
    byIdx.set(row.idx, node)
    if (parent === undefined) tops.push(node)
    else parent.children.push(node)
  }
  return tops
}
