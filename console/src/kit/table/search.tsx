// The search of a list: one text for the columns of its search box, or a text for each column that has a filter.
import type { Columns } from '@acc/contract/core/columns'
import { FilterType } from '@acc/contract/core/paging'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { maxLengthOf } from '../form/formInput.ts'
import { kitTexts } from '../texts/kit.texts.ts'
import { joinHeadings } from '../texts/labels.ts'
import { useLanguage, useTexts } from '../texts/texts.ts'
import { FilterBar, SearchBox, TextFilter } from './FilterBar.tsx'

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

/** Returns the label of a search box: the headings of the columns that it searches. */
export function useSearchLabel({ columns }: Searched): string {
  const t = useTexts(kitTexts)
  const searched = Object.values(columns).filter(({ isInSearchBox }) => isInSearchBox)
  return t('searchIn', { columns: joinHeadings(searched, useLanguage()) })
}

/** Pixels of a filter by a number. */
const NUMBER_WIDTH = 72

type FiltersProps = {
  route: Searched
  /** The label of the search box, if not the headings of its columns. */
  label?: string
  value: Search
  set: (change: Partial<Search>) => void
  /** In front of the search. */
  before?: ReactNode
  /** Further fields of the detailed search. */
  more?: ReactNode
  /** On the right. */
  aside?: ReactNode
  /** Filters next to either search. */
  children?: ReactNode
}

/** The filters of a list: one search box, or in the detailed search a text for each column that has a filter. */
export function SearchFilters({ route, label, value, set, before, more, aside, children }: FiltersProps) {
  const t = useTexts(kitTexts)
  const language = useLanguage()
  const ofColumns = useSearchLabel(route)
  const { isMulti, search, texts } = value
  const fields = Object.entries(route.columns).map(
    ([name, column]) =>
      column.filter && (
        <TextFilter
          key={name}
          label={column[language]}
          value={texts[name] ?? ''}
          width={name === 'idx' ? NUMBER_WIDTH : undefined}
          max={maxLengthOf(column.filter)}
          onChange={(text) => set({ texts: { ...texts, [name]: text } })}
        />
      ),
  )
  return (
    <FilterBar aside={aside}>
      {before}
      {isMulti ? (
        fields
      ) : (
        <SearchBox label={label ?? ofColumns} value={search} onChange={(text) => set({ search: text })} />
      )}
      {isMulti && more}
      {children}
      <Button variant="subtle" color="gray" onClick={() => set({ isMulti: !isMulti })} aria-expanded={isMulti}>
        {isMulti ? t('filter.single') : t('filter.multi')}
      </Button>
    </FilterBar>
  )
}
