import { defineTexts } from '../../kit/texts.ts'

export const usersTexts = defineTexts('users', {
  ko: () => import('./users.ko.json'),
  en: () => import('./users.en.json'),
})
