// Searching by a part of a text, regardless of case. The columns have trigram indexes on `lower(column)`; names also have one
// on `pairs(column)`, for texts of two characters, which have no trigram (migration 0005).
import { type Expression, type SqlBool, sql } from 'kysely'

/** What the person typed, without the meaning that LIKE gives to some characters. */
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')

const like = (column: string, text: string) =>
  sql<SqlBool>`lower(${sql.ref(column)}) like lower(${`%${literal(text)}%`})`

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text)

/** Whether a column of sign-in names or addresses contains the text. They are ASCII, so other text is in none of them. */
export const contains = (column: string, text: string): Expression<SqlBool> =>
  isAscii(text) ? like(column, text) : sql<SqlBool>`false`

/** Whether a column of names, which has the index on its pairs, contains the text. */
export function nameContains(column: string, text: string): Expression<SqlBool> {
  if ([...text].length !== 2) return like(column, text)
  // Both conditions mean the same. The cheap one comes first for plans that read the rows one by one; compared with a number, it
  // does not count in the planner's estimate, which would take the two for independent.
  return sql<SqlBool>`((${like(column, text)})::int <> 0 and pairs(${sql.ref(column)}) @> pairs(${text}))`
}

/** Whether a number begins with the digits. */
export const startsWith = (column: string, digits: string): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)}::text like ${`${literal(digits)}%`}`
