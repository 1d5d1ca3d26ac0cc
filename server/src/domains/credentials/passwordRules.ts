// The rules for a new password: it satisfies every positive rule and violates every negative one (spec S1 §5). The names of
// the default rules are keys of the console's texts.
import { randomInt } from 'node:crypto'
import type { PasswordRule } from '@acc/contract/configs'

export type PasswordRules = { positiveRules: PasswordRule[]; negativeRules: PasswordRule[] }

const runsOf = (line: string, length: number) =>
  Array.from({ length: Math.max(0, line.length - length + 1) }, (_, i) => line.slice(i, i + length))
const bothWays = (run: string) => [run, [...run].reverse().join('')]
const anyOf = (lines: string[], length: number) =>
  [...new Set(lines.flatMap((line) => runsOf(line, length)).flatMap(bothWays))].join('|')
const anyCase = (letters: string) => letters.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)

const KEYBOARD_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const KEYBOARD_COLUMNS = ['qaz', 'wsx', 'edc', 'rfv', 'tgb', 'yhn', 'ujm']

export const DEFAULT_RULES: PasswordRules = {
  positiveRules: [
    { name: 'uppercase', reg: '[A-Z]' },
    { name: 'lowercase', reg: '[a-z]' },
    { name: 'digit', reg: '[0-9]' },
    { name: 'special', reg: '[!-/:-@\\[-`{-~]' },
    { name: 'length8', reg: '^.{8,}$' },
  ],
  negativeRules: [
    { name: 'whitespace', reg: '\\s' },
    { name: 'sequentialDigits', reg: anyOf(['01234567890'], 3) },
    { name: 'horizontalLetters', reg: anyCase(anyOf(KEYBOARD_ROWS, 4)) },
    { name: 'verticalLetters', reg: anyCase(anyOf(KEYBOARD_COLUMNS, 3)) },
    { name: 'repeatedDigits', reg: '([0-9])\\1\\1' },
    { name: 'repeatedCharacters', reg: '(.)\\1\\1' },
  ],
}

/** Whether a password may be used under the rules. */
export const isSuitable = (password: string, { positiveRules, negativeRules }: PasswordRules): boolean =>
  positiveRules.every(({ reg }) => new RegExp(reg).test(password)) &&
  negativeRules.every(({ reg }) => !new RegExp(reg).test(password))

// Without letters and digits that look alike, since people read it from a mail.
const KINDS = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789', '!@#$%*?-_=+']
const ALL = KINDS.join('')
const pick = (from: string) => from.charAt(randomInt(from.length))

/** A random password of 16 characters that the rules accept; about 95 bits. */
export function randomPassword(rules: PasswordRules): string {
  for (;;) {
    const drawn = [...KINDS.map(pick), ...Array.from({ length: 12 }, () => pick(ALL))]
    for (let i = drawn.length - 1; i > 0; i--) {
      const j = randomInt(i + 1)
      ;[drawn[i], drawn[j]] = [drawn[j] ?? '', drawn[i] ?? '']
    }
    const password = drawn.join('')
    if (isSuitable(password, rules)) return password
  }
}
