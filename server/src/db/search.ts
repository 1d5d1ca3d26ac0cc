// Searches by a part of a text, regardless of case. The columns have trigram indexes on `lower(column)`. Names also
// have one on `pairs(column)`, for texts of two characters, which have no trigram (migration 0005).
import { type Expression, type SqlBool, sql } from 'kysely'

/** What the person typed, without the meaning that LIKE gives to some characters. */
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** The name of a column, or an expression that no index has. */
type Column = string | Expression<unknown>
const refOf = (column: Column) => (typeof column === 'string' ? sql.ref(column) : column)

const like = (column: Column, text: string) => sql<SqlBool>`lower(${refOf(column)}) like lower(${`%${literal(text)}%`})`
// Compared with a number, the condition does not count in the planner's estimate, so it leads no plan. Otherwise a text
// that no index finds would be looked up in all of an index.
const likeOfFew = (column: Column, text: string) => sql<SqlBool>`(${like(column, text)})::int <> 0`

/** Characters from which a text has trigrams, and from which it has pairs. */
const [TRIGRAM, PAIR] = [3, 2]
const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text)

/** Whether an index finds the text. */
export const isIndexed = (text: string): boolean => [...text].length >= (isAscii(text) ? TRIGRAM : PAIR)

/** By the index of the column, or row by row: a condition that then costs less. */
export type Reading = 'index' | 'rows'
/** How to read where any of several texts suffices: one that no index finds makes all rows be read. */
export const readingOf = (texts: readonly string[]): Reading => (texts.every(isIndexed) ? 'index' : 'rows')

/** Whether a column of sign-in names or addresses contains the text. They are ASCII, so they contain no other text. */
export function contains(column: Column, text: string, reading: Reading = 'index'): Expression<SqlBool> {
  if (!isAscii(text)) return sql<SqlBool>`false`
  return reading === 'rows' || text.length < TRIGRAM ? likeOfFew(column, text) : like(column, text)
}

/** Whether a column of names, which has the index on its pairs, contains the text. */
export function nameContains(column: Column, text: string, reading: Reading = 'index'): Expression<SqlBool> {
  const { length } = [...text]
  if (reading === 'rows' || length < PAIR) return likeOfFew(column, text)
  return length === PAIR ? sql<SqlBool>`pairs(${refOf(column)}) @> pairs(${text})` : like(column, text)
}

/**
 * Whether a number begins with the text. For a text that is not all digits this is `false`, which PostgreSQL drops from
 * an OR. Otherwise it would compare every part of the OR with every row that an index found.
 */
export const startsWith = (column: string, text: string): Expression<SqlBool> =>
  /^\d+$/.test(text) ? sql<SqlBool>`${sql.ref(column)}::text like ${`${text}%`}` : sql<SqlBool>`false`

/** Whether a row refers to a matching row of another table. Keys come first: each part of an OR then has its index. */
export const refersTo = (column: string, table: string, condition: Expression<SqlBool>): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} = any(array(select ${sql.ref(`${table}.idx`)} from ${sql.table(table)} where ${condition}))`
