// The search of a list: one text for the columns of its search box, or a text for each column that has a filter.
import type { Columns } from '@acc/contract/core/columns'
import { FilterType } from '@acc/contract/core/paging'
import { z } from 'zod'
import { maxLengthOf } from '../form/formInput.ts'
import { useLanguage } from '../texts/texts.ts'
import { TextFilter } from './FilterBar.tsx'

/** The search as fields of a view. */
export const searchView = {
  isMulti: z.boolean().default(false),
  search: z.string().default(''),
  texts: z.record(z.string(), z.string()).default({}),
}
export type Search = { isMulti: boolean; search: string; texts: Record<string, string> }

type Searched = { columns: Columns }
type Filter<R extends Searched> = { filterType: 0 | 1 } & {
  [K in keyof R['columns'] as R['columns'][K] extends { filter: z.ZodType } ? K : never]?: string
}

/** Returns the filter of a list. Texts of fields that are not shown are ignored. */
export function searchFilter<R extends Searched>(
  { columns }: R,
  { isMulti = false, search, texts = {} }: Pick<Search, 'search'> & Partial<Search>,
): Filter<R> {
  const filter = Object.entries(columns).flatMap(([name, { filter, isInSearchBox }]) => {
    const text = isMulti ? filter && texts[name] : isInSearchBox && search
    return text ? [[name, text]] : []
  })
  return { filterType: isMulti ? FilterType.MULTI : FilterType.SINGLE, ...Object.fromEntries(filter) }
}

export const isSearched = ({ isMulti, search, texts }: Search): boolean =>
  isMulti ? Object.values(texts).some((text) => text !== '') : search !== ''

/** Pixels of a filter by a number. */
const NUMBER_WIDTH = 72

type Props = { route: Searched; texts: Search['texts']; onChange: (texts: Search['texts']) => void }

/** A text filter for each column that has one. */
export function TextFilters({ route, texts, onChange }: Props) {
  const language = useLanguage()
  return Object.entries(route.columns).map(
    ([name, column]) =>
      column.filter && (
        <TextFilter
          key={name}
          label={column[language]}
          value={texts[name] ?? ''}
          width={name === 'idx' ? NUMBER_WIDTH : undefined}
          max={maxLengthOf(column.filter)}
          onChange={(text) => onChange({ ...texts, [name]: text })}
        />
      ),
  )
}
