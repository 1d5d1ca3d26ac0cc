// Windows below 900 pixels and at 200 %: a list and its detail are two steps, with deciding buttons in view.
import type { Locator, Page } from '@playwright/test'
import { addUser, ROOT } from './arrange.ts'
import { requestExport } from './requests.ts'
import { enter, enterAt, expectNotice, openScreen, openSettings } from './screens.ts'
import { test } from './teams.ts'
import { expect } from './test.ts'

const mainOf = (page: Page) => page.getByRole('main')
const backOf = (page: Page) => mainOf(page).getByRole('button', { name: '목록으로' })

/** Opens a row, expects the focus on the heading of what it opened, and returns to the row. */
async function expectTwoSteps(page: Page, row: Locator, heading: string | RegExp): Promise<void> {
  await row.click()
  const title = mainOf(page).getByRole('heading', { level: 2, name: heading })
  await expect(title).toBeFocused()
  await expect(title).toBeInViewport({ ratio: 1 })
  await expect(row).toBeHidden()
  await backOf(page).click()
  await expect(row).toBeFocused()
  await expect(backOf(page)).toBeHidden()
}

test('requests are decided in narrow windows, and a row of a history is read without scrolling sideways', async ({
  page,
  addTeam,
  server,
}) => {
  const { pc, employee, manager } = await addTeam('narrow', '좁은팀')
  const requests: number[] = []
  for (const purpose of ['하나', '둘', '셋', '넷']) requests.push(await requestExport(pc, purpose, { 'a.txt': 'a' }))
  const rowOf = (idx = 0) => mainOf(page).locator(`tr[data-idx="${idx}"]`)
  await page.setViewportSize({ width: 390, height: 844 })
  await enterAt(page, 'approvals', manager)
  for (const [width, height] of [
    [390, 844],
    [640, 400],
    [800, 700],
  ] as const) {
    await page.setViewportSize({ width, height })
    const idx = requests.pop() ?? 0
    await expectTwoSteps(page, rowOf(idx), new RegExp(`^#${idx} `))
    await page.keyboard.press('Enter')
    for (const name of ['승인', '반려'])
      await expect(mainOf(page).getByRole('button', { name })).toBeInViewport({ ratio: 1 })
    await mainOf(page).getByRole('button', { name: '승인' }).click()
    await expectNotice(page, `#${idx} 요청을 승인했습니다.`)
    await expect(rowOf(requests.at(-1))).toBeFocused()
    expect((await server.admin.requests.find({ idx })).state).toBe(1)
  }

  await page.setViewportSize({ width: 390, height: 844 })
  await openScreen(page, '이력')
  const row = mainOf(page).locator('tbody tr[tabindex]').filter({ hasText: employee.id }).first()
  for (const text of ['로그인', employee.name, '좁은팀', '127.0.0.1', '로그아웃 일시'])
    await expect(row.getByText(text, { exact: true })).toBeInViewport({ ratio: 1 })
})

test('each screen with a list leads to its detail and back, with Save in view', async ({ page, server }) => {
  await page.setViewportSize({ width: 640, height: 400 })
  const { idx } = await server.admin.groups.create({ parentIdx: ROOT, name: '좁은 그룹' })
  await server.admin.groups.setIsMyPolicy({ idx, isMyPolicy: 1 })
  const person = await addUser(server, 'narrow.person', '좁은 사람', idx)
  const levels = { policy: 2, user: 0, fileExportApprove: 0, fileImportApprove: 0, log: 0 } as const
  await server.admin.authorities.create({ name: '좁은 권한', groupIdxes: [idx], userIdxes: [person.idx], ...levels })
  await enter(page)
  const save = mainOf(page).getByRole('button', { name: '저장', exact: true })
  const listRow = (text: string) => mainOf(page).locator('tbody tr[tabindex]').filter({ hasText: text }).first()

  await openScreen(page, '사용자')
  await mainOf(page).getByRole('searchbox').fill('narrow.person')
  await expectTwoSteps(page, listRow('narrow.person'), '좁은 사람')
  await listRow('narrow.person').press('Enter')
  await expect(save).toBeInViewport({ ratio: 1 })
  await backOf(page).click()

  await openScreen(page, '정책')
  const tree = mainOf(page).getByRole('tree')
  await mainOf(page).getByRole('textbox', { name: '그룹 검색' }).fill('좁은 그룹')
  await page.keyboard.press('Enter')
  await expect(mainOf(page).getByRole('heading', { level: 2, name: '좁은 그룹' })).toBeFocused()
  await expect(save).toBeInViewport({ ratio: 1 })
  await backOf(page).click()
  await expect(tree).toBeVisible()

  await openScreen(page, '관리 권한')
  await expectTwoSteps(page, mainOf(page).getByRole('button', { name: /^좁은 권한/ }), '좁은 권한')
  await page.keyboard.press('Enter')
  await expect(save).toBeInViewport({ ratio: 1 })
  await backOf(page).click()

  await openScreen(page, '이력')
  await page.getByRole('navigation', { name: '이력 종류' }).getByRole('button', { name: '사용자 관리' }).click()
  await expectTwoSteps(page, listRow('좁은 사람'), '사용자 관리')

  await openScreen(page, 'BIM 설정')
  await mainOf(page).getByRole('button', { name: '서버 추가' }).first().click()
  await expect(save.or(mainOf(page).getByRole('button', { name: '추가', exact: true })).last()).toBeInViewport({
    ratio: 1,
  })
  await backOf(page).click()

  await openSettings(page, '정보')
  await expect(save).toBeInViewport({ ratio: 1 })
})
