// The login portal (spec S1 §2, §4, §5): signing in and what prevents it, replacing a temporary password, what the
// browser remembers, temporary tokens, and sessions that end.
import type { Page } from '@playwright/test'
import { signInByCall } from './accServer.ts'
import { addNewPerson, addPerson, addUser, PASSWORD } from './arrange.ts'
import { answerDialog, enter, enterAt, FRONT_ROUTE, menuOf, openPortalPage, signIn } from './screens.ts'
import { expect, test } from './test.ts'

/** What a page reports of parts that cannot be fetched. */
const UNFETCHED = /net::ERR_FAILED|dynamically imported module|preload CSS/

test('the sign-in page has the front route for any path, names missing values, and keeps language and theme', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await expect(page).toHaveURL(FRONT_ROUTE)
  await expect(page).toHaveTitle('로그인 · ACC')
  const [id, password] = [page.getByLabel('아이디', { exact: true }), page.getByLabel('비밀번호', { exact: true })]
  await expect(id).toBeFocused()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
  }
  await page.getByRole('button', { name: '로그인' }).click()
  await expect(page.getByText('아이디를 입력해 주세요.')).toBeVisible()
  await id.fill('somebody')
  await page.getByRole('button', { name: '로그인' }).click()
  await expect(page.getByText('비밀번호를 입력해 주세요.')).toBeVisible()
  await expect(password).toBeFocused()

  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.getByRole('button', { name: 'Theme' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test('without a network a sign-out stays on the page, and one of a session that is gone ends as any', async ({
  page,
  server,
  faults,
}) => {
  const person = await addPerson(server, 'typed.once', '한 번 입력한 사람')
  const greeting = page.getByRole('heading', { name: /안녕하세요/ })
  await enter(page, person)
  await expect(greeting).toBeVisible()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: '로그아웃' }).click()
  await answerDialog(page, '오류', '확인')
  await expect(greeting).toBeVisible()
  expect(faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  faults.length = 0
  await page.context().setOffline(false)

  await page.context().clearCookies()
  await page.getByRole('button', { name: '로그아웃' }).click()
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('while the server is away a page keeps typed values, and opens when the server is back', async ({
  page,
  server,
  faults,
}) => {
  const person = await addPerson(server, 'fetched.later', '나중에 온 사람')
  // Nothing but a question shows a page at rest that the server is away.
  await page.clock.install()
  await page.goto('/acc')
  const [id, password] = [page.getByLabel('아이디', { exact: true }), page.getByLabel('비밀번호', { exact: true })]
  await id.fill(person.id)
  await password.fill(person.password)
  await page.clock.fastForward(60_000)
  await server.restart(async () => {
    for (const name of ['비밀번호 찾기', '로그인', 'English']) {
      await page.getByRole('button', { name, exact: true }).click()
      await expect(page.getByRole('dialog', { name: '오류' })).toContainText('서버와 통신하지 못했습니다')
      await answerDialog(page, '오류', '확인')
    }
    await expect(id).toHaveValue(person.id)
    await expect(password).toHaveValue(person.password)
  })
  await page.getByRole('button', { name: '로그인', exact: true }).click()
  await page.getByRole('button', { name: '내 로그인 세션' }).click()
  await expect(page.getByRole('dialog', { name: '내 로그인 세션' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '로그아웃' }).click()
  await openPortalPage(page, '비밀번호 찾기')
  expect(faults.filter((fault) => !/net::ERR_/.test(fault))).toEqual([])
  faults.length = 0
})

test('a page that is lost to the portal is offered by a reload', async ({ page, server, faults }) => {
  const person = await addPerson(server, 'fetched.again', '다시 온 사람')
  await page.route(/\/assets\/(ForgotPwPage|DownloadPage)/, (route) => route.abort())
  await page.goto('/acc')
  const id = page.getByLabel('아이디', { exact: true })
  await id.fill(person.id)
  await page.getByRole('button', { name: '비밀번호 찾기' }).click()
  await answerDialog(page, '새로 고침 필요', '취소')
  await expect(id).toHaveValue(person.id)
  await page.getByLabel('비밀번호', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: '로그인', exact: true }).click()
  await page.getByRole('dialog', { name: '새로 고침 필요' }).getByRole('button', { name: '새로 고침' }).click()
  // The session is there; the page that it opens is not.
  const failed = page.getByRole('alert').filter({ hasText: '화면을 표시하지 못했습니다' })
  await expect(failed).toBeVisible()
  await page.unrouteAll()
  await failed.getByRole('button', { name: '다시 시도' }).click()
  await expect(page.getByRole('heading', { name: /안녕하세요/ })).toBeVisible()
  expect(faults.filter((fault) => !UNFETCHED.test(fault))).toEqual([])
  faults.length = 0
})

test('a wrong password says after how many the account is locked, and the last one that it is', async ({
  page,
  server,
}) => {
  const person = await addPerson(server, 'locked', '잠긴 사람')
  for (let tries = 1; tries < 4; tries++)
    await expect(server.anonymous.session.login({ id: person.id, pw: `wrong-${tries}` })).rejects.toThrow()
  await signIn(page, { ...person, password: 'wrong-4' })
  await expect(page.getByRole('alert')).toHaveText(/일치하지 않습니다. 5회 이상 틀리면 계정이 정지됩니다/)
  await expect(page.getByLabel('비밀번호', { exact: true })).toHaveValue('')
  await signIn(page, { ...person, password: 'wrong-5' })
  await expect(page.getByRole('alert')).toHaveText(/정지되었습니다/)
  await expect(page.getByRole('alert')).not.toHaveText(/5회/)
})

test('on a telephone a temporary password leads to an own one, which is checked while it is typed', async ({
  page,
  server,
}) => {
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)
  const person = await addNewPerson(server, 'newcomer', '이름이아주긴사람'.repeat(3))
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/acc')
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  expect(await fits()).toBe(true)
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: '비밀번호 변경' })).toBeVisible()
  expect(await fits()).toBe(true)
  await expect(page.getByText('임시 비밀번호를 새 비밀번호로 변경해야 합니다.')).toBeVisible()
  await expect(page.getByLabel('현재 또는 임시 비밀번호')).toHaveValue(person.password)
  const rules = page.getByRole('list', { name: '비밀번호 규칙' })
  const next = page.getByLabel('새 비밀번호', { exact: true })
  await expect(page.getByText('영문, 숫자, 특수문자를 포함하여 공백 없이 8자 이상')).toBeVisible()
  await expect(rules).toBeHidden()
  await next.pressSequentially('Short1!')
  await expect(next).toHaveValue('Short1!')
  await expect(rules.getByRole('listitem')).toHaveText(['8자 이상'])
  await expect(rules).not.toHaveAttribute('data-refused')
  await page.getByRole('button', { name: '변경' }).click()
  await expect(page.getByText('비밀번호 규칙을 모두 충족해야 합니다.')).toBeVisible()
  await expect(page.getByRole('button', { name: '변경' })).toBeInViewport({ ratio: 1 })
  await expect(rules).toHaveAttribute('data-refused')
  await next.fill(person.password)
  await expect(rules.getByRole('listitem')).toHaveText(['현재 또는 임시 비밀번호와 다름'])
  await next.fill('New_Comer!94')
  await expect(rules.getByRole('listitem')).toHaveText([/^‘newcomer’ 사용 불가/])
  await next.fill(PASSWORD)
  await expect(rules).toBeHidden()
  await page.getByRole('button', { name: '변경' }).click()
  await expect(page.getByText('새 비밀번호를 한 번 더 입력해 주세요.')).toBeVisible()
  await page.getByLabel('새 비밀번호 확인').fill(`${PASSWORD}x`)
  await page.getByRole('button', { name: '변경' }).click()
  await expect(page.getByText('새 비밀번호가 서로 일치하지 않습니다.')).toBeVisible()
  await page.getByLabel('새 비밀번호 확인').fill(PASSWORD)
  await page.getByLabel('현재 또는 임시 비밀번호').fill('wrong')
  await page.getByRole('button', { name: '변경' }).click()
  // Another sentence than for a wrong own one.
  await expect(page.getByText(/임시 비밀번호가 일치하지 않습니다/)).toBeVisible()
  await page.getByLabel('현재 또는 임시 비밀번호').fill(person.password)
  await page.getByRole('button', { name: '변경' }).click()

  await expect(page.getByRole('status')).toHaveText('비밀번호를 변경했습니다. 새 비밀번호로 로그인해 주세요.')
  await expect(page.getByLabel('아이디', { exact: true })).toHaveValue('newcomer')
  await page.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: `${person.name}님, 안녕하세요` })).toBeVisible()
  expect(await fits()).toBe(true)
  await expect(page.getByText('newcomer@example.com')).toBeVisible()
  await page.getByRole('button', { name: '로그아웃' }).click()
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
})

test('an old password is recommended to be changed, later or now; the document-security page waits for the answer', async ({
  page,
  server,
}) => {
  const person = await addPerson(server, 'old.password', '오래된 사람')
  const levels = { user: 1, policy: 0, fileExportApprove: 0, fileImportApprove: 0, log: 0 } as const
  await server.admin.authorities.create({ name: '문서 관리', groupIdxes: [1], userIdxes: [person.idx], ...levels })
  await page.route('**/Configs', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    answer.data.runtime.dmsLink = `${server.baseUrl}/acc/dms`
    await route.fulfill({ response, json: answer })
  })
  await page.clock.install({ time: Date.now() + 91 * 86_400_000 })
  await page.goto('/acc')
  await page.getByLabel('문서보안 페이지도 열기').check()
  const opened = page.context().waitForEvent('page')
  await signIn(page, person)
  const dms = await opened
  await expect(page.getByText(/비밀번호를 변경한 지 90일이 지났습니다/)).toBeVisible()
  expect(dms.url()).toBe('about:blank')
  const requests = dms.waitForRequest(/tmpToken=/)
  await answerDialog(page, '비밀번호 변경 권장', '나중에 변경')
  expect((await requests).url()).toContain('/acc/dms?tmpToken=')
  await expect(menuOf(page)).toBeVisible()

  await signOutAndReload(page)
  await page.getByLabel('문서보안 페이지도 열기').uncheck()
  await signIn(page, person)
  await answerDialog(page, '비밀번호 변경 권장', '지금 변경')
  await expect(page.getByRole('heading', { name: '비밀번호 변경' })).toBeVisible()
})

test('on the account page, too, a session that has run out is announced', async ({ page, server }) => {
  const person = await addPerson(server, 'went.away', '자리를 비운 사람')
  await page.clock.install()
  await enter(page, person)
  await expect(page.getByRole('heading', { name: /안녕하세요/ })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.clock.fastForward('29:00')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.clock.fastForward('03:00')
  const reloaded = page.waitForEvent('load')
  await answerDialog(page, '세션 만료', '확인')
  await reloaded
})

test('people see where they are signed in, and end what they do not know or what has ended by itself', async ({
  page,
  server,
}) => {
  const person = await addPerson(server, 'two.places', '두 곳의 사람')
  const elsewhere = [await signInByCall(server.baseUrl, person), await signInByCall(server.baseUrl, person)]
  await signIn(page, person)
  await page.getByRole('button', { name: '내 로그인 세션' }).click()
  const dialog = page.getByRole('dialog', { name: '내 로그인 세션' })
  const rows = dialog.getByRole('listitem')
  const here = rows.filter({ hasText: '현재 세션' })
  await expect(here).toHaveText(/웹 · Chrome, \w+127\.0\.0\.1로그인 \d{4}-\d\d-\d\d .*마지막 사용/)
  await expect(here.getByRole('button')).toHaveCount(0)
  const end = dialog.getByRole('button', { name: /^종료: / })
  await expect(end).toHaveCount(2)
  await end.first().click()
  await answerDialog(page, '세션 종료', '종료')
  await expect(end).toHaveCount(1)
  await expect(dialog.getByRole('status')).toHaveText('세션을 종료했습니다.')
  // One of the two has ended already.
  for (const { session } of elsewhere) await session.logout({}).catch(() => undefined)
  await end.click()
  await answerDialog(page, '세션 종료', '종료')
  await expect(end).toBeHidden()
  await expect(rows).toHaveCount(1)
})

async function signOutAndReload(page: Page): Promise<void> {
  await page.getByRole('button', { name: '로그아웃' }).click()
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await page.reload()
}

test('the ID is remembered only where it is asked for', async ({ page, server }) => {
  const person = await addPerson(server, 'saved.id', '기억된 사람')
  await page.goto('/acc')
  await page.getByLabel('아이디 저장').check()
  await signIn(page, person)
  await signOutAndReload(page)
  await expect(page.getByLabel('아이디', { exact: true })).toHaveValue('saved.id')
  await expect(page.getByLabel('비밀번호', { exact: true })).toBeFocused()
  await page.getByLabel('아이디 저장').uncheck()
  await signIn(page, person)
  await signOutAndReload(page)
  await expect(page.getByLabel('아이디', { exact: true })).toHaveValue('')
})

test('a temporary token of the address signs in, and asks before it replaces the session of another', async ({
  page,
  server,
}) => {
  const [here, other] = [
    await addPerson(server, 'stays.signed.in', '로그인한 사람'),
    await addPerson(server, 'link.owner', '링크 주인'),
  ]
  const linkOf = async (person: typeof here) => {
    const calls = await signInByCall(server.baseUrl, person)
    return `/acc?tmpToken=${(await calls.session.createTmpToken({})).tmpToken}`
  }
  await page.goto(await linkOf(here))
  await expect(page.getByRole('heading', { name: '로그인한 사람님, 안녕하세요' })).toBeVisible()
  const link = await linkOf(other)
  await page.goto(link)
  await expect(page.getByText('링크 주인(link.owner) 계정으로 로그인됩니다')).toBeVisible()
  await answerDialog(page, '다른 사용자로 로그인', '취소')
  await expect(page.getByRole('heading', { name: '로그인한 사람님, 안녕하세요' })).toBeVisible()
  await page.goto(link)
  await answerDialog(page, '다른 사용자로 로그인', '로그인')
  await expect(page.getByRole('heading', { name: '링크 주인님, 안녕하세요' })).toBeVisible()
  await expect(page).toHaveURL(FRONT_ROUTE)
})

test('supplier staff are sent to the client', async ({ page, server }) => {
  const { idx } = await server.admin.groups.create({ parentIdx: 1, name: '협력사 관리' })
  const { idx: groupIdx } = await server.admin.groups.create({ parentIdx: idx, name: '협력사 가' })
  await server.admin.groups.setIsDmsParent({ idx })
  await signIn(page, await addPerson(server, 'supplier.one', '협력사 직원', groupIdx))
  await expect(page.getByRole('alert')).toHaveText(/클라이언트/)
})

test('a session that ends with unsaved changes is announced without another question', async ({ page, server }) => {
  const person = await addPerson(server, 'edits.away', '편집 중인 사람')
  const levels = { user: 2, policy: 0, fileExportApprove: 0, fileImportApprove: 0, log: 0 } as const
  await server.admin.authorities.create({ name: '편집 관리', groupIdxes: [1], userIdxes: [person.idx], ...levels })
  const edited = await addUser(server, 'is.edited', '편집되는 사람')
  const questions: string[] = []
  page.on('dialog', (dialog) => {
    questions.push(dialog.type())
    void dialog.dismiss()
  })
  await enterAt(page, `users/${edited.idx}`, person)
  await page.getByRole('textbox', { name: '이름' }).fill('저장하지 않은 이름')
  await server.admin.users.setDisabled({ idx: person.idx, state: 2 })
  await answerDialog(page, '세션 종료', '확인')
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(questions).toEqual([])
})

test('a session that ended while its page was closed is announced at the next start', async ({ page, server }) => {
  const person = await addPerson(server, 'starts.later', '나중에 여는 사람')
  await enter(page, person)
  await expect(page.getByRole('heading', { name: /안녕하세요/ })).toBeVisible()
  await page.goto('about:blank')
  await server.admin.users.setDisabled({ idx: person.idx, state: 2 })
  await page.goto('/acc')
  await answerDialog(page, '세션을 확인하지 못했습니다', '확인')
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
})

test('a manager whose screens are all switched off learns it, and is led to the download page', async ({
  page,
  server,
}) => {
  const person = await addPerson(server, 'no.screens', '화면 없는 사람')
  const levels = { user: 1, policy: 0, fileExportApprove: 0, fileImportApprove: 0, log: 0 } as const
  await server.admin.authorities.create({ name: '화면 없음', groupIdxes: [1], userIdxes: [person.idx], ...levels })
  await page.route('**/Configs', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    answer.data.runtime.show.account = false
    answer.data.runtime.show.dashboard = false
    await route.fulfill({ response, json: answer })
  })
  await signIn(page, person)
  await answerDialog(page, '볼 수 있는 화면이 없습니다', '확인')
  await expect(page.getByRole('heading', { name: '화면 없는 사람님, 안녕하세요' })).toBeVisible()
})
