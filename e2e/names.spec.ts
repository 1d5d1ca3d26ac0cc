// What a screen reader gets, by Chromium's own accessibility tree. The names on every screen: accessibility.spec.ts.
import { UserState } from '@acc/contract/labels/users'
import { nameOf, readAccessibleTree } from './accessibleNames.ts'
import { addNewPerson, addUser, ROOT } from './arrange.ts'
import { answerDialog, enterAt, openGroup, openScreen } from './screens.ts'
import { withDatabase } from './serverDatabase.ts'
import { expect, test } from './test.ts'

test('a group field reports its path; the name of a row includes a suspension, whose reason the list filters', async ({
  page,
  server,
}) => {
  const { idx: groupIdx } = await server.admin.groups.create({ parentIdx: ROOT, name: '길의 팀' })
  const { idx } = await addUser(server, 'named.locked', '잠긴 사람', groupIdx)
  const locked = { state: UserState.DISABLED, loginFails: 100, isMortal: 1 as const, expireDT: '2030-12-31' }
  await withDatabase(server, (db) => db.write.updateTable('users').set(locked).where('idx', '=', idx).execute())
  await enterAt(page, `users/${idx}`)
  await expect(page.getByRole('button', { name: '저장' })).toBeVisible()
  await expect.poll(() => nameOf(page, 'button', '그룹 전체 조직')).toMatch(/ › /)
  await page.getByRole('searchbox').fill('named.locked')
  await page.getByRole('combobox', { name: '상태' }).click()
  await page.getByRole('option', { name: '정지 (비밀번호)' }).click()
  const rows = page.getByRole('table', { name: '사용자 목록' }).locator('tbody tr[data-idx]')
  await expect(rows).toHaveText([/정지 \(비밀번호\)/])
  const name = await nameOf(page, 'row', '정지')
  expect(name).toMatch(/^정지 \(비밀번호\) 만료일 \S+ /)
  await expect(page.getByRole('region', { name: '사용자 정보' })).toBeVisible()
  // Icons without a label are decoration; the signs of pages and of closing are Mantine's.
  const images = page.locator(
    'svg:not([aria-hidden], [aria-label], .mantine-Pagination-root *, .mantine-CloseButton-root *)',
  )
  await expect(images.and(page.locator(':not([aria-hidden] *)'))).toHaveCount(0)
})

test('a value of a policy is compared with the group above in the description of its field', async ({
  page,
  server,
}) => {
  const { idx } = await server.admin.groups.create({ parentIdx: ROOT, name: '비교하는 팀' })
  await server.admin.groups.setIsMyPolicy({ idx, isMyPolicy: 1 })
  const { idx: policy, screenCapture } = await server.admin.policies.find({ ownerIdx: idx, ownerType: 0 })
  await server.admin.policies.update({ idx: policy, screenCapture: screenCapture === 0 ? 1 : 0 })
  await enterAt(page, 'policies')
  await openGroup(page, '비교하는 팀')
  const fields = page.getByRole('combobox')
  await expect(fields.and(page.locator('[aria-label="화면 캡처"]'))).toHaveAccessibleDescription(/^전체 조직은 /)
  await expect(fields.and(page.locator('[aria-label="파일 반출"]'))).toHaveAccessibleDescription('전체 조직과 같음')
  const nodes = (await readAccessibleTree(page)).filter(({ role }) => role === 'combobox')
  expect(nodes.map(({ description }) => description)).toContain('전체 조직과 같음')
})

test('a row of the history has its buttons only after F, and the period reports its value', async ({ page }) => {
  await enterAt(page, 'history')
  const rows = page.getByRole('table', { name: '로그인 이력' }).locator('tbody tr[data-idx]')
  await rows.first().focus()
  await expect(rows.first()).toBeFocused()
  const funnels = async () =>
    (await readAccessibleTree(page)).filter(({ role, name }) => role === 'button' && name.endsWith('만 보기')).length
  expect(await funnels()).toBe(0)
  await page.keyboard.press('f')
  await expect(rows.first().locator('button:focus')).toHaveAccessibleName(/만 보기|열기/)
  expect(await funnels()).toBeGreaterThan(1)
  await page.keyboard.press('Escape')
  await expect(rows.first()).toBeFocused()
  expect(await funnels()).toBe(0)

  await page.getByRole('button', { name: /^기간: / }).click()
  await page.getByRole('button', { name: '지난주' }).click()
  const value = (await nameOf(page, 'button', '기간: ')) ?? ''
  const [, from = '', to = ''] = /(\d{4}-\d\d-\d\d) – (\d{4}-\d\d-\d\d)/.exec(value) ?? []
  const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay()
  expect([weekdayOf(from), weekdayOf(to)]).toEqual([1, 0])
  await page.getByRole('button', { name: /^기간: / }).click()
  const calendar = page.getByRole('table', { name: '달력' })
  await expect(calendar.locator('thead th').first()).toHaveText('월')
  await page.getByRole('dialog').getByRole('table').locator('button').first().waitFor()
  const pressed = (await readAccessibleTree(page)).filter(({ states }) => states.get('pressed') === 'true')
  expect(pressed.map(({ role }) => role)).toContain('button')
})

test('the mail with a first password can be found after its notice was closed, and the notice stays on its screen', async ({
  page,
  server,
}) => {
  const person = await addNewPerson(server, 'named.mail', '메일 받을 사람')
  await page.clock.install()
  await enterAt(page, `users/${person.idx}`)
  // The only mail to an address is opened.
  await page.getByRole('main').getByRole('button', { name: '보낸 메일 보기' }).click()
  await expect(page.getByRole('region', { name: '선택한 메일' })).toContainText(person.email)
  await page.goBack()
  await page.getByRole('button', { name: '비밀번호 초기화' }).click()
  await answerDialog(page, '비밀번호 초기화', '비밀번호 초기화')
  const notice = page.getByRole('status').filter({ hasText: '임시 비밀번호' })
  await expect(notice.getByRole('button', { name: '보낸 메일 보기' })).toBeVisible()
  await page.clock.fastForward(60_000)
  await expect(notice.getByRole('button', { name: '보낸 메일 보기' })).toBeVisible()
  await notice.getByRole('button', { name: '보낸 메일 보기' }).click()
  await expect(notice).toBeHidden()
  await expect(page.getByRole('table', { name: '메일 목록' })).toBeVisible()
  await page.goBack()
  await page.getByRole('main').getByRole('button', { name: '보낸 메일 보기' }).click()
  const mails = page.getByRole('table', { name: '메일 목록' }).locator('tbody tr[data-idx]')
  await expect(mails).toHaveCount(2)
  await mails.first().click()
  const copy = page.getByRole('button', { name: /복사$/ })
  await expect(copy.filter({ hasText: /[A-Za-z]/ })).toHaveCount(0)
  await page.getByRole('combobox', { name: '상태' }).click()
  await page.getByRole('option', { name: '보관함' }).click()
  await expect(mails).toHaveCount(2)
  // A notice that is not followed ends with its screen.
  await openScreen(page, '사용자')
  await page.getByRole('searchbox').fill('named.mail')
  await page.getByRole('row').filter({ hasText: 'named.mail' }).click()
  await page.getByRole('button', { name: '비밀번호 초기화' }).click()
  await answerDialog(page, '비밀번호 초기화', '비밀번호 초기화')
  await expect(notice).toBeVisible()
  await openScreen(page, '정책')
  await expect(notice).toBeHidden()
})
