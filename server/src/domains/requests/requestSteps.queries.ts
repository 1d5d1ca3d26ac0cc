// Who decides the step that a request waits for (docs/decisions/30-approval.md). Step 1 belongs to the approvers of its
// group, later steps to the members of an authority. Nobody takes part in two decisions of one request.
import { Level, Role } from '@acc/contract/labels/access'
import { RequestEvent, RequestState, Transfer } from '@acc/contract/labels/requests'
import { WAITING } from '@acc/contract/requestState'
import { type Expression, type Insertable, type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  APPROVAL_PAGE,
  actingFor,
  coversGroups,
  givesLevel,
  idxOf,
  MEMBERSHIPS,
  type Person,
} from '../../core/grants.ts'
import { EVERYWHERE, type Scope, type Viewer } from '../../core/scope.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { RequestDecisions } from '../../db/schema.gen.ts'
import { compiledOnce, executePrepared } from '../../db/statement.ts'

export const isWaiting = sql<SqlBool>`("fileEximports".state = ${sql.lit(WAITING.state)}
  and "fileEximports"."isFileUploaded" = ${sql.lit(WAITING.isFileUploaded)})`

/** An urgent export that nobody has reviewed; written as in the index. Its review is the decision of its only step. */
export const isToReview = sql<SqlBool>`("fileEximports".state = ${sql.lit(RequestState.ALLOWED)}
  and "fileEximports"."reviewDueDT" is not null)`

/** Whether people decide a request now. */
export const isDecided = sql<SqlBool>`(${isWaiting} or ${isToReview})`

/** Whether any of these people took part in an earlier decision of a request, as decider or as the absent person. */
export const isInvolved = (...people: readonly Person[]) => sql<SqlBool>`exists (
  select from "requestDecisions" d
  where d."fileEximportIdx" = "fileEximports".idx and (${sql.join(
    people.map((person) => sql`${idxOf(person)} in (d."deciderIdx", d."forIdx")`),
    sql` or `,
  )}))`

/** Whether a request is of none of the people of an array. */
const isOfNone = (people: RawBuilder<unknown>) =>
  sql<SqlBool>`("fileEximports"."requesterIdx" = any(${people})) is not true`

/** Whether a request is of somebody else: neither the person's nor of the absent people that they act for. */
export const isOfOthers = (person: Person) => isOfNone(sql`array${actingFor(person)}`)

const level = sql`case "fileEximports".type
  when ${sql.lit(Transfer.EXPORT)} then a."fileExportApprove" else a."fileImportApprove" end`

/** The people whose authority decides a later step of a request: a statement of `idx`. `<=`: the earlier ones, too. */
const members = (at: '=' | '<='): RawBuilder<unknown> => sql`(
  select au."userIdx" as idx
  from "requestSteps" s
  join authorities a on a.idx = s."authorityIdx"
  join ${MEMBERSHIPS} on au."authorityIdx" = a.idx
  where s."fileEximportIdx" = "fileEximports".idx and s.step ${sql.raw(at)} "fileEximports".step
    and ${level} >= ${sql.lit(Level.EDIT)}
    and ${coversGroups('a.idx')})`

/**
 * The people whose authorities count at the present step of a request: a statement of `idx`. Nobody has the rights of
 * others here, in contrast to a scope.
 */
export const holders = sql`(
  select au."userIdx" as idx from groups g
    join "authorityGroups" ag on ag."groupIdx" = any(g.path)
    join authorities a on a.idx = ag."authorityIdx"
    join ${MEMBERSHIPS} on au."authorityIdx" = a.idx
  where g.idx = "fileEximports"."requesterGroupIdx" and "fileEximports".step = 1
    and ${level} >= ${sql.lit(Level.EDIT)}
  union all
  select idx from ${members('=')} m)`

/** Whether a person decides the later step that a request waits for. */
export const decidesLater = (person: Person) => sql<SqlBool>`(
  "fileEximports".step > 1 and ${isWaiting} and ${isOfOthers(person)} and not ${isInvolved(person)}
  and exists (
    select from ${members('=')} m
    where m.idx = any(array${actingFor(person)}) and not ${isInvolved(sql.ref('m.idx'))}))`

/** Whether a person took part in the decision of a later step. */
const decidedLater = (person: Person) => sql<SqlBool>`exists (
  select from "requestDecisions" d
  where d."fileEximportIdx" = "fileEximports".idx and d.step > 1 and ${idxOf(person)} in (d."deciderIdx", d."forIdx"))`

/** Whether a request is shown to a person outside of their groups: it waits at their step, or they decided it there. */
export const isOfStep = (person: Person) => sql<SqlBool>`(${decidesLater(person)} or ${decidedLater(person)})`

/** Whether a person belongs to the present step or an earlier one: another person may have been faster. */
export const hadStep = (person: Person) => sql<SqlBool>`exists (
  select from ${members('<=')} m where m.idx = any(array${actingFor(person)}))`

/** Decided requests outside of a person's groups that their list contains at most, the newest ones. */
const MAX_DECIDED = 5_000

/** An authority of a step, and the person whose membership counts. */
type Held = { authorityIdx: number; userIdx: number }

/** Requests outside of a person's groups, and the people whose rights they exercise. */
export type LaterRequests = { waiting: number[]; decided: number[]; acting: number[] }

/** As `isOfOthers`, of people who are known: planning who they are takes longer than a list. */
const isOfOthersThan = (acting: readonly number[]) => isOfNone(sql`${acting}::bigint[]`)

async function findActing(db: Reader, idx: number): Promise<number[]> {
  const query = db.selectFrom(sql<{ idx: number }>`${actingFor(idx)}`.as('acting')).select('acting.idx')
  return (await executePrepared(db, query.compile())).map((row) => row.idx)
}

/** The newest requests whose later step a viewer decided. */
const decidedBy = (column: 'deciderIdx' | 'forIdx', viewerIdx: number | Expression<number>, limit: number) => sql`(
  select d."fileEximportIdx" from "requestDecisions" d where d.step > 1 and ${sql.ref(`d.${column}`)} = ${viewerIdx}
  order by 1 desc limit ${sql.lit(limit)})`

/** Finds what a viewer has to do with later steps. Each part reads one row by its index, for every viewer. */
const selectPart = compiledOnce((db, viewerIdx: Expression<number>) => {
  const absent = sql`(select "userIdx" from absences where "substituteIdx" = ${viewerIdx})`
  return db.selectNoFrom([
    sql<boolean>`coalesce(${decidedBy('deciderIdx', viewerIdx, 1)}, ${decidedBy('forIdx', viewerIdx, 1)}) is not null`.as(
      'hasDecided',
    ),
    sql<boolean>`exists (
      select from "authorityUsers" m
      where m."userIdx" = any(array(select ${viewerIdx}::bigint union all ${absent}))
        and exists (select from "requestSteps" s where s."authorityIdx" = m."authorityIdx"))`.as('isMember'),
  ])
})

async function findDecided(db: Reader, viewerIdx: number): Promise<number[]> {
  const { decided } = await db
    .selectNoFrom(
      sql<number[]>`array(
        ${decidedBy('deciderIdx', viewerIdx, MAX_DECIDED)} union all ${decidedBy('forIdx', viewerIdx, MAX_DECIDED)})`.as(
        'decided',
      ),
    )
    .executeTakeFirstOrThrow()
  return decided
}

/**
 * Finds the requests of a direction that wait at a viewer's step; with `withDecided` also those that they decided
 * there. Found before the list: most people belong to no step, and the statement of their list remains as it is.
 */
export async function findLater(
  db: Reader,
  viewer: Viewer,
  type: Transfer,
  withDecided: boolean,
): Promise<LaterRequests> {
  const viewerIdx = viewer.idx
  const [part] = await selectPart(db, viewerIdx)
  const [decided, acting] = await Promise.all([
    withDecided && part?.hasDecided === true ? findDecided(db, viewerIdx) : [],
    viewer.isSubstitute ? findActing(db, viewerIdx) : [viewerIdx],
  ])
  if (part?.isMember !== true) return { waiting: [], decided, acting }
  const { held } = await db
    .selectNoFrom(
      sql<Held[]>`(
        select coalesce(json_agg(json_build_object('authorityIdx', a.idx, 'userIdx', au."userIdx")), '[]')
        from ${MEMBERSHIPS} join authorities a on a.idx = au."authorityIdx"
        where au."userIdx" = any(${acting}::bigint[])
          and ${givesLevel(APPROVAL_PAGE[type], Level.EDIT)})`.as('held'),
    )
    .executeTakeFirstOrThrow()
  if (held.length === 0) return { waiting: [], decided, acting }
  const authorities = held.map(({ authorityIdx }) => authorityIdx)
  const users = held.map(({ userIdx }) => userIdx)
  const rows = await db
    .selectFrom('fileEximports')
    .select('idx')
    .where(sql<SqlBool>`type = ${sql.lit(type)} and ${isWaiting} and step > 1 and ${isOfOthersThan(acting)}`)
    .where(
      // A limit, so that PostgreSQL looks up one row: the authority may have had a hundred thousand steps.
      sql<SqlBool>`(
        select true from "requestSteps" s
          join unnest(${authorities}::bigint[], ${users}::bigint[]) held(authority, idx) on held.authority = s."authorityIdx"
        where s."fileEximportIdx" = "fileEximports".idx and s.step = "fileEximports".step
          and (held.idx = ${viewerIdx} or not ${isInvolved(sql.ref('held.idx'))})
        limit 1)`,
    )
    .where(sql<SqlBool>`not ${isInvolved(viewerIdx)}`)
    .execute()
  return { waiting: rows.map(({ idx }) => idx), decided, acting }
}

/** A scope with some requests outside of it. */
export const withLater = (scope: Scope, { waiting, decided }: LaterRequests): Scope => {
  const idxes = [...waiting, ...decided]
  if (idxes.length === 0 || scope === EVERYWHERE) return scope
  return (groupIdx) => sql<SqlBool>`(${scope(groupIdx)} or "fileEximports".idx = any(${idxes}::bigint[]))`
}

/** What the list of requests needs to know of an approver. `scope` covers the groups of their decisions. */
export type Approver = { acting: readonly number[]; scope: Scope; later: readonly number[] }

/** Whether the first step of a request belongs to an approver. */
export const isFirstOf = ({ acting, scope }: Approver) =>
  sql<SqlBool>`"fileEximports".step = 1 and ${isOfOthersThan(acting)} and ${scope(sql.ref('fileEximports.requesterGroupIdx'))}`

/** Whether a request waits for an approver. */
export const waitsFor = (approver: Approver) => {
  const { later } = approver
  const first = isFirstOf(approver)
  return later.length === 0
    ? sql<SqlBool>`(${isWaiting} and ${first})`
    : sql<SqlBool>`(${isWaiting} and (${first} or "fileEximports".idx = any(${later}::bigint[])))`
}

/** The person whose right a decision uses. */
export type Right = { idx: number; name: string }

/**
 * Finds the person whose right a viewer uses for the step that each request waits for, or for the review of an urgent
 * export: the viewer, otherwise an absent person. Leaves out requests that the viewer may not decide.
 */
export async function findRights(db: Reader | Tx, viewer: Viewer, requests: readonly { idx: number }[]) {
  const { idx, role } = viewer
  const idxes = requests.map((request) => request.idx)
  const rows = await db
    .selectFrom('fileEximports')
    .innerJoin('users as p', (join) => join.on(sql<SqlBool>`p.idx = any(array${actingFor(viewer)})`))
    .distinctOn('fileEximports.idx')
    .select(['fileEximports.idx as requestIdx', 'p.idx', 'p.name'])
    .where('fileEximports.idx', '=', sql<number>`any(${idxes}::bigint[])`)
    .where(sql<SqlBool>`${isDecided} and ${isOfOthers(viewer)}`)
    .where(sql<SqlBool>`not ${isInvolved(idx, sql.ref('p.idx'))}`)
    .where(
      sql<SqlBool>`("fileEximports".step = 1 and p.idx = ${idx} and ${role === Role.ADMIN}
        or p.idx in ${holders})`,
    )
    .orderBy('fileEximports.idx')
    .orderBy(sql`p.idx <> ${idx}`)
    .orderBy('p.idx')
    .execute()
  return new Map<number, Right>(rows.map(({ requestIdx, ...right }) => [requestIdx, right]))
}

/** Finds the right for one request; undefined if the viewer may not decide it. */
export const findRight = async (db: Reader | Tx, viewer: Viewer, request: { idx: number }) =>
  (await findRights(db, viewer, [request])).get(request.idx)

type LaterStep = { step: number; authorityIdx: number; authorityName: string }

/** Stores the later steps of a request. */
export const insertSteps = (tx: Tx, fileEximportIdx: number, steps: readonly LaterStep[]) =>
  tx
    .insertInto('requestSteps')
    .values(
      steps.map(({ step, authorityIdx, authorityName }) => ({ fileEximportIdx, step, authorityIdx, authorityName })),
    )
    .execute()

export const insertDecisions = (tx: Tx, decisions: readonly Insertable<RequestDecisions>[]) =>
  tx.insertInto('requestDecisions').values(decisions).execute()

/** The later steps of a request. */
export const findLaterSteps = (db: Reader, fileEximportIdx: number) =>
  db
    .selectFrom('requestSteps')
    .select(['step', 'authorityIdx', 'authorityName'])
    .where('fileEximportIdx', '=', fileEximportIdx)
    .orderBy('step')
    .execute()

/** Finds the authorities of the later steps of some requests. */
export async function findAuthoritiesOf(db: Reader, idxes: readonly number[]): Promise<number[]> {
  if (idxes.length === 0) return []
  const rows = await db
    .selectFrom('requestSteps')
    .select('authorityIdx')
    .distinct()
    .where('fileEximportIdx', '=', sql<number>`any(${idxes}::bigint[])`)
    .execute()
  return rows.flatMap(({ authorityIdx }) => authorityIdx ?? [])
}

const DECIDED = [RequestEvent.STEP_APPROVED, RequestEvent.APPROVED, RequestEvent.REJECTED]

/** The events of a request from the first to the last. Literal kinds, as in the index that the statement uses. */
export const findSteps = (db: Reader, { idx, requestDT }: { idx: number; requestDT: Date }) =>
  db
    .selectFrom('history')
    .select([sql<RequestEvent>`history.type`.as('type'), 'history.logDT', 'history.actorName'])
    .select([
      sql<number | null>`
        case when history.type in (${sql.join(DECIDED.map((event) => sql.lit(event)))})
          and (detail ->> 'stepCount')::int > 1 then (detail ->> 'step')::int end`.as('step'),
      sql<string | null>`detail ->> 'forName'`.as('forName'),
      sql<string | null>`
        case history.type when ${sql.lit(RequestEvent.STEP_APPROVED)} then detail ->> 'approvePurpose' end`.as(
        'reason',
      ),
    ])
    .where(sql<SqlBool>`history.kind in ('fileExport', 'fileImport')`)
    .where('history.subjectIdx', '=', idx)
    .where('history.logDT', '>=', requestDT)
    .orderBy('history.idx')
    .execute()
