// Absences: an approver names a substitute by the keyboard, and the substitute decides at once, on an open screen.
import type { Page } from '@playwright/test'
import { addPerson } from './arrange.ts'
import { requestExport } from './requests.ts'
import { answerDialog, enter, enterAt, expectNotice, menuOf } from './screens.ts'
import { test } from './teams.ts'
import { expect } from './test.ts'

const dialogOf = (page: Page, name = '부재') => page.getByRole('dialog', { name, exact: true })

test('an approver on leave names a substitute, who decides until the absence is ended', async ({
  page,
  anotherPage,
  team: { pc, manager },
  server,
}) => {
  const deputy = await addPerson(server, 'stand.in', '대리하는 부장')
  const { idx: emptyGroup } = await server.admin.groups.create({ parentIdx: 1, name: '대리 그룹' })
  const levels = { policy: 0, user: 0, fileExportApprove: 2, fileImportApprove: 0, log: 0 } as const
  const reach = { groupIdxes: [emptyGroup], userIdxes: [deputy.idx] }
  await server.admin.authorities.create({ name: '대리 권한', ...reach, ...levels })
  const idx = await requestExport(pc, '휴가 중 반출', { 'a.txt': 'a' })
  const substitute = await anotherPage()
  await enterAt(substitute, 'approvals', deputy)
  await expect(substitute.getByText('대기 중인 요청이 없습니다')).toBeVisible()

  await enter(page, manager)
  await page.getByRole('button', { name: '부재', exact: true }).press('Enter')
  const dialog = dialogOf(page)
  await expect(dialog.getByLabel('대리인')).toBeFocused()
  await page.keyboard.type('대리하는')
  await dialog
    .page()
    .getByRole('option', { name: /^대리하는 부장/ })
    .waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('대리인')).toHaveValue(/^대리하는 부장/)
  const today = await dialog.getByLabel('시작일').inputValue()
  await dialog.getByLabel('종료일').fill('2020-01-01')
  await dialog.getByLabel('사유').fill('   ')
  await dialog.getByRole('button', { name: '부재 등록' }).click()
  await expect(dialog.getByText('부재는 오늘부터 1년 안에 시작하고')).toBeVisible()
  await expect(dialog.getByText('필수 항목입니다.')).toBeVisible()
  await dialog.getByLabel('종료일').fill(today)
  await dialog.getByLabel('사유').fill('연차')
  await page.keyboard.press('Enter')
  await expectNotice(page, '부재를 등록했습니다.')

  // Badge, list and notice follow on the open screen.
  await expect(menuOf(substitute).getByRole('button', { name: '반출 승인, 처리할 요청 1건' })).toBeVisible()
  await expect(substitute.getByText(/^공유팀 부장\(.+까지\) 님을 대신하여/)).toBeVisible()
  await substitute.getByRole('table', { name: '반출·반입 요청 목록' }).getByText('휴가 중 반출').click()
  await expect(substitute.getByText('A 승인 · R 반려')).toBeVisible()
  await substitute.keyboard.press('a')
  await expect(substitute.getByText('Ctrl Enter로 승인합니다.')).toBeVisible()
  await substitute.keyboard.press('Control+Enter')
  await expect(substitute.getByText('대기 중인 요청이 없습니다')).toBeVisible()
  expect((await server.admin.requests.find({ idx })).approverName).toBe(deputy.name)

  await page.getByRole('button', { name: '부재', exact: true }).click()
  await expect(dialog.getByText('대리인: 대리하는 부장 (stand.in)')).toBeVisible()
  await dialog.getByRole('button', { name: /종료$/ }).press('Enter')
  await answerDialog(page, '부재 종료', '종료')
  await expectNotice(page, '부재를 종료했습니다.')
  await expect(substitute.getByText(/님을 대신하여/)).toHaveCount(0)
})

test('an administrator sets the absence of an approver who is ill', async ({ page, team: { manager }, server }) => {
  await enterAt(page, `users/${manager.idx}`)
  await page.getByRole('main').getByRole('button', { name: '부재', exact: true }).click()
  const dialog = dialogOf(page, '공유팀 부장 님의 부재')
  await dialog.getByLabel('대리인').fill('admin')
  await page.getByRole('option', { name: /^Administrator/ }).click()
  await dialog.getByLabel('종료일').fill(await dialog.getByLabel('시작일').inputValue())
  await dialog.getByLabel('사유').fill('병가')
  await dialog.getByRole('button', { name: '부재 등록' }).click()
  await expectNotice(page, '부재를 등록했습니다.')
  const { absences } = await server.admin.absences.find({ userIdx: manager.idx })
  expect(absences).toMatchObject([{ substituteId: 'admin', reason: '병가' }])
  await server.admin.absences.end({ idx: absences[0]?.idx ?? 0 })
})
