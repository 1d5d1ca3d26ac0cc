// What a person's authorities give: levels on pages over groups. The only module that spells these tables for rights.
import type { PageAuth } from '@acc/contract/core/access'
import { type Level, PAGES, type Page } from '@acc/contract/labels/access'
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Reader } from '../db/open.ts'
import { isCurrent } from './ends.ts'

const levelColumn = (page: Page) => sql.ref(`a.${page}`)

/** Memberships, of which ended ones give nothing. */
const memberships = sql`(
  select m."authorityIdx", m."userIdx" from "authorityUsers" m where ${isCurrent('m')}) au`

/** Whether a user is a member of any authority, whether or not it covers groups. */
export const isMember = (userIdx: Expression<number>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from ${memberships} where au."userIdx" = ${userIdx})`

/** An authority whose last group was deleted gives nothing, as if it were not there. */
const coversGroups = (authorityIdx: string) =>
  sql`exists (select from "authorityGroups" ag where ag."authorityIdx" = ${sql.ref(authorityIdx)})`

/** Whether an authority that covers groups makes a user a group manager. */
export const isManager = (userIdx: Expression<number>): RawBuilder<boolean> => sql<boolean>`exists (
  select from ${memberships} where au."userIdx" = ${userIdx} and ${coversGroups('au.authorityIdx')})`

/** The highest level of a user on each page, over any group. */
export const highestLevels = (userIdx: Expression<number>): RawBuilder<PageAuth> => sql<PageAuth>`(
  select json_build_object(${sql.join(PAGES.flatMap((page) => [sql.lit(page), sql`coalesce(max(${levelColumn(page)}), 0)`]))})
  from ${memberships} join authorities a on a.idx = au."authorityIdx"
  where au."userIdx" = ${userIdx} and ${coversGroups('a.idx')})`

/** The groups that a user's authorities name with a level or a higher one. What lies below these is covered too. */
export const groupsGranted = (
  userIdx: number | Expression<number>,
  page: Page,
  level: Level,
): RawBuilder<unknown> => sql`(
  select ag."groupIdx"
  from ${memberships}
  join authorities a on a.idx = au."authorityIdx"
  join "authorityGroups" ag on ag."authorityIdx" = a.idx
  where au."userIdx" = ${userIdx} and ${levelColumn(page)} >= ${level})`

/**
 * The people whose approval rights a user exercises at this moment: their own. A statement of `idx`, for conditions
 * such as `= any(array(...))`.
 */
export const actingFor = (userIdx: number | Expression<number>): RawBuilder<unknown> =>
  sql`(select ${userIdx}::bigint as idx)`

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
