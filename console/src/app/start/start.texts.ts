import { defineTexts } from '../../kit/texts/texts.ts'

/** Texts of the start; those of the frame are loaded with the frame. */
export const startTexts = defineTexts(
  () => import('./start.ko.json'),
  () => import('./start.en.json'),
)
