// The menu *shortcut* of the settings (spec S1 §2, §4, §5, §9): dialogs, the edit mode in place, icons, leaving.
import type { Locator, Page } from '@playwright/test'
import { makePng } from '../server/src/files/png.fixture.ts'
import { answerDialog, enterSettings, expectNotice } from './screens.ts'
import { expect, test } from './test.ts'

const openMenu = (page: Page) => enterSettings(page, '바로가기')
const menu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: '설정 메뉴' }).getByRole('button', { name })

/** One of the two tables with its buttons. */
const list = (page: Page, title: string) =>
  page
    .getByRole('main')
    .locator('form')
    .filter({ has: page.getByRole('heading', { name: title }) })
const rowOf = (of: Locator, text: string) => of.getByRole('row').filter({ hasText: text })
const dialog = (page: Page) => page.getByRole('dialog')

test('a shortcut is created, changed and deleted in its dialog, with an icon', async ({ page, server }) => {
  await openMenu(page)
  const webs = list(page, '웹 바로가기')
  await webs.getByRole('button', { name: '생성' }).click()
  await dialog(page).getByLabel('이름').fill('그룹:웨어')
  await dialog(page).getByLabel('URL').fill('javascript:alert(1)')
  await dialog(page).getByRole('button', { name: '생성' }).click()
  await expect(dialog(page).getByText('http:// 또는 https://로 시작하는 주소를 입력해 주세요.')).toBeVisible()
  await expect(dialog(page).getByText('이름에는 \\ / : * ? " < > | ; 문자를 사용할 수 없습니다.')).toBeVisible()
  await dialog(page).getByLabel('이름').fill('그룹웨어')
  await dialog(page).getByLabel('URL').fill('https://gw.example.com/')
  const file = dialog(page).locator('input[type=file]')
  await file.setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') })
  await dialog(page).getByRole('button', { name: '생성' }).click()
  await expect(dialog(page).getByText('64 KB 이하의 PNG 또는 ICO 파일만 사용할 수 있습니다.')).toBeVisible()
  await file.setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer: makePng(16, 16) })
  await dialog(page).getByRole('button', { name: '생성' }).click()
  await expectNotice(page, '바로가기를 생성했습니다.')
  await expect(rowOf(webs, '그룹웨어').locator('img')).toBeVisible()

  await rowOf(webs, '그룹웨어').click()
  const ok = dialog(page).getByRole('button', { name: '확인' })
  await dialog(page).getByLabel('이름').fill('사내 포털')
  await ok.click()
  await expect(rowOf(webs, '사내 포털').locator('img')).toBeVisible()
  await rowOf(webs, '사내 포털').click()
  await dialog(page).getByRole('button', { name: '아이콘 삭제' }).click()
  await ok.click()
  await expect(rowOf(webs, '사내 포털').getByText('사', { exact: true })).toBeVisible()

  await webs.getByRole('button', { name: '편집' }).click()
  await rowOf(webs, '사내 포털').getByRole('checkbox').click()
  await webs.getByRole('button', { name: '삭제' }).click()
  await answerDialog(page, '바로가기 삭제', '삭제')
  await expect(rowOf(webs, '사내 포털')).toBeHidden()
  expect((await server.admin.shortcuts.searchWebs({ keyword: '사내 포털' })).totalCount).toBe(0)
})

test('in the edit mode rows are edited in place, marked and saved together; leaving asks and forgets the edits', async ({
  page,
  server,
}) => {
  const { shortcuts } = server.admin
  for (const name of ['가', '나', '다']) await shortcuts.createProgram({ name, path: `C:\\edit\\${name}.exe` })
  await shortcuts.createWeb({ name: '남는 이름', url: 'https://leave.example.com/' })
  await openMenu(page)
  // There is no shared Save.
  await expect(page.getByRole('button', { name: '저장', exact: true })).toHaveCount(0)
  const programs = list(page, '프로그램 바로가기')
  await programs.getByRole('button', { name: '편집' }).click()
  await rowOf(programs, '가.exe').click()
  await programs.getByRole('textbox', { name: '가 이름' }).fill('하나')
  await programs.getByRole('textbox', { name: '가 경로' }).fill('C:\\edit\\나.exe')
  await rowOf(programs, '다.exe').click()
  await programs.getByRole('textbox', { name: '다 이름' }).fill('셋')
  await expect(programs.locator('td[data-changed]')).toHaveCount(3)
  await programs.getByRole('button', { name: '저장' }).click()
  // One of them is taken by another shortcut; the other one is saved.
  await expect(programs.getByText('이미 등록된 경로입니다.')).toBeVisible()
  await expect(programs.locator('td[data-changed]')).toHaveCount(2)
  await programs.getByRole('textbox', { name: '가 경로' }).fill('%ProgramFiles%\\edit\\one.exe')
  await programs.getByRole('button', { name: '저장' }).click()
  await expectNotice(page, '저장했습니다.')
  await expect(programs.locator('td[data-changed]')).toHaveCount(0)
  const { items } = await shortcuts.searchPrograms({ keyword: 'edit', sort: 'idx', sortOrder: 0 })
  expect(items.map(({ name, path }) => [name, path])).toEqual([
    ['하나', '%ProgramFiles%\\edit\\one.exe'],
    ['나', 'C:\\edit\\나.exe'],
    ['셋', 'C:\\edit\\다.exe'],
  ])

  const webs = list(page, '웹 바로가기')
  await webs.getByRole('button', { name: '편집' }).click()
  await rowOf(webs, 'leave.example.com').click()
  await webs.getByRole('textbox', { name: '남는 이름 이름' }).fill('잊을 이름')
  await menu(page, '정보').click()
  await answerDialog(page, '변경사항 저장', '저장하지 않고 계속')
  await menu(page, '바로가기').click()
  await expect(rowOf(webs, '남는 이름')).toBeVisible()
  await expect(page.getByText('잊을 이름')).toHaveCount(0)
})

test('the search looks through both tables, and the one that fails is named', async ({ page, server, faults }) => {
  const { shortcuts } = server.admin
  await shortcuts.createWeb({ name: 'Page', url: 'https://pages.example.com/' })
  await shortcuts.createProgram({ name: 'Pages', path: 'C:\\pages.example.exe' })
  await openMenu(page)
  await page.getByRole('searchbox').fill('pages.example')
  const [webs, programs] = [list(page, '웹 바로가기').locator('tbody tr'), list(page, '프로그램 바로가기')]
  await expect(webs).toHaveText([/pages\.example\.com/])
  await expect(programs.locator('tbody tr')).toHaveText([/pages\.example\.exe/])
  await page.route('**/ShortcutPrograms/Search?**', (route) => route.fulfill({ status: 500, json: {} }))
  await page.getByRole('searchbox').fill('pages.example.com')
  await expect(page.getByRole('alert')).toContainText('프로그램 바로가기를 불러오지 못했습니다')
  await expect(webs).toHaveText([/pages\.example\.com/])
  await page.unroute('**/ShortcutPrograms/Search?**')
  await page.getByRole('button', { name: '다시 시도' }).click()
  await expect(programs).toContainText('조건에 맞는 프로그램')
  // The browser reports the response that this test makes.
  faults.length = 0
})

test('an edit over a newer version is refused in the table, which then shows that version', async ({
  page,
  server,
}) => {
  const { shortcuts } = server.admin
  const two = await shortcuts.createProgram({ name: '둘', path: 'C:\\race\\two.exe' })
  await openMenu(page)
  await page.getByRole('searchbox').fill('race')
  const programs = list(page, '프로그램 바로가기')
  await programs.getByRole('button', { name: '편집' }).click()
  await rowOf(programs, 'two.exe').click()
  await programs.getByRole('textbox', { name: '둘 이름' }).fill('두 번째')
  await shortcuts.updateProgram({ ...two, name: '이', path: 'C:\\race\\zwei.exe' })
  const path = programs.getByRole('textbox', { name: '이 경로' })
  await expect(path).toHaveValue('C:\\race\\zwei.exe')
  await programs.getByRole('button', { name: '저장' }).click()
  await expect(programs.getByText('다른 관리자가 먼저 이로 변경했습니다.')).toBeVisible()
  await expect(programs.getByText('다른 관리자가 먼저 변경했습니다.')).toBeVisible()
  const { items } = await shortcuts.searchPrograms({ keyword: 'race' })
  expect(items).toMatchObject([{ name: '이', path: 'C:\\race\\zwei.exe' }])
  await programs.getByRole('button', { name: '저장' }).click()
  await expect(programs.locator('td[data-changed]')).toHaveCount(0)
  await expectNotice(page, '저장했습니다.')
  expect((await shortcuts.searchPrograms({ keyword: 'race' })).items).toMatchObject([
    { name: '두 번째', path: 'C:\\race\\zwei.exe' },
  ])
})
