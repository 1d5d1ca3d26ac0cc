// The history viewer (S2 section 2.6): periods, filters from a cell, a count that stops and goes on, CSV, details.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { addSignIns } from './manyRows.ts'
import { requestExport, signInPc } from './requests.ts'
import { enter, openScreen } from './screens.ts'
import { test } from './teams.ts'
import { expect } from './test.ts'

const signInsOf = (page: Page) => page.getByRole('table', { name: '클라이언트 로그인 이력' })
const exportsOf = (page: Page) => page.getByRole('table', { name: '파일 반출 이력' })

async function openHistory(page: Page, kind?: string): Promise<void> {
  await openScreen(page, '이력')
  if (kind !== undefined)
    await page.getByRole('navigation', { name: '이력 종류' }).getByRole('button', { name: kind }).click()
}

async function downloadCsv(page: Page): Promise<{ name: string; lines: string[] }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  return { name: download.suggestedFilename(), lines: text.trimEnd().split('\r\n') }
}

test('a count beyond 10,000 stops, and goes on when it is pressed', async ({ page, server }) => {
  await addSignIns(server, 'counted', 10_050)
  await enter(page)
  await openHistory(page)
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

test('a press on a cell filters by it; periods and states narrow further', async ({ page, addTeam, server }) => {
  const one = await addTeam('past', '지난팀')
  const other = await addTeam('past2', '다른 지난팀')
  const approved = await requestExport(one.pc, '승인된 것', { '보고서.txt': '내용' })
  const rejected = await requestExport(one.pc, '반려된 것', { 'b.txt': 'b' })
  await requestExport(other.pc, '다른 팀의 것', { 'c.txt': 'c' })
  await server.admin.requests.decide({ idx: approved, state: 1, purpose: '좋습니다' })
  await server.admin.requests.decide({ idx: rejected, state: 0, purpose: '안 됩니다' })
  await enter(page)
  await openHistory(page, '파일 반출')
  const rows = exportsOf(page).getByRole('row').filter({ hasText: '지난팀' })
  await expect(rows).toHaveCount(3)
  await exportsOf(page).getByRole('button', { name: '지난팀 직원', exact: true }).first().click()
  await expect(rows.filter({ hasText: '다른' })).toHaveCount(1)
  await page.getByRole('search').getByRole('textbox', { name: '그룹' }).fill('다른')
  await expect(rows).toHaveCount(1)
  await page.getByRole('search').getByRole('textbox', { name: '그룹' }).fill('')
  await page.getByRole('search').getByRole('textbox', { name: '요청자', exact: true }).fill('지난팀 직원')
  await page.getByRole('combobox', { name: '상태' }).click()
  await page.getByRole('option', { name: '승인', exact: true }).click()
  await expect(rows).toHaveCount(1)
  await rows.first().click()
  await expect(page.getByText('좋습니다')).toBeVisible()
  await expect(page.getByText('보고서.txt')).toBeVisible()
  await page.reload()
  await expect(page.getByText('좋습니다')).toBeVisible()
  await expect(rows).toHaveCount(1)
  await page.getByRole('button', { name: '기간' }).click()
  await page.getByRole('button', { name: '전체 기간' }).click()
  await expect(rows).toHaveCount(1)
})

test('a manager reads the history of covered groups alone', async ({ page, addTeam }) => {
  const one = await addTeam('covered', '맡은팀')
  const other = await addTeam('uncovered', '안맡은팀')
  await requestExport(one.pc, '보이는 것', { 'a.txt': 'a' })
  await requestExport(other.pc, '안 보이는 것', { 'a.txt': 'a' })
  await enter(page, one.manager)
  await openHistory(page)
  await expect(signInsOf(page).getByRole('row').filter({ hasText: 'covered' })).toHaveCount(1)
  await openHistory(page, '파일 반출')
  await expect(exportsOf(page).getByRole('row').filter({ hasText: '맡은팀' })).toHaveCount(1)
  const { lines } = await downloadCsv(page)
  expect(lines.join()).toContain('보이는 것')
  expect(lines.join()).not.toContain('안 보이는 것')
})

test('a try at an ID that nobody has stands in the sign-in history as one', async ({ page, addTeam, server }) => {
  const { manager } = await addTeam('unknowns', '모르는팀')
  await expect(signInPc(server.baseUrl, { id: 'nobody.knows', password: 'Wr0ng!word-xx' })).rejects.toThrow()
  await enter(page)
  await openHistory(page)
  const row = signInsOf(page).getByRole('row').filter({ hasText: 'nobody.knows' })
  await expect(row).toContainText('비밀번호 실패')
  await expect(row.getByRole('cell').nth(3)).toHaveText('없는 아이디')
  await expect(row.getByRole('cell').nth(4)).toHaveText('-')
  await page.getByRole('combobox', { name: '유형' }).click()
  await page.getByRole('option', { name: '로그인 거부' }).click()
  await expect(row).toHaveCount(0)
  await expect(page.getByRole('main').locator('[aria-live="polite"]').getByText('0', { exact: true })).toBeVisible()
  await page.context().clearCookies()
  await enter(page, manager)
  await openHistory(page)
  await expect(signInsOf(page)).toBeVisible()
  await expect(row).toHaveCount(0)
})
