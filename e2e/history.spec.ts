// The history viewer (spec S2 §2.6): periods, filters from a cell, a capped count that continues, CSV, details.
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { addUser } from './arrange.ts'
import { addSignIns } from './manyRows.ts'
import { requestExport, signInPc } from './requests.ts'
import { addFilter, enterAt } from './screens.ts'
import { test } from './teams.ts'
import { expect } from './test.ts'

const exportsOf = (page: Page) => page.getByRole('table', { name: '파일 반출 이력' })

const openKind = (page: Page, kind: string) =>
  page.getByRole('navigation', { name: '이력 종류' }).getByRole('button', { name: kind, exact: true }).click()

async function downloadCsv(page: Page): Promise<{ name: string; lines: string[] }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  return { name: download.suggestedFilename(), lines: text.trimEnd().split('\r\n') }
}

/** Presses the funnel of the cell that begins with a text, which is there while the pointer is over the cell. */
async function pressFunnel(row: Locator, text: string): Promise<void> {
  const cell = row.getByRole('cell').filter({ hasText: new RegExp(`^${text}`) })
  const funnel = row.getByRole('button', { name: `‘${text}’만 보기`, includeHidden: true })
  await expect(async () => {
    await row.evaluate((element) => element.closest('table')?.parentElement?.scrollTo(0, 0))
    await cell.first().hover({ timeout: 2_000 })
    // An earlier press would be repeated after scrolling, which moves the cell away from the pointer.
    await expect(funnel).toHaveCSS('pointer-events', 'auto', { timeout: 2_000 })
    await funnel.click({ timeout: 2_000 })
  }).toPass()
}

test('an attempt with an unknown ID is listed; a count beyond 10,000 stops, and continues when it is pressed', async ({
  page,
  server,
}) => {
  await addSignIns(server, 'counted', 10_050)
  await expect(signInPc(server.baseUrl, { id: 'un.known', password: 'Wr0ng!word-xx' })).rejects.toThrow()
  await enterAt(page, 'history')
  const attempt = page
    .getByRole('table', { name: '로그인 이력', exact: true })
    .getByRole('row')
    .filter({ hasText: 'un.***' })
  await expect(attempt).toContainText('비밀번호 실패')
  await expect(attempt.getByRole('cell').nth(3)).toHaveText('없는 아이디')
  await addFilter(page)
  const userId = page.getByRole('search').getByRole('textbox', { name: '아이디' })
  await userId.fill('counted7')
  await expect(page.getByText('1–25 / 1,111')).toBeVisible()
  const { name, lines } = await downloadCsv(page)
  expect(name).toMatch(/^clientLogin_\d{14}\.csv$/)
  expect(lines).toHaveLength(1112)
  expect(lines[0]).toMatch(/^\uFEFF"?로그인 일시/)
  await userId.fill('counted')
  await page.getByRole('button', { name: /^10000\+/ }).click()
  await expect(page.getByText('1–25 / 10,050')).toBeVisible()
  await page.getByRole('button', { name: '다음 페이지' }).click()
  await expect(page.getByText('26–50 / 10,050')).toBeVisible()
})

test('states narrow a history, a reload keeps the open row, and all filters go at once', async ({
  page,
  addTeam,
  server,
}) => {
  const { pc } = await addTeam('past', '지난팀')
  const approved = await requestExport(pc, '승인된 것', { '보고서.txt': '내용' })
  const rejected = await requestExport(pc, '반려된 것', { 'b.txt': 'b' })
  await server.admin.requests.decide({ idx: approved, state: 1, purpose: '좋습니다' })
  await server.admin.requests.decide({ idx: rejected, state: 0, purpose: '안 됩니다' })
  await enterAt(page, 'history')
  await openKind(page, '파일 반출')
  const rows = exportsOf(page).getByRole('row').filter({ hasText: '지난팀' })
  await expect(rows).toHaveCount(2)
  await addFilter(page)
  await page.getByRole('search').getByRole('textbox', { name: '요청자', exact: true }).fill('지난팀 직원')
  await page.getByRole('combobox', { name: '상태' }).click()
  await page.getByRole('option', { name: '승인', exact: true }).click()
  await expect(rows).toHaveText([/승인/])
  await rows.first().click()
  await expect(page.getByText('좋습니다')).toBeVisible()
  await page.reload()
  await expect(page.getByText('좋습니다')).toBeVisible()
  await expect(rows).toHaveCount(1)
  await page.getByRole('button', { name: '조건 초기화' }).click()
  await addFilter(page)
  await expect(page.getByRole('search').getByRole('textbox', { name: '요청자', exact: true })).toHaveValue('')
  await expect(rows).toHaveCount(2)
})

test('f and a funnel filter by the cells of a row, and a filter that another kind does not have goes', async ({
  page,
  server,
}) => {
  await addUser(server, 'keyed.employee', '자판 직원')
  await enterAt(page, 'history')
  await openKind(page, '사용자 관리')
  const row = page.getByRole('table', { name: '사용자 관리 이력', exact: true }).getByRole('row').nth(1)
  await expect(row).toContainText('자판 직원')
  await row.focus()
  await page.keyboard.press('f')
  await expect(row.getByRole('button').first()).toBeFocused()
  await page.keyboard.press('f')
  await expect(row.getByRole('button').nth(1)).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '조건 초기화' }).click()

  await page.getByRole('button', { name: '기간' }).click()
  await page.getByRole('button', { name: '최근 30일' }).click()
  const time = row.getByRole('cell').first()
  const [day] = (await time.textContent())?.split(' ') ?? []
  await time.hover()
  await expect(time.getByRole('button')).toHaveCSS('pointer-events', 'auto')
  await pressFunnel(row, day ?? '')
  await expect(page.getByRole('button', { name: '기간' })).toHaveText(`${day} – ${day}`)
  await addFilter(page)
  await page.getByRole('combobox', { name: '시간대' }).click()
  await page.getByRole('option', { name: '03:00~04:00' }).click()
  await expect(page.getByRole('search').getByRole('button', { name: '그룹: 전체 그룹' })).toBeVisible()
  await openKind(page, '바로가기 관리')
  await addFilter(page)
  await expect(page.getByRole('combobox', { name: '시간대' })).toHaveValue('시간대: 전체')
  await expect(page.getByRole('search').getByRole('button', { name: '그룹: 전체 그룹' })).toHaveCount(0)
})
