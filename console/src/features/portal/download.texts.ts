import { defineTexts } from '../../kit/texts/texts.ts'

export const downloadTexts = defineTexts(
  () => import('./download.ko.json'),
  () => import('./download.en.json'),
)
