// Texts of the client management screen.
import { defineTexts } from '../../kit/texts/texts.ts'

export const clientVersionsTexts = defineTexts(
  () => import('./clientVersions.ko.json'),
  () => import('./clientVersions.en.json'),
)
