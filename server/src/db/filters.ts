// The filters of a list as tables over the names of its query, so that a forgotten one does not compile.
import { FilterType, type Paging } from '@acc/contract/core/paging'
import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import { type Reading, readingOf } from './search.ts'

type Condition = Expression<SqlBool>
type Query = Paging & { filterType?: 0 | 1 | undefined }
type FilterOf<Q> = Exclude<keyof Q, keyof Query> & string

type Texts<T extends string> = Readonly<Record<T, (text: string, reading: Reading) => Condition>>
/** Null: the scope or another filter has it. */
type Others<Q, T extends string> = {
  readonly [K in Exclude<FilterOf<Q>, T>]-?: ((value: NonNullable<Q[K]>) => Condition | undefined) | null
}

const { and, or } = expressionBuilder<object, never>()

/**
 * Combines the filters of a query. With FilterType.SINGLE one match among the texts of `box` is enough, by default
 * among all texts. Everything else must match. Also returns the texts that are searched for.
 */
export function filterBy<Q extends Query, const T extends FilterOf<Q>>(
  query: Q,
  texts: Texts<T>,
  others: Others<Q, T>,
  box: readonly NoInfer<T>[] = Object.keys(texts) as T[],
): { condition: Condition; texts: string[] } {
  const given = (Object.keys(texts) as T[]).flatMap((name) => {
    const text = query[name]
    return typeof text === 'string' && text !== '' ? [{ name, text }] : []
  })
  const isInBox = ({ name }: { name: T }) => query.filterType === FilterType.SINGLE && box.includes(name)
  const boxed = given.filter(isInBox)
  const reading = readingOf(boxed.map(({ text }) => text))
  const any = boxed.map(({ name, text }) => texts[name](text, reading))
  const every = given.filter((one) => !isInBox(one)).map(({ name, text }) => texts[name](text, 'index'))
  const rest = (Object.keys(others) as Exclude<FilterOf<Q>, T>[]).flatMap((name) => {
    const value = query[name]
    return (value !== undefined && value !== null && others[name]?.(value)) || []
  })
  return {
    condition: and([...every, ...(any.length > 0 ? [or(any)] : []), ...rest]),
    texts: given.map(({ text }) => text),
  }
}
