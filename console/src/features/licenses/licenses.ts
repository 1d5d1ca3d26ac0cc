// Texts of the license menu.
import { defineTexts } from '../../kit/texts/texts.ts'

export const licensesTexts = defineTexts(
  () => import('./licenses.ko.json'),
  () => import('./licenses.en.json'),
)
