import { defineTexts } from '../../kit/texts/texts.ts'

export const usersTexts = defineTexts('users', {
  ko: () => import('./users.ko.json'),
  en: () => import('./users.en.json'),
})
