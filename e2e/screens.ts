// What people do on every screen: signing in, opening a screen, answering a dialog.
import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { ADMIN } from './accServer.ts'

type Credentials = { id: string; password: string }

/** The only address that is shown (spec S1 §2), with or without a trailing slash. */
export const FRONT_ROUTE = /:\d+\/acc\/?$/

const WORDS = {
  ko: { id: '아이디', password: '비밀번호', signIn: '로그인', menu: '주 메뉴' },
  en: { id: 'ID', password: 'Password', signIn: 'Sign in', menu: 'Main menu' },
}
export type Language = keyof typeof WORDS

/** Opens the sign-in page if necessary, fills it in and submits it. */
export async function signIn(page: Page, { id, password }: Credentials, language: Language = 'ko'): Promise<void> {
  const words = WORDS[language]
  const idField = page.getByRole('textbox', { name: words.id, exact: true })
  // A page that a link has opened draws itself after its load: another address would lose what the link leads to.
  if (page.url() !== 'about:blank') await page.getByRole('heading').first().waitFor()
  if (!(await idField.isVisible())) await page.goto('/acc')
  await idField.fill(id)
  await page.getByRole('textbox', { name: words.password, exact: true }).fill(password)
  await page.getByRole('button', { name: words.signIn, exact: true }).click()
}

/** Opens a page of the portal by its link, which the heading repeats; until it is there, the page before stays. */
export async function openPortalPage(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

/** The session cookies of people who have signed in before: hashing a password costs a tenth of a test's time. */
const signedIn = new Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>()
const headers = { 'X-Requested-With': 'XMLHttpRequest' }

/** The server's address, and whether the browser has a session there. */
async function readSession(page: Page): Promise<{ origin: string; isOpen: boolean }> {
  const answer = await page.request.get('/Account/Session', { headers })
  return { origin: new URL(answer.url()).origin, isOpen: (await answer.json()).errorCode === 0 }
}

/** Gives the browser a session, and opens the screen that a person sees first. */
export const enter = (page: Page, person: Credentials = ADMIN) => enterAt(page, '', person)

/** Gives the browser a session, and opens a screen or a record, as links do: `users` or `approvals/12`. */
export async function enterAt(page: Page, go: string, { id, password }: Credentials = ADMIN): Promise<void> {
  const { origin } = await readSession(page)
  const person = `${origin} ${id} ${password}`
  await page.context().addCookies(signedIn.get(person) ?? [])
  if (!(await readSession(page)).isOpen) {
    const answer = await page.request.post('/Account/Login', { data: { id, pw: password }, headers })
    expect(await answer.json()).toMatchObject({ errorCode: 0 })
    signedIn.set(person, await page.context().cookies())
  }
  await page.goto(go === '' ? '/acc' : `/acc?go=${go}`)
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

const openSettingsMenu = (page: Page, title: string) =>
  page.getByRole('navigation', { name: '설정 메뉴' }).getByRole('button', { name: title }).click()

/** Opens a menu of the settings. */
export async function openSettings(page: Page, title: string): Promise<void> {
  await openScreen(page, '설정')
  await openSettingsMenu(page, title)
}

/** Gives the browser a session, and opens a menu of the settings. */
export async function enterSettings(page: Page, title: string, person?: Credentials): Promise<void> {
  await enterAt(page, 'settings', person)
  await openSettingsMenu(page, title)
}

/** The Save that the menus of the settings share. */
export const saveOf = (page: Page) => page.getByRole('main').getByRole('button', { name: '저장', exact: true })

/** Opens the list of sent mail. */
export async function openSentMail(page: Page): Promise<void> {
  await openSettings(page, '메일 서버')
  await page.getByRole('tab', { name: '보낸 메일' }).click()
}

/**
 * Searches a tree for a group: only rows in view are rendered, and other tests on the server have created groups as
 * well. The found text is marked as soon as the rows are those of the search, so the row keeps its place from then on.
 */
export async function findGroup(scope: Locator, name: string): Promise<Locator> {
  await scope.getByRole('textbox', { name: '그룹 검색' }).fill(name)
  return scope.getByRole('treeitem', { name, exact: true }).filter({ has: scope.page().locator('mark') })
}

/** The group in the tree of the screen, which is searched for it. */
export const groupOf = (page: Page, name: string): Promise<Locator> => findGroup(page.getByRole('main'), name)

/** Opens a group of the screen's tree. */
export async function openGroup(page: Page, name: string): Promise<void> {
  await (await groupOf(page, name)).click()
}

/** Opens the gear menu of a group. */
export async function openGroupMenu(page: Page, group: string): Promise<void> {
  const item = await groupOf(page, group)
  // A row that comes under a pointer at rest is not pointed at.
  await page.mouse.move(0, 0)
  await item.hover()
  await page.getByRole('button', { name: `${group} 그룹 작업` }).click()
  await expect(page.getByRole('menuitem').first()).toBeVisible()
}

/** Chooses an action of a group's gear menu. */
export async function chooseGroupAction(page: Page, group: string, action: string): Promise<void> {
  await openGroupMenu(page, group)
  await page.getByRole('menuitem', { name: action }).click()
}

/** Clicks a button of the open dialog and waits until the dialog is closed. */
export async function answerDialog(page: Page, title: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByRole('button', { name: action, exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** Opens the filters of a history that are not active yet. */
export const addFilter = (page: Page) =>
  page.getByRole('search').getByRole('button', { name: '조건 추가', exact: true }).click()

/** Expects a notice. */
export const expectNotice = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

const DAYS = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Seoul', dateStyle: 'short' })
/** The day so many days from now, in the browser's time zone (playwright.config.ts). */
export const dayIn = (days: number): string => DAYS.format(Date.now() + days * 86_400_000)

/** Of the approval screens: the list, one of its rows, and the pane of the request that is open. */
export const queueOf = (page: Page) => page.getByRole('table', { name: '반출·반입 요청 목록' })
export const rowOf = (page: Page, idx: number) => queueOf(page).locator(`tr[data-idx="${idx}"]`)
export const paneOf = (page: Page) => page.getByRole('region', { name: '선택한 요청' })
