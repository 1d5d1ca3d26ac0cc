// Every screen in both themes and both languages on the sample organization: axe finds no fault, its best practices
// included, everything has a name of its own, and no text is missing, incomplete, a key, or in the other language. At
// 1280 pixels, from which everything fits.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expectNames } from './accessibleNames.ts'
import { ADMIN } from './accServer.ts'
import { addPerson, mailedCodeOf } from './arrange.ts'
import { closeDialog, eachPart, eachScreen, expectReadable, expectReadableFilters } from './eachScreen.ts'
import { enter, openPortalPage, openScreen, signIn } from './screens.ts'
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

async function expectAccessible(page: Page, where: string, language: keyof typeof LOCALES): Promise<void> {
  // What is fading in has too little contrast.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished.catch(() => undefined)),
    ),
  )
  // An open list is drawn outside of the landmarks.
  const region = { enabled: (await page.getByRole('listbox').count()) === 0 }
  // Without frames of other origins axe needs no second page.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], rules: { region } })
    .analyze()
  const faults = violations.map(({ id, nodes }) => [
    id,
    ...nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`),
  ])
  expect.soft(faults, `axe at ${where}`).toEqual([])
  await expectTexts(page, where, language)
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

    test('the console', async ({ page }) => {
      test.setTimeout(240_000)
      await page.setViewportSize({ width: 1280, height: 800 })
      await enter(page)
      const visit = async (title: string) => {
        await expectTexts(page, title, language)
        let isFirst = true
        await eachPart(page, async (part) => {
          // The parts of a screen share what themes change: in the dark one axe looks at the first.
          if (isFirst || theme === 'light') await expectAccessible(page, `${title} ${part}`, language)
          else await expectTexts(page, `${title} ${part}`, language)
          if (theme === 'light') await expectNames(page, `${title} ${part}`)
          await expectReadable(page, `${title} ${part}`)
          await expectReadableFilters(page, `${title} ${part}`)
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
