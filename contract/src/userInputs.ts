// The columns and filters of the list of users, and the inputs about them: a new user, a change (spec S1 §5, §7).
import { z } from 'zod'
import { type Columns, queryOf } from './core/columns.ts'
import {
  chosenGroups,
  day,
  email,
  flag,
  idx,
  key,
  loginId,
  moment,
  personName,
  searchText,
  twoFlags,
} from './core/fields.ts'
import { filterType } from './core/paging.ts'
import { StateFilter, USER_STATE_LABELS } from './labels/users.ts'
import { EXPIRY_COLUMN, PERSON_COLUMNS } from './personColumns.ts'

export const USER_COLUMNS = {
  ...PERSON_COLUMNS,
  email: { ...PERSON_COLUMNS.email, filter: searchText, isInSearchBox: true },
  key: { ko: '키', en: 'Key', schema: z.string().optional(), for: 'admin' },
  state: { ko: '상태', en: 'State', schema: twoFlags, values: USER_STATE_LABELS, isSortable: true },
  ...EXPIRY_COLUMN,
  lastClientLoginDT: {
    ko: '마지막 클라이언트 접속',
    en: 'Last client sign-in',
    schema: moment.nullable(),
    as: 'moment',
    isSortable: true,
  },
} satisfies Columns

export const UserFilter = queryOf(USER_COLUMNS).extend({
  filterType,
  /** 0: accounts without any flag; otherwise accounts with all of these flags. */
  state: twoFlags.optional(),
  /** What an account is shown as, or why it is suspended. */
  shownState: z.literal(StateFilter.values).optional(),
  groupIdx: idx.optional(),
  /** 1: includes the subgroups of groupIdx. */
  withSubgroups: flag.default(0),
  groupIdxes: chosenGroups.describe('Of these groups and their subgroups'),
})
export type UserFilter = z.output<typeof UserFilter>

export const NewUser = z.object({
  id: loginId,
  name: personName,
  email,
  groupIdx: idx,
  /** 1: the account expires after expireDT. */
  isMortal: flag,
  /** Last day of an account that expires; if omitted, the latest allowed day, or a year from today. */
  expireDT: day.nullable().optional(),
  /** System administrators only; generated if omitted. */
  key: key.optional(),
})
export type NewUser = z.output<typeof NewUser>

/** Omitted fields are unchanged. */
export const UserChange = z.object({
  idx,
  name: personName.optional(),
  email: email.optional(),
  groupIdx: idx.optional(),
  isMortal: flag.optional(),
  expireDT: day.nullable().optional(),
  /** System administrators only, as is loginType. */
  key: key.optional(),
  loginType: twoFlags.optional(),
  /** By system administrators only; not for administrators or oneself. Moves between the lists go through null. */
  useOtp: flag.nullable().optional(),
  revision: z.int().optional(),
})
export type UserChange = z.output<typeof UserChange>

/**
 * Returns whether an account may expire on this day: tomorrow or later, and within `maxExpireDT` days if that is above
 * 0 (spec S1 §5). Days are YYYY-MM-DD; `today` is the server's local day.
 */
export function isExpiryAllowed(expireDT: string, today: string, maxExpireDT: number): boolean {
  const days = (Date.parse(expireDT) - Date.parse(today)) / 86_400_000
  return days >= 1 && (maxExpireDT === 0 || days <= maxExpireDT)
}
