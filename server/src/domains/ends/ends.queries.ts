// Own policies, network exceptions and memberships as one list, and those that end soon.
import type { ends, ReportedException } from '@acc/contract/ends'
import { EndingKind, Finding } from '@acc/contract/labels/ends'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { isCurrent } from '../../core/ends.ts'
import type { Scope } from '../../core/scope.ts'
import { filterBy } from '../../db/filters.ts'
import { type List, listOf } from '../../db/list.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { isUsable } from '../credentials/accountStates.ts'

export type ExceptionQuery = z.output<typeof ends.search.input>
/** The day by which accounts expire, and the moment before which a last sign-in is too old. */
type Times = { today: string; unusedSince: Date }

const { POLICY, NETWORK, MEMBERSHIP } = EndingKind

/** What has not ended, with the person, or the group of a policy that is no person's. */
const current = sql`(
  select ${sql.lit(POLICY)} as kind, p.idx as key, '' as what, p."userIdx", p."groupIdx", null::bigint as "authorityIdx",
    p."endDT", p."endReason"
  from policies p where p."userIdx" is not null and ${isCurrent('p')}
  union all
  select ${sql.lit(NETWORK)} + e."isLocal", e.idx, e.description, p."userIdx", p."groupIdx", null, e."endDT", e."endReason"
  from "policyNetworkExceptions" e join policies p on p.idx = e."policyIdx" where ${isCurrent('e')} and ${isCurrent('p')}
  union all
  select ${sql.lit(MEMBERSHIP)}, a.idx, a.name, m."userIdx", null, a.idx, m."endDT", m."endReason"
  from "authorityUsers" m join authorities a on a.idx = m."authorityIdx" where ${isCurrent('m')}) e`

/** Rows without a person have nobody who left. */
const hasLeft = (today: string) => sql`coalesce(not ${isUsable('u', today)}, false)`

type Row = ReportedException & { scopeIdx: number | null }

/** The same with people, groups and findings. Memberships have no group: only administrators see authorities. */
const found = ({ today, unusedSince }: Times): RawBuilder<Row> => sql`(
  select *, ("isPersonal" and coalesce("usedDT" < ${unusedSince}, true))::int as "isUnused"
  from (
    select row_number() over (order by e.kind, e.key, e."userIdx") as idx, e.kind, e.what, e."userIdx", g.idx as "groupIdx",
      e."authorityIdx", coalesce(u.name, g.name) as name, u.id, g.name as "groupName", e."endDT", e."endReason",
      case e.kind when ${sql.lit(MEMBERSHIP)} then u."activeDT" else u."lastClientLoginDT" end as "usedDT",
      case e.kind when ${sql.lit(MEMBERSHIP)} then null else g.idx end as "scopeIdx", u.idx is not null as "isPersonal",
      (e."endDT" is null)::int as "isEndless", ${hasLeft(today)}::int as "hasLeft"
    from ${current}
    left join users u on u.idx = e."userIdx"
    join groups g on g.idx = coalesce(u."groupIdx", e."groupIdx")) each)`

const COLUMNS = [
  'idx',
  'kind',
  'name',
  'id',
  'groupName',
  'what',
  'endDT',
  'endReason',
  'usedDT',
  'isEndless',
  'isUnused',
  'hasLeft',
  'userIdx',
  'groupIdx',
  'authorityIdx',
] as const

const FINDINGS: Record<Finding, RawBuilder<SqlBool>> = {
  [Finding.ENDLESS]: sql`"isEndless" = 1`,
  [Finding.UNUSED]: sql`"isUnused" = 1`,
  [Finding.LEFT]: sql`"hasLeft" = 1`,
}

const SORTS = {
  idx: sql.ref('idx'),
  kind: sql.ref('kind'),
  name: sql`name collate people`,
  groupName: sql`"groupName" collate people`,
  what: sql`what collate people`,
  endDT: sql`coalesce("endDT", 'infinity')`,
  usedDT: sql`coalesce("usedDT", '-infinity')`,
}

const contains = (column: string, text: string) => sql`position(lower(${text}) in lower(${sql.ref(column)})) > 0`

/** Exceptions of a scope that have a finding. */
export function listExceptions(db: Reader, query: ExceptionQuery, scope: Scope, at: Times): List<ReportedException> {
  const search = (text: string) =>
    sql<SqlBool>`(${contains('name', text)} or ${contains('id', text)} or ${contains('what', text)})`
  const { condition } = filterBy(
    query,
    { search },
    { kind: (kind: EndingKind) => sql<SqlBool>`kind = ${kind}`, finding: (finding: Finding) => FINDINGS[finding] },
  )
  const matches = db
    .selectFrom(found(at).as('exceptions'))
    .select(COLUMNS)
    .where(sql<boolean>`"isEndless" + "isUnused" + "hasLeft" > 0`)
    .where(condition)
    .where((eb) => scope(eb.ref('scopeIdx')))
  return listOf(db, query, { matches, sorts: SORTS })
}

/** Something that ends soon: whose it is, and who set the end. */
export type Ending = {
  kind: EndingKind
  what: string
  endDT: Date
  userIdx: number | null
  /** The name of the group, if it is no person's. */
  groupName: string | null
  setBy: number | null
}

const stage = (table: string) =>
  sql`case when ${sql.ref(`${table}.endDT`)} <= now() + interval '1 day' then 1 else 7 end`
const isDue = (table: string) => sql`${sql.ref(`${table}.endDT`)} > now()
  and ${sql.ref(`${table}.endDT`)} <= now() + interval '7 days' and coalesce(${sql.ref(`${table}.endMailed`)}, 8) > ${stage(table)}`

/** Marks and returns what ends within 7 days or within 1 day and was not announced as such. */
export async function markEnding(tx: Tx): Promise<Ending[]> {
  const policies = await sql<Ending>`
    update policies p set "endMailed" = ${stage('p')} where p."userIdx" is not null and ${isDue('p')}
    returning ${sql.lit(POLICY)} as kind, '' as what, p."endDT", p."userIdx", null as "groupName", p."endSetBy" as "setBy"`.execute(
    tx,
  )
  const exceptions = await sql<Ending>`
    update "policyNetworkExceptions" e set "endMailed" = ${stage('e')}
    from policies p where p.idx = e."policyIdx" and ${isCurrent('p')} and ${isDue('e')}
    returning ${sql.lit(NETWORK)} + e."isLocal" as kind, e.description as what, e."endDT", p."userIdx",
      (select name from groups where idx = p."groupIdx") as "groupName", e."endSetBy" as "setBy"`.execute(tx)
  const memberships = await sql<Ending>`
    update "authorityUsers" m set "endMailed" = ${stage('m')}
    from authorities a where a.idx = m."authorityIdx" and ${isDue('m')}
    returning ${sql.lit(MEMBERSHIP)} as kind, a.name as what, m."endDT", m."userIdx", null as "groupName",
      m."endSetBy" as "setBy"`.execute(tx)
  return [...policies.rows, ...exceptions.rows, ...memberships.rows]
}

/** People by their numbers; `isActive`: they have an address and may sign in. */
export const findPeople = (db: Reader | Tx, idxes: readonly number[], today: string) =>
  db
    .selectFrom('users as u')
    .select(['u.idx', 'u.name', 'u.email'])
    .select(sql<boolean>`u.email <> '' and ${isUsable('u', today)}`.as('isActive'))
    .where('u.idx', '=', sql<number>`any(${idxes}::bigint[])`)
    .execute()
