// Texts of preset password rules in the list that they are in by default. Custom rules show their own names.
import { defineTexts } from '../../kit/texts/texts.ts'

export const passwordRulesTexts = defineTexts(
  () => import('./passwordRules.ko.json'),
  () => import('./passwordRules.en.json'),
)
