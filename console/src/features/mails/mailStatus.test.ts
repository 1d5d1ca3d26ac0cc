import { expect, test } from 'vitest'
import { canResend, mailStatus } from './mailStatus.ts'

test.each([
  [{ state: 0, tries: 0, isInOutbox: 0 }, 'waiting'],
  [{ state: 0, tries: 3, isInOutbox: 0 }, 'retrying'],
  [{ state: 1, tries: 1, isInOutbox: 0 }, 'sent'],
  [{ state: 1, tries: 1, isInOutbox: 1 }, 'inOutbox'],
  [{ state: 2, tries: 8, isInOutbox: 0 }, 'failed'],
] as const)('%o reads %s', (mail, word) => {
  expect(mailStatus(mail).word).toBe(word)
})

test('only what has left the queue for good can be sent again', () => {
  expect(canResend({ state: 0, tries: 1, isInOutbox: 0 })).toBe(false)
  expect(canResend({ state: 1, tries: 1, isInOutbox: 1 })).toBe(false)
  expect(canResend({ state: 1, tries: 1, isInOutbox: 0 })).toBe(true)
  expect(canResend({ state: 2, tries: 8, isInOutbox: 0 })).toBe(true)
})
