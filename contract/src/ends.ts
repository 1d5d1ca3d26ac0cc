// When an own policy of a person, a network exception or a membership of an authority ends.
import { z } from 'zod'
import { page } from './core/access.ts'
import { type Columns, queryOf, shapeOf } from './core/columns.ts'
import { anyMoment, flag, idx, line, moment, searchText } from './core/fields.ts'
import { defineRoutes, list } from './core/route.ts'
import { Level } from './labels/access.ts'
import { EndingKind, Finding } from './labels/ends.ts'

/** Days until the latest end that can be set, and the one more that the end of a day needs in any time zone. */
export const MAX_END_DAYS = 366
export const MAX_END_REASON = 200

/** A stored end. Both are null in rows from before ends existed. */
export const StoredEnd = z.object({
  endDT: moment.nullable(),
  /** Why there is no end. */
  endReason: z.string().nullable(),
})
export type StoredEnd = z.output<typeof StoredEnd>
export const NO_END: StoredEnd = { endDT: null, endReason: null }

/**
 * An end as an edit sends it: a moment, or null with a reason. Callers who know no ends omit both: a stored row keeps
 * its end, and a new one has none.
 */
export const EndChange = z.object({
  endDT: anyMoment.nullable().optional(),
  endReason: line(MAX_END_REASON).nullable().optional(),
})
export type EndChange = z.output<typeof EndChange>

/** Returns the end that an edit leaves. The reason of a row with an end is dropped. */
export function endAfter({ endDT, endReason }: EndChange, stored: StoredEnd = NO_END): StoredEnd {
  if (endDT === undefined) return stored
  return endDT === null
    ? { endDT, endReason: endReason || null }
    : { endDT: new Date(endDT).toISOString(), endReason: null }
}

export const isSameEnd = (one: StoredEnd, other: StoredEnd): boolean =>
  one.endDT === other.endDT && one.endReason === other.endReason

const kind = z.literal(EndingKind.values)
const yes = (label: { ko: string; en: string }) => ({ ...label, schema: flag, values: MARKED })
const MARKED = { 0: { ko: '', en: '' }, 1: { ko: '예', en: 'Yes' } }

const EXCEPTION_COLUMNS = {
  kind: { ko: '종류', en: 'Kind', schema: kind, values: EndingKind.labels, isSortable: true },
  name: { ko: '대상', en: 'For', schema: z.string(), isSortable: true },
  /** Null for an exception of a group. */
  id: { ko: '아이디', en: 'ID', schema: z.string().nullable() },
  groupName: { ko: '그룹', en: 'Group', schema: z.string(), isSortable: true },
  /** The description of a network exception, or the name of an authority. */
  what: { ko: '내용', en: 'What', schema: z.string(), isSortable: true },
  endDT: { ko: '종료 일시', en: 'Ends', schema: moment.nullable(), as: 'moment', isSortable: true },
  endReason: { ko: '종료일이 없는 사유', en: 'Why there is no end', schema: z.string().nullable() },
  /** With the client; of memberships any sign-in. */
  usedDT: { ko: '최근 로그인', en: 'Last sign-in', schema: moment.nullable(), as: 'moment', isSortable: true },
  isEndless: yes(Finding.labels[Finding.ENDLESS]),
  isUnused: yes(Finding.labels[Finding.UNUSED]),
  hasLeft: yes(Finding.labels[Finding.LEFT]),
} satisfies Columns

/** An own policy, a network exception or a membership without an end, without use, or of a person who left. */
export const ReportedException = z.object({
  idx,
  ...shapeOf(EXCEPTION_COLUMNS),
  userIdx: idx.nullable(),
  groupIdx: idx,
  /** Of a membership. */
  authorityIdx: idx.nullable(),
})
export type ReportedException = z.output<typeof ReportedException>

export const ends = defineRoutes({
  /** Lists exceptions that should be looked at. Memberships are listed for administrators only. */
  search: list('/Exceptions/Search', {
    input: queryOf(EXCEPTION_COLUMNS).extend({
      kind: kind.optional(),
      finding: z.literal(Finding.values).optional(),
      search: searchText.optional(),
    }),
    item: ReportedException,
    columns: EXCEPTION_COLUMNS,
    access: page('policy', Level.READ),
    errors: [],
    shows: ['policies', 'authorities', 'users', 'groups'],
    assumed: true,
  }),
})
