import { defineTexts } from '../../kit/texts/texts.ts'

export const selfServiceTexts = defineTexts(
  () => import('./selfService.ko.json'),
  () => import('./selfService.en.json'),
)
