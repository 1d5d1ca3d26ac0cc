// Urgent exports and limits of downloads in the policy, set by keyboard.
import type { Page } from '@playwright/test'
import { answerDialog, enterAt, expectNotice, openGroup } from './screens.ts'
import { expect, test } from './test.ts'

const amount = (page: Page, name: string) => page.getByRole('textbox', { name })
const times = (page: Page) => amount(page, '파일별 다운로드 횟수')
const hours = (page: Page) => amount(page, '긴급 반출 검토 기한')
const save = (page: Page) => page.getByRole('button', { name: '저장', exact: true }).press('Enter')

test('urgent exports and downloads are set by keyboard; a looser value is asked about first', async ({
  page,
  server,
}) => {
  const { idx } = await server.admin.groups.create({ parentIdx: 1, name: '반출 제한 그룹' })
  await server.admin.groups.setIsMyPolicy({ idx, isMyPolicy: 1 })
  const policyOf = () => server.admin.policies.find({ ownerIdx: idx, ownerType: 0 })
  await enterAt(page, 'policies')
  await openGroup(page, '반출 제한 그룹')
  await expect(hours(page)).toBeDisabled()
  await expect(times(page)).toHaveAttribute('placeholder', '제한 없음')
  await times(page).fill('101')
  await save(page)
  await expect(page.getByText('100 이하여야 합니다.')).toBeVisible()
  await times(page).fill('3')
  await amount(page, '반출 다운로드 기간').fill('30')
  await expect(page.getByText('전체 조직은 제한 없음')).toHaveCount(2)
  await save(page)
  await expectNotice(page, '저장했습니다.')
  expect(await policyOf()).toMatchObject({ downloadCount: 3, downloadDays: 30, urgentExport: 0 })

  const urgent = page.getByRole('combobox', { name: '긴급 반출' })
  await urgent.press('Enter')
  // What has just appeared does not listen yet.
  await expect(page.getByRole('option', { name: '허용', exact: true })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(urgent).toHaveValue('허용')
  await hours(page).fill('8')
  await times(page).fill('')
  await save(page)
  const question = page.getByRole('dialog', { name: '정책 완화' })
  await expect(question.getByRole('row', { name: '긴급 반출 (완화) 차단 허용' })).toBeVisible()
  await expect(question.getByRole('row', { name: '파일별 다운로드 횟수 (완화) 3회 제한 없음' })).toBeVisible()
  // A shorter review is stricter.
  await expect(question.getByRole('row', { name: '긴급 반출 검토 기한 24시간 8시간' })).toBeVisible()
  await answerDialog(page, '정책 완화', '저장')
  await expect
    .poll(policyOf)
    .toMatchObject({ urgentExport: 1, urgentReviewHours: 8, downloadCount: 0, downloadDays: 30 })
})
