// How every list is asked for and answered (S2 section 3). A list also answers as CSV with `Accept: text/csv`.
import { z } from 'zod'
import { UNCAPPED } from './fields.ts'

/** More matches than this are not counted: the answer then says `maxCount + 1` (S2 section 9). */
export const DEFAULT_MAX_COUNT = 10_000
export const SortOrder = { ASCENDING: 0, DESCENDING: 1 } as const
/** 0: the given texts are searched together (any may match); 1: every given field must match. */
export const FilterType = { SINGLE: 0, MULTI: 1 } as const

/** The paging fields of a list sorted by one of `columns`, the newest first unless told. */
export const paging = <const C extends readonly [string, ...string[]]>(columns: C) =>
  z.object({
    rowsAfter: z.int().min(0).max(UNCAPPED).default(0),
    rowsCount: z.int().min(1).max(UNCAPPED).default(25),
    maxCount: z.int().min(1).max(UNCAPPED).default(DEFAULT_MAX_COUNT),
    sort: z.enum(columns).optional(),
    sortOrder: z.literal([0, 1]).default(1),
  })

export type Paging = { rowsAfter: number; rowsCount: number; maxCount: number; sort?: string; sortOrder: 0 | 1 }

/** At most this many rows in one JSON answer; CSV has no such bound. */
export const MAX_ROWS = 1000

export const filterType = z.literal([0, 1]).default(0)

/** A page of rows. `totalCount` is `maxCount + 1` where there are more matches than `maxCount`. */
export const pageOf = <T extends z.ZodType>(item: T) => z.object({ totalCount: z.int(), items: z.array(item) })

type Text = { ko: string; en: string }
/** A column of the CSV form: its heading, and texts in place of numbers where the value is an enumeration. */
export type CsvColumn = Text & {
  values?: Record<number, Text>
  as?: 'moment' | 'day'
  /** Only the system administrator's file has this column. */
  for?: 'admin'
}
