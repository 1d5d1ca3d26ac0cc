// Single sign-on with a real provider (spec S1 §3, §4, S2 §2.7): by itself, by the button, never after signing out; who
// is created and who is refused; the form for ID and password stays reachable.
import { CLIENT, type RealProvider, startRealProvider } from '../server/test/oidc/realProvider.ts'
import { freePort } from '../server/test/process.ts'
import { ADMIN } from './accServer.ts'
import { menuOf, signIn } from './screens.ts'
import { test as base, expect } from './test.ts'

const test = base.extend<object, { provider: RealProvider; port: string }>({
  port: [async ({ beginning: _ }, use) => use(String(await freePort())), { scope: 'worker' }],
  provider: [
    async ({ port }, use) => {
      const provider = await startRealProvider({
        redirectUri: `http://127.0.0.1:${port}/Sso/Callback`,
        signedOutUri: `http://127.0.0.1:${port}/acc/`,
      })
      await use(provider)
      await provider.close()
    },
    { scope: 'worker' },
  ],
  operator: [
    async ({ provider, port }, use) => {
      const client = { ACC_OIDC_CLIENT_ID: CLIENT.id, ACC_OIDC_CLIENT_SECRET: CLIENT.secret }
      return use({ env: { ACC_PORT: port, ACC_OIDC_ISSUER: provider.issuer, ACC_OIDC_LOGOUT: 'on', ...client } })
    },
    { scope: 'worker' },
  ],
})

const personOf = (sub: string, name: string) => ({
  sub,
  preferred_username: sub,
  name,
  email: `${sub}@sso.example.com`,
})

test('a visitor is signed in by itself and created, and after signing out, also at the provider, only by the button', async ({
  page,
  provider,
  server,
}) => {
  provider.person = personOf('sso.first', '처음 온 사람')
  await page.goto('/acc')
  await expect(page.getByRole('heading', { name: '처음 온 사람님, 안녕하세요' })).toBeVisible()
  await expect(page).toHaveURL(/\/acc\/$/)
  const { items } = await server.admin.users.search({ id: 'sso.first' })
  expect(items).toMatchObject([{ id: 'sso.first', loginType: 2, groupName: '전체 조직' }])
  await expect(page.getByRole('button', { name: '비밀번호 변경' })).toBeHidden()
  await page.getByRole('button', { name: '로그아웃' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await expect(page).toHaveURL(/\/acc\/$/)
  expect(provider.requests).toContain('POST /session/end/confirm')
  await page.reload()
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await page.getByRole('button', { name: 'SSO로 로그인' }).click()
  await expect(page.getByRole('heading', { name: '처음 온 사람님, 안녕하세요' })).toBeVisible()
})

test('a refused person sees why, and the form stays', async ({ page, provider, server }) => {
  const { idx } = await server.admin.users.create({
    id: 'sso.refused',
    name: '거부된 사람',
    email: 'sso.refused@example.com',
    groupIdx: 1,
    isMortal: 0,
    key: 'sso.refused',
  })
  provider.person = personOf('sso.refused', '거부된 사람')
  await page.goto('/acc')
  await expect(page.getByRole('alert')).toHaveText('SSO로 로그인할 수 없는 계정입니다. 관리자에게 문의해 주세요.')
  await expect(page).toHaveURL(/\/acc\/$/)
  await server.admin.sso.setUserPolicy({ userIdxes: [idx], loginType: 3 })
  await server.admin.users.setDisabled({ idx, state: 3 })
  await page.getByRole('button', { name: 'SSO로 로그인' }).click()
  await expect(page.getByRole('alert')).toHaveText('정지된 계정입니다. 관리자에게 문의해 주세요.')
  await signIn(page, { id: 'sso.refused', password: 'wrong' })
  await expect(page.getByRole('alert')).toHaveText(/일치하지 않습니다/)
})

test('an administrator reaches the form by the address, whose button says that the provider is waited for', async ({
  page,
  provider,
}) => {
  provider.person = null
  const held = Promise.withResolvers<void>()
  await page.route('**/Sso/Login*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/acc/?sso=off')
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await expect(page).toHaveURL(/\/acc\/$/)
  const button = page.getByRole('button', { name: 'SSO로 로그인' })
  // Playwright itself waits for the next page from then on.
  const isBusy = button.evaluate(
    (element) =>
      new Promise((resolve) => {
        new MutationObserver(() => resolve((element as HTMLButtonElement).disabled)).observe(element, {
          attributes: true,
          attributeFilter: ['disabled'],
        })
      }),
  )
  await button.click({ noWaitAfter: true })
  expect(await isBusy).toBe(true)
  held.resolve()
  await expect(page.getByRole('alert')).toHaveText('SSO 로그인을 마치지 못했습니다. 다시 시도해 주세요.')
  await expect(button).toBeEnabled()
  await signIn(page, ADMIN)
  await expect(menuOf(page)).toBeVisible()
})

test('a link opens its record after the sign-on, also by the button after an attempt that was canceled', async ({
  page,
  provider,
  server,
}) => {
  const { items } = await server.admin.users.search({ id: 'sso.first' })
  const userIdxes = items.map(({ idx }) => idx)
  await server.admin.authorities.create({
    name: 'SSO',
    policy: 0,
    user: 1,
    fileImportApprove: 0,
    fileExportApprove: 0,
    log: 0,
    groupIdxes: [1],
    userIdxes,
  })
  provider.person = personOf('sso.first', '처음 온 사람')
  await page.goto(`/acc/?go=users/${userIdxes[0]}`)
  const record = page.getByRole('heading', { level: 2, name: '처음 온 사람' })
  await expect(record).toBeVisible()

  await page.goto('about:blank')
  await page.context().clearCookies()
  provider.person = null
  await page.goto(`/acc/?go=users/${userIdxes[0]}`)
  await expect(page.getByRole('alert')).toHaveText('SSO 로그인을 마치지 못했습니다. 다시 시도해 주세요.')
  provider.person = personOf('sso.first', '처음 온 사람')
  await page.getByRole('button', { name: 'SSO로 로그인' }).click()
  await expect(record).toBeVisible()
})

test('a person who returns from a provider that does not open finds the form', async ({ page, provider, server }) => {
  // The server has read the provider's metadata, as in every start that worked once.
  await page.request.get(new URL('/Sso/Login', server.baseUrl).href, { maxRedirects: 0 })
  await provider.close()
  await page.goto('/acc')
  await expect.poll(() => page.url()).toContain('chrome-error')
  await page.goto('/acc')
  await expect(page.getByLabel('아이디', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('아이디', { exact: true })).toBeVisible()
})
