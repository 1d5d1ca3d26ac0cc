// The building blocks of a kind of history: a field has words in both languages, a schema, and what lists, filters, CSV
// and details need to know of it.
import { z } from 'zod'
import { idx, moment } from '../core/fields.ts'
import type { Label, Tone } from '../labels/enumOf.ts'

/** Words of the numbers of an enumeration. */
export type Values = Readonly<Record<number, Label & { readonly tone?: Tone }>>

export type Field<S extends z.ZodType = z.ZodType> = Label & {
  schema: S
  /** The field is a number of an enumeration: shown as its word, filtered by a select. */
  values?: Values
  /** How a value that is no plain text is shown. */
  as?: 'moment' | 'day' | 'bytes' | 'gigabytes' | 'days'
  /** Longest filter text, where it is not 30. */
  max?: number
  /** Only system administrators read it (spec S2 §6). */
  for?: 'admin'
}
export type Fields = Readonly<Record<string, Field>>

type Enumeration<V extends number> = { values: readonly V[]; labels: Values }

export const text = (ko: string, en: string) => ({ ko, en, schema: z.string() })
/** An address or a version: filtered by at most 15 characters (spec S2 §9). */
export const shortText = (ko: string, en: string) => ({ ...text(ko, en), max: 15 })
/** A key of an outside directory. */
export const keyText = (ko: string, en: string) => ({ ...text(ko, en), for: 'admin' as const })
export const count = (ko: string, en: string) => ({ ko, en, schema: z.int() })
export const bytes = (ko: string, en: string) => ({ ...count(ko, en), as: 'bytes' as const })
export const momentField = (ko: string, en: string) => ({ ko, en, schema: moment, as: 'moment' as const })
export const dayField = (ko: string, en: string) => ({ ko, en, schema: z.string(), as: 'day' as const })
export const choice = <const V extends number>(ko: string, en: string, { values, labels }: Enumeration<V>) => ({
  ko,
  en,
  schema: z.literal(values),
  values: labels,
})
/** A number of a combination of bit flags. */
export const flags = (ko: string, en: string, labels: Values) => ({ ko, en, schema: z.int(), values: labels })
const NO: Label = { ko: '아니요', en: 'No' }
const YES: Label = { ko: '예', en: 'Yes' }
export const yesNo = (ko: string, en: string) => ({ ko, en, schema: z.literal([0, 1]), values: { 0: NO, 1: YES } })

/** A field whose value some rows do not have. */
export const maybe = <F extends Field>(field: F) =>
  ({ ...field, schema: z.nullable(field.schema) }) as Omit<F, 'schema'> & { schema: z.ZodNullable<F['schema']> }

/** The numbers that a row of any kind carries for links: of whom or what it is about, and of the author. */
export const LINKS = { targetIdx: idx.nullable(), actorIdx: idx.nullable() }

/** Who did it. */
export const ACTOR = {
  actorId: text('작업자 아이디', 'Actor ID'),
  actorName: text('작업자', 'Actor'),
  actorGroupName: text('작업자 그룹', "Actor's group"),
}
/** The person that a row is about. */
export const PERSON = {
  userId: text('아이디', 'ID'),
  userName: text('이름', 'Name'),
  userGroupName: text('그룹', 'Group'),
}

/** Entries of a row that form a table of their own in its detail. */
export type List = Label & {
  fields: Fields
  /** Rows of one page of the table (spec S2 §9). */
  rows: 3 | 5 | 6
}
export type Lists = Readonly<Record<string, List>>

/** The schema of a record of fields. */
export type ShapeOf<F extends Fields> = { [K in keyof F]: F[K]['schema'] }
export const shapeOf = <F extends Fields>(fields: F): ShapeOf<F> =>
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])) as ShapeOf<F>
