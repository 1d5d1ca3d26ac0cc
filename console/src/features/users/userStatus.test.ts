import { expect, test } from 'vitest'
import { reasonsOf, userStatus } from './userStatus.ts'

const none = { expired: 0, loginFailsExceeded: 0, otpFailsExceeded: 0, managed: 0 } as const

test.each([
  [0, none, 'active'],
  [1, none, 'temporary'],
  [2, none, 'suspended'],
  [3, none, 'suspended'],
  [0, { ...none, expired: 1 }, 'expired'],
  [1, { ...none, expired: 1 }, 'expired'],
  [2, { ...none, expired: 1 }, 'suspended'],
] as const)('state %i with %o reads %s', (state, description, word) => {
  expect(userStatus({ state, description }).word).toBe(word)
})

test('every reason is told', () => {
  expect(reasonsOf({ state: 2, description: none })).toEqual([])
  const all = { expired: 1, loginFailsExceeded: 1, otpFailsExceeded: 1, managed: 1 } as const
  expect(reasonsOf({ state: 2, description: all })).toEqual(['loginFails', 'otpFails', 'expired'])
})
