// The label of a search box, from the headings of the columns that it searches.
import { api } from '@acc/contract'
import type { Columns } from '@acc/contract/core/columns'
import { expect, test } from 'vitest'
import { joinHeadings } from './labels.ts'

const searched = (columns: Columns) => Object.values(columns).filter(({ isInSearchBox }) => isInSearchBox)

test.each([
  [api.users.search, '아이디, 이름, 이메일, 그룹', 'ID, name, email, or group'],
  [api.loginPolicy.searchOtpExceptions, '아이디, 이름, 그룹', 'ID, name, or group'],
  [api.licenses.searchUses, '아이디, 이름', 'ID or name'],
])('the headings of a list are words of a sentence (%#)', ({ columns }, ko, en) => {
  expect(joinHeadings(searched(columns), 'ko')).toBe(ko)
  expect(joinHeadings(searched(columns), 'en')).toBe(en)
})
