import { defineTexts } from '../../kit/texts/texts.ts'

export const ownSessionsTexts = defineTexts('ownSessions', {
  ko: () => import('./ownSessions.ko.json'),
  en: () => import('./ownSessions.en.json'),
})
