// Declaration of a kind of history, from the written row to the screen: `detail` is what a writer must pass, `item`
// what a list returns; filters, sorting and CSV columns are derived from the same fields.
import { z } from 'zod'
import type { Access } from '../core/access.ts'
import { type CsvColumn, type ShapeOf, shapeOf } from '../core/columns.ts'
import { anyMoment, chosenGroups, idx, moment, searchText, shortSearchText } from '../core/fields.ts'
import { paging } from '../core/paging.ts'
import type { Label } from '../labels/enumOf.ts'
import { type Field, type Fields, LINKS, type Lists, shortText } from './fields.ts'

/** Inclusive start and exclusive end; without them the list reaches as far back as the history. */
const RANGE = {
  logSDT: anyMoment.optional().describe('From this moment on'),
  logEDT: anyMoment.optional().describe('Before this moment'),
  logHour: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .optional()
    .describe('Within the hour of the day that begins at this time, HH:MM in the time zone of X-Time-Zone'),
  groupIdxes: chosenGroups.describe('Of these groups and their subgroups; rows without a group are left out'),
}

type FilterShape<F extends Fields, N extends keyof F> = {
  [K in N]: z.ZodOptional<F[K] extends { values: object } ? F[K]['schema'] : z.ZodString>
}

/** The query of a list: paging, a period, an hour of the day, groups, and an optional filter for each named field. */
export function filterOf<F extends Fields, const N extends keyof F & string, const S extends string>(
  fields: F,
  filters: readonly N[],
  sorts: readonly S[],
) {
  const schemaOf = (field: Field | undefined) => {
    if (field?.values) return z.optional(field.schema)
    return z.optional(field?.max === undefined ? searchText : shortSearchText)
  }
  const shape = Object.fromEntries(filters.map((name) => [name, schemaOf(fields[name])])) as FilterShape<F, N>
  return paging<readonly ['idx', ...S[]]>(['idx', ...sorts])
    .extend(RANGE)
    .extend(shape)
}

const isNumber = (name: string) => /idx$/i.test(name)

/**
 * The CSV column of each list of nested entries: the first text of an entry, then the others in brackets, its number
 * last. Keys are left out for every reader.
 */
export const listColumnsOf = (lists: Lists): Record<string, CsvColumn> =>
  Object.fromEntries(
    Object.entries(lists).map(([name, { fields, ...list }]) => {
      const shown = Object.entries(fields).filter(([, field]) => field.for !== 'admin')
      const ordered = shown.toSorted(([one], [other]) => Number(isNumber(one)) - Number(isNumber(other)))
      const headed = (language: 'ko' | 'en') =>
        `${list[language]} (${ordered.map(([, field]) => field[language]).join(', ')})`
      return [name, { ko: headed('ko'), en: headed('en'), entries: Object.fromEntries(ordered) }]
    }),
  )

type NestedName<L extends Lists> = { [K in keyof L]: keyof L[K]['fields'] & string }[keyof L]
/** The fields of a row, and the texts of its nested entries, by which lists may be filtered too. */
type Filtered<R extends Fields, L extends Lists> = R & Record<Exclude<NestedName<L>, keyof R>, Field<z.ZodString>>
export const withNested = <R extends Fields, L extends Lists>(fields: R, lists: L): Filtered<R, L> =>
  Object.assign({}, ...Object.values(lists).map((list) => list.fields), fields) as Filtered<R, L>

type OldName<K> = K extends `target${infer Rest}`
  ? `targetOld${Rest}`
  : K extends `policy${infer Rest}`
    ? `policyOld${Rest}`
    : never
/** The name of a value in the history: `clipboard` of a policy is `policyClipboard`. */
export const fieldName = <P extends string, N extends string>(prefix: P, name: N) =>
  `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}` as `${P}${Capitalize<N>}`

/** The name of a field's old counterpart (spec S2 §3), as `policyOldPrint` of `policyPrint`. */
export const oldName = (name: string): string => name.replace(/^(target|policy)/, '$1Old')

type OldFields<F extends Fields> = { [K in keyof F as OldName<K>]: Field<z.ZodNullable<F[K]['schema']>> }
const oldFieldsOf = <F extends Fields>(fields: F): OldFields<F> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      oldName(name),
      { ...field, ko: `이전 ${field.ko}`, en: `Old ${field.en}`, schema: z.nullable(field.schema) },
    ]),
  ) as OldFields<F>

const IS_OLD = { isOld: z.literal([0, 1]).optional() }
type ListShape<L extends Lists> = {
  [K in keyof L]: z.ZodOptional<z.ZodArray<z.ZodObject<ShapeOf<L[K]['fields']> & typeof IS_OLD>>>
}
const listShapeOf = <L extends Lists>(lists: L): ListShape<L> =>
  Object.fromEntries(
    Object.entries(lists).map(([name, { fields }]) => [
      name,
      z.array(z.object(shapeOf(fields)).extend(IS_OLD)).optional(),
    ]),
  ) as ListShape<L>

/** In responses each part is optional: older rows lack fields, and only administrators receive keys. */
type Loose<F extends Fields> = { [K in keyof F]: z.ZodOptional<z.ZodNullable<F[K]['schema']>> }
const looseOf = <F extends Fields>(fields: F): Loose<F> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { schema }]) => [name, z.optional(z.nullable(schema))]),
  ) as Loose<F>

type Compared = { compared: Fields; lists: Lists; filter: z.ZodObject }
/** The fields and lists whose changes everybody may look for. Entries of a list without `isOld` do not change. */
const changesOf = ({ compared, lists }: Pick<Compared, 'compared' | 'lists'>): string[] => [
  ...Object.entries(compared).flatMap(([name, field]) => (field.for === 'admin' ? [] : [name])),
  ...Object.entries(lists).flatMap(([name, { isOneSided }]) => (isOneSided ? [] : [name])),
]

const TRACE = {
  targetIdx: idx.optional().describe('About the object with this number; of policies, with `targetType`'),
}

type Changed = { changed: z.ZodOptional<z.ZodEnum<Record<string, string>>> }
type Traced<K extends Compared> = Omit<K, 'filter'> & {
  filter: z.ZodObject<K['filter']['shape'] & typeof TRACE & Changed>
}
/** Adds the filters of a kind whose rows are the story of an object: its number, and what changed. */
export function traced<const K extends Compared>(kind: K): Traced<K> {
  const changed = z.enum(changesOf(kind)).optional().describe('Changed this field, or entries of this list')
  return { ...kind, filter: kind.filter.extend({ ...TRACE, changed }) } as unknown as Traced<K>
}

/** Objects that links open. A policy's owner is a group or a user by `targetType`; of BIM, a server or an address. */
type TargetObject = 'user' | 'userImport' | 'group' | 'policyOwner' | 'authority' | 'request' | 'shortcut' | 'bim'
/** What the rows of a kind are about, for links. Settings and client versions have a place, which is always there. */
export type TargetKind = TargetObject | 'setting' | 'clientVersion'

export type KindTexts = { title: Label; group: 'client' | 'web' | 'system' }

type HistorySpec<H extends Fields, F extends Fields, C extends Fields, L extends Lists, N, S> = KindTexts & {
  path: `/Logs/${string}`
  access: Access
  /** Null if no screen shows what the rows are about. */
  target: TargetKind | null
  /** The specification does not name the call. */
  assumed?: true
  /** Fields that are columns of the table: event and author. */
  head: H
  /** Fields without an old value. */
  facts: F
  /** Fields with an old counterpart. */
  compared: C
  /** Nested entries, each marked old or new. */
  lists: L
  /** The columns of the list, in their order. */
  columns: readonly (keyof H | keyof F | keyof C | 'logDT' | 'ip')[]
  filters: readonly N[]
  sorts: readonly S[]
}

const IP = { ip: shortText('IP', 'IP') }
const LOG_DT = { ko: '일시', en: 'Time', schema: moment, as: 'moment' as const }

/** A kind whose rows are in the append-only table. */
export function historyKind<
  H extends Fields,
  F extends Fields,
  C extends Fields,
  L extends Lists,
  const N extends (keyof Filtered<H & F & C, L> | 'ip') & string,
  const S extends keyof (H & F & C) & string,
>(spec: HistorySpec<H, F, C, L, N, S>) {
  const { head, facts, compared, lists } = spec
  const olds = oldFieldsOf(compared)
  const listShape = listShapeOf(lists)
  return {
    ...spec,
    /** Other logs read the tables of sign-ins and of requests, whose rows change. */
    store: 'history' as const,
    time: 'logDT' as const,
    /** What a writer passes; a wrong detail does not compile. */
    detail: z.object({ ...shapeOf(facts), ...shapeOf(compared), ...shapeOf(olds), ...listShape }),
    item: z.object({
      idx,
      logDT: moment,
      ...LINKS,
      ...shapeOf(head),
      ...looseOf(facts),
      ...looseOf(compared),
      ...looseOf(olds),
      ...listShape,
      ip: z.string(),
    }),
    fields: { logDT: LOG_DT, ...head, ...facts, ...compared, ...olds, ...IP } satisfies Fields,
    filter: filterOf(withNested({ ...head, ...facts, ...compared, ...IP }, lists), spec.filters, [
      'logDT',
      ...spec.sorts,
    ]),
  }
}
