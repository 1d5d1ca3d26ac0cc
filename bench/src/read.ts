// One call that reads, as the bench makes it.
import type { StatementName, Value } from './statements.ts'

export type Read = {
  name: string
  work: string
  path: string
  headers: Record<string, string>
  /** The limit's statement, if there is one, and its values. */
  limit?: StatementName | 'empty'
  values: Value[]
  connections: number
  /** Calls a second at which the times are taken: more than an organization of this size makes, far below saturation. */
  rate: number
  wanted: string
  /** The figure depends on the number of rows of histories and requests. */
  isOfRows?: true
}

const LIST = '>= 60 %, p99 < 30 ms'
export const web = (token: string) => ({ cookie: `acc=${token}` })
/** The usual load of a list. */
export const LOAD = { connections: 8, rate: 20, wanted: LIST }

export const pathOf = (path: string, query: Record<string, string | number>) =>
  `${path}?${new URLSearchParams(Object.entries({ ...query, rowsCount: 25 }).map(([name, value]) => [name, String(value)]))}`
