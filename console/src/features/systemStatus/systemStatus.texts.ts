import { defineTexts } from '../../kit/texts/texts.ts'

export const systemStatusTexts = defineTexts(
  () => import('./systemStatus.ko.json'),
  () => import('./systemStatus.en.json'),
)
