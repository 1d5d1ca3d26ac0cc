// The building blocks of a kind of history: a field has labels in both languages, a schema, and properties for lists,
// filters, CSV and details.
import { z } from 'zod'
import type { CsvColumn } from '../core/columns.ts'
import { idx, moment } from '../core/fields.ts'
import type { Label, Tone } from '../labels/enumOf.ts'

/** Labels of an enumeration's numbers. */
export type Values = Readonly<Record<number, Label & { readonly tone?: Tone }>>

export type Field<S extends z.ZodType = z.ZodType> = CsvColumn & {
  schema: S
  /** The field is a number of an enumeration: shown as its label, filtered by a select. */
  values?: Values
  /** Labels of texts that the product wrote itself, such as the names of presets. */
  words?: Readonly<Record<string, Label>>
  /** Labels of its texts by the number of another field of the entry; a text without one is shown as it is. */
  wordsBy?: { field: string; words: Readonly<Record<number, (text: string) => Label | undefined>> }
  /** Other labels of its numbers where another field of the entry has one of these values. */
  valuesBy?: { field: string; values: Readonly<Record<number, Values>> }
  /** Maximum length of the filter text, if not 30. */
  max?: number
}
export type Fields = Readonly<Record<string, Field>>

type Enumeration<V extends number> = { values: readonly V[]; labels: Values }

export const text = (ko: string, en: string) => ({ ko, en, schema: z.string() })
/** An address or a version; filter texts have at most 15 characters (spec S2 §9). */
export const shortText = (ko: string, en: string) => ({ ...text(ko, en), max: 15 })
/** A key in an external directory. */
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
/** A combination of bit flags. */
export const flags = (ko: string, en: string, labels: Values) => ({ ko, en, schema: z.int(), values: labels })
const NO: Label = { ko: '아니요', en: 'No' }
const YES: Label = { ko: '예', en: 'Yes' }
export const yesNo = (ko: string, en: string) => ({ ko, en, schema: z.literal([0, 1]), values: { 0: NO, 1: YES } })

/** A field that is empty in some rows. */
export const maybe = <F extends Field>(field: F) =>
  ({ ...field, schema: z.nullable(field.schema) }) as Omit<F, 'schema'> & { schema: z.ZodNullable<F['schema']> }

const later = <F extends Field>(field: F) =>
  ({ ...field, schema: z.nullish(field.schema) }) as Omit<F, 'schema'> & {
    schema: z.ZodOptional<z.ZodNullable<F['schema']>>
  }
/** The end of an entry, and why it has none. Entries from before ends existed lack both. */
export const ENTRY_END = {
  endDT: later(momentField('종료 일시', 'Ends')),
  endReason: later(text('종료일이 없는 사유', 'Why there is no end')),
}

/** Idxes of a row's subject and author, for links. Null once these are deleted, and if the viewer cannot open them. */
export const LINKS = { targetIdx: idx.nullable(), actorIdx: idx.nullable() }

/** The author. */
export const ACTOR = {
  actorId: text('작업자 아이디', 'Actor ID'),
  actorName: text('작업자', 'Actor'),
  actorGroupName: text('작업자 그룹', 'Actor group'),
}
/** The person that a row is about. */
export const PERSON = {
  userId: text('아이디', 'ID'),
  userName: text('이름', 'Name'),
  userGroupName: text('그룹', 'Group'),
}

/** Nested entries of a row, shown as a table in its detail. */
export type List = Label & {
  fields: Fields
  /** Rows of one page of the table (spec S2 §9). */
  rows: 3 | 5 | 6
  /** Its entries have no old side. */
  isOneSided?: true
}
export type Lists = Readonly<Record<string, List>>
