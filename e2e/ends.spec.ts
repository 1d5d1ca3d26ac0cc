// Ends of own policies: chosen by keyboard, shown, and the list of exceptions.
import { addUser } from './arrange.ts'
import { findFaults } from './axe.ts'
import { dayIn, enter, enterAt, expectNotice, menuOf, openGroup } from './screens.ts'
import { expect, test } from './test.ts'

const LEVELS = { policy: 1, user: 0, fileExportApprove: 0, fileImportApprove: 0, log: 0 } as const

test('an own policy gets an end by keyboard, and another one later', async ({ page, server }) => {
  const group = await server.admin.groups.create({ parentIdx: 1, name: '기간 그룹' })
  const person = await addUser(server, 'end.person', '기간 사용자', group.idx)
  const policyOf = () => server.admin.policies.find({ ownerIdx: person.idx, ownerType: 1 })
  await enterAt(page, 'policies')
  await openGroup(page, '기간 그룹')
  await page.getByRole('table', { name: '사용자 목록' }).getByText('end.person').click()
  await page.getByRole('radiogroup', { name: '정책 방식' }).getByText('개별 정책').click()
  const dialog = page.getByRole('dialog', { name: '개별 정책으로 전환' })
  await expect(dialog.getByRole('radio', { name: '1개월' })).toBeChecked()
  await expect(dialog.getByRole('radio', { name: '1개월' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  const week = dayIn(7)
  await expect(dialog.getByText(week)).toBeVisible()
  expect(await findFaults(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.getByText(`이 사용자에게만 적용 · ${week}까지`)).toBeVisible()
  expect((await policyOf()).endDT).not.toBeNull()

  await page.getByRole('button', { name: '종료일 변경' }).click()
  const change = page.getByRole('dialog', { name: '종료일 변경' })
  await expect(change.getByRole('textbox', { name: '마지막 날' })).toHaveValue(week)
  await change.getByText('종료일 없음').click()
  await change.getByRole('button', { name: '저장' }).click()
  await expect(change.getByText('종료일이 없는 사유를 입력해 주세요.')).toBeVisible()
  await change.getByRole('textbox', { name: '종료일이 없는 사유' }).fill('상시 업무')
  await page.keyboard.press('Enter')
  await expectNotice(page, '종료일을 변경했습니다.')
  await expect(page.getByText('종료일 없음 (상시 업무)')).toBeVisible()
  expect(await policyOf()).toMatchObject({ isMyPolicy: 1, endDT: null, endReason: '상시 업무' })
})

test('Ctrl K leads to the exceptions to review, which open their policy', async ({ page, server }) => {
  const group = await server.admin.groups.create({ parentIdx: 1, name: '점검 그룹' })
  const person = await addUser(server, 'review.person', '점검 사용자', group.idx)
  await server.admin.users.setIsMyPolicy({ idx: person.idx, isMyPolicy: 1 })
  await server.admin.authorities.create({ name: '점검 권한', groupIdxes: [1], userIdxes: [person.idx], ...LEVELS })
  await enter(page)
  await expect(menuOf(page)).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: /찾기/ })).toBeFocused()
  await page.keyboard.type('예외 점검')
  await expect(page.getByRole('option', { name: /예외 점검/ }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  const list = page.getByRole('table', { name: '예외 점검' })
  await page.getByRole('searchbox').fill('review.person')
  await expect(list.getByText('점검 권한')).toBeVisible()
  expect(await findFaults(page)).toEqual([])
  await expect(list.getByText('종료일 없음, 90일 이상 미사용').first()).toBeVisible()
  await list
    .getByRole('row', { name: /점검 사용자/ })
    .getByText('개별 정책')
    .click()
  await expect(page.getByRole('heading', { level: 2, name: '점검 사용자' })).toBeVisible()
})
