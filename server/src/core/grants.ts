// What a person's authorities give: levels on pages over groups. The only module that spells these tables for rights.
import type { PageAuth } from '@acc/contract/core/access'
import { Level, PAGES, type Page } from '@acc/contract/labels/access'
import { Transfer } from '@acc/contract/labels/requests'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { systemClock, today } from '../clock.ts'
import type { Reader } from '../db/open.ts'
import { isCurrent } from './ends.ts'

const levelColumn = (page: Page) => sql.ref(`a.${page}`)

/** The memberships `au` that count: ended ones give nothing. */
export const MEMBERSHIPS = sql`(
  select m."authorityIdx", m."userIdx" from "authorityUsers" m where ${isCurrent('m')}) au`

/** Whether a user is a member of any authority, whether or not it covers groups. */
export const isMember = (userIdx: Expression<number>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from ${MEMBERSHIPS} where au."userIdx" = ${userIdx})`

/** An authority whose last group was deleted gives nothing, as if it were not there. */
export const coversGroups = (authorityIdx: string) =>
  sql`exists (select from "authorityGroups" ag where ag."authorityIdx" = ${sql.ref(authorityIdx)})`

/** Whether an authority `a` gives a level on a page over any group. */
export const givesLevel = (page: Page, level: Level): RawBuilder<boolean> =>
  sql<boolean>`(${levelColumn(page)} >= ${sql.lit(level)} and ${coversGroups('a.idx')})`

/** The members of an authority `a`. A statement of `userIdx`. */
export const MEMBERS = sql`(select au."userIdx" from ${MEMBERSHIPS} where au."authorityIdx" = a.idx)`

/**
 * Whether an authority that covers groups makes a user a group manager. A limit, so that PostgreSQL looks up each user
 * of a page instead of reading all memberships into a hash.
 */
export const isManager = (userIdx: Expression<number>): RawBuilder<boolean> => sql<boolean>`coalesce((
  select true from ${MEMBERSHIPS} where au."userIdx" = ${userIdx} and ${coversGroups('au.authorityIdx')} limit 1), false)`

/** The highest level of a user on each page, over any group. */
export const highestLevels = (userIdx: Expression<number>): RawBuilder<PageAuth> => sql<PageAuth>`(
  select json_build_object(${sql.join(PAGES.flatMap((page) => [sql.lit(page), sql`coalesce(max(${levelColumn(page)}), 0)`]))})
  from ${MEMBERSHIPS} join authorities a on a.idx = au."authorityIdx"
  where au."userIdx" = ${userIdx} and ${coversGroups('a.idx')})`

/**
 * Whether a user is an administrator, or a member of an authority, ended memberships included. Of all people, few are:
 * their keys come first, so that PostgreSQL reads no others.
 */
export const isAdminOrMember = (userIdx: Expression<number>): RawBuilder<SqlBool> => sql<SqlBool>`
  ${userIdx} = any(array(select "userIdx" from "authorityUsers" union all select idx from users where "isAdmin" = 1))`

/** The page on which requests of a direction are decided. */
export const APPROVAL_PAGE = {
  [Transfer.EXPORT]: 'fileExportApprove',
  [Transfer.IMPORT]: 'fileImportApprove',
} as const satisfies Record<Transfer, Page>
/** Only on these, a person also exercises rights of others. */
export const APPROVAL_PAGES = [APPROVAL_PAGE[Transfer.EXPORT], APPROVAL_PAGE[Transfer.IMPORT]] as const
const isApprovalPage = (page: Page) => (APPROVAL_PAGES as readonly Page[]).includes(page)

/**
 * The approval pages on which a user's authorities let them decide, over any group: a flag for each. One statement for
 * both pages, since planning takes longer than reading.
 */
export const pagesDecided = (userIdx: Expression<number>): RawBuilder<number> => sql<number>`(
  select coalesce(bit_or(${sql.join(
    APPROVAL_PAGES.map((page, at) => sql`(${levelColumn(page)} >= ${sql.lit(Level.EDIT)})::int * ${sql.lit(1 << at)}`),
    sql` | `,
  )}), 0)
  from ${MEMBERSHIPS} join authorities a on a.idx = au."authorityIdx"
  where au."userIdx" = ${userIdx} and ${coversGroups('a.idx')})`

/**
 * Whether the user `substitute` may stand in for the user `absent`: level 2 on each approval page on which the absent
 * person has it, and an administrator for an administrator.
 */
export const maySubstitute: RawBuilder<SqlBool> = sql<SqlBool>`(substitute."isAdmin" = 1 or absent."isAdmin" = 0
  and ${pagesDecided(sql.ref('absent.idx'))} & ~${pagesDecided(sql.ref('substitute.idx'))} = 0)`

/**
 * A person, or one who is known to be the substitute of somebody or of nobody. Planning the look-up of absent people
 * takes longer than the rest of a statement, and most people are the substitute of nobody.
 */
export type Person = number | Expression<number> | { idx: number; isSubstitute: boolean }

/** Whether an absence of any time names a user as the substitute. */
export const isSubstitute = (userIdx: Expression<number>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from absences where "substituteIdx" = ${userIdx})`

const isKnown = (person: Person) => typeof person === 'object' && 'isSubstitute' in person
export const idxOf = (person: Person): number | Expression<number> => (isKnown(person) ? person.idx : person)
const actsForNobody = (person: Person): boolean => isKnown(person) && !person.isSubstitute

type Day = string | Expression<string>

/**
 * Who is whose substitute at this moment: a statement of `idx` and `forIdx`, the absent person. Rights of both count at
 * this moment; `day` decides who has expired.
 */
export const substitutions = (day: Day): RawBuilder<unknown> => sql`(
  select substitute.idx, absent.idx as "forIdx"
  from absences
  join users absent on absent.idx = absences."userIdx"
  join users substitute on substitute.idx = absences."substituteIdx"
  where absences."startDT" <= now() and absences."endDT" > now()
    and (absent."isMortal" = 0 or absent."expireDT" >= ${day}::date) and ${maySubstitute})`

/** The people whose substitute a user is now. */
const absentFor = (substituteIdx: number | Expression<number>, day: Day): RawBuilder<unknown> =>
  sql`select s."forIdx" as idx from ${substitutions(day)} s where s.idx = ${substituteIdx}`

/**
 * The people whose approval rights a user exercises at this moment: their own, and those of absent people whose
 * substitute they are. A statement of `idx`, for conditions such as `= any(array(...))`.
 */
export function actingFor(person: Person, day: Day = today(systemClock)): RawBuilder<unknown> {
  const own = sql`select ${idxOf(person)}::bigint as idx`
  return actsForNobody(person) ? sql`(${own})` : sql`(${own} union all ${absentFor(idxOf(person), day)})`
}

/** The groups that authorities name with a level or a higher one, of the people of a condition. */
const groupsOf = (isHolder: RawBuilder<unknown>, page: Page, level: Level) => sql`
  select ag."groupIdx"
  from ${MEMBERSHIPS}
  join authorities a on a.idx = au."authorityIdx"
  join "authorityGroups" ag on ag."authorityIdx" = a.idx
  where au."userIdx" = ${isHolder} and ${levelColumn(page)} >= ${level}`

/**
 * The groups that a user's authorities name with a level or a higher one. What lies below these is covered too. A
 * substitute has those on the approval pages in which an absent person decides.
 */
export function groupsGranted(person: Person, page: Page, level: Level): RawBuilder<unknown> {
  const own = groupsOf(sql`${idxOf(person)}`, page, level)
  if (!isApprovalPage(page) || actsForNobody(person)) return sql`(${own})`
  return sql`(${own} union all ${groupsOf(sql`any(array(${absentFor(idxOf(person), today(systemClock))}))`, page, Level.EDIT)})`
}

const selectGrants = (db: Reader) =>
  db
    .selectFrom('authorityUsers as au')
    .innerJoin('authorities as a', 'a.idx', 'au.authorityIdx')
    .innerJoin('authorityGroups as ag', 'ag.authorityIdx', 'a.idx')
    .where(isCurrent('au'))
    .select(({ fn }) => [
      'ag.groupIdx',
      fn.max('a.policy').as('policy'),
      fn.max('a.user').as('user'),
      fn.max('a.fileExportApprove').as('fileExportApprove'),
      fn.max('a.fileImportApprove').as('fileImportApprove'),
      fn.max('a.log').as('log'),
    ])

/** The highest levels of a user over each of the groups that their authorities name. */
export const grantsOf = (db: Reader, userIdx: number) =>
  selectGrants(db).where('au.userIdx', '=', userIdx).groupBy('ag.groupIdx')

/** The same of several users. */
export const grantsOfEach = (db: Reader, userIdxes: readonly number[]) =>
  selectGrants(db)
    .select('au.userIdx')
    .where('au.userIdx', '=', sql<number>`any(${userIdxes})`)
    .groupBy(['au.userIdx', 'ag.groupIdx'])

/** Returns the absent people of each of several substitutes. */
export const absentOfEach = (db: Reader, userIdxes: readonly number[]) =>
  db
    .selectFrom(sql<{ idx: number }>`(select unnest(${userIdxes}::bigint[]) as idx)`.as('viewer'))
    .innerJoinLateral(
      sql<{ idx: number }>`(${absentFor(sql.ref('viewer.idx'), today(systemClock))})`.as('person'),
      (join) => join.onTrue(),
    )
    .select(['viewer.idx as userIdx', 'person.idx as absentIdx'])
    .execute()
