// The login portal (S1 sections 2, 4 and 5): signing in and what may stand in its way, the way from a temporary password
// to one's own, and what the browser remembers.
import type { Page } from '@playwright/test'
import { ADMIN } from './accServer.ts'
import { addNewPerson, addPerson, PASSWORD } from './arrange.ts'
import { answerDialog, FRONT_ROUTE, signIn } from './screens.ts'
import { expect, test } from './test.ts'

test('the front route stands in the address, whatever was asked for', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await expect(page).toHaveURL(FRONT_ROUTE)
  await expect(page.getByLabel('아이디', { exact: true })).toBeFocused()
})

test('what is missing is said at its field', async ({ page }) => {
  await page.goto('/acc')
  await page.getByRole('button', { name: '로그인' }).click()
  await expect(page.getByText('아이디를 입력해 주세요.')).toBeVisible()
  await page.getByLabel('아이디', { exact: true }).fill('somebody')
  await page.getByRole('button', { name: '로그인' }).click()
  await expect(page.getByText('비밀번호를 입력해 주세요.')).toBeVisible()
  await expect(page.getByLabel('비밀번호', { exact: true })).toBeFocused()
})

test('wrong passwords are counted until the account is locked', async ({ page, server }) => {
  const person = await addPerson(server, 'locked', '잠긴 사람')
  for (let tries = 1; tries < 5; tries++) {
    await signIn(page, { ...person, password: `wrong-${tries}` })
    await expect(page.getByRole('alert')).toHaveText(/일치하지 않습니다. 5회 이상 틀리면 계정이 정지됩니다/)
    await expect(page.getByLabel('비밀번호', { exact: true })).toHaveValue('')
  }
  await signIn(page, { ...person, password: 'wrong-5' })
  await expect(page.getByRole('alert')).toHaveText(/정지되었습니다/)
  await expect(page.getByRole('alert')).not.toHaveText(/5회/)
  await signIn(page, person)
  await expect(page.getByRole('alert')).not.toHaveText(/5회/)
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
})

test('a temporary password leads to one of their own, judged while it is typed', async ({ page, server }) => {
  const person = await addNewPerson(server, 'newcomer', '새 사람')
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: '비밀번호 변경' })).toBeVisible()
  await expect(page.getByText('임시 비밀번호를 새 비밀번호로 변경해야 합니다.')).toBeVisible()
  await expect(page.getByLabel('현재 또는 임시 비밀번호')).toHaveValue(person.password)
  const rules = page.getByRole('list', { name: '비밀번호 규칙' })
  const length = rules.getByRole('listitem').filter({ hasText: '8자 이상' })
  const next = page.getByLabel('새 비밀번호', { exact: true })
  await next.fill('Short1!')
  await expect(length).toContainText('미충족')
  await page.getByRole('button', { name: '변경' }).click()
  await expect(page.getByText('비밀번호 규칙을 모두 충족해야 합니다.')).toBeVisible()
  await next.fill(PASSWORD)
  await expect(length).not.toContainText('미충족')
  await page.getByLabel('새 비밀번호 확인').fill(`${PASSWORD}x`)
  await page.getByRole('button', { name: '변경' }).click()
  await expect(page.getByText('새 비밀번호가 서로 일치하지 않습니다.')).toBeVisible()
  await page.getByLabel('새 비밀번호 확인').fill(PASSWORD)
  await page.getByRole('button', { name: '변경' }).click()

  await expect(page.getByRole('status')).toHaveText('비밀번호를 변경했습니다. 새 비밀번호로 로그인해 주세요.')
  await expect(page.getByLabel('아이디', { exact: true })).toHaveValue('newcomer')
  await page.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '새 사람님, 안녕하세요' })).toBeVisible()
  await expect(page.getByText('newcomer@example.com')).toBeVisible()
  await page.getByRole('button', { name: '로그아웃' }).click()
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
})

test('signing out of a session that is gone already leads to the sign-in page', async ({ page, server }) => {
  const person = await addPerson(server, 'gone.already', '먼저 끝난 사람')
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: /안녕하세요/ })).toBeVisible()
  await page.context().clearCookies()
  await page.getByRole('button', { name: '로그아웃' }).click()
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('signing out without a network stays, and says why', async ({ page, server, faults }) => {
  const person = await addPerson(server, 'stays.here', '남는 사람')
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: /안녕하세요/ })).toBeVisible()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: '로그아웃' }).click()
  await answerDialog(page, '오류', '확인')
  await expect(page.getByRole('heading', { name: /안녕하세요/ })).toBeVisible()
  expect(faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  faults.length = 0
})

test('a password that is old is recommended to be changed, later or now, but not to administrators', async ({
  page,
  server,
}) => {
  const person = await addPerson(server, 'old.password', '오래된 사람')
  await page.clock.install({ time: Date.now() + 91 * 86_400_000 })
  await signIn(page, person)
  await expect(page.getByText(/비밀번호를 변경한 지 90일이 지났습니다/)).toBeVisible()
  await answerDialog(page, '비밀번호 변경 권장', '나중에 변경')
  await expect(page.getByRole('heading', { name: /안녕하세요/ })).toBeVisible()
  await signOutAndReload(page)
  await signIn(page, person)
  await answerDialog(page, '비밀번호 변경 권장', '지금 변경')
  await expect(page.getByRole('heading', { name: '비밀번호 변경' })).toBeVisible()
  await page.getByLabel('현재 또는 임시 비밀번호').fill(PASSWORD)
  await page.getByLabel('새 비밀번호', { exact: true }).fill(`${PASSWORD}x`)
  await page.getByLabel('새 비밀번호 확인').fill(`${PASSWORD}x`)
  await page.getByRole('button', { name: '변경' }).click()
  await expect(page.getByRole('status')).toHaveText('비밀번호를 변경했습니다. 새 비밀번호로 로그인해 주세요.')
  await signIn(page, ADMIN)
  await expect(page.getByRole('navigation', { name: '주 메뉴' })).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('on the account page, too, a session that has run out is told', async ({ page, server }) => {
  const person = await addPerson(server, 'went.away', '자리를 비운 사람')
  await page.clock.install()
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: /안녕하세요/ })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.clock.fastForward('29:00')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.clock.fastForward('02:00')
  const reloaded = page.waitForEvent('load')
  await answerDialog(page, '세션 만료', '확인')
  await reloaded
})

test('people see where they are signed in, and end what they do not know', async ({ page, anotherPage, server }) => {
  const person = await addPerson(server, 'two.places', '두 곳의 사람')
  const elsewhere = await anotherPage()
  await signIn(elsewhere, person)
  await expect(elsewhere.getByRole('heading', { name: /안녕하세요/ })).toBeVisible()
  await signIn(page, person)
  await page.getByRole('button', { name: '내 로그인 세션' }).click()
  const dialog = page.getByRole('dialog', { name: '내 로그인 세션' })
  const rows = dialog.getByRole('listitem')
  await expect(rows).toHaveCount(2)
  const here = rows.filter({ hasText: '현재 세션' })
  await expect(here).toHaveText(/웹 · Chrome, \w+127\.0\.0\.1로그인 \d{4}-\d\d-\d\d .*마지막 사용/)
  await expect(here.getByRole('button')).toHaveCount(0)
  await dialog.getByRole('button', { name: /^종료: 웹 · Chrome/ }).click()
  await answerDialog(page, '세션 종료', '종료')

  await expect(rows).toHaveCount(1)
  await expect(dialog.getByRole('status')).toHaveText('세션을 종료했습니다.')
  await elsewhere.reload()
  await expect(elsewhere.getByRole('heading', { name: '로그인' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: /안녕하세요/ })).toBeVisible()
})

test('a session that has ended by itself can be ended, and sessions that cannot be read are asked for again', async ({
  page,
  anotherPage,
  server,
}) => {
  const person = await addPerson(server, 'two.places.b', '두 곳의 사람')
  const elsewhere = await anotherPage()
  await signIn(elsewhere, person)
  await expect(elsewhere.getByRole('heading', { name: /안녕하세요/ })).toBeVisible()
  await signIn(page, person)
  await page.route('**/Account/Sessions', (route) =>
    route.fulfill({ json: { errorCode: 980, message: '', data: null } }),
  )
  await page.getByRole('button', { name: '내 로그인 세션' }).click()
  const dialog = page.getByRole('dialog', { name: '내 로그인 세션' })
  await expect(dialog.getByRole('alert')).toBeVisible()
  await page.unroute('**/Account/Sessions')
  await dialog.getByRole('button', { name: '다시 시도' }).click()
  const end = dialog.getByRole('button', { name: /^종료: 웹/ })
  await expect(end).toBeVisible()
  await elsewhere.getByRole('button', { name: '로그아웃' }).click()
  await expect(elsewhere.getByRole('heading', { name: '로그인' })).toBeVisible()
  await end.click()
  await answerDialog(page, '세션 종료', '종료')
  await expect(end).toBeHidden()
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
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

test('language and theme are chosen at the foot and stay', async ({ page }) => {
  await page.goto('/acc')
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.getByRole('button', { name: 'Theme' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test('a temporary token in the address signs in and is gone from it', async ({ page, server }) => {
  const { tmpToken } = await server.admin.session.createTmpToken({})
  await page.goto(`/acc?tmpToken=${tmpToken}`)
  await expect(page.getByRole('navigation', { name: '주 메뉴' })).toBeVisible()
  await expect(page).toHaveURL(FRONT_ROUTE)
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto(`/acc?tmpToken=${tmpToken}`)
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.getByRole('button', { name: '확인' }).click()
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await expect(page).toHaveURL(FRONT_ROUTE)
})

test.describe('on a telephone', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('signing in and changing the password fit', async ({ page, server }) => {
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)
    const person = await addNewPerson(server, 'telephone', '이름이아주긴사람'.repeat(3))
    await page.goto('/acc')
    await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
    expect(await fits()).toBe(true)
    await signIn(page, person)
    await expect(page.getByRole('heading', { name: '비밀번호 변경' })).toBeVisible()
    expect(await fits()).toBe(true)
    await page.getByLabel('새 비밀번호', { exact: true }).fill(PASSWORD)
    await page.getByLabel('새 비밀번호 확인').fill(PASSWORD)
    await page.getByRole('button', { name: '변경' }).click()
    await signIn(page, { ...person, password: PASSWORD })
    await expect(page.getByRole('heading', { name: /안녕하세요/ })).toBeVisible()
    expect(await fits()).toBe(true)
  })
})

test.describe('in an English browser', () => {
  test.use({ locale: 'en-GB' })

  test('everything is English', async ({ page }) => {
    await page.goto('/acc')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await signIn(page, { ...ADMIN, password: 'wrong' }, 'en')
    await expect(page.getByRole('alert')).toHaveText(/The ID or password is incorrect/)
  })
})
