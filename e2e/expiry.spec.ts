// Accounts with a last day (spec S1 §2, §5): created, shown, changed, cleared, and days that cannot be chosen.
import type { Locator, Page } from '@playwright/test'
import { addUser, ROOT } from './arrange.ts'
import { answerDialog, dayIn, enterAt, expectNotice } from './screens.ts'
import { expect, test } from './test.ts'

const DAY = 86_400_000
const rowOf = (page: Page, id: string) =>
  page.getByRole('table', { name: '사용자 목록' }).getByRole('row').filter({ hasText: id })

async function type(field: Locator, day: string): Promise<void> {
  await field.fill(day)
  await field.press('Tab')
}

test('an account is created with an end, which is seen, changed and cleared', async ({ page, server }) => {
  const userOf = async (id: string) => (await server.admin.users.search({ id })).items[0]
  await enterAt(page, 'users')
  await page.getByRole('main').getByRole('button', { name: '사용자 생성' }).click()
  const dialog = page.getByRole('dialog', { name: '사용자 생성' })
  await dialog.getByRole('textbox', { name: '아이디' }).fill('ending.one')
  await dialog.getByRole('textbox', { name: '이름' }).fill('끝나는 사람')
  await dialog.getByRole('textbox', { name: '이메일' }).fill('ending.one@example.com')
  await dialog.getByRole('button', { name: '그룹' }).click()
  await dialog.getByRole('treeitem', { name: '전체 조직' }).click()
  await dialog.getByRole('switch', { name: '사용 기간 제한' }).click({ force: true })
  await type(dialog.getByRole('textbox', { name: '만료일' }), dayIn(30))
  await answerDialog(page, '사용자 생성', '생성')
  await page.getByRole('searchbox').fill('ending.one')
  await expect(rowOf(page, 'ending.one')).toContainText(dayIn(30))
  const field = page.getByRole('textbox', { name: '만료일' })
  await expect(field).toHaveValue(dayIn(30))
  expect(await userOf('ending.one')).toMatchObject({ isMortal: 1, expireDT: dayIn(30) })

  await type(field, dayIn(60).replaceAll('-', ''))
  await expect(field).toHaveValue(dayIn(60))
  await page.getByRole('button', { name: '저장' }).click()
  await expectNotice(page, '사용자 정보를 저장했습니다.')
  await expect(rowOf(page, 'ending.one')).toContainText(dayIn(60))
  await page.reload()
  await expect(field).toHaveValue(dayIn(60))

  await page.getByRole('switch', { name: '사용 기간 제한' }).click({ force: true })
  await page.getByRole('button', { name: '저장' }).click()
  await expectNotice(page, '사용자 정보를 저장했습니다.')
  await expect(rowOf(page, 'ending.one')).not.toContainText(dayIn(60))
  expect(await userOf('ending.one')).toMatchObject({ isMortal: 0, expireDT: null })
})

test('a day that cannot be chosen is refused at its field, and the calendar offers none before tomorrow', async ({
  page,
  server,
}) => {
  const account = { id: 'bad.days', name: '날짜가 틀린 사람', email: 'bad.days@example.com', groupIdx: ROOT }
  const { idx } = await server.admin.users.create({ ...account, isMortal: 1, expireDT: dayIn(10) })
  await page.route('**/Configs', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    answer.data.runtime.maxExpireDT = 90
    await route.fulfill({ response, json: answer })
  })
  await enterAt(page, `users/${idx}`)
  const field = page.getByRole('textbox', { name: '만료일' })
  await expect(page.getByText(`${dayIn(1)}부터 ${dayIn(90)}까지 선택할 수 있습니다.`)).toBeVisible()
  for (const [day, words] of [
    [dayIn(-1), `${dayIn(1)}보다 이른 날짜는 선택할 수 없습니다.`],
    [dayIn(0), `${dayIn(1)}보다 이른 날짜는 선택할 수 없습니다.`],
    [dayIn(91), `${dayIn(90)}보다 늦은 날짜는 선택할 수 없습니다.`],
  ] as const) {
    await type(field, day)
    await expect(page.getByText(words)).toBeVisible()
    await page.getByRole('button', { name: '저장' }).click()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
  }
  await type(field, dayIn(1))
  await field.click()
  const days = page.locator('[data-dates-dropdown], .mantine-Popover-dropdown').getByRole('button')
  await expect(days.filter({ hasText: /^\d+$/ }).and(page.locator(':enabled')).first()).toHaveText(
    String(Number(dayIn(1).slice(8))),
  )
  await page.keyboard.press('Escape')
  await type(field, dayIn(90))
  await expect(field).not.toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: '저장' }).click()
  await expectNotice(page, '사용자 정보를 저장했습니다.')
  const { items } = await server.admin.users.search({ id: 'bad.days' })
  expect(items).toMatchObject([{ expireDT: dayIn(90) }])
})

test('a day that only the server refuses is refused at its field', async ({ page, server }) => {
  const { idx } = await addUser(server, 'late.clock', '시계가 늦은 사람')
  await page.clock.setSystemTime(Date.now() - 3 * DAY)
  await enterAt(page, `users/${idx}`)
  await page.getByRole('switch', { name: '사용 기간 제한' }).click({ force: true })
  const field = page.getByRole('textbox', { name: '만료일' })
  await type(field, dayIn(-1))
  await page.getByRole('button', { name: '저장' }).click()
  await expect(page.getByText('선택할 수 없는 날짜입니다. 다른 날짜를 선택해 주세요.')).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
})
