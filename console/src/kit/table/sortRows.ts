// Sorting rows in hand by a column, as people read it: names by the alphabet, numbers by their value.
import type { Sort } from './SortHead.tsx'

const people = new Intl.Collator('ko', { numeric: true })

const compare = (one: string | number, other: string | number): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : people.compare(String(one), String(other))

/** Returns the rows in the order of a value; rows with the same value keep their order. */
export function sortRows<T>(rows: readonly T[], by: (row: T) => string | number, order: Sort['order']): readonly T[] {
  const sign = order === 'asc' ? 1 : -1
  return rows.toSorted((one, other) => sign * compare(by(one), by(other)))
}
