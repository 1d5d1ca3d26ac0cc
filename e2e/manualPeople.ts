// The pictures of the manual of imports: each state of a file and of a synchronization, on a server of one language.
import { join } from 'node:path'
import { ImportState } from '@acc/contract/labels/userImports'
import type { ImportOptions } from '@acc/contract/userImports'
import type { Browser, Page } from '@playwright/test'
import { openSlapd, PEOPLE, READER, type Slapd } from '../server/test/slapd.ts'
import { type AccServer, startAcc } from './accServer.ts'
import { until } from './arrange.ts'
import { enter, type Language } from './screens.ts'

/** Where pictures go, and the locale of a browser. */
export type Pictures = { folder: string; locale: string; language: Language }

const WORDS = {
  ko: {
    header: '아이디,이름,이메일,그룹',
    groups: ['본사 > 영업 > 1팀', '본사 > 연구소'],
    wrongGroup: '본사 > 연구서',
    people: ['김서연', '박민준', '최다은', '이하늘', '정도윤'],
    files: { all: '전체 명단.csv', changes: '9월 인사 발령.csv', part: '10월 전체 명단.csv', wrong: '신규 입사자.csv' },
    wrongHeader: '아이디,이름,이매일,그룹',
  },
  en: {
    header: 'ID,Name,Email,Group',
    groups: ['Head office > Sales > Team 1', 'Head office > Research'],
    wrongGroup: 'Head office > Reserch',
    people: ['Jane Miller', 'Alex Kim', 'Sofia Rossi', 'Noah Weber', 'Mei Tanaka'],
    files: {
      all: 'everybody.csv',
      changes: 'September.csv',
      part: 'everybody in October.csv',
      wrong: 'new people.csv',
    },
    wrongHeader: 'ID,Name,Emial,Group',
  },
} as const

/** Others than those of the directory. */
const idOf = (at: number): string => `member${String(at).padStart(4, '0')}`

type Row = { at: number; name?: string; email?: string; group?: string }

function csvOf(language: Language, rows: readonly Row[], header: string = WORDS[language].header): string {
  const { people, groups } = WORDS[language]
  const lines = rows.map(({ at, name, email, group }) => {
    const id = idOf(at)
    return [id, name ?? people[at % people.length], email ?? `${id}@example.com`, group ?? groups[at % 2]].join(',')
  })
  return [header, ...lines].join('\r\n')
}

const range = (count: number): Row[] => Array.from({ length: count }, (_, at) => ({ at }))

async function reach({ admin }: AccServer, idx: number, wanted: ImportState): Promise<void> {
  await until('the import', async () => ((await admin.userImports.find({ idx })).state === wanted ? true : undefined))
}

/** Makes the plan of a file, and returns its number. */
async function plan(server: AccServer, name: string, text: string, options: Partial<ImportOptions>): Promise<number> {
  const { idx } = await server.admin.userImports.upload(options, new File([text], name))
  await reach(server, idx, ImportState.PLANNED)
  return idx
}

async function apply(server: AccServer, idx: number): Promise<void> {
  await server.admin.userImports.apply({ idx })
  await reach(server, idx, ImportState.DONE)
}

async function openPage(browser: Browser, baseURL: string, locale: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    locale,
    timezoneId: 'Asia/Seoul',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    viewport: { width: 960, height: 560 },
  })
  return context.newPage()
}

const main = (page: Page) => page.getByRole('main')

const STILL = { animations: 'disabled', caret: 'hide' } as const
const pathOf = ({ folder, language }: Pictures, name: string) => join(folder, `people-${name}.${language}.png`)

const keeping = (page: Page, pictures: Pictures) => async (name: string) => {
  await page.mouse.move(0, 0)
  await main(page).screenshot({ path: pathOf(pictures, name), ...STILL })
}

async function openImports(page: Page): Promise<void> {
  await enter(page)
  await page.getByRole('button', { name: /^(사용자|Users)$/ }).click()
  await main(page)
    .getByRole('button', { name: /^(생성 방법|Ways to create)$/ })
    .click()
  await page.getByRole('menuitem').last().click()
  await page.getByRole('heading', { level: 1, name: /^(사용자 가져오기|Import users)$/ }).waitFor()
}

async function openRun(page: Page, name: string): Promise<void> {
  await openImports(page)
  await page.getByRole('row').filter({ hasText: name }).first().click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.waitForLoadState('networkidle')
}

const openTab = async (page: Page, name: RegExp, row: string) => {
  await page.getByRole('tab', { name }).click()
  await page.getByRole('row').filter({ hasText: row }).click()
}

/** A file, its end, and the plan of the next one. */
async function takePlan(page: Page, server: AccServer, pictures: Pictures): Promise<void> {
  const { language } = pictures
  const { files, groups, wrongGroup } = WORDS[language]
  const keep = keeping(page, pictures)
  const everybody = csvOf(language, range(40))
  await openImports(page)
  const buffer = Buffer.from(everybody)
  await page.locator('input[type=file]').setInputFiles({ name: files.all, mimeType: 'text/csv', buffer })
  await keep('file')

  await apply(server, await plan(server, files.all, everybody, { addsGroups: 1 }))
  await openRun(page, files.all)
  await keep('ended')

  const changes: Row[] = [
    { at: 0, email: 'new.address@example.com' },
    { at: 1, group: groups[0] },
    { at: 50 },
    { at: 51 },
    { at: 52, group: wrongGroup },
    { at: 53, email: 'no address' },
  ]
  const idx = await plan(server, files.changes, csvOf(language, changes), {})
  await openRun(page, files.changes)
  await openTab(page, /^(전체|All)$/, idOf(1))
  await keep('plan')
  await openTab(page, /^(오류|Errors)$/, idOf(52))
  await keep('errors')
  await server.admin.userImports.cancel({ idx })
}

const APPLY = /^(적용|Apply)$/
const pressApply = (page: Page) => main(page).getByRole('button', { name: APPLY }).click()

/** What stops an import: many leavers, a wrong header. Then one that is applied. */
async function takeRun(page: Page, server: AccServer, pictures: Pictures): Promise<void> {
  const { language } = pictures
  const { files, wrongHeader } = WORDS[language]
  const keep = keeping(page, pictures)
  const idx = await plan(server, files.part, csvOf(language, range(10)), { isComplete: 1 })
  await openRun(page, files.part)
  await pressApply(page)
  await page.getByRole('dialog').waitFor()
  await page.screenshot({ path: pathOf(pictures, 'brake'), ...STILL })
  await server.admin.userImports.cancel({ idx })

  await server.admin.userImports.upload({}, new File([csvOf(language, range(3), wrongHeader)], files.wrong))
  await openRun(page, files.wrong)
  await keep('refused')

  await plan(server, files.all, csvOf(language, range(10_000)), {})
  await openRun(page, files.all)
  await pressApply(page)
  await page.getByRole('dialog').getByRole('button', { name: APPLY }).click()
  await page.getByText(/^[1-9][\d,]* (\/|of) /).waitFor()
  await keep('applying')
}

async function fillDirectory(page: Page, slapd: Slapd): Promise<void> {
  const field = (name: RegExp) => main(page).getByRole('textbox', { name })
  await field(/^(서버 주소|Server address)$/).fill('localhost')
  await field(/^(포트|Port)$/).fill(String(slapd.tlsPort))
  await field(/^(검색 계정|Search account)$/).fill(READER.dn)
  await main(page)
    .getByLabel(/^(비밀번호|Password)$/)
    .fill(READER.password)
  await field(/^(검색 기준\(DN\)|Search base \(DN\))$/).fill(PEOPLE)
  const pem = Buffer.from(slapd.authority.pem)
  await page.locator('input[type=file]').setInputFiles({ name: 'ca.pem', mimeType: '', buffer: pem })
}

const STATE = /^(동기화 상태|Synchronization)$/

async function takeSync(page: Page, slapd: Slapd, pictures: Pictures): Promise<void> {
  const keep = keeping(page, pictures)
  await page.setViewportSize({ width: 960, height: 1120 })
  await page.getByRole('button', { name: /^(설정|Settings)/ }).click()
  await page.getByRole('button', { name: /^(사용자 동기화|User synchronization)$/ }).click()
  await page.getByRole('radio', { name: /^LDAP/ }).check()
  await page.getByRole('button', { name: 'Active Directory', exact: true }).click()
  const field = (name: RegExp) => main(page).getByRole('textbox', { name })
  await field(/^(서버 주소|Server address)$/).fill('dc1.corp.example')
  await field(/^(검색 계정|Search account)$/).fill('acc-reader@corp.example')
  await field(/^(검색 기준\(DN\)|Search base \(DN\))$/).fill('OU=People,DC=corp,DC=example')
  const notice = page.getByRole('button', { name: /^(닫기|Close)$/ })
  await notice.click()
  await notice.waitFor({ state: 'detached' })
  await page.getByRole('region', { name: STATE }).scrollIntoViewIfNeeded()
  await keep('directory')
  await page.getByRole('button', { name: 'OpenLDAP', exact: true }).click()
  await fillDirectory(page, slapd)
  await notice.click()
  await page.getByRole('checkbox', { name: /^(없는 그룹 생성|Create missing groups)$/ }).check()
  const part = page.getByRole('region', { name: /^(테스트|Test)$/ })
  await part.getByRole('button').click()
  await part.getByRole('row').last().scrollIntoViewIfNeeded()
  await part.screenshot({ path: pathOf(pictures, 'test'), ...STILL })
  await main(page)
    .getByRole('button', { name: /^(저장|Save)$/ })
    .click()
  await notice.click()
  const card = page.getByRole('region', { name: STATE })
  await card.getByRole('button', { name: /^(지금 실행|Run now)$/ }).click()
  await main(page)
    .getByText(/^(완료|Done)$/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: /^(설정|Settings)/ }).click()
  await page.getByRole('button', { name: /^(사용자 동기화|User synchronization)$/ }).click()
  await card.getByText(/1,100/).waitFor()
  await card.screenshot({ path: pathOf(pictures, 'card'), ...STILL })
}

/** Takes the pictures of one language. */
export async function takePeople(browser: Browser, pictures: Pictures): Promise<void> {
  const slapd = await openSlapd()
  const server = await startAcc('evaluation')
  try {
    const page = await openPage(browser, server.baseUrl, pictures.locale)
    await takePlan(page, server, pictures)
    await takeRun(page, server, pictures)
    await takeSync(page, slapd, pictures)
    await page.context().close()
  } finally {
    await server.stop()
    await slapd.stop()
  }
}
