// Texts of the register step, apart from those of the first paint.
import { defineTexts } from '../../kit/texts/texts.ts'

export const registerTexts = defineTexts(
  () => import('./register.ko.json'),
  () => import('./register.en.json'),
)
