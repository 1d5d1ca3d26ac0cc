// Rejecting several requests with one reason: by the keyboard, with one that somebody else decides first, and in a
// narrow window.
import type { Page } from '@playwright/test'
import { requestExport } from './requests.ts'
import { answerDialog, enterAt, expectNotice, queueOf, rowOf } from './screens.ts'
import { test } from './teams.ts'
import { expect } from './test.ts'

const buttonOf = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

test('requests are checked and rejected by the keyboard, and one that was decided first is named', async ({
  page,
  team: { pc, manager },
  server,
}) => {
  const requests: number[] = []
  for (const purpose of ['하나', '둘', '셋', '넷']) requests.push(await requestExport(pc, purpose, { 'a.txt': 'a' }))
  const [kept = 0, , faster = 0, last = 0] = requests
  await enterAt(page, 'approvals', manager)
  await rowOf(page, last).focus()
  await page.keyboard.press('x')
  await expect(queueOf(page).getByRole('checkbox')).toHaveCount(0)
  await buttonOf(page, '여러 건 선택').focus()
  await page.keyboard.press('Enter')
  await rowOf(page, last).focus()
  // A Korean layout reports another letter for the same key.
  await rowOf(page, last).dispatchEvent('keydown', { key: 'ㅌ', code: 'KeyX', bubbles: true })
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(rowOf(page, faster)).toBeFocused()
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('x')
  await page.keyboard.press('x')
  await expect(rowOf(page, kept)).toBeFocused()
  await expect(page.getByText('3건 선택됨')).toBeVisible()
  await buttonOf(page, '반려').first().focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: '요청 3건 반려' })
  await expect(dialog).toContainText('공유팀 직원')
  await expect(dialog.getByRole('textbox', { name: '처리 사유' })).toBeFocused()
  await page.keyboard.type('양식에 맞지 않습니다')
  await page.route('**/FileEximports/Rejection', async (route) => {
    await server.admin.requests.decide({ idx: faster, state: 1, purpose: '' })
    await route.continue()
  })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectNotice(page, '2건을 반려했습니다.')
  await answerDialog(page, '반려하지 않은 요청이 있습니다', '확인')
  await expect(page.getByText('0건 선택됨')).toBeVisible()
  await expect(rowOf(page, last)).toBeHidden()
  await expect(rowOf(page, kept)).toBeVisible()
  const found = await Promise.all(requests.map((idx) => server.admin.requests.find({ idx })))
  expect(found.map(({ state, approvePurpose }) => [state, approvePurpose])).toEqual([
    [0, null],
    [2, '양식에 맞지 않습니다'],
    [1, ''],
    [2, '양식에 맞지 않습니다'],
  ])
})

test('all shown requests are rejected in a window of 390 pixels, and only those that the viewer decides', async ({
  page,
  team: { pc, manager },
  server,
}) => {
  const requests = [await requestExport(pc, '하나', { 'a.txt': 'a' }), await requestExport(pc, '둘', { 'b.txt': 'b' })]
  await page.setViewportSize({ width: 390, height: 844 })
  await enterAt(page, 'approvals', manager)
  await page.getByRole('checkbox', { name: '처리할 수 없는 요청 포함' }).check()
  await expect(buttonOf(page, '여러 건 선택')).toBeHidden()
  await page.getByRole('checkbox', { name: '처리할 수 없는 요청 포함' }).uncheck()
  await buttonOf(page, '여러 건 선택').click()
  await queueOf(page).getByRole('checkbox', { name: '모두 선택' }).check()
  await expect(page.getByText('2건 선택됨')).toBeInViewport({ ratio: 1 })
  await expect(rowOf(page, requests[0] ?? 0)).toBeInViewport({ ratio: 0.95 })
  await buttonOf(page, '반려').click()
  const dialog = page.getByRole('dialog', { name: '요청 2건 반려' })
  const submit = dialog.getByRole('button', { name: '반려' })
  await expect(submit).toBeDisabled()
  await dialog.getByRole('textbox', { name: '처리 사유' }).fill(' ')
  await submit.focus()
  await expect(submit).toBeDisabled()
  await dialog.getByRole('textbox', { name: '처리 사유' }).fill('기간이 지났습니다')
  await submit.click()
  await expectNotice(page, '2건을 반려했습니다.')
  await expect(page.getByText('대기 중인 요청이 없습니다')).toBeVisible()
  for (const idx of requests) expect((await server.admin.requests.find({ idx })).state).toBe(2)
})
