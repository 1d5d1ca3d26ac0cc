import type { Language } from '@acc/contract/labels/enumOf'

// The text of a mail, line by line. A line that names one word, `Temporary password: x7Kd-92`, is worth copying.

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
