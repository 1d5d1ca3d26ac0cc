// The mail screen: mail in the evaluation outbox can be read there, by system administrators only.
import { addNewPerson, addUser } from './arrange.ts'
import { enterAt } from './screens.ts'
import { expect, test } from './test.ts'

test('a mail is opened by a link and read, its password copied, and a new one that is searched appears by itself', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await addNewPerson(server, 'mailed.one', '받는 사람')
  const other = await addNewPerson(server, 'mailed.two', '다른 사람')
  const { items } = await server.admin.mails.search({ receiver: 'mailed.one@' })
  await enterAt(page, `mails/${items[0]?.idx}`)
  await expect(page.getByRole('heading', { level: 2, name: /임시 비밀번호 안내/ })).toBeVisible()
  await expect(page.getByText('mailed.one@example.com').first()).toBeVisible()
  const list = page.getByRole('table', { name: '메일 목록' })
  await expect(list.getByRole('row').filter({ hasText: 'mailed.two@example.com' })).toContainText('보관함')
  await list.getByRole('row').filter({ hasText: 'mailed.two@example.com' }).click()
  await expect(page.getByText(`임시 비밀번호: ${other.password}`)).toBeVisible()
  await page.getByRole('button', { name: '임시 비밀번호 복사' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(other.password)
  await expect(page.getByRole('button', { name: '다시 보내기' })).toBeHidden()

  await page.getByRole('searchbox').fill('mailed.live')
  await expect(page.getByText('조건에 맞는 메일이 없습니다')).toBeVisible()
  await addUser(server, 'mailed.live', '나중 사람')
  await expect(list.getByRole('row').filter({ hasText: 'mailed.live@' })).toContainText('보관함')
})
