// Drafts (docs/decisions/18-screens.md): unsaved input outlasts a reload and the end of a session, for its author.
import type { Page } from '@playwright/test'
import { ADMIN } from './accServer.ts'
import { addPerson, addUser } from './arrange.ts'
import { requestExport } from './requests.ts'
import { answerDialog, enterAt, enterSettings, expectNotice, openScreen, saveOf, signIn } from './screens.ts'
import { test } from './teams.ts'
import { expect } from './test.ts'

const restored = (page: Page) => page.getByRole('status').filter({ hasText: '에 입력하던 내용을 복원했습니다.' })
const nameOf = (page: Page) => page.getByRole('textbox', { name: '이름', exact: true })
const SCRIPT = '<img src=x onerror=alert(1)>'

/** The drafts as text. */
const draftsIn = (page: Page) =>
  page.evaluate(() => JSON.stringify(Object.entries(localStorage).filter(([name]) => name.startsWith('acc.draft.'))))

/** Types another name of a user and closes the page as a crash would. */
async function leaveBehind(page: Page, idx: number, name: string): Promise<void> {
  await enterAt(page, `users/${idx}`)
  await nameOf(page).fill(name)
  await expect(page.getByText('변경 1건')).toBeVisible()
  await page.goto('about:blank')
}

test('a form is restored after a crash, merged with what others changed since, and a discarded draft does not return', async ({
  page,
  server,
}) => {
  const { idx } = await addUser(server, 'draft.one', '초안 사람')
  await leaveBehind(page, idx, SCRIPT)
  const theirs = { name: '남이 바꾼 이름', email: 'draft.new@example.com' }
  await server.admin.users.update({ idx, ...theirs })
  await page.goto(`/acc?go=users/${idx}`)
  await expect(nameOf(page)).toHaveValue(SCRIPT)
  await expect(page.getByRole('textbox', { name: '이메일' })).toHaveValue(theirs.email)
  await expect(restored(page)).toBeVisible()
  await page.getByRole('button', { name: '변경된 이름 사용' }).click()
  await expect(nameOf(page)).toHaveValue(theirs.name)
  expect(await draftsIn(page)).toBe('[]')
  await nameOf(page).fill('초안에서 온 이름')
  await saveOf(page).click()
  await expectNotice(page, '사용자 정보를 저장했습니다.')
  await expect(restored(page)).toBeHidden()
  const { name, email } = await server.admin.users.find({ idx })
  expect({ name, email }).toEqual({ ...theirs, name: '초안에서 온 이름' })
  expect(await draftsIn(page)).toBe('[]')

  await leaveBehind(page, idx, '버릴 이름')
  await page.goto(`/acc?go=users/${idx}`)
  await restored(page).getByRole('button', { name: '버리기' }).click()
  await expect(nameOf(page)).toHaveValue(name)
  await page.reload()
  await expect(nameOf(page)).toHaveValue(name)
  await nameOf(page).fill('다른 화면으로')
  await page.getByRole('navigation', { name: '메뉴' }).getByRole('button', { name: '정책', exact: true }).click()
  await answerDialog(page, '변경사항 저장', '저장하지 않고 계속')
  expect(await draftsIn(page)).toBe('[]')
})

test('a session that ends keeps the draft; nobody else sees it, and signing in as another person deletes it', async ({
  page,
  server,
}) => {
  const person = await addPerson(server, 'draft.shared', '같은 컴퓨터')
  await enterAt(page, `users/${person.idx}`)
  await nameOf(page).fill('비밀스러운 이름')
  await expect(page.getByText('변경 1건')).toBeVisible()
  await page.context().clearCookies()
  await saveOf(page).click()
  const ended = page.getByRole('dialog', { name: '세션 종료' })
  await expect(ended).toContainText('입력한 내용은 이 브라우저에 하루 동안 보관됩니다.')
  await ended.getByRole('button', { name: '확인' }).click()
  await signIn(page, ADMIN)
  await expect(nameOf(page)).toHaveValue('비밀스러운 이름')
  await page.context().clearCookies()
  await page.goto('/acc')
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: /안녕하세요/ })).toBeVisible()
  expect(await draftsIn(page)).toBe('[]')
})

test('passwords are in no draft', async ({ page }) => {
  await enterSettings(page, '메일 서버')
  await page.getByRole('textbox', { name: '서버 주소' }).fill('draft.example.com')
  await page.getByRole('main').getByLabel('인증 비밀번호').fill('Zx9!never-stored')
  await expect.poll(() => draftsIn(page)).toContain('draft.example.com')
  expect(await draftsIn(page)).not.toContain('never-stored')
})

test('the reason of a decision is restored', async ({ page, addTeam }) => {
  const { pc, manager } = await addTeam('draftreason', '사유 초안팀')
  const idx = await requestExport(pc, '초안 요청', { 'a.txt': 'a' })
  await enterAt(page, `approvals/${idx}`, manager)
  const reason = page.getByRole('textbox', { name: '처리 사유' })
  await reason.fill(SCRIPT)
  await page.goto('about:blank')
  await page.goto(`/acc?go=approvals/${idx}`)
  await expect(reason).toHaveValue(SCRIPT)
  await expectNotice(page, /에 입력하던 내용을 복원했습니다\./)
})

test('drafts that are old, broken, or of an older version are dropped, and signing out deletes the others', async ({
  page,
  server,
}) => {
  const { idx } = await addUser(server, 'draft.old', '오래된 초안')
  await leaveBehind(page, idx, '옛 이름')
  // A page without the console.
  await page.route('**/empty', (route) => route.fulfill({ contentType: 'text/html', body: '<title>-</title>' }))
  await page.goto('/empty')
  await page.evaluate(() => {
    const [name = '', text = ''] = Object.entries(localStorage).find(([key]) => key.startsWith('acc.draft.')) ?? []
    const draft = JSON.parse(text)
    localStorage.setItem(name, JSON.stringify({ ...draft, at: draft.at - 25 * 60 * 60 * 1000 }))
    localStorage.setItem(`${name}1`, JSON.stringify({ ...draft, version: '0.0.1' }))
    localStorage.setItem(`${name}2`, '{"at":')
    localStorage.setItem(`${name}3`, JSON.stringify({ ...draft, values: null }))
  })
  await page.goto(`/acc?go=users/${idx}`)
  await expect(nameOf(page)).toHaveValue('오래된 초안')
  expect(await draftsIn(page)).toBe('[]')

  await nameOf(page).fill('두고 가는 이름')
  await expect(page.getByText('변경 1건')).toBeVisible()
  await page.goto('about:blank')
  await page.goto('/acc')
  await openScreen(page, '정책')
  expect(await draftsIn(page)).toContain('두고 가는 이름')
  await page.getByRole('button', { name: '로그아웃' }).click()
  await expect(page.getByRole('button', { name: '로그인', exact: true })).toBeVisible()
  expect(await draftsIn(page)).toBe('[]')
})

test('without storage a form works, and the end of the session says that nothing is kept', async ({ page, server }) => {
  const { idx } = await addUser(server, 'draft.full', '꽉 찬 저장소')
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await enterAt(page, `users/${idx}`)
  await nameOf(page).fill('어디에도 없는 이름')
  await page.context().clearCookies()
  await saveOf(page).click()
  await expect(page.getByRole('dialog', { name: '세션 종료' })).toContainText('입력한 내용은 저장되지 않았습니다.')
})
