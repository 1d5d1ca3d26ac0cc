import { defineTexts } from '../../kit/texts/texts.ts'

export const portalTexts = defineTexts(
  () => import('./portal.ko.json'),
  () => import('./portal.en.json'),
)

export const downloadTexts = defineTexts(
  () => import('./download.ko.json'),
  () => import('./download.en.json'),
)

export const passwordRulesTexts = defineTexts(
  () => import('./passwordRules.ko.json'),
  () => import('./passwordRules.en.json'),
)

export const registerTexts = defineTexts(
  () => import('./register.ko.json'),
  () => import('./register.en.json'),
)

export const selfServiceTexts = defineTexts(
  () => import('./selfService.ko.json'),
  () => import('./selfService.en.json'),
)
