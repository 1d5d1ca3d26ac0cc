// Groups as a viewer sees them (spec S1 §3, §6): all for a system administrator, otherwise those that the viewer's
// authorities cover, each with its highest levels.
import { FULL_PAGE_AUTH } from '@acc/contract/core/access'
import type { Group } from '@acc/contract/groups'
import { type Level, Role } from '@acc/contract/labels/access'
import { flagOf } from '@acc/contract/labels/flags'
import { sql } from 'kysely'
import type { Actor } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { grantsOf } from '../../core/grants.ts'
import type { Viewer } from '../../core/scope.ts'
import { shareAnswer } from '../../core/sharedAnswers.ts'
import { openSlots } from '../../core/slots.ts'
import type { Reader } from '../../db/open.ts'

/** With more groups, comparing paths costs more than reading every group. */
const FEW_GRANTS = 100
/** Whether a group `g` may be visible. */
const isPerhapsVisible = ({ role }: Viewer) =>
  role === Role.ADMIN
    ? sql<boolean>`true`
    : sql<boolean>`(
  (select count(*) from grants) > ${FEW_GRANTS} or g.path && (select coalesce(array_agg("groupIdx"), '{}') from grants))`

/** Forests of so many groups are kept, since writing them takes longest. Others take milliseconds. */
const LARGE = 1_000
/**
 * Text that changes with every group, the head count of any group, and the grants of the viewer; null for few groups. A
 * changed row has another writer. After a failover, the numbers of writers may repeat in a server that
 * started at another time.
 */
const versionOf = (viewer: Viewer) => sql<string | null>`(
  select case when count(*) >= ${LARGE} then encode(sha256(convert_to(concat_ws(' ',
    current_database(), pg_postmaster_start_time(),
    (select array_agg(xmin) from groups),
    (select sum(hashint8extended("groupIdx", 0)) from users),
    ${viewer.role === Role.ADMIN ? sql`'all'` : sql`(select json_agg(grants order by "groupIdx") from grants)`}
  ), 'UTF8')), 'hex') end
  from groups g where ${isPerhapsVisible(viewer)})`

/** Finds the version of a viewer's forest. */
async function findVersion(db: Reader, viewer: Viewer): Promise<string | null> {
  const query = db.with('grants', () => grantsOf(db, viewer.idx)).selectNoFrom(versionOf(viewer).as('version'))
  return (await query.executeTakeFirstOrThrow()).version
}

/**
 * Finds at least the visible groups in one statement, parents before children and siblings in order, with the levels
 * given at each group. `forestOf` removes the rest. Each row has the version of all of them.
 */
const findForest = (db: Reader, viewer: Viewer) =>
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
      versionOf(viewer).as('version'),
    ])
    .where(isPerhapsVisible(viewer))
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
function forestOf(rows: readonly ForestRow[], viewer: Viewer): Group[] {
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

export type AuthGroups = { groups: Group[]; rightsRevision: number }

const MAX_KEPT = 4
const kept = new Map<string, AuthGroups>()
/** One is made at a time: after a change all consoles ask for the same one. */
const turns = openSlots(1, 1_000, () => fail('TOO_MANY_REQUESTS', { retryAfter: 10 }))

function keep(key: string, answer: AuthGroups): void {
  kept.set(key, shareAnswer(answer))
  const [oldest] = kept.keys()
  if (oldest !== undefined && kept.size > MAX_KEPT) kept.delete(oldest)
}

/** Returns the viewer's forest. Viewers of the same large forest get the same object until something in it changes. */
export async function findSharedForest(db: Reader, viewer: Actor): Promise<AuthGroups> {
  const { rightsRevision } = viewer
  const keyOf = (version: string) => `${rightsRevision} ${version}`
  const make = async () => {
    const rows = await findForest(db, viewer)
    const answer = { groups: forestOf(rows, viewer), rightsRevision }
    // The version of these rows: they may have changed since it was found.
    const version = rows[0]?.version
    if (version) keep(keyOf(version), answer)
    return answer
  }
  const version = await findVersion(db, viewer)
  if (version === null) return make()
  const find = () => kept.get(keyOf(version))
  return find() ?? turns.run(async () => find() ?? make())
}
