// Columns of a list, each declared once. Item, headings, CSV, sort names, filters and console search derive from them.
import type { z } from 'zod'
import type { Label } from '../labels/enumOf.ts'
import type { Unit } from '../labels/policies.ts'
import { paging } from './paging.ts'

/** A heading and the format of its values, in CSV and in tables. */
export type CsvColumn = Label & {
  /** Labels of an enumeration. */
  values?: Readonly<Record<number, Label>>
  /** Other labels of its values where another field of the row has one of these values. */
  valuesBy?: { field: string; values: Readonly<Record<number, Readonly<Record<number, Label>>>> }
  /** CSV formats moments only. */
  as?: 'moment' | 'day' | 'bytes' | Unit
  /** Columns of the row's nested entries, each of which is a line of the cell. */
  entries?: Record<string, CsvColumn>
  /** Included only for system administrators (spec S2 §6). */
  for?: 'admin'
}

export type Column<S extends z.ZodType = z.ZodType> = CsvColumn & {
  schema: S
  isSortable?: true
  /** Schema of the text that the column is searched for. */
  filter?: z.ZodType
  /** The console compares the column with the text of its search box. */
  isInSearchBox?: true
}
export type Columns = Readonly<Record<string, Column>>

type WithSchemas = Readonly<Record<string, { schema: z.ZodType }>>
export type ShapeOf<C extends WithSchemas> = { [K in keyof C]: C[K]['schema'] }
/** Returns the schemas of columns or fields. */
export const shapeOf = <C extends WithSchemas>(columns: C): ShapeOf<C> =>
  Object.fromEntries(Object.entries(columns).map(([name, { schema }]) => [name, schema])) as ShapeOf<C>

type SortOf<C extends Columns> = { [K in keyof C]: C[K] extends { isSortable: true } ? K & string : never }[keyof C]
type FilterShape<C extends Columns> = {
  [K in keyof C as C[K] extends { filter: z.ZodType } ? K : never]: C[K] extends { filter: infer F extends z.ZodType }
    ? z.ZodOptional<F>
    : never
}

/** Returns the names of the sortable columns. */
export const sortsOf = <C extends Columns>(columns: C): SortOf<C>[] =>
  Object.entries(columns).flatMap(([name, { isSortable }]) => (isSortable ? [name as SortOf<C>] : []))

/** Returns the query of a list: paging, the sort names, and an optional filter for each column that has one. */
export function queryOf<C extends Columns>(columns: C) {
  const filters = Object.entries(columns).flatMap(([name, { filter }]) => (filter ? [[name, filter.optional()]] : []))
  return paging<readonly ['idx', ...SortOf<C>[]]>(['idx', ...sortsOf(columns)]).extend(
    Object.fromEntries(filters) as FilterShape<C>,
  )
}
