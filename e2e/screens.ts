// What people do on every screen: signing in, opening a screen.
import type { Page } from '@playwright/test'

/** All that the address ever shows (S1 section 2), with or without the slash that the person came with. */
export const FRONT_ROUTE = /:\d+\/acc\/?$/

type Credentials = { id: string; password: string }

const WORDS = {
  ko: { id: '아이디', password: '비밀번호', signIn: '로그인', menu: '주 메뉴' },
  en: { id: 'ID', password: 'Password', signIn: 'Sign in', menu: 'Main menu' },
}
export type Language = keyof typeof WORDS

/** Fills in the sign-in page, which is opened unless it stands there already, and sends it. */
export async function signIn(page: Page, { id, password }: Credentials, language: Language = 'ko'): Promise<void> {
  const words = WORDS[language]
  const idField = page.getByRole('textbox', { name: words.id, exact: true })
  if (!(await idField.isVisible())) await page.goto('/acc')
  await idField.fill(id)
  await page.getByRole('textbox', { name: words.password, exact: true }).fill(password)
  await page.getByRole('button', { name: words.signIn, exact: true }).click()
}

/** The menu of the console. */
export const menuOf = (page: Page, language: Language = 'ko') =>
  page.getByRole('navigation', { name: WORDS[language].menu })

/** Opens a screen by its menu item. */
export async function openScreen(page: Page, title: string, language: Language = 'ko'): Promise<void> {
  await menuOf(page, language)
    .getByRole('button', { name: new RegExp(`^${title}`) })
    .click()
}
