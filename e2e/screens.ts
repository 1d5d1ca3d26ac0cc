// What people do on every screen: signing in, opening a screen, answering a dialog.
import { expect, type Page } from '@playwright/test'
import { ADMIN } from './accServer.ts'

type Credentials = { id: string; password: string }

/** All that the address ever shows (S1 section 2), with or without the slash that the person came with. */
export const FRONT_ROUTE = /:\d+\/acc\/?$/

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

/** Comes with a session, as from another tab, for tests of what lies behind the sign-in page. `go`: a record to open. */
export async function enter(page: Page, { id, password }: Credentials = ADMIN, go?: string): Promise<void> {
  const headers = { 'X-Requested-With': 'XMLHttpRequest' }
  const answer = await page.request.post('/Account/Login', { data: { id, pw: password }, headers })
  expect(await answer.json()).toMatchObject({ errorCode: 0 })
  await page.goto(go === undefined ? '/acc' : `/acc?go=${go}`)
}

/** The menu of the console. */
export const menuOf = (page: Page, language: Language = 'ko') =>
  page.getByRole('navigation', { name: WORDS[language].menu })

/** Opens a screen by its menu item. */
export async function openScreen(page: Page, title: string): Promise<void> {
  await page
    .getByRole('navigation', { name: new RegExp(`^(${WORDS.ko.menu}|${WORDS.en.menu})$`) })
    .getByRole('button', { name: new RegExp(`^${title}`) })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

/** A group in a tree. */
export const groupItem = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: true })

/** Chooses an action of a group's gear menu. */
export async function chooseGroupAction(page: Page, group: string, action: string): Promise<void> {
  await groupItem(page, group).hover()
  await page.getByRole('button', { name: `${group} 그룹 작업` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** Presses a button of the dialog that stands there, and waits until it has gone. */
export async function answerDialog(page: Page, title: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByRole('button', { name: action, exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** What was done is said in the corner. */
export const expectNotice = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()
