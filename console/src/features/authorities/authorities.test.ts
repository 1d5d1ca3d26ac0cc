import { NO_END } from '@acc/contract/ends'
import { expect, test } from 'vitest'
import { missingIn, NO_VALUES, valuesOf } from './authorities.ts'

test('an authority needs a name, a level and a group, in this order', () => {
  expect(missingIn(NO_VALUES)).toBe('noName')
  expect(missingIn({ ...NO_VALUES, name: '  ' })).toBe('noName')
  expect(missingIn({ ...NO_VALUES, name: 'Sales' })).toBe('allBlocked')
  expect(missingIn({ ...NO_VALUES, name: 'Sales', log: 1 })).toBe('noGroups')
  expect(missingIn({ ...NO_VALUES, name: 'Sales', log: 1, groupIdxes: [3] })).toBeUndefined()
})

test('the form holds the groups of an authority by their idx, and its members by theirs', () => {
  const groups = [
    { idx: 7, name: 'b', path: ['a', 'b'] },
    { idx: 3, name: 'a', path: ['a'] },
  ]
  const person = {
    id: 'kim01',
    name: '김하늘',
    email: 'kim@example.com',
    groupName: '영업',
    state: 0,
    expireDT: null,
    ...NO_END,
  }
  const users = [8, 2].map((idx) => ({ idx, ...person }))
  const levels = { policy: 0, user: 2, fileImportApprove: 0, fileExportApprove: 1, log: 1 } as const
  expect(valuesOf({ idx: 1, name: 'n', description: 'd', ...levels, users, groups, revision: 4 })).toEqual({
    name: 'n',
    description: 'd',
    ...levels,
    groupIdxes: [3, 7],
    userIdxes: [2, 8],
  })
})
