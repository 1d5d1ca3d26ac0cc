import { MailState } from '@acc/contract/labels/mails'
import { expect, test } from 'vitest'
import { canResend, linesOf } from './mails.ts'

test.each([
  [{ state: MailState.WAITING, isInOutbox: 0 }, false],
  [{ state: MailState.SENT, isInOutbox: 1 }, false],
  [{ state: MailState.SENT, isInOutbox: 0 }, true],
  [{ state: MailState.FAILED, isInOutbox: 0 }, true],
] as const)('%o can be sent again: %s', (mail, expected) => {
  expect(canResend(mail)).toBe(expected)
})

const namedIn = (text: string, language: 'ko' | 'en' = 'ko') =>
  linesOf(text, language).flatMap(({ named }) => named ?? [])

test('a line that names one word is offered for copying, anything else is only shown', () => {
  const text =
    '안내\n\n아이디: hong\n임시 비밀번호: x7:Kd-92\n#537 반출: 승인: 김 과장\n#535 반출 · 승인: 정하은\nhttps://acc.example.com/acc\n사유: 두 단어\n'
  expect(namedIn(text)).toEqual([
    { name: '아이디', value: 'hong' },
    { name: '임시 비밀번호', value: 'x7:Kd-92' },
  ])
  expect(linesOf(text, 'ko').map(({ line }) => line)).toEqual(text.trimEnd().split('\n'))
})

test('of a mail in both languages, the line in the language of the reader is offered', () => {
  const text = '임시 비밀번호: x7Kd-92\nTemporary password: x7Kd-92\n'
  expect(namedIn(text)).toEqual([{ name: '임시 비밀번호', value: 'x7Kd-92' }])
  expect(namedIn(text, 'en')).toEqual([{ name: 'Temporary password', value: 'x7Kd-92' }])
  expect(namedIn('Code: 123456\n')).toEqual([{ name: 'Code', value: '123456' }])
})
