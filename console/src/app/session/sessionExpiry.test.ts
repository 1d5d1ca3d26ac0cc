import { expect, test } from 'vitest'
import { expiryOf } from './sessionExpiry.ts'

test('a session is over 10 seconds after its minutes since the last use', () => {
  expect(expiryOf(0, 30, 0)).toBe(1_810_000)
})

test('what the server says counts where it is later: another tab has used the session', () => {
  expect(expiryOf(0, 30, 5_000_000)).toBe(5_010_000)
})
