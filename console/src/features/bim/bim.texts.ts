import { defineTexts } from '../../kit/texts/texts.ts'

export const bimTexts = defineTexts(
  () => import('./bim.ko.json'),
  () => import('./bim.en.json'),
)
