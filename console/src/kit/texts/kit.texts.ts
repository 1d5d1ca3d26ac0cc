// The texts of the kit itself; features take a word like `cancel` from here.
import { defineTexts } from './texts.ts'

export const kitTexts = defineTexts(
  () => import('./kit.ko.json'),
  () => import('./kit.en.json'),
)
