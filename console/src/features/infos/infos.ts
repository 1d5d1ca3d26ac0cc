// Texts of the information menu.
import { defineTexts } from '../../kit/texts/texts.ts'

export const infosTexts = defineTexts(
  () => import('./infos.ko.json'),
  () => import('./infos.en.json'),
)
