// Texts of absences.
import { defineTexts } from '../../kit/texts/texts.ts'

export const absencesTexts = defineTexts(
  () => import('./absences.ko.json'),
  () => import('./absences.en.json'),
)
