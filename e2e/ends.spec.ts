// Ends of own policies, network exceptions and memberships: chosen by keyboard, shown, and the list of exceptions.
import type { Page } from '@playwright/test'
import type { AccServer } from './accServer.ts'
import { addPerson } from './arrange.ts'
import { findFaults } from './axe.ts'
import { enter, enterAt, expectNotice, menuOf, openGroup } from './screens.ts'
import { expect, test } from './test.ts'

const LEVELS = { policy: 1, user: 0, fileExportApprove: 0, fileImportApprove: 0, log: 0 } as const

/** The day so many days from now, as the browser shows it. */
const dayIn = (page: Page, days: number) =>
  page.evaluate((count) => {
    const now = new Date()
    const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + count)
    return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`
  }, days)

/** Adds a network exception that ends on a typed day; a day outside of the period is refused. */
async function endException(page: Page, server: AccServer): Promise<void> {
  const { idx } = await server.admin.groups.create({ parentIdx: 1, name: '예외 기간' })
  await server.admin.groups.setIsMyPolicy({ idx, isMyPolicy: 1 })
  await openGroup(page, '예외 기간')
  await page.getByRole('radiogroup', { name: '정책 구분' }).getByText('네트워크').click()
  await page.getByRole('button', { name: '로컬 네트워크 예외 추가' }).click()
  const dialog = page.getByRole('dialog', { name: '로컬 네트워크 예외 추가' })
  await dialog.getByRole('textbox', { name: '설명' }).fill('복합기')
  await dialog.getByRole('textbox', { name: '시작 IP' }).fill('10.0.0.7')
  await dialog.getByRole('radiogroup', { name: '적용 기간' }).getByText('날짜').click()
  const day = dialog.getByRole('textbox', { name: '마지막 날' })
  await day.fill('2020-01-01')
  await day.blur()
  await dialog.getByRole('button', { name: '추가' }).click()
  await expect(dialog.getByText('선택할 수 있는 기간의 날짜를 입력해 주세요.')).toBeVisible()
  const last = await dayIn(page, 30)
  await day.fill(last)
  await day.blur()
  await dialog.getByRole('button', { name: '추가' }).click()
  await expect(page.getByRole('table', { name: '로컬 네트워크 예외' }).getByText(`${last}까지`)).toBeVisible()
  await page.getByRole('button', { name: '저장' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '저장' }).click()
  await expectNotice(page, '저장했습니다.')
  const { policyLocalNetworkExceptions } = await server.admin.policies.find({ ownerIdx: idx, ownerType: 0 })
  const end = await page.evaluate((shown) => new Date(`${shown}T23:59:59.999`).getTime() + 1, last)
  expect(policyLocalNetworkExceptions).toMatchObject([{ endDT: new Date(end).toISOString() }])
}

test('an own policy gets an end by keyboard and another one later; a network exception ends on a typed day', async ({
  page,
  server,
}) => {
  const group = await server.admin.groups.create({ parentIdx: 1, name: '기간 그룹' })
  const person = await addPerson(server, 'end.person', '기간 사용자', group.idx)
  const policyOf = () => server.admin.policies.find({ ownerIdx: person.idx, ownerType: 1 })
  await enterAt(page, 'policies')
  await openGroup(page, '기간 그룹')
  await page.getByRole('table', { name: '사용자 목록' }).getByText('end.person').click()
  await page.getByRole('radiogroup', { name: '정책 방식' }).getByText('개별 정책').click()
  const dialog = page.getByRole('dialog', { name: '개별 정책으로 전환' })
  await expect(dialog.getByRole('radio', { name: '1개월' })).toBeChecked()
  await expect(dialog.getByRole('radio', { name: '1개월' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  const week = await dayIn(page, 7)
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
  await endException(page, server)
})

test('members are added with an end, and checked ones get another', async ({ page, server }) => {
  await addPerson(server, 'end.member', '기간 관리자')
  const { idx } = await server.admin.authorities.create({
    name: '기간 권한',
    groupIdxes: [1],
    userIdxes: [],
    ...LEVELS,
  })
  await enterAt(page, 'authorities')
  await page
    .getByRole('list', { name: '권한 목록' })
    .getByRole('button', { name: /^기간 권한/ })
    .click()
  const members = page.getByRole('region', { name: '관리자' })
  await members.getByRole('button', { name: '추가' }).click()
  const picker = page.getByRole('dialog', { name: '관리자 추가' })
  await picker.getByRole('searchbox').fill('end.member')
  await picker.getByRole('checkbox', { name: '기간 관리자 선택' }).check()
  await picker.getByRole('button', { name: '추가' }).click()
  const dialog = page.getByRole('dialog', { name: '종료일' })
  await expect(dialog.getByRole('radio', { name: '1개월' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(picker.getByText('1명 선택됨 · 기간 관리자')).toBeVisible()
  const add = picker.getByRole('button', { name: '추가' })
  await expect(add).toBeFocused()
  // It waits while the list is read once more.
  await expect(add).toBeEnabled()
  await page.keyboard.press('Enter')
  await dialog.getByText('1일', { exact: true }).click()
  await dialog.getByRole('button', { name: '추가' }).click()
  await expectNotice(page, '관리자 1명을 추가했습니다.')
  await expect(members.getByText(`${await dayIn(page, 1)}까지`)).toBeVisible()
  await members.getByRole('button', { name: '여러 명 선택' }).click()
  await members.getByRole('checkbox', { name: '기간 관리자 선택' }).check()
  await members.getByRole('button', { name: '종료일 변경' }).click()
  await dialog.getByText('종료일 없음').click()
  await dialog.getByRole('textbox', { name: '종료일이 없는 사유' }).fill('팀장')
  await dialog.getByRole('button', { name: '종료일 변경' }).click()
  await expect(members.getByText('종료일 없음 (팀장)')).toBeVisible()
  expect((await server.admin.authorities.find({ idx })).users).toMatchObject([{ endDT: null, endReason: '팀장' }])
})

test('Ctrl K leads to the exceptions to review, which open their policy', async ({ page, server }) => {
  const group = await server.admin.groups.create({ parentIdx: 1, name: '점검 그룹' })
  const person = await addPerson(server, 'review.person', '점검 사용자', group.idx)
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
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  expect((await download).suggestedFilename()).toContain('exceptions')
  await list
    .getByRole('row', { name: /점검 사용자/ })
    .getByText('개별 정책')
    .click()
  await expect(page.getByRole('heading', { level: 2, name: '점검 사용자' })).toBeVisible()
})
