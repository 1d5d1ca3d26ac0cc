// A server that accepts calls and never answers: after ten seconds every wait says so, and reads are asked for again.
import type { Page } from '@playwright/test'
import { addPerson, addUser } from './arrange.ts'
import { enter, expectNotice, openScreen, saveOf, signIn } from './screens.ts'
import { expect, test } from './test.ts'

/** Has the calls to a path wait: those after `end` do not, and those before it do until `answer`. */
async function hold(page: Page, path: RegExp) {
  const held = Promise.withResolvers<void>()
  let isSilent = true
  await page.route(path, async (route) => {
    if (isSilent) await held.promise
    await route.continue()
  })
  const end = () => {
    isSilent = false
  }
  return { end, answer: held.resolve }
}

/** The calls of the test, by the end of their address. */
const LIST = /\/Users\/Search\?/
const DETAIL = /\/User\?/
const START = /\/(Configs|Session)$/
const ten = (page: Page) => page.clock.fastForward(10_000)
const silent = (page: Page) => page.getByText('서버가 아직 응답하지 않습니다', { exact: false })
const again = (page: Page) => page.getByRole('main').getByRole('button', { name: '다시 시도' })

test('a list and a pane that the server does not answer are asked for again, and a save is sent once', async ({
  page,
  server,
}) => {
  const { idx } = await addUser(server, 'silent.one', '조용한 사람')
  await page.clock.install()
  await enter(page)
  const list = await hold(page, LIST)
  await openScreen(page, '사용자')
  await expect(page.getByRole('table', { name: '사용자 목록' })).toHaveAttribute('aria-busy', 'true')
  await expect(silent(page)).toHaveCount(0)
  await ten(page)
  await expect(page.getByRole('status').filter({ has: page.getByRole('button') })).toContainText(
    '서버가 아직 응답하지 않습니다.',
  )
  // The next attempt is silent, too.
  await again(page).click()
  await expect(silent(page)).toHaveCount(0)
  await ten(page)
  list.end()
  const calls: string[] = []
  page.on('request', (request) => LIST.test(request.url()) && calls.push(request.url()))
  await again(page).click()
  const row = page.getByRole('row').filter({ hasText: 'silent.one' })
  await expect(row).toBeVisible()
  await expect(silent(page)).toHaveCount(0)
  expect(calls).toHaveLength(1)
  const detail = await hold(page, DETAIL)
  await row.click()
  await expect(page.getByRole('main').getByRole('status', { name: '불러오는 중' })).toBeVisible()
  await ten(page)
  await expect(silent(page)).toBeVisible()
  detail.end()
  await again(page).click()
  await expect(page.getByRole('heading', { level: 2, name: '조용한 사람' })).toBeVisible()
  await expect(silent(page)).toHaveCount(0)

  await page.getByRole('textbox', { name: '이름' }).fill('기다린 사람')
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()))
  const { answer } = await hold(page, /\/User$/)
  await saveOf(page).click()
  await ten(page)
  const notice = page.getByRole('status').filter({ hasText: '이 페이지를 닫지 말아 주세요.' })
  await expect(notice).toBeVisible()
  answer()
  await expectNotice(page, '사용자 정보를 저장했습니다.')
  await expect(silent(page)).toHaveCount(0)
  expect(sent).toHaveLength(1)
  expect((await server.admin.users.find({ idx })).name).toBe('기다린 사람')
})

test('a start and a sign-in that the server does not answer say so', async ({ page, server }) => {
  const person = await addPerson(server, 'silent.start', '시작할 사람')
  await page.clock.install()
  const first = await hold(page, START)
  await page.goto('/acc')
  await expect(page.getByRole('main', { name: '세션 확인 중' })).toBeVisible()
  await ten(page)
  await expect(page.getByRole('heading', { name: '서버가 아직 응답하지 않습니다' })).toBeVisible()
  await again(page).click()
  await expect(page.getByRole('main', { name: '세션 확인 중' })).toBeVisible()
  await ten(page)
  first.end()
  await again(page).click()
  const { answer } = await hold(page, /\/Account\/Login$/)
  await signIn(page, person)
  await ten(page)
  await expect(page.getByRole('alert').filter({ hasText: '서버가 아직 응답하지 않습니다.' })).toBeVisible()
  answer()
  await expect(page.getByRole('heading', { name: /안녕하세요/ })).toBeVisible()
  await expect(silent(page)).toHaveCount(0)
})

test('a link that the server does not answer is sent once, and the page continues without it', async ({
  page,
  server,
}) => {
  const { tmpToken } = await server.admin.session.createTmpToken({})
  await page.clock.install()
  const link = /\/Account\/ConsumeTmpToken$/
  const sent: string[] = []
  page.on('request', (request) => link.test(request.url()) && sent.push(request.url()))
  const request = page.waitForRequest(link)
  const { answer } = await hold(page, link)
  await page.goto(`/acc?tmpToken=${tmpToken}`)
  const linkCall = await request
  await ten(page)
  await expect(page.getByRole('alert')).toContainText('이미 사용되었을 수 있습니다')
  await page.getByRole('button', { name: '링크 없이 계속' }).click()
  await expect(page.getByRole('textbox', { name: '아이디' })).toBeVisible()
  answer()
  // Its answer opens no session, which the page would not show before it is loaded again.
  await linkCall.response()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('textbox', { name: '아이디' })).toBeVisible()
  expect(sent).toHaveLength(1)
})
