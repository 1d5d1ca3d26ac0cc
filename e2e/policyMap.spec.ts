// Why a value applies, who manages a group, and the map of all policies.
import type { Page } from '@playwright/test'
import type { AccServer } from './accServer.ts'
import { addUser } from './arrange.ts'
import { findFaults } from './axe.ts'
import { requestExport } from './requests.ts'
import { enterAt, openGroup } from './screens.ts'
import { test } from './teams.ts'
import { expect } from './test.ts'

/** Creates a group with a policy of its own that allows printing, and a group below it. */
async function arrange({ admin }: AccServer, name: string) {
  const { idx } = await admin.groups.create({ parentIdx: 1, name })
  const below = await admin.groups.create({ parentIdx: idx, name: `${name} 하위` })
  await admin.groups.setIsMyPolicy({ idx, isMyPolicy: 1 })
  const policy = await admin.policies.find({ ownerIdx: idx, ownerType: 0 })
  await admin.policies.update({ idx: policy.idx, print: 1 })
  return { idx, below: below.idx }
}

/** Opens the map at a group of its own, with the focus on the group. */
async function openMapAt(page: Page, server: AccServer, name: string): Promise<void> {
  await arrange(server, name)
  await enterAt(page, 'policies')
  await page.getByText('정책 지도').click()
  await page.getByRole('textbox', { name: '그룹 검색' }).fill(name)
  await page.keyboard.press('Enter')
}

const since = (page: Page, field: string) => page.locator('dl > div', { hasText: field }).locator('dd').last()

test("a user's pane leads to why each value applies, and on to the change that set it", async ({ page, server }) => {
  const { below } = await arrange(server, '근거 그룹')
  const { idx } = await addUser(server, 'why.person', '근거 사용자', below)
  await enterAt(page, `users/${idx}`)
  await page.getByRole('button', { name: '적용 근거' }).click()
  await expect(page.getByRole('button', { name: '적용 근거' })).toHaveAttribute('aria-pressed', 'true')
  await expect(since(page, '인쇄')).toContainText(/^근거 그룹 · .+부터 · Administrator님이 변경/)
  await expect(since(page, '화면 캡처')).toContainText(/^근거 그룹 · .+ 전체 조직에서 복사 · Administrator님/)
  expect(await findFaults(page)).toEqual([])
  await page.getByRole('button', { name: '인쇄 이력 보기' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '이력' })).toBeVisible()
  await expect(page.getByRole('row', { name: '인쇄 차단 허용' })).toBeVisible()
})

test('a request to export leads to the value that demands an approval', async ({ page, addTeam }) => {
  const { pc } = await addTeam('why', '이유팀')
  const idx = await requestExport(pc, '이유', { 'a.txt': 'a' })
  await enterAt(page, `approvals/${idx}`)
  await page.getByRole('button', { name: '승인이 필요한 이유' }).click()
  await expect(page.getByRole('button', { name: '적용 근거' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.locator('[data-aimed]')).toContainText('파일 반출승인 필요')
  await expect(page.locator('[data-aimed]')).toBeFocused()
  await expect(page.getByRole('heading', { level: 2, name: '이유팀 직원' })).toBeVisible()
})

test('a group names its managers, with the authority and the group from which it holds', async ({ page, server }) => {
  const { idx } = await arrange(server, '담당 그룹')
  const person = await addUser(server, 'manager.one', '담당 관리자')
  const levels = { policy: 0, user: 0, fileImportApprove: 0, fileExportApprove: 2, log: 1 } as const
  await server.admin.authorities.create({ name: '담당 권한', ...levels, groupIdxes: [idx], userIdxes: [person.idx] })
  await enterAt(page, 'policies')
  await openGroup(page, '담당 그룹 하위')
  await page.getByRole('tab', { name: '담당자' }).click()
  const pane = page.getByRole('tabpanel')
  await expect(pane.getByText('상위 그룹 담당 그룹에 지정된 관리 권한')).toBeVisible()
  await expect(pane.getByText('반출 승인 읽기/편집')).toBeVisible()
  expect(await findFaults(page)).toEqual([])
  await pane.getByRole('combobox', { name: '권한으로 거르기' }).click()
  await page.getByRole('option', { name: '정책' }).click()
  await expect(pane.getByText('담당 권한', { exact: true })).toBeHidden()
  await pane.getByRole('combobox', { name: '권한으로 거르기' }).click()
  await page.getByRole('option', { name: '반출 승인' }).click()
  await pane.getByRole('button', { name: '담당 관리자' }).click()
  await expect(page.getByRole('heading', { level: 2, name: '담당 관리자' })).toBeVisible()
})

test('the map compares two groups, is walked by arrow keys, and Enter opens the value', async ({ page, server }) => {
  await openMapAt(page, server, '지도 그룹')
  const map = page.getByRole('treegrid', { name: '정책 지도' })
  await expect(map).toBeFocused()
  const active = () => map.getAttribute('aria-activedescendant')
  const name = async () => page.locator(`[id="${await active()}"]`).getAttribute('aria-label')
  await expect.poll(name).toBe('지도 그룹, 개별 정책')

  await page.getByRole('button', { name: '그룹 비교' }).click()
  const dialog = page.getByRole('dialog', { name: '정책 비교' })
  // First the group with its parent.
  await expect(dialog.getByRole('combobox', { name: '그룹', exact: true })).toHaveValue('전체 조직 › 지도 그룹')
  await expect(dialog.getByRole('row', { name: '인쇄 허용 차단' })).toBeVisible()
  expect(await findFaults(page)).toEqual([])
  await dialog.getByRole('combobox', { name: '비교할 그룹' }).fill('지도 그룹 하위')
  await page.getByRole('option', { name: '전체 조직 › 지도 그룹 › 지도 그룹 하위' }).click()
  await expect(dialog.getByText('두 그룹의 정책 값이 모두 같습니다.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await map.focus()
  for (let at = 0; at < 4; at++) await page.keyboard.press('ArrowRight')
  expect(await name()).toBe('인쇄: 허용, 전체 조직은 차단')
  await page.keyboard.press('ArrowDown')
  expect(await name()).toBe('인쇄: 허용')
  expect(await findFaults(page)).toEqual([])
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 2, name: '지도 그룹' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: '인쇄' })).toBeFocused()
  await expect(page.getByRole('listbox')).toHaveCount(0)
})
