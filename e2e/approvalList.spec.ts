// The second line of a row of the queue, and ways to other requests.
import type { Page } from '@playwright/test'
import { requestExport, requestFiles } from './requests.ts'
import { enterAt, paneOf, rowOf } from './screens.ts'
import { test } from './teams.ts'
import { expect } from './test.ts'

test.use({ operator: { consoleConfig: { show: { approve: { import: true } } } } })

const titleOf = (page: Page, idx: number) => page.getByRole('heading', { level: 2, name: new RegExp(`^#${idx} `) })

test('the number of a request in the other direction leads there', async ({ page, addTeam }) => {
  const { pc } = await addTeam('direction', '방향팀')
  const idx = await requestFiles(pc, 0, '자료 반입', { 'a.txt': 'a' })
  await enterAt(page, 'approvals')
  await page.getByRole('search').getByRole('searchbox').fill(String(idx))
  await expect(page.getByText(`${idx}번은 반입 요청입니다`)).toBeVisible()
  await page.getByRole('button', { name: `#${idx} 열기` }).click()
  await expect(titleOf(page, idx)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: '반입 승인' })).toBeVisible()
})

test('what else waits of the requester is one press away', async ({ page, addTeam }) => {
  const { pc, manager } = await addTeam('others', '여러팀')
  const first = await requestExport(pc, '첫째 사유', { 'a.txt': 'a', 'b.txt': 'b' })
  const second = await requestExport(pc, '둘째 사유', { 'c.txt': 'c' })
  await enterAt(page, 'approvals', manager)
  await expect(rowOf(page, first)).toContainText('첫째 사유')
  await expect(rowOf(page, first)).toContainText('외 1개')
  await rowOf(page, second).click()
  await paneOf(page).getByRole('button', { name: '대기 1건' }).click()
  await expect(page.getByRole('search').getByRole('searchbox')).toHaveValue('others.employee')
  await expect(rowOf(page, first)).toBeVisible()
  await expect(titleOf(page, second)).toBeVisible()
})
