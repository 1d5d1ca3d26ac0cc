import { defineTexts } from '../../kit/texts/texts.ts'

export const portalTexts = defineTexts(
  () => import('./portal.ko.json'),
  () => import('./portal.en.json'),
)
