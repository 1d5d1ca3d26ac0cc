// The error sentences of the contract, loaded in the person's language.
import { defineTexts } from '../texts/texts.ts'

export const errorTexts = defineTexts(
  () => import('@acc/contract/labels/errors.ko'),
  () => import('@acc/contract/labels/errors.en'),
)
