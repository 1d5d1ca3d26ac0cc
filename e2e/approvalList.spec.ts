// The second line of a row of the queue, ways to other requests, and what an empty queue says.
import type { Page } from '@playwright/test'
import { addPerson, ROOT } from './arrange.ts'
import { requestExport, requestFiles } from './requests.ts'
import { enterAt, openScreen, paneOf, rowOf } from './screens.ts'
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

test('an empty queue names the groups whose requests it would show', async ({ page, server }) => {
  const { admin } = server
  const groupIdxes: number[] = []
  for (const name of ['빈 가', '빈 나', '빈 다', '빈 라', '빈 마']) {
    const { idx } = await admin.groups.create({ parentIdx: ROOT, name })
    await admin.groups.create({ parentIdx: idx, name: `${name}의 하위` })
    groupIdxes.push(idx)
  }
  const manager = await addPerson(server, 'empty.manager', '빈 목록 부장')
  const levels = { policy: 0, user: 0, fileExportApprove: 2, fileImportApprove: 1, log: 0 } as const
  await admin.authorities.create({ name: '빈 목록', groupIdxes, userIdxes: [manager.idx], ...levels })
  await enterAt(page, 'approvals', manager)
  const hint = page.getByText('관리 그룹: 빈 가, 빈 나, 빈 다 외 2개 (하위 그룹 포함).', { exact: false })
  await expect(hint).toContainText('정책이 내 권한을 승인 단계로 지정한 요청도 표시됩니다.')
  await page.getByText('승인', { exact: true }).first().click()
  await expect(hint).not.toContainText('승인 단계')
  // A reader decides no step.
  await openScreen(page, '반입 승인')
  await expect(hint).toBeVisible()
  await expect(hint).not.toContainText('승인 단계')
  await page.getByRole('search').getByRole('searchbox').fill('없는 사람')
  await expect(page.getByText('조건에 맞는 요청이 없습니다')).toBeVisible()
  await expect(hint).toHaveCount(0)
})
