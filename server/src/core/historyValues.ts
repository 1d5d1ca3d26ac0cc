// The values of history rows: which columns of a row they hold, each with its old value. Every column of an audited
// table is classified, or the build fails.
import { fieldName } from '@acc/contract/history/kind'

type FieldClass = 'track' | 'secret' | 'ignore'
export type Classes<Row> = Record<keyof Row, FieldClass>
/** The columns that a history row has to hold with both values. */
export type TrackedOf<C> = { [K in keyof C]: C[K] extends 'track' ? K : never }[keyof C]

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** Whether a change leaves every audited column as it was. Secrets count, too. */
export const isUnchanged = <Row extends object>(before: Row, after: Row, classes: Classes<Row>): boolean =>
  (Object.keys(classes) as (keyof Row)[]).every((name) => classes[name] === 'ignore' || same(before[name], after[name]))

type WithOld<Prefix extends string, Row> = {
  [K in keyof Row & string as `${Prefix}${Capitalize<K>}`]: Row[K]
} & { [K in keyof Row & string as `${Prefix}Old${Capitalize<K>}`]: Row[K] | null }

/**
 * Names values and their old counterparts as the history spells them (spec S2 §3): `targetName` and `targetOldName`. A
 * row has both, even if they are equal. Without `before` the old ones are null.
 */
export function withOldValues<Prefix extends string, Row extends object>(
  prefix: Prefix,
  after: Row,
  before: Row | null,
): WithOld<Prefix, Row> {
  const old = new Map(Object.entries(before ?? {}))
  const pairs = Object.entries(after).flatMap(([name, value]) => [
    [fieldName(prefix, name), value],
    [fieldName(`${prefix}Old`, name), old.get(name) ?? null],
  ])
  return Object.fromEntries(pairs) as WithOld<Prefix, Row>
}

/** Returns the entries of a list before and after a change, marked as old or new. */
export const markOldAndNew = <T extends object>(before: readonly T[], after: readonly T[]) => [
  ...before.map((entry) => ({ ...entry, isOld: 1 as const })),
  ...after.map((entry) => ({ ...entry, isOld: 0 as const })),
]

/** Names a person as the history spells it. */
export const personValues = ({ id, name, groupName }: { id: string; name: string; groupName: string }) => ({
  userId: id,
  userName: name,
  userGroupName: groupName,
})
