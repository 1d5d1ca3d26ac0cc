// Columns that lists of people share.
import { z } from 'zod'
import type { Columns } from './core/columns.ts'
import { searchText } from './core/fields.ts'

export const PERSON_COLUMNS = {
  id: { ko: '아이디', en: 'ID', schema: z.string(), isSortable: true, filter: searchText, isInSearchBox: true },
  name: { ko: '이름', en: 'Name', schema: z.string(), isSortable: true, filter: searchText, isInSearchBox: true },
  email: { ko: '이메일', en: 'Email', schema: z.string(), isSortable: true },
  groupName: { ko: '그룹', en: 'Group', schema: z.string(), isSortable: true, filter: searchText, isInSearchBox: true },
} satisfies Columns

export const EXPIRY_COLUMN = {
  expireDT: { ko: '만료일', en: 'Expires', schema: z.string().nullable(), as: 'day', isSortable: true },
} satisfies Columns
