// Takes the pictures of docs/manuals, in both languages: `node e2e/manualPictures.ts`.
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { TOTP } from 'totp-generator'
import { type AccServer, startAcc } from './accServer.ts'
import { addPerson, mailedCodeOf, type Person } from './arrange.ts'
import { CHROMIUM } from './chromium.ts'
import { takePeople } from './manualPeople.ts'
import { type Language, openPortalPage, signIn } from './screens.ts'

const FOLDER = join(import.meta.dirname, '../docs/manuals/pictures')
const LOCALES = { ko: 'ko-KR', en: 'en-GB' } as const
const NAMES = { ko: '홍길동', en: 'Alex Kim' } as const

async function openPage(browser: Browser, baseURL: string, language: Language): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    locale: LOCALES[language],
    timezoneId: 'Asia/Seoul',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    viewport: { width: 480, height: 900 },
    deviceScaleFactor: 2,
  })
  return context.newPage()
}

/** The card of a portal page, without the cursor in a field. */
async function keep(page: Page, name: string, language: Language): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.locator('main > div').screenshot({
    path: join(FOLDER, `${name}.${language}.png`),
    animations: 'disabled',
    caret: 'hide',
  })
}

/** The key that a page of the registration shows. */
const keyOn = async (page: Page) => {
  const key = await page
    .getByRole('button', { name: /수동 키 복사|Copy manual key/ })
    .locator('b')
    .textContent()
  return (key ?? '').replace(/\s/g, '')
}
const codeOf = async (secret: string, steps: number) =>
  (await TOTP.generate(secret, { timestamp: Date.now() + steps * 30_000, explicitZeroPad: true })).otp

async function takePortal(page: Page, person: Person, language: Language): Promise<void> {
  await page.goto('/acc')
  await page.getByRole('textbox').first().waitFor()
  await keep(page, 'sign-in', language)
  await signIn(page, person, language)
  const change = page.getByRole('button', { name: /비밀번호 변경|Change password/ })
  await change.waitFor()
  await keep(page, 'download', language)
  await change.click()
  await page.getByRole('textbox', { name: /새 비밀번호 확인|Confirm/ }).waitFor()
  await keep(page, 'change-password', language)
}

async function takeFoundId(page: Page, server: AccServer, person: Person, language: Language): Promise<void> {
  await page.goto('/acc')
  await openPortalPage(page, /아이디 찾기|Forgot ID/)
  await page.getByRole('textbox').first().fill(person.name)
  await page.getByRole('textbox').last().fill(person.email)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: /OTP/ }).fill(await mailedCodeOf(server.admin, person.email))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: new RegExp(person.id) }).waitFor()
  await keep(page, 'find-id', language)
}

/** The OTP is required from now on. */
async function takeOtp(page: Page, server: AccServer, person: Person, language: Language): Promise<void> {
  await server.admin.loginPolicy.addOtpExceptions({ userIdxes: [person.idx], useOtp: 1 })
  await page.goto('/acc')
  await signIn(page, person, language)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: /QR/ }).waitFor()
  await keep(page, 'otp-register', language)
  await page.getByRole('checkbox').check()
  await page.getByRole('textbox').fill(await codeOf(await keyOn(page), -1))
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'OTP' }).waitFor()
  await signIn(page, person, language)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: /OTP/ }).waitFor()
  await keep(page, 'otp-step', language)
}

async function takePictures(browser: Browser, server: AccServer, person: Person, language: Language): Promise<void> {
  const page = await openPage(browser, server.baseUrl, language)
  await takePortal(page, person, language)
  await page.context().clearCookies()
  await takeFoundId(page, server, person, language)
  await takeOtp(page, server, person, language)
  await page.context().close()
}

const server = await startAcc('evaluation')
const browser = await chromium.launch(CHROMIUM)
try {
  for (const language of ['ko', 'en'] as const) {
    const person = await addPerson(server, language === 'ko' ? 'gildong.hong' : 'alex.kim', NAMES[language])
    await takePictures(browser, server, person, language)
    await takePeople(browser, { folder: FOLDER, locale: LOCALES[language], language })
  }
} finally {
  await browser.close()
  await server.stop()
}
