// Rows of former versions, which kept a change as `diff`: the columns that differed, with both values. They are shown in
// today's form, as far as they go.
import type { Fields } from '@acc/contract/history/fields'
import { oldName } from '@acc/contract/history/kind'
import { LOGS, type StoredLog } from '@acc/contract/history/kinds'
import { type Expression, type SqlBool, sql } from 'kysely'

type Values = Record<string, unknown>
/** One side is missing where the row was created or deleted. */
type Sides = { old?: unknown; new?: unknown }

/** The logs that were written then; what a row of groups was about was in its subject alone. */
const FORMER_LOGS: readonly StoredLog[] = ['groupManage', 'policyManage', 'userManage', 'authManage']
const SUBJECT_NAMES: readonly StoredLog[] = ['groupManage']

/** The column behind a field: `targetKey` and `targetOldKey` were `key`. */
const columnOf = (name: string) => {
  const [, first = '', rest = ''] = /^(?:target|policy)(?:Old)?([A-Z])(.*)$/.exec(name) ?? []
  return first.toLowerCase() + rest
}

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null

/** Returns the detail of a row in today's form; a value that today's field cannot have is left out. */
export function currentDetail(log: StoredLog, subject: string, { diff, ...detail }: Values): Values {
  if (!isObject(diff)) return detail
  const { compared }: { compared: Fields } = LOGS[log]
  const named: Values = SUBJECT_NAMES.includes(log) ? { targetName: subject, ...detail } : detail
  const isUpdate = Object.values(diff).some((sides) => isObject(sides) && 'old' in sides && 'new' in sides)
  const fields = Object.entries(compared).flatMap(([name, { schema }]) => {
    const found = diff[columnOf(name)]
    const { old, new: after }: Sides = isObject(found)
      ? found
      : { old: isUpdate ? named[name] : null, new: named[name] }
    const value = after === undefined ? (named[name] ?? old) : after
    const before = isUpdate ? old : null
    return [
      ...(schema.safeParse(value).success ? [[name, value]] : []),
      ...(before !== undefined && (before === null || schema.safeParse(before).success)
        ? [[oldName(name), before]]
        : []),
    ]
  })
  return { ...named, ...Object.fromEntries(fields) }
}

/** Whether rows of a log may have a field in their differences alone. */
export const isInDiff = (log: StoredLog, name: string): boolean =>
  FORMER_LOGS.includes(log) && /^(target|policy)/.test(name)

/** The rows that have differences, as their index names them. */
export const hasDiff = sql<SqlBool>`history.detail ? 'diff'`

/** Returns a field of the detail as a column of a CSV file, in rows of either form. */
export function textInDetail(log: StoredLog, name: string): Expression<unknown> {
  const own = sql`history.detail ->> ${name}`
  if (!isInDiff(log, name)) return own
  const [before, after] = ['old', 'new'].map(
    (side) => sql`history.detail #>> ${['diff', columnOf(name), side]}::text[]`,
  )
  if (/^(target|policy)Old/.test(name)) return sql`coalesce(${own}, case when ${after} is not null then ${before} end)`
  const subject = SUBJECT_NAMES.includes(log) && name === 'targetName' ? sql`, history.subject` : sql``
  return sql`coalesce(${own}, ${after}, ${before}${subject})`
}
