// Takes the pictures of docs/manuals, in both languages: `node e2e/manualPictures.ts`.
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { type AccServer, startAcc } from './accServer.ts'
import { addPerson, type Person } from './arrange.ts'
import { CHROMIUM } from './chromium.ts'
import { type Language, signIn } from './screens.ts'

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

async function takePictures(browser: Browser, server: AccServer, person: Person, language: Language): Promise<void> {
  const page = await openPage(browser, server.baseUrl, language)
  await page.goto('/acc')
  await page.getByRole('textbox').first().waitFor()
  await keep(page, 'sign-in', language)
  await signIn(page, person, language)
  const change = page.getByRole('button', { name: /비밀번호 변경|Change password/ })
  await change.waitFor()
  await keep(page, 'download', language)
  await change.click()
  await page.getByRole('textbox').last().waitFor()
  await keep(page, 'change-password', language)
  await page.context().close()
}

const server = await startAcc('evaluation')
const browser = await chromium.launch(CHROMIUM)
try {
  for (const language of ['ko', 'en'] as const) {
    const person = await addPerson(server, language === 'ko' ? 'gildong.hong' : 'alex.kim', NAMES[language])
    await takePictures(browser, server, person, language)
  }
} finally {
  await browser.close()
  await server.stop()
}
