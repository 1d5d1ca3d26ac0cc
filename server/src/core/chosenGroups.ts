// Which groups a figure or a list includes: those that the viewer covers on its page, within the chosen ones.
import { ROOT_GROUP } from '@acc/contract/groups'
import { Level, PAGES, type Page, Role } from '@acc/contract/labels/access'
import { sql } from 'kysely'
import type { Read } from './context.ts'
import { anyOf, EVERYWHERE, GROUPS_EVER, isReached, type Scope, scopeForLargeLists, scopeOf } from './scope.ts'

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
 * Returns the scope of a call, deleted groups included; undefined where it covers the whole organization. PostgreSQL cannot
 * estimate how many groups there are, so that they are counted first, as in `scopeForLargeLists`.
 */
export async function findScope(ctx: Read, page: Page, groupIdxes: readonly number[] = []): Promise<Scope | undefined> {
  const { read, actor } = ctx
  const covers = actor.role === Role.ADMIN ? EVERYWHERE : scopeOf(actor, page, Level.READ, GROUPS_EVER)
  const visible = groupIdxes.length === 0 ? [ROOT_GROUP] : await findVisible(ctx, groupIdxes)
  if (visible.includes(ROOT_GROUP) && (await isReached(read, covers, ROOT_GROUP))) return undefined
  if (groupIdxes.length === 0) return scopeForLargeLists(read, actor, page, Level.READ, GROUPS_EVER)
  const isChosen = sql<boolean>`path && ${visible}::bigint[]`
  const rows = await read
    .selectFrom(sql<{ idx: number }>`${GROUPS_EVER}`.as('covered'))
    .select('covered.idx')
    .where(isChosen)
    .where((eb) => covers(eb.ref('covered.idx')))
    .limit(FEW_GROUPS + 1)
    .execute()
  const idxes = rows.map(({ idx }) => idx)
  if (idxes.length <= FEW_GROUPS) return (groupIdx) => sql`${groupIdx} = any(${idxes}::bigint[])`
  // Not the bare column: its index is what leads through thousands of groups one by one.
  return (groupIdx) => sql`(${groupIdx} + 0) in (
    select covered.idx from ${GROUPS_EVER} covered where ${isChosen} and ${covers(sql<number>`covered.idx`)})`
}

/** What has a group, for those who cover the whole organization. */
export const OF_ANY_GROUP: Scope = (groupIdx) => sql`${groupIdx} is not null`
