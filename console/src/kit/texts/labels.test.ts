// The label of a search box, from the headings of the columns that it searches.
import { expect, test } from 'vitest'
import { joinHeadings } from './labels.ts'

const ID = { ko: '아이디', en: 'ID' }
const NAME = { ko: '이름', en: 'Name' }
const GROUP = { ko: '그룹', en: 'Group' }

test.each([
  [[NAME], '이름', 'name'],
  [[ID, NAME], '아이디, 이름', 'ID or name'],
  [[ID, NAME, GROUP], '아이디, 이름, 그룹', 'ID, name, or group'],
])('the headings of a list are words of a sentence (%#)', (headings, ko, en) => {
  expect(joinHeadings(headings, 'ko')).toBe(ko)
  expect(joinHeadings(headings, 'en')).toBe(en)
})
