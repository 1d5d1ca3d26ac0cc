// Every screen in both themes and both languages on the sample organization: axe finds no fault, best practices
// included, everything has a name of its own, and no text is missing, incomplete, a key, or in the other
// language. At 1280 pixels, from which everything fits; in Korean also at 1024 and 1440.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectNames } from './accessibleNames.ts'
import { ADMIN } from './accServer.ts'
import { addPerson, mailedCodeOf } from './arrange.ts'
import { findFaults } from './axe.ts'
import { closeDialog, eachPart, eachScreen, expectReadable, expectReadableFilters, settle } from './eachScreen.ts'
import { enter, openPortalPage, openScreen, signIn } from './screens.ts'
import { runJob } from './serverDatabase.ts'
import { expect, test } from './test.ts'

test.use({ beginning: 'demo' })

const SOURCES = join(import.meta.dirname, '../console/src')
const LOCALES = { ko: 'ko-KR', en: 'en-GB' } as const

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

async function expectTexts(page: Page, where: string, language: keyof typeof LOCALES): Promise<void> {
  const { seen, spoken } = await textsOf(page)
  const broken = [...seen, ...spoken].filter((text) => KEYS.has(text) || GAP.test(text))
  const untranslated = language === 'ko' ? spoken.filter((text) => UNTRANSLATED.test(text)) : []
  expect.soft([...broken, ...untranslated], `texts at ${where}`).toEqual([])
}

/** The rules of axe that depend on the theme. */
const OF_THEMES = ['color-contrast', 'link-in-text-block']

/** Expects that axe finds no fault, by all rules or by these. */
async function expectNoFaults(page: Page, where: string, rules?: string[]): Promise<void> {
  // What is fading in has too little contrast.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished.catch(() => undefined)),
    ),
  )
  expect.soft(await findFaults(page, rules), `axe at ${where}`).toEqual([])
}

async function expectAccessible(page: Page, where: string, language: keyof typeof LOCALES): Promise<void> {
  await expectNoFaults(page, where)
  await expectTexts(page, where, language)
}

const SIZE = { width: 1280, height: 800 }

/** Shows the page in the dark theme and at other sizes, and then as before. */
async function expectOtherLooks(page: Page, title: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expectNoFaults(page, `${title} in the dark`, OF_THEMES)
  await page.emulateMedia({ colorScheme: 'light' })
  for (const size of [
    { width: 1024, height: 768 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(size)
    await settle(page)
    // Below 1280 pixels the columns of all screens but the users do not fit.
    await expectReadable(page, `${title} at ${size.width}`, size.width < SIZE.width && title !== '사용자')
  }
  await page.setViewportSize(SIZE)
  await settle(page)
}

// What axe checks differs between themes and hardly between languages, so two runs see all four.
for (const [language, theme] of [
  ['ko', 'light'],
  ['en', 'dark'],
] as const) {
  test.describe(`${language}, ${theme}`, () => {
    test.use({ locale: LOCALES[language], colorScheme: theme })

    test('the portal', async ({ page }) => {
      await page.goto('/acc')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectAccessible(page, 'signing in', language)
      await page.getByRole('button', { name: /^(로그인|Sign in)$/ }).click()
      await expectAccessible(page, 'what is missing', language)
      await signIn(page, { id: 'minjun.park', password: 'Sample!Desk26' }, language)
      await expect(page.getByRole('button', { name: /로그아웃|Sign out/ })).toBeVisible()
      await expectAccessible(page, 'the download page', language)
      await page.getByRole('button', { name: /내 로그인 세션|My sessions/ }).click()
      await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible()
      await expectAccessible(page, 'the own sessions', language)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /비밀번호 변경|Change password/ }).click()
      await expect(page.getByRole('heading', { name: /비밀번호 변경|Change password/ })).toBeVisible()
      await expectAccessible(page, 'changing the password', language)
    })

    test('what fails, and the register step', async ({ page, faults }) => {
      const down = { status: 500, json: {} }
      await page.route('**/Configs', (route) => route.fulfill(down))
      await page.goto('/acc')
      await expect(page.getByRole('button', { name: /다시 시도|Try again/ })).toBeVisible()
      await expectAccessible(page, 'a start that failed', language)
      await page.unroute('**/Configs')
      await page.route('**/Account/Login', (route) => route.fulfill(down))
      await page.goto('/acc')
      await signIn(page, ADMIN, language)
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page, 'an error without a text of its own', language)
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
        await expect(page.getByRole('button', { name: /로그아웃|Sign out/ })).toBeVisible()
        await expectAccessible(page, `the register step: ${part}`, language)
        missing.isLicensed = 1
      }
      // The browser reports the responses that this test makes.
      faults.length = 0
    })

    test('forgotten accounts and one-time passwords', async ({ page, server }) => {
      const id = `sound.${language}`
      const person = await addPerson(server, id, language === 'ko' ? '접근성 사람' : 'Accessible Person')
      const enter = () => page.keyboard.press('Enter')
      await page.goto('/acc')
      await openPortalPage(page, /^(비밀번호 찾기|Forgot password)$/)
      await page.getByRole('textbox').fill('no.such.person')
      await enter()
      await expect(page.getByRole('alert')).toHaveText(/아이디|ID/)
      await expectAccessible(page, 'a forgotten password', language)
      await page.getByRole('button', { name: /^(로그인으로 돌아가기|Back to sign-in)$/ }).click()
      await openPortalPage(page, /^(아이디 찾기|Forgot ID)$/)
      await page.getByRole('textbox').first().fill(person.name)
      await page.getByRole('textbox').last().fill(person.email)
      await expectAccessible(page, 'a forgotten ID', language)
      await enter()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(확인|OK)$/ })
        .click()
      await page.getByRole('textbox', { name: /OTP/ }).fill(await mailedCodeOf(server.admin, person.email))
      await expectAccessible(page, 'the OTP step', language)
      await enter()
      await expect(page.getByRole('button', { name: new RegExp(id) })).toBeVisible()
      await expectAccessible(page, 'the ID that was found', language)
      await server.admin.loginPolicy.addOtpExceptions({ userIdxes: [person.idx], useOtp: 1 })
      await page.goto('/acc')
      await signIn(page, person, language)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(등록|Register)$/ })
        .click()
      await expect(page.getByRole('img', { name: /QR/ })).toBeVisible()
      await expectAccessible(page, 'the registration of an authenticator', language)
    })

    test('previews, reasons, the policy map, periods, figures over time and Ctrl K', async ({ page, server }) => {
      const word = (ko: string, en: string) => (language === 'ko' ? ko : en)
      const check = async (where: string) => {
        await expectAccessible(page, where, language)
        await expectNames(page, where)
      }
      await page.setViewportSize(SIZE)
      await enter(page)
      await openScreen(page, word('반출 승인', 'Export approval'))
      await page.getByRole('main').locator('tbody tr[data-idx]').first().click()
      await page
        .getByRole('button', { name: /미리보기$|^Preview / })
        .first()
        .click()
      await expect(page.getByRole('dialog').getByRole('region')).not.toBeEmpty()
      await check('a preview')
      await closeDialog(page)
      await openScreen(page, word('정책', 'Policies'))
      await page.getByRole('treeitem').nth(1).click()
      await page.getByRole('button', { name: word('적용 근거', 'Why this applies') }).click()
      await expect(page.getByRole('main').getByText(word('부터', 'since')).first()).toBeVisible()
      await check('why values apply')
      await page.getByText(word('정책 지도', 'Policy map'), { exact: true }).click()
      await expect(page.getByRole('treegrid').getByRole('row').nth(1)).toBeVisible()
      await check('the policy map')
      await page.getByRole('button', { name: word('그룹 비교', 'Compare groups') }).click()
      await expect(page.getByRole('dialog').getByRole('combobox').last()).not.toHaveValue('')
      await check('a comparison of policies')
      await closeDialog(page)
      await openScreen(page, word('이력', 'History'))
      await page.getByRole('main').getByRole('listbox').focus()
      await page.keyboard.press('ArrowLeft')
      await expect(page.getByRole('option', { selected: true })).toHaveCount(1)
      await check('a marked period')
      await runJob(server, 'sampleStatus')
      await openScreen(page, word('운영 상태', 'System status'))
      await expect(page.getByRole('figure').first()).toBeVisible()
      await check('figures over time')
      await page.keyboard.press('Control+k')
      await page.keyboard.type('mi')
      await expect(page.getByRole('option').nth(1)).toBeVisible()
      await check('Ctrl K with matches')
    })

    test('the console', async ({ page }) => {
      test.setTimeout(400_000)
      await page.setViewportSize(SIZE)
      await enter(page)
      const visit = async (title: string) => {
        await expectTexts(page, title, language)
        let isFirst = true
        await eachPart(page, async (part) => {
          const where = `${title} ${part}`
          await expectTexts(page, where, language)
          await expectReadable(page, where)
          await expectReadableFilters(page, where)
          if (language === 'ko') {
            await expectNoFaults(page, where)
            await expectNames(page, where)
            // The parts of a screen share what themes and widths change.
            if (isFirst) await expectOtherLooks(page, title)
          }
          isFirst = false
        })
      }
      await eachScreen(page, visit, language)
      await openScreen(page, language === 'ko' ? '이력' : 'History')
      await page
        .getByRole('search')
        .getByRole('button', { name: /^(기간|Period): / })
        .click()
      await expect(page.getByRole('dialog', { name: /^(기간|Period): / })).toBeVisible()
      await expectAccessible(page, 'a calendar', language)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /내 권한|My Authority/ }).click()
      await expect(page.getByRole('dialog').getByRole('table')).toBeVisible()
      await expectAccessible(page, 'My Authority', language)
      await expectNames(page, 'My Authority')
      await closeDialog(page)
      await openScreen(page, language === 'ko' ? '로그인 정책' : 'Login policy')
      await page.getByRole('tab', { name: /^(비밀번호 규칙|Password rules)$/ }).click()
      await page
        .getByRole('button', { name: /( 추가$|^Add: )/ })
        .first()
        .click()
      await page.getByRole('dialog').getByRole('combobox').click()
      await expect(page.getByRole('option').first()).toBeVisible()
      await expectAccessible(page, 'a list in a dialog', language)
    })
  })
}
