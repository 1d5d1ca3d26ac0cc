import { defineTexts } from '../../kit/texts/texts.ts'

export const appTexts = defineTexts(
  () => import('./app.ko.json'),
  () => import('./app.en.json'),
)
