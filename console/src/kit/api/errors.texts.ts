// The texts of all errors. The type demands every name of the catalogue in both languages, and three words for what has
// no name there: the way to the server is broken, the server is not ready, the server failed.
import type { ErrorName } from '@acc/contract/core/errors'
import { defineTexts } from '../texts/texts.ts'

export type ErrorTexts = Record<ErrorName | 'network' | 'unavailable' | 'server', string>

export const errorTexts = defineTexts('errors', {
  ko: () => import('./errors.ko.ts'),
  en: () => import('./errors.en.ts'),
})
