// Texts of the users screen.
import { defineTexts } from '../../kit/texts/texts.ts'

export const usersTexts = defineTexts(
  () => import('./users.ko.json'),
  () => import('./users.en.json'),
)
