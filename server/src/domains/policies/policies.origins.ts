// Since when each value of a policy applies and who set it, by the rows of the history; and the values of many groups.
import { fieldName, oldName } from '@acc/contract/history/kind'
import { Level } from '@acc/contract/labels/access'
import { PolicyManage } from '@acc/contract/labels/history'
import type { MappedPolicy, PolicyOrigin } from '@acc/contract/policies'
import { EXCEPTION_LISTS } from '@acc/contract/policyExceptions'
import { POLICY_FIELDS } from '@acc/contract/policyValues'
import { type RawBuilder, sql } from 'kysely'
import type { Read } from '../../core/context.ts'
import { GROUPS_EVER, type Scope, scopeOf } from '../../core/scope.ts'
import type { Reader } from '../../db/open.ts'
import type { Owner } from './policies.queries.ts'
import { requireOwner } from './policies.service.ts'

const { SEPARATE, UPDATE_DESKTOP_ENVIRONMENT, UPDATE_NETWORK, UPDATE_SHORTCUT } = PolicyManage

/** The names of a value, of its field in the history and of the field's old counterpart. */
const VALUES = POLICY_FIELDS.map((name) => {
  const field = fieldName('policy', name)
  return sql`(${sql.lit(name)}, ${sql.lit(field)}, ${sql.lit(oldName(field))})`
})
/** The names of a list and of its entries in the history, and the event that changes them. */
const LISTS = [
  ['approvalSteps', 'policyApprovalSteps', UPDATE_DESKTOP_ENVIRONMENT] as const,
  ...EXCEPTION_LISTS.map((name) => [name, name, UPDATE_NETWORK] as const),
  ['shortcutWebs', 'policyShortcutWebs', UPDATE_SHORTCUT] as const,
  ['shortcutPrograms', 'policyShortcutPrograms', UPDATE_SHORTCUT] as const,
].map((names) => sql`(${sql.join(names.map((name) => sql.lit(name)))})`)

/** The contents of the old or the new entries of a list, without their numbers. */
const side = (isOld: 0 | 1) => sql`(
  select jsonb_agg(content order by content)
  from jsonb_array_elements(rows.detail -> lists.entries) entry, lateral (select entry - '{isOld,idx}'::text[] as content) bare
  where entry -> 'isOld' = ${sql.lit(String(isOld))}::jsonb)`

/** Finds the last row that changed each value or list since the policy began, in one statement. */
function selectOrigins(db: Reader, { ownerIdx, ownerType }: Owner, reads: Scope): Promise<PolicyOrigin[]> {
  const began = sql`rows.type = ${sql.lit(SEPARATE)}`
  const changes: RawBuilder<unknown> = sql`(
    with rows as (
      select idx, "logDT", type, "actorName", "groupIdx", detail,
        coalesce(max(idx) filter (where type = ${sql.lit(SEPARATE)}) over (), 0) as start
      from history
      where kind = 'policyManage' and "subjectIdx" = ${ownerIdx} and "targetType" = ${ownerType} and idx > 0)
    select distinct on (changes.name) changes.name, rows.*
    from rows, lateral (
      select name from (values ${sql.join(VALUES)}) fields (name, new, old)
      where ${began} or rows.detail -> fields.new is distinct from rows.detail -> fields.old
      union all
      select name from (values ${sql.join(LISTS)}) lists (name, entries, type)
      where ${began} or rows.type = lists.type and ${side(0)} is distinct from ${side(1)}) changes
    where rows.idx >= rows.start
    order by changes.name, rows.idx desc)`
  return db
    .selectFrom(
      changes.$castTo<{ name: string; idx: number; logDT: Date; actorName: string; groupIdx: number }>().as('origins'),
    )
    .select((eb) => {
      const ifReadable = <T>(column: RawBuilder<T>) =>
        sql<T | null>`case when ${reads(eb.ref('origins.groupIdx'))} then ${column} end`
      return [
        'origins.name',
        'origins.logDT',
        sql<
          string | null
        >`case when origins.type = ${sql.lit(SEPARATE)} then origins.detail ->> 'diffOwnerName' end`.as('copiedFrom'),
        ifReadable(sql<string>`origins."actorName"`).as('actorName'),
        ifReadable(sql<number>`origins.idx`).as('logIdx'),
      ]
    })
    .$castTo<PolicyOrigin>()
    .execute()
}

/**
 * Returns since when each value of an owner's policy applies. Who set it is shown to those who may read that row of the
 * history.
 */
export async function findOrigins(ctx: Read, owner: Owner): Promise<{ ownerName: string; origins: PolicyOrigin[] }> {
  const { applied } = await requireOwner(ctx, owner)
  const reads = scopeOf(ctx.actor, 'log', Level.READ, GROUPS_EVER)
  return { ownerName: applied.ownerName, origins: await selectOrigins(ctx.read, applied, reads) }
}

const COLUMNS = POLICY_FIELDS.map((field) => `policies.${field}` as const)

/** Returns own policies of the viewer's groups, and what groups inherit from outside of them. */
export async function findMap({ read, scope }: Read): Promise<{ policies: MappedPolicy[] }> {
  const inScope = scope('policy', Level.READ)
  const own = read
    .selectFrom('policies')
    .select([...COLUMNS, sql<number>`policies."groupIdx"`.as('groupIdx'), sql<string | null>`null`.as('inheritedFrom')])
    .where('policies.groupIdx', 'is not', null)
    .where((eb) => inScope(eb.ref('policies.groupIdx')))
  const inherited = read
    .selectFrom('groups')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('policies')
          .innerJoin('groups as owners', 'owners.idx', 'policies.groupIdx')
          .select([...COLUMNS, 'owners.name'])
          .where('policies.groupIdx', '=', sql<number>`any(groups.path)`)
          .orderBy(sql`cardinality(owners.path)`, 'desc')
          .limit(1)
          .as('policies'),
      (join) => join.onTrue(),
    )
    .select([...COLUMNS, 'groups.idx as groupIdx', sql<string | null>`policies.name`.as('inheritedFrom')])
    .where('groups.isMyPolicy', '=', 0)
    .where((eb) => inScope(eb.ref('groups.idx')))
    .where((eb) => sql<boolean>`(${inScope(eb.ref('groups.parentIdx'))}) is not true`)
  return { policies: await own.unionAll(inherited).execute() }
}
