import { defineTexts } from '../../kit/texts/texts.ts'

export const historyTexts = defineTexts(
  () => import('./history.ko.json'),
  () => import('./history.en.json'),
)
