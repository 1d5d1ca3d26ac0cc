// Urgent exports on the screen: reviewed one after the other by the keyboard, and several together.
import { requestFiles } from './requests.ts'
import { enterAt, expectNotice, menuOf, paneOf, rowOf } from './screens.ts'
import { test } from './teams.ts'
import { expect } from './test.ts'

const REASON = '고객이 현장에서 도면을 기다리고 있어 승인을 기다릴 수 없습니다.'

test('an approver objects to one urgent export and confirms another by the keyboard, and then two together', async ({
  page,
  addTeam,
  server: { admin },
}) => {
  const { pc, manager, groupIdx } = await addTeam('urgent', '긴급팀')
  const { idx: policyIdx } = await admin.policies.find({ ownerIdx: groupIdx, ownerType: 0 })
  await admin.policies.update({ idx: policyIdx, urgentExport: 1, urgentReviewHours: 8 })
  const exportUrgently = () => requestFiles(pc, 1, '고객 전달', { 'a.txt': 'a' }, REASON)
  const [first, second] = [await exportUrgently(), await exportUrgently()]
  await enterAt(page, 'approvals', manager)
  await expect(menuOf(page).getByRole('button', { name: '반출 승인, 처리할 요청 2건' })).toBeVisible()
  await expect(page.getByText('대기 중인 요청이 없습니다')).toBeVisible()
  await page.getByText('긴급 검토 2').click()
  await expect(rowOf(page, first)).toContainText('검토 대기')
  await rowOf(page, first).focus()
  await page.keyboard.press('Enter')
  const pane = paneOf(page)
  await expect(pane.getByText(REASON)).toBeVisible()
  await expect(pane.getByText('검토 기한')).toBeVisible()
  await expect(pane.getByText(manager.name)).toBeVisible()
  await page.keyboard.press('r')
  await expect(page.getByText('이의를 제기하는 사유를 입력해 주세요.')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(pane.getByText(REASON)).toBeVisible()
  await page.keyboard.type('긴급한 일이 아닙니다')
  await page.keyboard.press('Control+Enter')
  await expectNotice(page, `#${first} 긴급 반출에 이의를 제기했습니다.`)
  await expect(rowOf(page, first)).toBeHidden()
  await expect(rowOf(page, second)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 2, name: new RegExp(`^#${second} `) })).toBeVisible()
  await page.keyboard.press('a')
  await page.keyboard.press('Control+Enter')
  await expectNotice(page, `#${second} 긴급 반출을 확인했습니다.`)
  await expect(page.getByText('검토할 긴급 반출이 없습니다')).toBeVisible()
  await expect(menuOf(page).getByRole('button', { name: '반출 승인', exact: true })).toBeVisible()
  expect((await admin.requests.find({ idx: first })).approvePurpose).toBe('긴급한 일이 아닙니다')

  const others = [await exportUrgently(), await exportUrgently(), await exportUrgently()] as const
  await page.getByRole('button', { name: '여러 건 선택' }).click()
  for (const idx of others.slice(1)) await rowOf(page, idx).getByRole('checkbox').check()
  // Another approver is faster with one of them.
  await admin.urgentExports.review({ idx: others[2], decision: 0, purpose: '불필요' })
  await expect(rowOf(page, others[2])).toBeHidden()
  await page.getByRole('button', { name: '확인', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '긴급 반출 1건 확인' })
  await dialog.getByRole('textbox', { name: '처리 사유' }).fill('함께 확인')
  await dialog.getByRole('button', { name: '확인' }).click()
  await expectNotice(page, '긴급 반출 1건을 확인했습니다.')
  await expect(rowOf(page, others[1])).toBeHidden()
  await expect(rowOf(page, others[0])).toBeVisible()
  await expect(page.getByRole('radio', { name: '긴급 검토 1' })).toBeChecked()
})
