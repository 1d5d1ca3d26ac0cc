// Which groups the figures of a call count: those that the viewer covers on its page, within the chosen ones.
import { Level, PAGES, type Page, Role } from '@acc/contract/labels/access'
import { sql } from 'kysely'
import type { Read } from '../../core/context.ts'
import { anyOf, EVERYWHERE, GROUPS_EVER, type Scope, scopeForLargeLists, scopeOf } from '../../core/scope.ts'

/** As many groups are named in a statement. */
const FEW_GROUPS = 300

/** The chosen groups that the viewer can see; the others are ignored, as if they did not exist. */
async function findVisible({ read, actor }: Read, groupIdxes: readonly number[]): Promise<number[]> {
  const scope = anyOf(PAGES.map((page) => scopeOf(actor, page, Level.READ)))
  const rows = await read
    .selectFrom('groups')
    .select('groups.idx')
    .where('groups.idx', '=', sql<number>`any(${groupIdxes}::bigint[])`)
    .where((eb) => scope(eb.ref('groups.idx')))
    .execute()
  return rows.map(({ idx }) => idx)
}

/**
 * Returns the scope of a call, deleted groups included, or 'everything' where it narrows nothing. PostgreSQL cannot
 * estimate how many groups there are, so that they are counted first, as in `scopeForLargeLists`.
 */
export async function findScope(
  ctx: Read,
  page: Page,
  groupIdxes: readonly number[] = [],
): Promise<Scope | 'everything'> {
  const { read, actor } = ctx
  const isAdmin = actor.role === Role.ADMIN
  if (groupIdxes.length === 0)
    return isAdmin ? 'everything' : scopeForLargeLists(read, actor, page, Level.READ, GROUPS_EVER)
  const visible = await findVisible(ctx, groupIdxes)
  const covers = isAdmin ? EVERYWHERE : scopeOf(actor, page, Level.READ, GROUPS_EVER)
  const isChosen = sql<boolean>`path && ${visible}::bigint[]`
  const rows = await read
    .selectFrom(sql<{ idx: number }>`${GROUPS_EVER}`.as('some'))
    .select('some.idx')
    .where(isChosen)
    .where((eb) => covers(eb.ref('some.idx')))
    .limit(FEW_GROUPS + 1)
    .execute()
  const idxes = rows.map(({ idx }) => idx)
  if (idxes.length <= FEW_GROUPS) return (groupIdx) => sql`${groupIdx} = any(${idxes}::bigint[])`
  // Not the bare column: its index is what leads through thousands of groups one by one.
  return (groupIdx) => sql`(${groupIdx} + 0) in (
    select some.idx from ${GROUPS_EVER} some where ${isChosen} and ${covers(sql<number>`some.idx`)})`
}
