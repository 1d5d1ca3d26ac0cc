import { defineTexts } from '../../kit/texts/texts.ts'

/** What the start itself says; the rest of the frame's words come with the frame. */
export const startTexts = defineTexts('start', {
  ko: () => import('./start.ko.json'),
  en: () => import('./start.en.json'),
})
