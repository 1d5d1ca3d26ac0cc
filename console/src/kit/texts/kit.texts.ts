// The texts of the kit itself; features take a word like `cancel` from here.
import { defineTexts } from './texts.ts'

export const kitTexts = defineTexts('kit', {
  ko: () => import('./kit.ko.json'),
  en: () => import('./kit.en.json'),
})
