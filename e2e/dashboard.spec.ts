// The dashboard: what each viewer sees of it, its charts by pointer and keyboard, and what happens when its calls fail.
import type { Locator, Page } from '@playwright/test'
import { addPerson } from './arrange.ts'
import { requestExport } from './requests.ts'
import { addFilter, enter, findGroup, menuOf, openScreen } from './screens.ts'
import { test } from './teams.ts'
import { expect } from './test.ts'

const panel = (page: Page, name: string) => page.getByRole('main').getByRole('region', { name })
const chart = (page: Page, name: string) => panel(page, name).getByRole('toolbar')
/** What a counter says to screen readers. */
const count = (scope: Locator, name: string) => scope.locator('div, button').filter({ hasText: name }).last()

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('a manager sees sign-ins and requests of the managed groups, as they come', async ({
  page,
  addTeam,
  anotherPage,
}) => {
  const { manager, employee, pc } = await addTeam('board', '현황팀')
  await enter(page, manager)
  await openScreen(page, '대시보드')
  await expect(menuOf(page).getByRole('button').first()).toHaveText('대시보드')
  await expect(page.getByRole('radio', { name: '최근 7일' })).toBeChecked()
  await expect(panel(page, '시간대별 로그인')).toContainText('합계 1')
  await expect(panel(page, '라이선스 사용 현황')).toContainText('조회 권한이 없습니다')
  await expect(panel(page, '파일 반입 현황')).toContainText('파일 반입 조회 권한이 없습니다')
  await expect(panel(page, '사용자 현황')).toHaveCount(0)
  const exports = panel(page, '파일 반출 현황')
  await expect(count(exports, '대기')).toContainText('0000')
  await requestExport(pc, '현황 확인', { 'a.txt': 'a' })
  await expect(count(exports, '대기')).toContainText('0001', { timeout: 15_000 })
  await expect(exports.getByRole('button', { name: '자동 승인 0건은 별도입니다.' })).toBeVisible()
  await test.step('a month by the keyboard opens its history', async () => {
    const months = chart(page, '월별 승인 요청').getByRole('button')
    await expect(months).toHaveCount(12)
    await months.last().focus()
    await page.keyboard.press('ArrowLeft')
    await expect(months.nth(10)).toBeFocused()
    // A focus that a script sets after a click is not one of the keyboard.
    await page.keyboard.press('End')
    // The previous one may still fade out.
    await expect(page.getByRole('tooltip').filter({ hasText: '1건' })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: '이력' })).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: employee.name })).toHaveCount(1)
    await page.goBack()
  })
  await test.step('a week without decisions says so to the keyboard and opens nothing', async () => {
    const weeks = chart(page, '주별 승인 결과 (반출)').getByRole('button')
    await expect(weeks).toHaveCount(12)
    await weeks.first().focus()
    await page.keyboard.press('End')
    await expect(page.getByRole('tooltip').filter({ hasText: '승인 0건, 반려 0건, 취소 0건, 결정 없음' })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: '대시보드' })).toBeVisible()
    await expect(weeks.last()).toHaveAttribute('aria-disabled', 'true')
  })
  await expect(panel(page, '상위 그룹').getByRole('button', { name: '현황팀: 1건, 100%' })).toBeVisible()
  await expect(panel(page, '클라이언트 버전')).toContainText('최근 30일 동안 사용한 PC 1대')
  await test.step('chosen days replace the ranges', async () => {
    await page.getByRole('button', { name: /^기간: / }).click()
    await page.getByRole('button', { name: '지난주' }).click()
    await expect(page.getByRole('radio', { name: '최근 7일' })).not.toBeChecked()
    await expect(panel(page, '시간대별 로그인')).toContainText('합계 0')
    await page.getByText('오늘', { exact: true }).click()
    await expect(panel(page, '시간대별 로그인')).toContainText('합계 1')
  })
  await test.step('the administrator sees all groups, and those that they choose', async () => {
    const admin = await anotherPage()
    await enter(admin)
    await expect(panel(admin, '라이선스 사용 현황')).toContainText('%')
    await expect(panel(admin, '사용자 현황')).toContainText('임시 비밀번호')
    await admin.getByRole('button', { name: '그룹: 전체 그룹' }).click()
    const dialog = admin.getByRole('dialog')
    await (await findGroup(dialog, '현황팀')).click()
    await dialog.getByRole('button', { name: '적용' }).click()
    await expect(admin.getByRole('button', { name: '그룹: 현황팀' })).toBeVisible()
    await expect(panel(admin, '시간대별 로그인')).toContainText('합계 1')
    await test.step('a bar opens the history of its hour in the chosen group', async () => {
      const bar = chart(admin, '시간대별 로그인').getByRole('button', { name: /: 1회$/ })
      const [span = ''] = (await bar.getAttribute('aria-label'))?.split(': ') ?? []
      await bar.click()
      await expect(admin.getByRole('heading', { level: 1, name: '이력' })).toBeVisible()
      await expect(admin.getByText(`시간대: ${span}`)).toBeVisible()
      await addFilter(admin)
      await expect(admin.getByRole('combobox', { name: '시간대' })).toHaveValue(span)
      await expect(admin.getByRole('button', { name: '그룹: 현황팀' })).toBeVisible()
      const rows = admin.getByRole('table', { name: '로그인 이력' }).getByRole('row')
      await expect(rows.filter({ hasText: employee.name })).toHaveCount(1)
      await expect(rows).toHaveCount(2)
      await admin.goBack()
      await expect(admin.getByRole('button', { name: '그룹: 현황팀' })).toBeVisible()
    })
    await test.step('counters open their lists in the chosen group', async () => {
      await count(panel(admin, '파일 반출 현황'), '대기').click()
      await expect(admin.getByRole('heading', { level: 1, name: '반출 승인' })).toBeVisible()
      await expect(admin.getByRole('button', { name: '그룹: 현황팀' })).toBeVisible()
      await expect(admin.getByRole('row').filter({ hasText: employee.name })).toHaveCount(1)
      await expect(admin.getByRole('row')).toHaveCount(2)
      await admin.goBack()
      await count(panel(admin, '사용자 현황'), '만료').click()
      await expect(admin.getByRole('heading', { level: 1, name: '사용자' })).toBeVisible()
      await expect(admin.getByRole('combobox', { name: '상태' })).toHaveValue('만료')
      await admin.getByRole('button', { name: '전체 그룹으로' }).click()
      await expect(admin.getByRole('button', { name: '그룹: 전체', exact: true })).toBeVisible()
      await admin.goBack()
    })
    await panel(admin, '시간대별 로그인').getByRole('button', { name: '표로 보기' }).click()
    await expect(panel(admin, '시간대별 로그인').getByRole('row')).toHaveCount(25)
  })
})

test('without the log page the charts say so', async ({ page, server }) => {
  const person = await addPerson(server, 'board.users', '현황 담당')
  const levels = { policy: 0, user: 1, fileExportApprove: 0, fileImportApprove: 0, log: 0 } as const
  await server.admin.authorities.create({ name: '현황 사용자', groupIdxes: [1], userIdxes: [person.idx], ...levels })
  await enter(page, person)
  await openScreen(page, '대시보드')
  for (const name of ['시간대별 로그인', '월별 승인 요청'])
    await expect(panel(page, name)).toContainText('이력 조회 권한이 없습니다')
  await expect(panel(page, '파일 반출 현황')).toContainText('파일 반출 조회 권한이 없습니다')
  await expect(panel(page, '사용자 현황')).toContainText('정지')
})

test('failures are silent: a panel shows nothing, or its last values, and tries again', async ({ page, faults }) => {
  const calls =
    /\/(HourlyUserLogins|ApproveRequests|RequestDecisions|TopGroups|UsedClientVersions|FileImportStates|FileExportStates|UserStates|LicenseStates)/
  await page.route(calls, (route) => route.fulfill({ status: 500, body: 'down' }))
  await enter(page)
  await expect(panel(page, '사용자 현황')).toContainText(/정지$/)
  await expect(panel(page, '시간대별 로그인').getByRole('toolbar')).toHaveCount(0)
  await expect(page.getByRole('dialog').or(page.getByRole('alert'))).toHaveCount(0)
  await page.unroute(calls)
  await page.getByText('오늘', { exact: true }).click()
  await expect(chart(page, '시간대별 로그인').getByRole('button')).toHaveCount(24)
  await page.reload()
  await expect(count(panel(page, '사용자 현황'), '정지')).toContainText(/\d{4}/)
  expect(faults.every((fault) => fault.includes('500'))).toBe(true)
  faults.length = 0
})
