// Texts of sent mail, and what may be done with one.
import type { Language } from '@acc/contract/labels/enumOf'
import { MailState } from '@acc/contract/labels/mails'
import type { Mail } from '@acc/contract/mails'
import { defineTexts } from '../../kit/texts/texts.ts'

export const mailsTexts = defineTexts(
  () => import('./mails.ko.json'),
  () => import('./mails.en.json'),
)

/** Mails that can be resent: failed ones, and sent ones unless they are in the outbox, which has no mail server. */
export const canResend = ({ state, isInOutbox }: Pick<Mail, 'state' | 'isInOutbox'>): boolean =>
  state === MailState.FAILED || (state === MailState.SENT && isInOutbox === 0)

/** A line of a mail. One that names a word, `Temporary password: x7Kd-92`, is worth copying. */
type Line = { key: number; line: string; named?: { name: string; value: string } }

const isKorean = (text: string) => /[가-힣]/.test(text)

/** Lines about a request begin with its number. */
const NAMED = /^(?!#)([^:]{1,40}): (\S+)$/

/** A mail says the same in both languages: the line in the reader's language is the one to copy from. */
export const linesOf = (text: string, language: Language): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line, key) => {
      const [, name, value] = NAMED.exec(line) ?? []
      if (name === undefined || value === undefined) return { key, line }
      const isForReader = isKorean(name) === (language === 'ko') || !isKorean(text)
      return isForReader ? { key, line, named: { name, value } } : { key, line }
    })
