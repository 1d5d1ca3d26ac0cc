// Which groups a figure or a list includes: those that the viewer covers on its page, within the chosen ones.
import { ROOT_GROUP } from '@acc/contract/groups'
import { Level, PAGES, type Page } from '@acc/contract/labels/access'
import { sql } from 'kysely'
import type { Read } from './context.ts'
import {
  anyOf,
  GROUPS,
  GROUPS_EVER,
  isBelow,
  isReached,
  OF_ANY_GROUP,
  ofGroups,
  type Scope,
  scopeForLargeLists,
  scopeOf,
} from './scope.ts'

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
 * Returns the scope of a call, deleted groups included, or undefined for the complete organization. PostgreSQL cannot
 * estimate how many groups there are. So they are found first, as in `scopeForLargeLists`.
 */
export async function findScope(ctx: Read, page: Page, groupIdxes: readonly number[] = []): Promise<Scope | undefined> {
  const { read, actor } = ctx
  const covers = scopeOf(actor, page, Level.READ, GROUPS_EVER)
  const visible = groupIdxes.length === 0 ? [ROOT_GROUP] : await findVisible(ctx, groupIdxes)
  if (visible.includes(ROOT_GROUP) && (await isReached(read, covers, ROOT_GROUP))) return undefined
  if (groupIdxes.length === 0) return scopeForLargeLists(read, actor, page, Level.READ, GROUPS_EVER)
  const rows = await read
    .selectFrom(sql<{ idx: number }>`${GROUPS_EVER}`.as('covered'))
    .select('covered.idx')
    .where(isBelow(sql`path`, visible))
    .where((eb) => covers(eb.ref('covered.idx')))
    .execute()
  return ofGroups(rows.map(({ idx }) => idx))
}

/** Returns the scope of a list, within the chosen groups where there are any. */
export async function listScope(
  ctx: Read,
  page: Page,
  groupIdxes: readonly number[] = [],
  among = GROUPS,
): Promise<Scope> {
  if (groupIdxes.length > 0) return (await findScope(ctx, page, groupIdxes)) ?? OF_ANY_GROUP
  return scopeForLargeLists(ctx.read, ctx.actor, page, Level.READ, among)
}
