// Texts of the default password rules, by the server's names. Custom rules show their own names.
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
