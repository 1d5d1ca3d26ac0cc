// Queries that filter a viewer's live events: the groups covered for each page, and whether the session is open.
import { PAGES, type Page } from '@acc/contract/labels/access'
import { sql } from 'kysely'
import { grantsOf } from '../../core/grants.ts'
import type { Reader } from '../../db/open.ts'

/** The pages on which the viewer holds a level over a group. */
export type Coverage = ReadonlyMap<number, ReadonlySet<Page>>

const levels = PAGES.map((page) => sql<number>`max(${sql.ref(`grants.${page}`)})`.as(page))

/** The groups that a person's authorities cover, and all below them. */
export async function findCoverage(db: Reader, userIdx: number): Promise<Coverage> {
  const rows = await db
    .selectFrom(grantsOf(db, userIdx).as('grants'))
    .innerJoin('groups', (join) => join.on(sql<boolean>`groups.path @> array[grants."groupIdx"]`))
    .select(['groups.idx', ...levels])
    .groupBy('groups.idx')
    .execute()
  return new Map(rows.map((row) => [row.idx, new Set(PAGES.filter((page) => row[page] > 0))]))
}

export async function isSessionOpen(db: Reader, sessionIdx: number, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('idx')
    .where('idx', '=', sessionIdx)
    .where('endDT', 'is', null)
    .where('expireDT', '>', now)
    .executeTakeFirst()
  return row !== undefined
}
