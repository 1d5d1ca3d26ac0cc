// Imports of users from files: plan, errors, brake and pause.

import { readFile } from 'node:fs/promises'
import { api } from '@acc/contract'
import { hasFlag } from '@acc/contract/labels/flags'
import { ImportState } from '@acc/contract/labels/userImports'
import { UserState } from '@acc/contract/labels/users'
import type { Locator, Page } from '@playwright/test'
import type { AccServer } from './accServer.ts'
import { ROOT, until } from './arrange.ts'
import { expectReachable, expectReadable, overflowing } from './eachScreen.ts'
import { answerDialog, enter, enterAt, openScreen } from './screens.ts'
import { withDatabase } from './serverDatabase.ts'
import { expect, testOnOwnServer } from './test.ts'

// A person has one run at a time, and complete files suspend the people of others.
const test = testOnOwnServer()

const HEADER = ['아이디', '이름', '이메일', '그룹']
type Cells = readonly string[]
const csvOf = (rows: readonly Cells[], header: Cells = HEADER): string =>
  [header, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('')
/** New users need a group. */
const GROUP = '가져온 본부'
const person = (id: string, name = '가져온 사람', group = GROUP): Cells => [id, name, `${id}@example.com`, group]

/** Imports a file by calls, as an earlier run. */
async function importBefore({ admin }: AccServer, rows: readonly Cells[]): Promise<void> {
  const { idx } = await admin.userImports.upload({}, new File([csvOf(rows)], 'before.csv'))
  const state = (wanted: ImportState) =>
    until('the earlier import', async () =>
      (await admin.userImports.find({ idx })).state === wanted ? true : undefined,
    )
  await state(ImportState.PLANNED)
  await admin.userImports.apply({ idx })
  await state(ImportState.DONE)
}

test.beforeAll(({ server }) => server.admin.groups.create({ parentIdx: ROOT, name: GROUP }))

async function isSuspended({ admin }: AccServer, id: string): Promise<boolean> {
  const { items } = await admin.users.search({ id })
  return items.some((user) => user.id === id && hasFlag(user.state, UserState.DISABLED))
}

const main = (page: Page): Locator => page.getByRole('main')
const rowsOf = (page: Page): Locator => page.getByRole('table', { name: '계획의 행' })
const rowOf = (page: Page, text: string): Locator => rowsOf(page).getByRole('row').filter({ hasText: text })
const number = (page: Page, list: '계획의 건수' | '적용 결과', label: string): Locator =>
  page
    .getByLabel(list)
    .locator('div', { has: page.getByText(label, { exact: true }) })
    .locator('dd')
const stateOf = (page: Page, state: string): Locator => main(page).getByText(state, { exact: true }).first()

async function openImports(page: Page): Promise<void> {
  await openScreen(page, '사용자')
  await main(page).getByRole('button', { name: '생성 방법' }).press('Enter')
  await expect(page.getByRole('menuitem', { name: '한 명 생성' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: '파일로 가져오기' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: '사용자 가져오기' })).toBeVisible()
}

/** Chooses a file and makes its plan. */
async function plan(
  page: Page,
  name: string,
  content: string | Buffer,
  options: readonly string[] = [],
): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
  await expect(page.getByRole('button', { name: 'CSV 파일 선택' })).toContainText(name.slice(0, 8))
  for (const option of options) await page.getByRole('checkbox', { name: option }).check()
  await page.getByRole('button', { name: '계획 작성' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

/** Drops a file on the box. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  const box = page.getByRole('button', { name: 'CSV 파일 선택' })
  const make = (file: { name: string; content: string }) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([file.content], file.name))
    return transfer
  }
  const dataTransfer = await page.evaluateHandle(make, { name, content })
  for (const event of ['dragenter', 'dragover', 'drop']) await box.dispatchEvent(event, { dataTransfer })
}

const apply = (page: Page) => main(page).getByRole('button', { name: '적용', exact: true }).click()

test('an administrator sees the plan of a file and applies it', async ({ page, server }) => {
  await importBefore(server, [person('stays.same'), person('gets.mail'), person('leaves.us', '나가는 사람')])
  await enter(page)
  await openImports(page)
  const file = csvOf([
    person('stays.same'),
    ['gets.mail', '가져온 사람', 'another.address@example.com', ''],
    person('comes.new', '새로 온 사람'),
    ['wrong.mail', '틀린 사람', 'no address', ''],
    person('wrong.group', '그룹 없는 사람', '없는 본부 > 없는 팀'),
  ])
  await plan(page, 'people.csv', file, ['파일에 없는 사용자 정지'])
  await expect(stateOf(page, '확인 대기')).toBeVisible()
  for (const [label, count] of [
    ['생성', '1'],
    ['수정', '1'],
    ['정지', '1'],
    ['오류', '2'],
    ['변경 없음', '1'],
  ] as const)
    await expect(number(page, '계획의 건수', label)).toHaveText(count)
  await expectReadable(page, 'a plan')

  await page.getByRole('tab', { name: '변경' }).click()
  await expect(rowsOf(page).getByRole('row')).toHaveCount(2)
  await rowOf(page, 'gets.mail').click()
  const changes = page.getByRole('table', { name: '변경 내용' })
  await expect(changes.locator('del')).toHaveText('gets.mail@example.com')
  await expect(changes.locator('ins')).toHaveText('another.address@example.com')
  await page.getByRole('tab', { name: '정지' }).click()
  await expect(rowOf(page, 'leaves.us')).toContainText('원본에 없음')
  await page.getByRole('tab', { name: '오류' }).click()
  await expect(rowOf(page, 'wrong.mail').getByRole('cell').first()).toHaveText('5')
  await rowOf(page, 'wrong.mail').click()
  const detail = page.getByRole('region', { name: '선택한 행' })
  await expect(detail).toContainText('이메일형식에 맞지 않습니다.name@example.com 형식으로 입력해 주세요.')
  await rowOf(page, 'wrong.group').click()
  await expect(detail).toContainText('그룹이 없습니다.')
  await page.getByRole('tab', { name: '전체' }).click()

  await apply(page)
  const dialog = page.getByRole('dialog', { name: '계획 적용' })
  await expect(dialog).toContainText('생성 1 · 수정 1 · 정지 1')
  await expect(dialog).toContainText('오류가 있는 2행은 적용하지 않습니다.')
  await answerDialog(page, '계획 적용', '적용')
  await expect(stateOf(page, '완료')).toBeVisible()
  await expect(number(page, '적용 결과', '적용')).toHaveText('3')
  await expect(rowOf(page, 'comes.new').getByRole('cell').last()).toHaveText('적용')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    main(page).getByRole('button', { name: 'CSV', exact: true }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^가져오기_\d+_\d{14}\.csv$/)
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
  expect(lines[0]).toMatch(/줄,작업,.*,결과/)
  expect(lines.find((line) => line.includes('comes.new'))).toMatch(/^"?4"?,"?생성"?,.*적용/)
  expect(lines.find((line) => line.includes('wrong.mail'))).toContain('형식에 맞지 않습니다.')
  expect(await isSuspended(server, 'leaves.us')).toBe(true)
  await rowOf(page, 'comes.new').click()
  await detail.getByRole('button', { name: '사용자 열기' }).click()
  await expect(page.getByRole('heading', { level: 2, name: '새로 온 사람' })).toBeVisible()
})

test('the history of a user and that of imports lead to the run, which fits a telephone', async ({ page, server }) => {
  await importBefore(server, [person('in.history', '이력의 사람')])
  await enterAt(page, 'history')
  const menus = page.getByRole('navigation').filter({ has: page.getByRole('button', { name: '사용자 관리' }) })
  await menus.getByRole('button', { name: '사용자 관리', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'in.history' }).first().click()
  await page.getByRole('button', { name: '가져오기 열기' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'before.csv' })).toBeVisible()
  await openScreen(page, '이력')
  await menus.getByRole('button', { name: '사용자 가져오기', exact: true }).click()
  const row = page.getByRole('row').filter({ hasText: 'before.csv' }).first()
  await row.getByText('before.csv').hover()
  await row.getByRole('button', { name: 'before.csv 열기' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'before.csv' })).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await openImports(page)
  expect(await overflowing(page)).toEqual([])
  await page.getByRole('row').filter({ hasText: 'before.csv' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'before.csv' })).toBeVisible()
  await expect(rowOf(page, 'in.history')).toBeVisible()
  expect(await overflowing(page)).toEqual([])
  await expectReachable(main(page), 'a run')
})

test('the example is downloaded, other kinds of files are refused, and a misspelt header with the right one', async ({
  page,
}) => {
  await enter(page)
  await openImports(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '예제 파일 다운로드' }).click(),
  ])
  const content = await readFile(await download.path(), 'utf8')
  await drop(page, 'program.exe', content)
  await answerDialog(page, '파일을 가져올 수 없습니다', '확인')
  await expect(page.getByRole('button', { name: '계획 작성' })).toHaveAttribute('aria-disabled', 'true')
  await drop(page, download.suggestedFilename(), content.replace('이메일', '이매일'))
  await page.getByRole('button', { name: '계획 작성' }).click()
  const refusal = page.getByRole('alert').filter({ hasText: '파일을 가져오지 않았습니다' })
  await expect(refusal).toContainText('1번째 줄 ‘이매일’: 알 수 없는 머리글입니다.')
  await expect(refusal).toContainText('혹시 ‘이메일’인가요?')
  await expect(main(page)).not.toContainText('다른 관리자가 시작한')
  await refusal.getByRole('button', { name: '다른 파일 선택' }).click()
  await page.locator('input[type=file]').setInputFiles({ name: 'a.xlsx', mimeType: '', buffer: Buffer.from('PK') })
  await expect(page.getByRole('dialog')).toContainText('CSV 파일이 아닙니다.')
})

test('a plan that suspends many people is applied by their number', async ({ page, server }) => {
  const people = Array.from({ length: 25 }, (_, at) => person(`many.${at}`))
  await importBefore(server, people)
  await enter(page)
  await openImports(page)
  const { items } = await server.admin.users.search({ id: 'stays.same' })
  // The people of the test before are those of files, too.
  const others = ['stays.same', 'gets.mail', 'comes.new', 'in.history'].filter(() => items.length > 0)
  const left = [...people.slice(0, 3), ...others.map((id) => person(id))]
  await plan(
    page,
    'half.csv',
    csvOf(
      left.map(([id = '', name = '']) => [id, name]),
      ['아이디', '이름'],
    ),
    ['파일에 없는 사용자 정지'],
  )
  const brake = page.getByRole('alert')
  await expect(brake).toContainText(/^\d+명 중 22명이 정지됩니다/)
  await apply(page)
  const dialog = page.getByRole('dialog', { name: '사용자 22명 정지 확인' })
  const confirm = dialog.getByRole('button', { name: '22명 정지하고 적용' })
  await expect(confirm).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByRole('textbox').fill('21')
  await expect(confirm).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByRole('textbox').fill('22')
  await confirm.click()
  await expect(stateOf(page, '완료')).toBeVisible()
  expect(await isSuspended(server, 'many.20')).toBe(true)
})

/** Keeps new people out of the group of the files while the work takes. */
const holdGroup = (server: AccServer, work: () => Promise<unknown>) =>
  withDatabase(server, (db) =>
    db.write.transaction().execute(async (tx) => {
      await tx.selectFrom('groups').select('idx').where('name', '=', GROUP).forUpdate().execute()
      await work()
    }),
  )

test('an import survives its window, is paused, found again and continued', async ({ page: first, server }) => {
  await enter(first)
  await openImports(first)
  // Three blocks, of which one is applied before the pause.
  const count = 1_100
  await plan(first, 'large.csv', csvOf(Array.from({ length: count }, (_, at) => person(`pause.${at}`))))
  await expect(stateOf(first, '확인 대기')).toBeVisible()
  const page = await first.context().newPage()
  await enterAt(page, 'users')
  const notice = page.getByRole('status').filter({ hasText: 'large.csv' })
  await expect(notice).toContainText('확인 대기')
  await holdGroup(server, async () => {
    await apply(first)
    await answerDialog(first, '계획 적용', '적용')
    // A bar of no percent has no width.
    await expect(first.getByRole('progressbar', { name: '진행률' })).toBeAttached()
    await first.close()
    await expect(notice).toContainText('적용 중')
    await page.getByRole('button', { name: '사용자 가져오기 열기' }).click()
    await expect(page.getByRole('progressbar', { name: '진행률' })).toBeAttached()
    // The call waits for the block, which waits for the group.
    const called = page.waitForRequest(`**${api.userImports.pause.path}`)
    await main(page).getByRole('button', { name: '일시 중지', exact: true }).click()
    await called
  })
  await expect(main(page).getByRole('button', { name: '계속', exact: true })).toBeVisible()
  expect((await server.admin.users.search({ id: 'pause.' })).totalCount).toBeLessThan(count)
  await openScreen(page, '대시보드')
  await openScreen(page, '사용자')
  await expect(notice).toContainText('일시 중지')
  await page.getByRole('button', { name: '사용자 가져오기 열기' }).click()
  await main(page).getByRole('button', { name: '계속', exact: true }).click()
  await expect(stateOf(page, '완료')).toBeVisible()
  await expect(number(page, '적용 결과', '적용')).toHaveText('1,100')
  expect((await server.admin.users.search({ id: 'pause.' })).totalCount).toBe(count)
})
