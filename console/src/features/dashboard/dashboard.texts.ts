import { defineTexts } from '../../kit/texts/texts.ts'

export const dashboardTexts = defineTexts(
  () => import('./dashboard.ko.json'),
  () => import('./dashboard.en.json'),
)
