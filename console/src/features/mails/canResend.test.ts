import { MailState } from '@acc/contract/labels/mails'
import { expect, test } from 'vitest'
import { canResend } from './canResend.ts'

test.each([
  [{ state: MailState.WAITING, isInOutbox: 0 }, false],
  [{ state: MailState.SENT, isInOutbox: 1 }, false],
  [{ state: MailState.SENT, isInOutbox: 0 }, true],
  [{ state: MailState.FAILED, isInOutbox: 0 }, true],
] as const)('%o can be sent again: %s', (mail, expected) => {
  expect(canResend(mail)).toBe(expected)
})
