// Edit modes of long lists: checks follow what is in sight, and what other administrators do in the meantime (spec S1 §2, §4).
import type { Page } from '@playwright/test'
import { addNewPerson } from './arrange.ts'
import { enter, openScreen } from './screens.ts'
import { expect, test } from './test.ts'

const listOf = (page: Page) => page.getByRole('table', { name: '사용자 목록' })
const rowOf = (page: Page, id: string) => listOf(page).getByRole('row').filter({ hasText: id })
const checkOf = (page: Page, name: string) => listOf(page).getByRole('checkbox', { name: `${name} 선택` })
const search = (page: Page, text: string) => page.getByRole('searchbox', { name: /검색/ }).fill(text)
const action = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

/** Starts the edit mode of the users whom a text finds. */
async function edit(page: Page, text: string): Promise<void> {
  await enter(page)
  await openScreen(page, '사용자')
  await search(page, text)
  await action(page, '여러 명 선택').click()
}

test('a search drops the checks of people whom it hides, and the question names who remains', async ({
  page,
  server,
}) => {
  const hidden = await addNewPerson(server, 'unseen.one', '가려진 사람')
  for (const at of [1, 2, 3, 4]) await addNewPerson(server, `inview.${at}a`, `보이는 사람${at}`)
  await edit(page, 'unseen.one')
  await checkOf(page, '가려진 사람').check()
  await search(page, 'inview.')
  await expect(rowOf(page, 'inview.')).toHaveCount(4)
  await expect(page.getByText('0명 선택됨')).toBeVisible()
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
