// Searching by a part of a text, whatever its case. The columns carry trigram indexes on `lower(column)`; names also on
// `pairs(column)`, for the two syllables of a Korean given name, which no trigram holds (0001_foundation.sql).
import { type Expression, type SqlBool, sql } from 'kysely'

/** What the person typed, without the meaning that LIKE gives to some characters. */
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')
const anywhere = (text: string) => `%${text}%`

const like = (column: string, text: string) =>
  sql<SqlBool>`lower(${sql.ref(column)}) like lower(${anywhere(literal(text))})`

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text)

/** Whether a column of sign-in names or addresses contains the text. They are ASCII, so other text is in none of them. */
export const contains = (column: string, text: string): Expression<SqlBool> =>
  isAscii(text) ? like(column, text) : sql<SqlBool>`false`

/** Whether a column of names, which has the index on its pairs, contains the text. */
export function nameContains(column: string, text: string): Expression<SqlBool> {
  const characters = [...text]
  if (characters.length !== 2 || isAscii(text)) return like(column, text)
  const twice = characters.map((character) => literal(character).repeat(2)).join('')
  // Both, the cheap one first: where the planner goes through the rows all the same, few of them are spelled out. They say
  // the same, and the planner would take them for two conditions that rarely meet (4.4 s instead of 20 ms for a page of ten
  // million rows): a number that is not nought tells it nothing.
  return sql<SqlBool>`((${like(column, text)})::int <> 0 and pairs(${sql.ref(column)}) like lower(${anywhere(twice)}))`
}

/** Whether a number begins with the digits. */
export const startsWith = (column: string, digits: string): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)}::text like ${`${literal(digits)}%`}`
