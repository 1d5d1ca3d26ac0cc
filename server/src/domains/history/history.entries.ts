// Maps a row of the history to the response entry of its kind: columns under their response names, merged with the
// detail. Fields for administrators are omitted for all others.
import type { Fields } from '@acc/contract/history/fields'
import { LOGS, type Logs, type StoredLog } from '@acc/contract/history/kinds'
import { Role } from '@acc/contract/labels/access'
import type { z } from 'zod'
import type { Actor } from '../../core/context.ts'
import type { EntryRow } from './history.queries.ts'

export type Entry<N extends StoredLog> = z.input<Logs[N]['item']>
type Values = Record<string, unknown>

const hiddenNames = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, field]) => (field.for === 'admin' ? [name] : []))

const without = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))

/** Removes the fields for administrators, also from nested entries. No other code withholds keys (spec S2 §6). */
function withoutKeys(log: StoredLog, entry: Values): Values {
  const { fields, lists } = LOGS[log]
  const shown = without(entry, hiddenNames(fields))
  for (const [name, list] of Object.entries<{ fields: Fields }>(lists)) {
    const nested = shown[name]
    if (Array.isArray(nested)) shown[name] = nested.map((one: Values) => without(one, hiddenNames(list.fields)))
  }
  return shown
}

/** Returns a function from rows of a log to entries as this actor may read them. The runner checks their contract. */
export const entryOf =
  <N extends StoredLog>(log: N, actor: Actor) =>
  ({ detail, type, result, subjectIdx, ...columns }: EntryRow): Entry<N> => {
    const event = 'actionType' in LOGS[log].fields ? { actionType: type, resultType: result } : { type }
    const numbers = 'requestIdx' in LOGS[log].fields ? { requestIdx: subjectIdx } : {}
    const entry: Values = { ...detail, ...columns, ...event, ...numbers }
    return (actor.role === Role.ADMIN ? entry : withoutKeys(log, entry)) as Entry<N>
  }
