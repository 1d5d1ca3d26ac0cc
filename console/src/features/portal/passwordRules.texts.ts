// The default rules in words; the server names them by these keys. Rules of administrators' own have names of their own.
import { defineTexts } from '../../kit/texts/texts.ts'

export const passwordRulesTexts = defineTexts(
  () => import('./passwordRules.ko.json'),
  () => import('./passwordRules.en.json'),
)

export const DEFAULT_RULES = [
  'uppercase',
  'lowercase',
  'digit',
  'special',
  'length8',
  'whitespace',
  'sequentialDigits',
  'horizontalLetters',
  'verticalLetters',
  'repeatedDigits',
  'repeatedCharacters',
] as const
