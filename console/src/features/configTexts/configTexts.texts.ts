import { defineTexts } from '../../kit/texts/texts.ts'

export const configTextsTexts = defineTexts(
  () => import('./configTexts.ko.json'),
  () => import('./configTexts.en.json'),
)
