// Policies as rows, owned by a group or a user, and the lookup of the one that applies: the owner's own, else that of
// the nearest group above.
import { OwnerType } from '@acc/contract/labels/policies'
import type { PolicyContents } from '@acc/contract/policies'
import type { PolicyShortcuts } from '@acc/contract/policyShortcuts'
import type { PolicySteps } from '@acc/contract/policySteps'
import { POLICY_FIELDS, type PolicyValues } from '@acc/contract/policyValues'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { type endColumns, isCurrent } from '../../core/ends.ts'
import { EVERYWHERE, type Scope } from '../../core/scope.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { DB } from '../../db/schema.gen.ts'
import { EXCEPTION_COLUMNS, exceptionsDigest, STORED_EXCEPTION_COLUMNS } from './policies.exceptions.ts'
import { SHORTCUT_COLUMNS, shortcutsDigest } from './policies.shortcuts.ts'

export type Owner = { ownerIdx: number; ownerType: OwnerType }

/** A group or a user as the owner of a policy, with the groups from the root down to it. */
export type OwnerRow = Owner & {
  name: string
  /** A user's sign-in name. */
  id: string | null
  groupIdx: number
  groupName: string
  path: number[]
  isMyPolicy: 0 | 1
  /** A user's; null for groups. */
  isSinglePC: 0 | 1 | null
}

type PolicyHead = Owner & {
  idx: number
  ownerName: string
  revision: number
  /** The user who gave the policy its `fileExport`; null where that is unknown. */
  fileExportSetBy: number | null
  /** The same for `urgentExport`. */
  urgentExportSetBy: number | null
  endDT: Date | null
  endReason: string | null
}
type AppliedPolicy = PolicyContents & PolicyShortcuts & PolicyHead
/** Who set these switches: nobody profits from their own. */
type SetBy = Pick<PolicyHead, 'fileExportSetBy' | 'urgentExportSetBy'>
/** The policy of a user without its lists, of which it has a digest. */
export type UserPolicy = PolicyValues & PolicyHead & { digest: string; isSinglePC: 0 | 1 }

const OWNER_COLUMNS = ['groups.idx as groupIdx', 'groups.name as groupName', 'groups.path'] as const

const groupOwner = (db: Reader, idx: number) =>
  db
    .selectFrom('groups')
    .select([...OWNER_COLUMNS, 'groups.idx as ownerIdx', 'groups.name', 'groups.isMyPolicy'])
    .where('groups.idx', '=', idx)

const userOwner = (db: Reader, idx: number) =>
  db
    .selectFrom('users')
    .innerJoin('groups', 'groups.idx', 'users.groupIdx')
    .select([
      ...OWNER_COLUMNS,
      'users.idx as ownerIdx',
      'users.name',
      'users.id',
      'users.isMyPolicy',
      'users.isSinglePC',
    ])
    .where('users.idx', '=', idx)

export async function findOwner(db: Reader, { ownerIdx, ownerType }: Owner): Promise<OwnerRow | undefined> {
  if (ownerType === OwnerType.GROUP) {
    const group = await groupOwner(db, ownerIdx).executeTakeFirst()
    return group && { ...group, ownerType, id: null, isSinglePC: null }
  }
  const user = await userOwner(db, ownerIdx).executeTakeFirst()
  return user && { ...user, ownerType }
}

/** The owner within a scope, locked against other changes of it until the transaction ends. */
export async function lockOwner(
  tx: Tx,
  { ownerIdx, ownerType }: Owner,
  scope: Scope = EVERYWHERE,
): Promise<OwnerRow | undefined> {
  if (ownerType === OwnerType.GROUP) {
    const query = groupOwner(tx, ownerIdx).where((eb) => scope(eb.ref('groups.idx')))
    const group = await query.forNoKeyUpdate().executeTakeFirst()
    return group && { ...group, ownerType, id: null, isSinglePC: null }
  }
  const query = userOwner(tx, ownerIdx).where((eb) => scope(eb.ref('users.groupIdx')))
  const user = await query.forNoKeyUpdate('users').executeTakeFirst()
  return user && { ...user, ownerType }
}

const VALUES = POLICY_FIELDS.map((field) => `policies.${field}` as const)
const POLICY_COLUMNS = [
  'policies.idx',
  'policies.revision',
  'policies.fileExportSetBy',
  'policies.urgentExportSetBy',
  'policies.endDT',
  'policies.endReason',
  ...VALUES,
] as const
/** The lists of the policy of a statement's row. */
export const LIST_COLUMNS = [...EXCEPTION_COLUMNS, ...SHORTCUT_COLUMNS] as const

/** The approval steps of the policy of a statement's row. Clients do not receive them. */
export const STEPS = sql<PolicySteps['approvalSteps']>`(
  select coalesce(json_agg(json_build_object('type', s.type, 'step', s.step, 'authorityIdx', a.idx,
    'authorityName', a.name) order by s.type, s.step), '[]')
  from "policyApprovalSteps" s join authorities a on a.idx = s."authorityIdx"
  where s."policyIdx" = policies.idx)`.as('approvalSteps')

/** Reads the lists of a policy. Its row must be locked already: a statement that waits for a lock reads older lists. */
export const findLists = (tx: Tx, idx: number) =>
  tx
    .selectFrom('policies')
    .select([STEPS, ...STORED_EXCEPTION_COLUMNS, ...SHORTCUT_COLUMNS])
    .where('idx', '=', idx)
    .executeTakeFirstOrThrow()

const ownerName = sql<string>`coalesce(
  (select u.name from users u where u.idx = policies."userIdx"),
  (select g.name from groups g where g.idx = policies."groupIdx"))`
const ownerColumns = [
  sql<number>`coalesce(policies."userIdx", policies."groupIdx")`.as('ownerIdx'),
  sql<OwnerType>`case when policies."userIdx" is null then 0 else 1 end`.as('ownerType'),
  ownerName.as('ownerName'),
] as const

/** Orders policies of one chain: the user's own first, then the groups' from the nearest up. */
const nearness = (path: Expression<number[]>) => sql`coalesce(array_position(${path}, policies."groupIdx"), 2147483647)`

/** Returns the policy that applies to an owner, and the next one above. An ended one is the first `withEnded`. */
export function findPoliciesUp(db: Reader, owner: OwnerRow, withEnded = false): Promise<AppliedPolicy[]> {
  const path = sql<number[]>`${owner.path}::bigint[]`
  const userIdx = owner.ownerType === OwnerType.USER ? owner.ownerIdx : null
  return db
    .selectFrom('policies')
    .select([...POLICY_COLUMNS, STEPS, ...LIST_COLUMNS, ...ownerColumns])
    .where((eb) =>
      eb.or([eb('policies.groupIdx', '=', sql<number>`any(${path})`), eb('policies.userIdx', '=', userIdx)]),
    )
    .where(withEnded ? sql<boolean>`true` : isCurrent('policies'))
    .orderBy(nearness(path), 'desc')
    .limit(2)
    .execute()
}

const contentsDigest = sql<string>`concat(${exceptionsDigest}, ${shortcutsDigest})`

/** The keys of advisory locks of people who change policies that apply to them begin here; a user's idx is added. */
const OWN_APPROVAL_LOCKS = 4_804_000_000_000

/** Lets one change at a time put another policy in force for its author, until the transaction ends. */
export const lockOwnApproval = (tx: Tx, userIdx: number) =>
  sql`select pg_advisory_xact_lock(${OWN_APPROVAL_LOCKS + userIdx})`.execute(tx)

/** The policy that applies to a user, in one indexed statement: desktop clients poll it. */
export const userPolicy = (db: Reader, userIdx: number | Expression<number>) =>
  db
    .selectFrom('users')
    .innerJoin('groups', 'groups.idx', 'users.groupIdx')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('policies')
          .selectAll('policies')
          .where(isAbove(eb))
          .where(isCurrent('policies'))
          .orderBy(nearness(eb.ref('groups.path')), 'desc')
          .limit(sql.lit(1))
          .as('policies'),
      (join) => join.onTrue(),
    )
    .select([...POLICY_COLUMNS, 'users.isSinglePC', contentsDigest.as('digest'), ...ownerColumns])
    .where('users.idx', '=', userIdx)

export const findUserPolicy = (db: Reader, userIdx: number): Promise<UserPolicy | undefined> =>
  userPolicy(db, userIdx).executeTakeFirst()

const isAbove = (eb: ExpressionBuilder<DB, 'users' | 'groups'>): Expression<SqlBool> =>
  sql<SqlBool>`(policies."groupIdx" = any(${eb.ref('groups.path')}) or policies."userIdx" = ${eb.ref('users.idx')})`

type ChainLink = { idx: number; name: string; isMyPolicy: 0 | 1; isVisible: boolean }

/** The groups of a path from the root down, each with whether the scope reaches it. */
export const findChain = (db: Reader, scope: Scope, path: readonly number[]): Promise<ChainLink[]> =>
  db
    .selectFrom('groups')
    .select((eb) => ['idx', 'name', 'isMyPolicy', sql<boolean>`${scope(eb.ref('groups.idx'))}`.as('isVisible')])
    .where('idx', '=', sql<number>`any(${path}::bigint[])`)
    .orderBy(sql`cardinality(path)`)
    .execute()

/**
 * Counts the groups, this one included, and the users that a policy of this group reaches; stops at own policies. Reads
 * the tree level by level and counts users by the index on their group: thousands of groups are two scans of an index.
 * That index does not hold `isMyPolicy`: the rows of own policies say the same.
 */
export async function countReach(db: Reader, groupIdx: number): Promise<{ groups: number; users: number }> {
  const reach = sql`(
    with recursive levels as (
      select array[${groupIdx}::bigint] as idxes
      union all
      select array(select g.idx from groups g where g."parentIdx" = any(l.idxes) and g."isMyPolicy" = 0)
      from levels l where l.idxes <> '{}'
    ), reached as (select array_agg(idx) as idxes from levels, unnest(idxes) idx)
    select json_build_object(
      'groups', (select cardinality(idxes) from reached),
      'users', (
        select count(*) from users u
        where u."groupIdx" = any((select idxes from reached)::bigint[])
          and not exists (select from policies p where p."userIdx" = u.idx and ${isCurrent('p')}))))`
  const row = await db
    .selectNoFrom(sql<{ groups: number; users: number }>`${reach}`.as('reach'))
    .executeTakeFirstOrThrow()
  return row.reach
}

export type PolicyRow = PolicyValues & {
  idx: number
  groupIdx: number | null
  userIdx: number | null
  revision: number
}

/** Finds the owner of a policy. */
export async function findPolicyOwner(db: Reader, idx: number): Promise<Owner | undefined> {
  const row = await db.selectFrom('policies').select(['groupIdx', 'userIdx']).where('idx', '=', idx).executeTakeFirst()
  if (row === undefined) return undefined
  return row.userIdx === null
    ? { ownerIdx: row.groupIdx ?? 0, ownerType: OwnerType.GROUP }
    : { ownerIdx: row.userIdx, ownerType: OwnerType.USER }
}

/** Locks a policy that has not ended. */
export const findPolicyForUpdate = (tx: Tx, idx: number): Promise<PolicyRow | undefined> =>
  tx
    .selectFrom('policies')
    .select(['idx', 'groupIdx', 'userIdx', 'revision', ...VALUES])
    .where('idx', '=', idx)
    .where(isCurrent('policies'))
    .forUpdate()
    .executeTakeFirst()

/** Whether an owner has a policy that has ended. */
export const hasEndedPolicy = async (tx: Tx, { ownerIdx, ownerType }: Owner): Promise<boolean> =>
  ownerType === OwnerType.USER &&
  (await tx
    .selectFrom('policies')
    .select('idx')
    .where('userIdx', '=', ownerIdx)
    .where(sql<boolean>`not ${isCurrent('policies')}`)
    .executeTakeFirst()) !== undefined

type Columns = Partial<PolicyValues & SetBy & ReturnType<typeof endColumns>>

export const updatePolicyRow = (tx: Tx, idx: number, columns: Columns) =>
  tx
    .updateTable('policies')
    .set({ ...columns, revision: sql<number>`revision + 1` })
    .where('idx', '=', idx)
    .execute()

const ownerColumn = ({ ownerIdx, ownerType }: Owner) =>
  ownerType === OwnerType.GROUP ? { groupIdx: ownerIdx } : { userIdx: ownerIdx }

type NewPolicy = PolicyValues & SetBy & Partial<ReturnType<typeof endColumns>>

export const insertPolicy = (tx: Tx, owner: Owner, columns: NewPolicy): Promise<{ idx: number }> =>
  tx
    .insertInto('policies')
    .values({ ...columns, ...ownerColumn(owner) })
    .returning('idx')
    .executeTakeFirstOrThrow()

export const deletePolicy = (tx: Tx, idx: number) => tx.deleteFrom('policies').where('idx', '=', idx).execute()

/** Marks whether a group or a user has an own policy. */
export const updateIsMyPolicy = (tx: Tx, { ownerIdx, ownerType }: Owner, isMyPolicy: 0 | 1) =>
  tx
    .updateTable(ownerType === OwnerType.GROUP ? 'groups' : 'users')
    .set({ isMyPolicy, revision: sql<number>`revision + 1` })
    .where('idx', '=', ownerIdx)
    .execute()
