import { defineTexts } from '../../kit/texts/texts.ts'

export const sessionsTexts = defineTexts(
  () => import('./sessions.ko.json'),
  () => import('./sessions.en.json'),
)
