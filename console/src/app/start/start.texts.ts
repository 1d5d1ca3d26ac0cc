import { defineTexts } from '../../kit/texts/texts.ts'

/** What the start itself says; the rest of the frame's words come with the frame. */
export const startTexts = defineTexts(
  () => import('./start.ko.json'),
  () => import('./start.en.json'),
)
