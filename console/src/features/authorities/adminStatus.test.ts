import { expect, test } from 'vitest'
import { adminStatus } from './adminStatus.ts'

test.each([
  [0, 'active'],
  [1, 'temporaryPassword'],
  [2, 'suspended'],
  [3, 'suspended'],
])('state %i reads %s', (state, word) => {
  expect(adminStatus(state).word).toBe(word)
})
