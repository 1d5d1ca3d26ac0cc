// Every screen in both themes and both languages on the sample organization: axe finds no fault, best practices
// included, everything has a name of its own, and no text is missing, incomplete, a key, or in the other
// language. At 1280 pixels, from which everything fits; in Korean also at 1024 and on a telephone.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectNames } from './accessibleNames.ts'
import { ADMIN } from './accServer.ts'
import { addPerson, mailedCodeOf } from './arrange.ts'
import { findFaults } from './axe.ts'
import {
  closeDialog,
  eachPart,
  eachScreen,
  expectReachable,
  expectReadable,
  expectReadableFilters,
  overflowing,
  settle,
  tablesTooWide,
} from './eachScreen.ts'
import { enter, type Language, openPortalPage, openScreen, signIn } from './screens.ts'
import { runJob } from './serverDatabase.ts'
import { expect, test } from './test.ts'

/** From this width on the columns of all screens fit. */
const SIZE = { width: 1280, height: 800 }
test.use({ beginning: 'demo', viewport: SIZE })

const SOURCES = join(import.meta.dirname, '../console/src')

type Node = { [key: string]: string | Node }
const keysOf = (node: Node): string[] =>
  Object.entries(node).flatMap(([key, value]) =>
    typeof value === 'string' ? [key] : keysOf(value).map((below) => `${key}.${below}`),
  )
/** Every key that cannot be a word of a language: `table.csv`, `emptyHint`. */
const KEYS = new Set(
  globSync('**/*.ko.json', { cwd: SOURCES })
    .flatMap((file) => keysOf(JSON.parse(readFileSync(join(SOURCES, file), 'utf8'))))
    .filter((key) => /[.A-Z]/.test(key)),
)
/** The placeholder of the host is shown as it is written. */
const GAP = /\{\{(?!HOST\}\})|(?<!\{\{HOST)\}\}|\bundefined\b|\bNaN\b|\[object|Invalid Date/
/** Default texts of third-party components. */
const UNTRANSLATED = /^(not )?sorted|^(previous|next|close|clear|select|toggle|show|hide|loading)\b/i

async function textsOf(page: Page): Promise<{ seen: string[]; spoken: string[] }> {
  return page.evaluate(() => {
    const seen: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) seen.push(walker.currentNode.nodeValue?.trim() ?? '')
    const spoken = [...document.querySelectorAll('[aria-label], [title], [placeholder]')].flatMap((element) =>
      ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    )
    return { seen, spoken }
  })
}

async function expectTexts(page: Page, where: string, language: Language): Promise<void> {
  const { seen, spoken } = await textsOf(page)
  const broken = [...seen, ...spoken].filter((text) => KEYS.has(text) || GAP.test(text))
  const untranslated = language === 'ko' ? spoken.filter((text) => UNTRANSLATED.test(text)) : []
  expect.soft([...broken, ...untranslated], `texts at ${where}, ${language}`).toEqual([])
}

/** Shows the page in the other language, by the button that a dialog may cover. A start that failed has none. */
async function showIn(page: Page, language: Language): Promise<void> {
  const choice = page.locator(
    `button[lang="${language}"], button[aria-label="${language === 'ko' ? '한국어' : 'English'}로 보기"]`,
  )
  if ((await choice.count()) > 0) {
    await choice.evaluate((button: HTMLElement) => button.click())
  } else {
    await page.evaluate((to) => localStorage.setItem('acc.language', to), language)
    await page.reload()
    await expect(page.getByRole('heading').first()).toBeVisible()
  }
  await expect(page.locator(`html[lang="${language}"]`)).toBeAttached()
  await settle(page)
}

/** The rules of axe that depend on the theme. */
const OF_THEMES = ['color-contrast', 'link-in-text-block']

/** Expects that axe finds no fault on the page or in a part of it, by all rules or by these. */
async function expectNoFaults(page: Page, where: string, part = 'html', rules?: string[]): Promise<void> {
  // What is fading in has too little contrast.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished.catch(() => undefined)),
    ),
  )
  expect.soft(await findFaults(page, rules, part), `axe at ${where}`).toEqual([])
}

async function inTheDark(page: Page, visit: () => Promise<void>): Promise<void> {
  const html = page.locator('html')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await visit()
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'light')
}

/** Expects no fault in Korean and the light theme, nor in English and the dark one. Shows the page as before. */
async function expectAccessible(page: Page, where: string): Promise<void> {
  await expectTexts(page, where, 'ko')
  await expectNoFaults(page, where)
  await showIn(page, 'en')
  await inTheDark(page, async () => {
    await expectTexts(page, where, 'en')
    await expectNoFaults(page, `${where} in the dark`, 'html', OF_THEMES)
  })
  await showIn(page, 'ko')
}

/** Expects complete texts, and heads, buttons, cells and filters that can be read. */
async function expectWords(page: Page, where: string, language: Language): Promise<void> {
  await expectTexts(page, where, language)
  await expectReadable(page, `${where}, ${language}`)
  await expectReadableFilters(page, `${where}, ${language}`)
}

/** Shows the screen in the dark theme and in a narrower window, and then as before. */
async function expectOtherLooks(page: Page, title: string): Promise<void> {
  await inTheDark(page, () => expectNoFaults(page, `${title} in the dark`, 'main', OF_THEMES))
  await page.setViewportSize({ width: 1024, height: 768 })
  await settle(page)
  // Below 1280 pixels the columns of all screens but the users do not fit.
  await expectReadable(page, `${title} at 1024`, title !== '사용자')
  await page.setViewportSize(SIZE)
  await settle(page)
}

test('each part of each screen', async ({ page }) => {
  test.setTimeout(480_000)
  await enter(page)
  await eachScreen(page, async (title) => {
    await expectTexts(page, title, 'ko')
    let isFirst = true
    await eachPart(page, async (part) => {
      const where = `${title} ${part}`
      await expectWords(page, where, 'ko')
      await expectNames(page, where)
      // The parts of a screen share the frame, and what themes and widths change.
      await expectNoFaults(page, where, isFirst ? 'html' : 'main')
      if (isFirst) await expectOtherLooks(page, title)
      isFirst = false
      await showIn(page, 'en')
      await expectWords(page, where, 'en')
      await showIn(page, 'ko')
    })
  })
})

test('each part of each screen fits a telephone', async ({ page }) => {
  test.setTimeout(180_000)
  await page.setViewportSize({ width: 390, height: 844 })
  await enter(page)
  await eachScreen(page, async (title) => {
    await eachPart(page, async (part) => {
      const where = `${title} ${part}`
      expect.soft(await overflowing(page), where).toEqual([])
      expect.soft(await tablesTooWide(page), where).toEqual([])
      await expectReachable(page.getByRole('main'), where)
    })
  })
})

test('the portal', async ({ page }) => {
  await page.goto('/acc')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectAccessible(page, 'signing in')
  await page.getByRole('button', { name: '로그인', exact: true }).click()
  await expectAccessible(page, 'what is missing')
  await signIn(page, { id: 'minjun.park', password: 'Sample!Desk26' })
  await expect(page.getByRole('button', { name: '로그아웃' })).toBeVisible()
  await expectAccessible(page, 'the download page')
  await page.getByRole('button', { name: '내 로그인 세션' }).click()
  await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible()
  await expectAccessible(page, 'the own sessions')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '비밀번호 변경' }).click()
  await expect(page.getByRole('heading', { name: '비밀번호 변경' })).toBeVisible()
  await expectAccessible(page, 'changing the password')
})

test('what fails, and the register step', async ({ page, faults }) => {
  const down = { status: 500, json: {} }
  await page.route('**/Configs', (route) => route.fulfill(down))
  await page.goto('/acc')
  await expect(page.getByRole('button', { name: '다시 시도' })).toBeVisible()
  await expectAccessible(page, 'a start that failed')
  await page.unroute('**/Configs')
  await page.route('**/Account/Login', (route) => route.fulfill(down))
  await page.goto('/acc')
  await signIn(page, ADMIN)
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 'an error without a text of its own')
  await page.unroute('**/Account/Login')
  // The sample organization has both.
  const missing = { isLicensed: 0, hasMailServer: 0 }
  await page.route('**/Configs', async (route) => {
    const response = await route.fetch()
    const { data, ...envelope } = await response.json()
    await route.fulfill({ response, json: { ...envelope, data: { ...data, ...missing } } })
  })
  for (const part of ['license', 'mail']) {
    await enter(page)
    await expect(page.getByRole('button', { name: '로그아웃' })).toBeVisible()
    await expectAccessible(page, `the register step: ${part}`)
    missing.isLicensed = 1
  }
  // The browser reports the responses that this test makes.
  faults.length = 0
})

test('forgotten accounts and one-time passwords', async ({ page, server }) => {
  const person = await addPerson(server, 'sound.one', '접근성 사람')
  const submit = () => page.keyboard.press('Enter')
  await page.goto('/acc')
  await openPortalPage(page, '비밀번호 찾기')
  await page.getByRole('textbox').fill('no.such.person')
  await submit()
  await expect(page.getByRole('alert')).toHaveText(/아이디/)
  await expectAccessible(page, 'a forgotten password')
  await page.getByRole('button', { name: '로그인으로 돌아가기' }).click()
  await openPortalPage(page, '아이디 찾기')
  await page.getByRole('textbox').first().fill(person.name)
  await page.getByRole('textbox').last().fill(person.email)
  await expectAccessible(page, 'a forgotten ID')
  await page.getByRole('textbox').last().press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: '확인' }).click()
  await page.getByRole('textbox', { name: /OTP/ }).fill(await mailedCodeOf(server.admin, person.email))
  await expectAccessible(page, 'the OTP step')
  await page.getByRole('textbox', { name: /OTP/ }).press('Enter')
  await expect(page.getByRole('button', { name: /sound\.one/ })).toBeVisible()
  await expectAccessible(page, 'the ID that was found')
  await server.admin.loginPolicy.addOtpExceptions({ userIdxes: [person.idx], useOtp: 1 })
  await page.goto('/acc')
  await signIn(page, person)
  await page.getByRole('dialog').getByRole('button', { name: '등록' }).click()
  await expect(page.getByRole('img', { name: /QR/ })).toBeVisible()
  await expectAccessible(page, 'the registration of an authenticator')
})

test('previews, reasons, the policy map, periods, figures over time and Ctrl K', async ({ page, server }) => {
  const check = async (where: string) => {
    await expectNames(page, where)
    await expectAccessible(page, where)
  }
  await enter(page)
  await openScreen(page, '반출 승인')
  await page.getByRole('main').locator('tbody tr[data-idx]').first().click()
  await page
    .getByRole('button', { name: /미리보기$/ })
    .first()
    .click()
  await expect(page.getByRole('dialog').getByRole('region')).not.toBeEmpty()
  await check('a preview')
  await closeDialog(page)
  await openScreen(page, '정책')
  await page.getByRole('treeitem').nth(1).click()
  await page.getByRole('button', { name: '적용 근거' }).click()
  await expect(page.getByRole('main').getByText('부터').first()).toBeVisible()
  await check('why values apply')
  await page.getByText('정책 지도', { exact: true }).click()
  await expect(page.getByRole('treegrid').getByRole('row').nth(1)).toBeVisible()
  await check('the policy map')
  await page.getByRole('button', { name: '그룹 비교' }).click()
  await expect(page.getByRole('dialog').getByRole('combobox').last()).not.toHaveValue('')
  await check('a comparison of policies')
  await closeDialog(page)
  await openScreen(page, '이력')
  await page.getByRole('main').getByRole('listbox').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('option', { selected: true })).toHaveCount(1)
  await check('a marked period')
  await runJob(server, 'sampleStatus')
  await openScreen(page, '운영 상태')
  await expect(page.getByRole('figure').first()).toBeVisible()
  await check('figures over time')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('mi')
  await expect(page.getByRole('option').nth(1)).toBeVisible()
  await check('Ctrl K with matches')
})

test('a calendar, the own authority and a list in a dialog', async ({ page }) => {
  await enter(page)
  await openScreen(page, '이력')
  await page
    .getByRole('search')
    .getByRole('button', { name: /^기간: / })
    .click()
  await expect(page.getByRole('dialog', { name: /^기간: / })).toBeVisible()
  await expectAccessible(page, 'a calendar')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '내 권한' }).click()
  await expect(page.getByRole('dialog').getByRole('table')).toBeVisible()
  await expectNames(page, 'My Authority')
  await expectAccessible(page, 'My Authority')
  await closeDialog(page)
  await openScreen(page, '로그인 정책')
  await page.getByRole('tab', { name: '비밀번호 규칙' }).click()
  await page
    .getByRole('button', { name: / 추가$/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('combobox').click()
  await expect(page.getByRole('option').first()).toBeVisible()
  await expectAccessible(page, 'a list in a dialog')
})
