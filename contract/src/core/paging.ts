// Requests and responses of lists (spec S2 §3). A list also returns CSV for `Accept: text/csv`.
import { z } from 'zod'
import { UNCAPPED } from './fields.ts'

/** Counting stops here; `totalCount` is then `maxCount + 1` (spec S2 §9). */
export const DEFAULT_MAX_COUNT = 10_000
export const SortOrder = { ASCENDING: 0, DESCENDING: 1 } as const
/** SINGLE: any of the given fields may match; MULTI: all of them must match. */
export const FilterType = { SINGLE: 0, MULTI: 1 } as const

/** Paging fields of a list that can be sorted by `columns`; newest first by default. */
export const paging = <const C extends readonly [string, ...string[]]>(columns: C) =>
  z.object({
    rowsAfter: z.int().min(0).max(UNCAPPED).default(0),
    rowsCount: z.int().min(1).max(UNCAPPED).default(25),
    maxCount: z.int().min(1).max(UNCAPPED).default(DEFAULT_MAX_COUNT),
    sort: z.enum(columns).optional(),
    sortOrder: z.literal([0, 1]).default(1),
  })

export type Paging<S extends string = string> = {
  rowsAfter: number
  rowsCount: number
  maxCount: number
  sort?: S | undefined
  sortOrder: 0 | 1
}

/** Maximum number of rows in one JSON response, unless the route declares another one; CSV is not limited. */
export const MAX_ROWS = 1000

export const filterType = z.literal([0, 1]).default(0)

/** A page of rows. `totalCount` is `maxCount + 1` if more rows match. */
export const pageOf = <T extends z.ZodType>(item: T) => z.object({ totalCount: z.int(), items: z.array(item) })
