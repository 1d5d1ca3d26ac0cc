// Plans as statements: one compares all rows of a run with the accounts.
import { Level, Role } from '@acc/contract/labels/access'
import { ImportAction, ImportFault, ImportResult, ImportSource } from '@acc/contract/labels/userImports'
import { UserState } from '@acc/contract/labels/users'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { outranksManager, scopeOf, type Viewer } from '../../core/scope.ts'
import type { Tx } from '../../db/open.ts'
import type { RunRow } from './userImports.queries.ts'

/** What a plan depends on besides its rows. */
export type PlanInput = {
  run: RunRow
  viewer: Viewer
  today: string
  /** Days until the latest allowed last day; 0: any. */
  maxExpireDT: number
  /** Wrong passwords or codes that lock an account. */
  maxLoginFails: number
  /** The shown path of each group that the author reaches. */
  paths: ReadonlyMap<number, string>
}

const lit = sql.lit
const IS_SUSPENDED = sql<SqlBool>`(users.state & ${lit(UserState.DISABLED)}) <> 0`
/** Whether a person or an import suspended an account. The sessions of one that is only locked continue. */
const isStopped = ({ maxLoginFails }: PlanInput): RawBuilder<SqlBool> => sql`(${IS_SUSPENDED}
  and (users."importSuspended" = 1 or greatest(users."loginFails", users."otpFails") < ${maxLoginFails}))`

/** Whether the author reaches an account. */
const reaches = (viewer: Viewer): RawBuilder<SqlBool> =>
  sql`${scopeOf(viewer, 'user', Level.EDIT)(sql.ref('users.groupIdx'))}`

/** An account with the columns that a plan compares. */
const accounts = (input: PlanInput) => sql`(
  select users.idx, users.id, users.name, users.email, users.key, users."groupIdx", users.revision, users."isAdmin",
    users."importSource", users."importSuspended", ${IS_SUSPENDED} as "isSuspended",
    ${isStopped(input)} as "isStopped",
    case when users."isMortal" = 1 then users."expireDT"::text else '' end as "expireDT",
    ${input.viewer.role === Role.ADMIN ? sql`false` : outranksManager(input.viewer)} as "isStronger",
    ${input.run.source === ImportSource.FILE ? sql`users.idx = ${input.viewer.idx}` : sql`false`} as "isSelf"
  from users where ${reaches(input.viewer)})`

const fault = (when: RawBuilder<unknown>, field: string | null, number: ImportFault) =>
  sql`case when ${when} then jsonb_build_array(jsonb_build_object(
    'field', ${field}::text, 'fault', ${lit(number)}::int, 'hint', '')) else '[]' end`

/** Whether an account belongs to another source that this run may not take it from. */
function isOfOther({ run, viewer }: PlanInput): RawBuilder<SqlBool> {
  const isOther = sql<SqlBool>`a."importSource" is distinct from ${run.source}::smallint`
  if (run.options.adopts === 0) return isOther
  // Managers take no accounts from a synchronization.
  return viewer.role === Role.ADMIN ? sql`false` : sql`${isOther} and a."importSource" is not null`
}

/** The rule of `isExpiryAllowed` for changed days. */
const isTooEarlyOrLate = ({ today, maxExpireDT }: PlanInput) => sql`(
  m."newExpireDT" <> '' and m."newExpireDT" is distinct from a."expireDT"
  and (nullif(m."newExpireDT", '')::date - ${today}::date < 1
    or ${maxExpireDT}::int > 0 and nullif(m."newExpireDT", '')::date - ${today}::date > ${maxExpireDT}::int))`

/** Matches rows with accounts: by key if the source has keys, otherwise by ID. */
function matched(input: PlanInput) {
  const { run } = input
  const isKeyed = run.fields.includes('key')
  const importIdx = run.idx
  if (!isKeyed)
    return sql`
      select r.idx, a.idx as "accountIdx", false as "isById" from "userImportRows" r
      left join ${accounts(input)} a on lower(a.id) = r.id where r."importIdx" = ${importIdx}`
  return sql`
    select r.idx, coalesce(k.idx, i.idx) as "accountIdx", k.idx is null and i.idx is not null as "isById"
    from "userImportRows" r
    left join ${accounts(input)} k on lower(k.key) = lower(r.key)
    left join ${accounts(input)} i
      on k.idx is null and lower(i.id) = r.id and i."importSource" is distinct from ${run.source}::smallint
    where r."importIdx" = ${importIdx}`
}

/** The faults that a comparison finds, besides those of the cells. */
function faultsOf(input: PlanInput): RawBuilder<unknown> {
  const { run } = input
  const isRequired = (field: string) =>
    sql`m."isNew" and coalesce(m."newEnabled", 1) = 1 and m.${sql.ref(field)} is null
      and not m.faults @> ${`[{"field":"${field}"}]`}::jsonb`
  const isMissingGroup = sql`m."isNew" and coalesce(m."newEnabled", 1) = 1 and m."group" is null
    and m."groupIdx" is null and not m.faults @> '[{"field":"group"}]'`
  const known = (condition: RawBuilder<unknown>) => sql`not m."isNew" and ${condition}`
  return sql`
        m.faults
          || ${fault(isRequired('id'), 'id', ImportFault.MISSING)}
          || ${fault(isRequired('name'), 'name', ImportFault.MISSING)}
          || ${fault(isRequired('email'), 'email', ImportFault.MISSING)}
          || ${fault(sql`${isMissingGroup} and base.idx is null`, 'group', ImportFault.MISSING)}
          || ${fault(sql`${run.fields.includes('key')} and m.key is null and not m.faults @> '[{"field":"key"}]'`, 'key', ImportFault.MISSING)}
          || ${fault(known(sql`a."isAdmin" = 1`), null, ImportFault.ADMIN)}
          || ${fault(known(sql`a."isAdmin" = 0 and a."isSelf"`), null, ImportFault.SELF)}
          || ${fault(known(sql`a."isAdmin" = 0 and not a."isSelf" and a."isStronger"`), null, ImportFault.NOT_ALLOWED)}
          || ${fault(known(sql`a."isAdmin" = 0 and ${isOfOther(input)}`), null, ImportFault.OTHER_SOURCE)}
          || ${fault(known(sql`m."isSecond"`), 'id', ImportFault.REPEATED)}
          || ${fault(isTooEarlyOrLate(input), 'expireDT', ImportFault.EXPIRY)}`
}

/** Compares each row with its account: new values, faults, and what would change. */
const compared = (input: PlanInput) => sql`
    compared as (
      select m.idx, m."accountIdx", m."isNew", m."newEnabled", a.revision,
        coalesce(m.id, a.id) as id, coalesce(m.name, a.name) as name, coalesce(m.email, a.email) as email,
        coalesce(m."groupIdx", case when m."isNew" and m."group" is null then base.idx end) as "groupIdx",
        coalesce(m."group", old.path, base_path.path) as "group",
        ${faultsOf(input)} as faults,
        case when not m."isNew" and m."newEnabled" = 1 and a."isSuspended" and a."importSuspended" = 0
          then jsonb_build_array(jsonb_build_object('field', 'isEnabled', 'fault', ${lit(ImportFault.SUSPENDED)}::int, 'hint', ''))
          else '[]' end as notes,
        not m."isNew" and m."newEnabled" = 0 and not a."isStopped" as disables,
        not m."isNew" and m."newEnabled" = 1 and a."isSuspended" and a."importSuspended" = 1 as enables,
        not m."isNew" and (m."group" is not null and m."groupIdx" is distinct from a."groupIdx") as moves,
        not m."isNew" and a."importSource" is distinct from ${input.run.source}::smallint as adopts,
        array[m.key, m.id, m.name, m.email, m."newExpireDT"] as new,
        array[a.key, a.id, a.name, a.email, a."expireDT"] as old, old.path as "oldGroup"
      from m
      cross join base
      left join ${accounts(input)} a on a.idx = m."accountIdx"
      left join paths old on old.idx = a."groupIdx"
      left join paths base_path on base_path.idx = base.idx),`

/** Lists the changed fields of each row with old and new values. */
const CHANGED = sql`
    changed as (
      select compared.*, (
        select coalesce(jsonb_agg(jsonb_build_object('field', c.field, 'old', c.old, 'new', c.new) order by c.place), '[]')
        from (
          select * from unnest(array['key', 'id', 'name', 'email', 'expireDT'], old, new, array[1, 2, 3, 4, 6])
            as value (field, old, new, place)
          where value.new is not null and value.new is distinct from value.old
          union all select 'group', case when "isNew" then null else "oldGroup" end, "group", 5
          where moves or "isNew" and "group" is not null
          union all select 'isEnabled', case when disables then '1' else '0' end, case when disables then '0' else '1' end, 7
          where disables or enables) c) as changes
      from compared)`

/**
 * Marks rows that have a key, an ID or an address in common, as the unique indexes of accounts compare them. Each names
 * the line of another one.
 */
export const updateRepeated = (tx: Tx, importIdx: number) =>
  sql`
    with cells as materialized (
      select r.idx, cell.field, lower(cell.value) as value
      from "userImportRows" r
      cross join lateral (values ('key', r.key), ('id', r.id), ('email', r.email)) as cell (field, value)
      where r."importIdx" = ${importIdx} and cell.value is not null
        and not r.faults @> jsonb_build_array(jsonb_build_object('field', cell.field))),
    repeated as (
      select field, value, min(idx) as first, max(idx) as last from cells group by 1, 2 having count(*) > 1)
    update "userImportRows" r set faults = r.faults || found.faults
    from (
      select c.idx, jsonb_agg(jsonb_build_object('field', c.field, 'fault', ${lit(ImportFault.REPEATED)}::int,
        'hint', coalesce(other.line::text, other.id, ''))) as faults
      from repeated p
      join cells c on c.field = p.field and c.value = p.value
      join "userImportRows" other on other.idx = case when c.idx = p.first then p.last else p.first end
      group by 1) found
    where r.idx = found.idx`.execute(tx)

/** Plans all rows of a run: finds their accounts, and stores actions, changes and faults. */
export async function planRows(tx: Tx, input: PlanInput): Promise<void> {
  const { run, paths } = input
  await sql`
    with matched as materialized (${matched(input)}),
    m as (
      select r.*, matched."accountIdx", matched."accountIdx" is null as "isNew",
        r."expireDT" as "newExpireDT",
        coalesce(r."isEnabled", ${run.options.isComplete === 1 ? sql`1` : sql`null`}::smallint) as "newEnabled",
        matched."isById" and count(*) over (partition by matched."accountIdx") > 1 as "isSecond"
      from "userImportRows" r join matched on matched.idx = r.idx),
    base as (select ${run.baseGroupIdx}::bigint as idx),
    paths as (select * from unnest(${[...paths.keys()]}::bigint[], ${[...paths.values()]}::text[]) as p (idx, path)),
    ${compared(input)}
    ${CHANGED}
    update "userImportRows" row set
      id = c.id, name = c.name, email = c.email, "group" = c."group", "groupIdx" = c."groupIdx",
      "userIdx" = c."accountIdx", "userRevision" = c.revision, faults = c.faults || c.notes,
      changes = case when c."isNew" and c."newEnabled" = 0 then '[]' else c.changes end,
      "isEnabled" = c."newEnabled", chain = 0, action = planned.action,
      result = case planned.action
        when ${lit(ImportAction.ERROR)} then ${lit(ImportResult.FAILED)}
        when ${lit(ImportAction.UNCHANGED)} then ${lit(ImportResult.APPLIED)} else ${lit(ImportResult.WAITING)} end
    from changed c
    cross join lateral (select case
      when c.faults <> '[]' then ${lit(ImportAction.ERROR)}
      when c."isNew" and c."newEnabled" = 0 then ${lit(ImportAction.UNCHANGED)}
      when c."isNew" then ${lit(ImportAction.CREATE)}
      when c.disables then ${lit(ImportAction.DISABLE)}
      when c.enables then ${lit(ImportAction.ENABLE)}
      when c.moves then ${lit(ImportAction.MOVE)}
      when c.changes <> '[]' or c.adopts then ${lit(ImportAction.UPDATE)}
      else ${lit(ImportAction.UNCHANGED)} end as action) planned
    where row.idx = c.idx`.execute(tx)
}

/**
 * Adds the people of the source who are missing in it. Nobody is missing whose key, ID or address a faulty row has: the
 * row may be about them.
 */
export const insertMissing = (tx: Tx, input: PlanInput) => {
  const { run, viewer, paths } = input
  const isNamed = (field: 'key' | 'id' | 'email') => sql`exists (
    select from "userImportRows" r where r."importIdx" = ${run.idx} and r.action = ${lit(ImportAction.ERROR)}
      and lower(r.${sql.ref(field)}) = lower(a.${sql.ref(field)}))`
  return sql`
    insert into "userImportRows" ("importIdx", action, id, name, email, "group", "userIdx", "userRevision", "isEnabled",
      changes)
    select ${run.idx}, ${lit(ImportAction.DISABLE)}, a.id, a.name, a.email, paths.path, a.idx, a.revision, 0,
      '[{"field":"isEnabled","old":"1","new":"0"}]'
    from ${accounts(input)} a
    left join unnest(${[...paths.keys()]}::bigint[], ${[...paths.values()]}::text[]) as paths (idx, path)
      on paths.idx = a."groupIdx"
    where a."importSource" = ${run.source} and not a."isStopped" and a."isAdmin" = 0 and not a."isStronger"
      and a.idx <> ${viewer.idx}
      and not exists (select from "userImportRows" r where r."importIdx" = ${run.idx} and r."userIdx" = a.idx)
      and not ${isNamed('key')} and not ${isNamed('id')} and not ${isNamed('email')}
    order by a.idx`.execute(tx)
}

const FIELDS = ['key', 'id', 'email'] as const
/** A row whose value another account has. */
export type Claim = {
  rowIdx: number
  field: (typeof FIELDS)[number]
  holderIdx: number
  /** The row of the holder, if it gives the value up. */
  giverIdx: number | null
}

/** Finds the values of planned rows that other accounts have, within the author's reach or not. */
export async function findClaims(tx: Tx, importIdx: number): Promise<Claim[]> {
  const claims = FIELDS.map((field) => {
    const column = sql.ref(field)
    return sql`
      select r.idx as "rowIdx", ${field}::text as field, h.idx as "holderIdx", g.idx as "giverIdx"
      from "userImportRows" r
      join users h on lower(h.${column}) = lower(r.${column}) and h.idx is distinct from r."userIdx"
      left join "userImportRows" g on g."importIdx" = ${importIdx} and g."userIdx" = h.idx
        and g.action between ${lit(ImportAction.UPDATE)} and ${lit(ImportAction.DISABLE)}
        and lower(g.${column}) <> lower(h.${column})
      where r."importIdx" = ${importIdx} and r.action between ${lit(ImportAction.CREATE)} and ${lit(ImportAction.DISABLE)}`
  })
  const { rows } = await sql<Claim>`${sql.join(claims, sql` union all `)}`.execute(tx)
  return rows
}

type Taken = { rowIdx: number; field: string }
/** Turns rows into errors: another account has a value. */
export const updateTaken = (tx: Tx, taken: readonly Taken[]) =>
  sql`
    update "userImportRows" r set action = ${lit(ImportAction.ERROR)}, result = ${lit(ImportResult.FAILED)}, chain = 0,
      faults = r.faults || t.faults
    from (
      select "rowIdx", jsonb_agg(jsonb_build_object('field', field, 'fault', ${lit(ImportFault.TAKEN)}::int, 'hint', '')) as faults
      from jsonb_to_recordset(${JSON.stringify(taken)}::jsonb) as x ("rowIdx" bigint, field text) group by 1) t
    where r.idx = t."rowIdx"`.execute(tx)

/** Numbers the chains: rows that are applied in one transaction. */
export const updateChains = (tx: Tx, rowIdxes: readonly number[], chains: readonly number[]) =>
  sql`
    update "userImportRows" r set chain = c.chain
    from unnest(${rowIdxes}::bigint[], ${chains}::int[]) as c (idx, chain) where r.idx = c.idx`.execute(tx)

/** Drops the suspension of missing people whose value a faulty row has. */
export const deleteMissing = (tx: Tx, importIdx: number, userIdxes: readonly number[]) =>
  sql`
    delete from "userImportRows" where "importIdx" = ${importIdx} and line is null
      and action = ${lit(ImportAction.DISABLE)} and key is null and "userIdx" = any(${userIdxes}::bigint[])`.execute(tx)

/** Counts the rows of a plan by action. */
export async function countActions(tx: Tx, importIdx: number): Promise<Map<ImportAction, number>> {
  const { rows } = await sql<{ action: ImportAction; count: number }>`
    select action, count(*)::int as count from "userImportRows" where "importIdx" = ${importIdx} group by 1`.execute(tx)
  return new Map(rows.map(({ action, count }) => [action, count]))
}

/** Counts the people of the source who are not suspended. */
export async function countPeople(tx: Tx, input: PlanInput): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from users
    where "importSource" = ${input.run.source} and not ${isStopped(input)} and ${reaches(input.viewer)}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Finds the paths of groups that rows wait for. */
export async function findAwaitedGroups(tx: Tx, importIdx: number): Promise<Set<string>> {
  const { rows } = await sql<{ group: string }>`
    select distinct "group" from "userImportRows"
    where "importIdx" = ${importIdx} and result = ${lit(ImportResult.WAITING)} and "groupIdx" is null
      and "group" is not null`.execute(tx)
  return new Set(rows.map(({ group }) => group))
}
