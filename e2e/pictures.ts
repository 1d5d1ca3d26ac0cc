// Takes the pictures of docs/screens on the sample organization: `node e2e/pictures.ts [folder]`. Into another folder
// than docs/screens every picture is taken: each screen in both themes and both languages.
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { ADMIN, startAcc } from './accServer.ts'
import { CHROMIUM, VIEWPORT } from './chromium.ts'

const SCREENS = join(import.meta.dirname, '../docs/screens')
const folder = resolve(process.argv[2] ?? SCREENS)

type Appearance = { language: 'ko' | 'en'; theme: 'light' | 'dark'; isNarrow?: boolean }
type Shot = {
  name: string
  /** Brings the screen up; the portal's stand before signing in. */
  open: (page: Page) => Promise<void>
  isPortal?: boolean
  /** The looks that docs/screens keeps. */
  kept: readonly Appearance[]
}

const KOREAN: Appearance = { language: 'ko', theme: 'light' }
const DARK: Appearance = { language: 'ko', theme: 'dark' }
const ENGLISH: Appearance = { language: 'en', theme: 'light' }
const TELEPHONE: Appearance = { language: 'ko', theme: 'light', isNarrow: true }

const item = async (page: Page, at: number) => {
  const button = page.getByRole('navigation').first().locator('button:not([aria-disabled])').nth(at)
  await button.click()
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
}

/** In the order of the menu. */
const MENU = [
  'dashboard',
  'policy',
  'users',
  'imports',
  'approval',
  'history',
  'settings',
  'clientVersions',
  'authorities',
  'bim',
  'loginPolicy',
] as const
const place = (name: (typeof MENU)[number]) => MENU.indexOf(name)

const SHOTS: readonly Shot[] = [
  {
    name: 'sign-in',
    isPortal: true,
    kept: [KOREAN],
    open: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  },
  {
    name: 'dashboard',
    kept: [KOREAN],
    open: async (page) => {
      await item(page, place('dashboard'))
      await page
        .getByRole('main')
        .getByText(/^(최근 30일|Last 30 days)$/)
        .click()
    },
  },
  {
    name: 'client-versions',
    kept: [KOREAN],
    open: async (page) => {
      await item(page, place('clientVersions'))
      await page.getByRole('main').locator('tbody tr').first().waitFor()
    },
  },
  {
    name: 'bim',
    kept: [KOREAN],
    open: async (page) => {
      await item(page, place('bim'))
      await page.getByRole('main').locator('tbody tr').first().click()
      await page.getByRole('main').getByRole('heading', { level: 2 }).last().waitFor()
    },
  },
  {
    name: 'policy',
    kept: [KOREAN],
    open: async (page) => {
      await item(page, place('policy'))
      const own = page.getByRole('treeitem').filter({ has: page.getByRole('img', { name: /개별 정책|own policy/ }) })
      await own.nth(1).click()
      await page.getByRole('main').getByRole('combobox').first().waitFor()
    },
  },
  {
    name: 'users',
    kept: [KOREAN],
    open: async (page) => {
      await item(page, place('users'))
      await page.getByRole('searchbox').fill('백엔드팀')
      await page.getByRole('main').locator('tbody tr[tabindex]', { hasText: 'minjun.park' }).click()
      await page.getByRole('main').getByRole('heading', { level: 2 }).waitFor()
    },
  },
  {
    name: 'user-import',
    kept: [KOREAN],
    open: async (page) => {
      await item(page, place('users'))
      await page.getByRole('button', { name: /^(사용자 가져오기 열기|Import users Open)$/ }).click()
      await page.getByRole('main').locator('tbody tr[tabindex]').last().click()
      await page.getByRole('main').getByRole('heading', { level: 2 }).waitFor()
    },
  },
  {
    name: 'approval',
    kept: [KOREAN, DARK],
    open: async (page) => {
      await item(page, place('approval'))
      await page.getByRole('main').locator('tbody tr[tabindex]').nth(1).click()
      await page.getByRole('main').getByRole('textbox').last().waitFor()
    },
  },
  {
    name: 'history',
    kept: [KOREAN],
    open: async (page) => {
      await item(page, place('history'))
      await page.getByRole('main').getByRole('navigation').getByRole('button').nth(1).click()
      await page.getByRole('main').getByRole('search').locator('button').first().click()
      await page.getByRole('button', { name: /최근 30일|Last 30 days/ }).click()
      const approved = page
        .getByRole('main')
        .locator('tbody tr[tabindex]')
        .filter({ hasText: /승인|Approved/ })
      await approved.first().click()
      await page.getByRole('main').getByRole('heading', { level: 2 }).last().waitFor()
    },
  },
  {
    name: 'authorities',
    kept: [KOREAN],
    open: async (page) => {
      await item(page, place('authorities'))
      await page.getByRole('main').getByRole('listitem').getByRole('button').nth(4).click()
      await page.getByRole('main').getByRole('heading', { level: 2 }).last().waitFor()
    },
  },
  ...[1, 2, 3, 4, 5].map((at) => ({
    name: `settings-${at}`,
    kept: [],
    open: async (page: Page) => {
      await item(page, place('settings'))
      await page
        .getByRole('navigation')
        .nth(1)
        .getByRole('button')
        .nth(at - 1)
        .click()
      await page.getByRole('main').getByRole('button').first().waitFor()
    },
  })),
]

/** Opens a page with this theme and language, signed in except for the portal. */
async function openPage(browser: Browser, baseURL: string, appearance: Appearance, isPortal: boolean): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    locale: appearance.language === 'ko' ? 'ko-KR' : 'en-GB',
    timezoneId: 'Asia/Seoul',
    colorScheme: appearance.theme,
    reducedMotion: 'reduce',
    viewport: appearance.isNarrow ? { width: 360, height: 640 } : VIEWPORT,
  })
  const page = await context.newPage()
  const headers = { 'X-Requested-With': 'XMLHttpRequest' }
  if (!isPortal) await page.request.post('/Account/Login', { data: { id: ADMIN.id, pw: ADMIN.password }, headers })
  await page.goto('/acc')
  return page
}

/** Korean and light goes without saying: `approval.png`, `approval-dark.png`. */
const nameOf = ({ name }: Shot, { language, theme, isNarrow }: Appearance) => {
  const marks = [language === 'en' && 'english', theme === 'dark' && 'dark', isNarrow && 'narrow']
  return `${[name, ...marks.filter((mark) => mark !== false && mark !== undefined)].join('-')}.png`
}

async function takePicture(browser: Browser, baseUrl: string, shot: Shot, appearance: Appearance): Promise<void> {
  const page = await openPage(browser, baseUrl, appearance, shot.isPortal ?? false)
  await shot.open(page)
  await page.waitForLoadState('networkidle')
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(folder, nameOf(shot, appearance)), animations: 'disabled', caret: 'hide' })
  await page.context().close()
}

const all = (shot: Shot): readonly Appearance[] => [
  KOREAN,
  DARK,
  ENGLISH,
  { language: 'en', theme: 'dark' },
  ...(shot.isPortal ? [TELEPHONE] : []),
]

await mkdir(folder, { recursive: true })
const server = await startAcc('demo')
const browser = await chromium.launch(CHROMIUM)
try {
  for (const shot of SHOTS)
    for (const appearance of folder === SCREENS ? shot.kept : all(shot))
      await takePicture(browser, server.baseUrl, shot, appearance)
} finally {
  await browser.close()
  await server.stop()
}
