// Edit modes of long lists: checks follow the visible rows and changes by others (spec S1 §2, §4).
import type { Page } from '@playwright/test'
import { addUser, ROOT } from './arrange.ts'
import { answerDialog, enterAt, expectNotice, openScreen } from './screens.ts'
import { withDatabase } from './serverDatabase.ts'
import { expect, test } from './test.ts'

const listOf = (page: Page) => page.getByRole('table', { name: '사용자 목록' })
const rowOf = (page: Page, id: string) => listOf(page).getByRole('row').filter({ hasText: id })
const checkOf = (page: Page, name: string) => listOf(page).getByRole('checkbox', { name: `${name} 선택` })
const search = (page: Page, text: string) => page.getByRole('searchbox', { name: /검색/ }).fill(text)
const action = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

/** Starts the edit mode for the users that a text finds. */
async function edit(page: Page, text: string): Promise<void> {
  await enterAt(page, 'users')
  // Without the answer, the search would change the list after the first check.
  const answer = page.waitForResponse((response) => response.url().includes(encodeURIComponent(text)))
  await search(page, text)
  await answer
  await action(page, '여러 명 선택').click()
}

test('a search drops the checks of hidden people, Shift checks all rows from the previous one, a question names them', async ({
  page,
  server,
}) => {
  const hidden = await addUser(server, 'unseen.one', '가려진 사람')
  for (const at of [1, 2, 3, 4]) await addUser(server, `inview.${at}a`, `보이는 사람${at}`)
  await edit(page, 'unseen.one')
  await checkOf(page, '가려진 사람').check()
  await search(page, 'inview.')
  await expect(rowOf(page, 'inview.')).toHaveCount(4)
  await expect(page.getByText('0명 선택됨')).toBeVisible()
  await checkOf(page, '보이는 사람4').click()
  await checkOf(page, '보이는 사람2').click({ modifiers: ['Shift'] })
  await expect(page.getByText('3명 선택됨')).toBeVisible()
  await expect(checkOf(page, '보이는 사람1')).not.toBeChecked()
  await listOf(page).getByRole('checkbox', { name: '모두 선택' }).check()
  await search(page, 'inview')
  await expect(page.getByText('4명 선택됨')).toBeVisible()
  await action(page, '삭제').click()
  const question = page.getByRole('dialog', { name: '사용자 삭제' })
  await expect(question).toContainText('사용자 4명(보이는 사람4, 보이는 사람3, 보이는 사람2 외 1명)을 삭제합니다.')
  await question.getByRole('button', { name: '취소' }).click()
  await action(page, '그룹 이동').click()
  await expect(page.getByRole('dialog')).toContainText('이동할 사용자: 보이는 사람4, 보이는 사람3, 보이는 사람2 외 1명')
  expect(await server.admin.users.find({ idx: hidden.idx })).toMatchObject({ id: 'unseen.one' })
})

test('people that somebody else has deleted leave the selection, and the others can be deleted', async ({
  page,
  server,
}) => {
  const gone = await addUser(server, 'faster.one', '먼저 지워진 사람')
  await addUser(server, 'faster.two', '남은 사람')
  await edit(page, 'faster.')
  await listOf(page).getByRole('checkbox', { name: '모두 선택' }).check()
  // The list learns of it after the press: live events are held back.
  await page.route('**/Events', (route) => route.abort())
  await action(page, '삭제').click()
  await server.admin.users.remove({ idxes: [gone.idx] })
  // The next dialog has the same title.
  await page.getByRole('dialog', { name: '사용자 삭제' }).getByRole('button', { name: '삭제', exact: true }).click()
  await expect(page.getByRole('dialog', { name: '사용자 삭제' })).toContainText(
    '선택한 항목 중 1개는 삭제되었거나 접근할 수 없어 선택에서 제외했습니다.',
  )
  await answerDialog(page, '사용자 삭제', '확인')
  await expect(rowOf(page, 'faster.')).toHaveCount(1)
  await expect(page.getByText('1명 선택됨')).toBeVisible()
  await action(page, '삭제').click()
  await expect(page.getByRole('dialog', { name: '사용자 삭제' })).toContainText('남은 사람')
  await answerDialog(page, '사용자 삭제', '삭제')
  await expectNotice(page, '사용자 1명을 삭제했습니다.')
  expect((await server.admin.users.search({ id: 'faster.' })).items).toEqual([])
})

test('a user who is deleted while open is not found; a list that fails shows type, code and message', async ({
  page,
  server,
}) => {
  const person = await addUser(server, 'opened.one', '열려 있던 사람')
  await enterAt(page, `users/${person.idx}`)
  await expect(page.getByRole('heading', { level: 2, name: '열려 있던 사람' })).toBeVisible()
  await server.admin.users.remove({ idxes: [person.idx] })
  await expect(page.getByRole('alert')).toContainText('찾을 수 없습니다')
  await expect(page.getByRole('alert')).toContainText('다른 관리자가 삭제했을 수 있습니다.')
  await page.route('**/Users/Search?*', (route) =>
    route.fulfill({ json: { errorCode: 777, message: 'No such table', data: {} } }),
  )
  await openScreen(page, '정책')
  await openScreen(page, '사용자')
  await search(page, 'no.such.table')
  await expect(page.getByRole('alert')).toContainText('유형 server · 코드 777 · No such table')
})

test('a list leaves a page whose last rows were deleted', async ({ page, server }) => {
  const people = Array.from({ length: 26 }, (_, at) => `paged.${at + 10}`)
  const values = people.map((id, at) => ({
    id,
    name: `쪽 ${at + 10}`,
    email: `${id}@example.com`,
    groupIdx: ROOT,
    key: id,
  }))
  await withDatabase(server, (db) => db.write.insertInto('users').values(values).execute())
  await edit(page, 'paged.')
  await expect(page.getByText('1–25 / 26')).toBeVisible()
  await page.getByRole('button', { name: '다음 페이지' }).click()
  await expect(rowOf(page, 'paged.')).toHaveCount(1)
  await checkOf(page, '쪽 10').check()
  await action(page, '삭제').click()
  await answerDialog(page, '사용자 삭제', '삭제')
  await expect(rowOf(page, 'paged.')).toHaveCount(25)
  await expect(page.getByText('1–25 / 25')).toBeVisible()
})

test('a picker says in the row who cannot be picked, and waits for the list', async ({ page, server }) => {
  await addUser(server, 'picked.one', '고를 사람')
  await enterAt(page, 'loginPolicy')
  await page.getByRole('tab', { name: 'OTP 정책' }).click()
  await page.getByRole('button', { name: '추가' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('searchbox').fill('Administrator')
  await expect(dialog.getByRole('row', { name: /Administrator/ })).toContainText('시스템 관리자는 선택할 수 없습니다.')
  await dialog.getByRole('searchbox').fill('picked.one')
  await dialog.getByRole('checkbox', { name: '고를 사람 선택' }).check()
  const add = dialog.getByRole('button', { name: '추가' })
  await expect(add).toHaveAttribute('aria-disabled', 'false')
  const held = Promise.withResolvers<void>()
  await page.route('**/Users/Search?*', async (route) => {
    await held.promise
    await route.continue()
  })
  await dialog.getByRole('searchbox').fill('picked')
  await expect(add).toHaveAttribute('aria-disabled', 'true')
  held.resolve()
  await expect(add).toHaveAttribute('aria-disabled', 'false')
})
