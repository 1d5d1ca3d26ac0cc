import { defineTexts } from '../../kit/texts/texts.ts'

export const sessionsTexts = defineTexts('sessions', {
  ko: () => import('./sessions.ko.json'),
  en: () => import('./sessions.en.json'),
})
