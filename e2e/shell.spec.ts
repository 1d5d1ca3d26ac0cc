// The frame around every screen: places that Back, Forward and reload bring back while the address stays the front
// route (spec S1 §2), the own authority, theme and language, the end of the session.

import { ADMIN } from './accServer.ts'
import { addPerson, addUser } from './arrange.ts'
import {
  answerDialog,
  enter,
  enterAt,
  expectNotice,
  FRONT_ROUTE,
  menuOf,
  openGroup,
  openScreen,
  signIn,
} from './screens.ts'
import { expect, test } from './test.ts'

test('Back, Forward and reload keep the place, a reload also language and theme, and the address reveals nothing', async ({
  page,
  server,
}) => {
  await server.admin.groups.create({ parentIdx: 1, name: '되돌아올 그룹' })
  await enter(page)
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  await openScreen(page, '정책')
  await expect(page).toHaveTitle('정책 · ACC')
  await openGroup(page, '되돌아올 그룹')
  await expect(page.getByRole('heading', { level: 2, name: '되돌아올 그룹' })).toBeVisible()
  await openScreen(page, '설정')
  await openScreen(page, '이력')
  await page.goBack()
  await expect(heading('설정')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 2, name: '되돌아올 그룹' })).toBeVisible()
  await expect(page).toHaveURL(FRONT_ROUTE)
  await page.reload()
  await expect(page.getByRole('heading', { level: 2, name: '되돌아올 그룹' })).toBeVisible()
  await page.goForward()
  await page.goForward()
  await expect(heading('이력')).toBeVisible()
  // Language and theme change at once.
  await page.getByRole('button', { name: 'English로 보기' }).click()
  await expect(heading('History')).toBeVisible()
  await page.getByRole('button', { name: 'Switch to the dark theme' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.reload()
  await expect(heading('History')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expect(page).toHaveURL(FRONT_ROUTE)
})

test('a record of the address is opened after signing in, its link copied, and J and K open the neighboring rows', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { idx } = await server.admin.groups.create({ parentIdx: 1, name: '주소의 그룹' })
  const person = await addUser(server, 'address.one', '주소의 사람', idx)
  await addUser(server, 'address.two', '옆 사람', idx)
  await page.goto(`/acc?go=users/${person.idx}`)
  await expect(page).toHaveURL(FRONT_ROUTE)
  await signIn(page, ADMIN)
  await expect(page.getByRole('heading', { level: 1, name: '사용자' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: '주소의 사람' })).toBeVisible()
  await expect(page).toHaveURL(FRONT_ROUTE)
  await page.reload()
  const named = page.getByRole('heading', { level: 2, name: '주소의 사람' })
  const beside = page.getByRole('heading', { level: 2, name: '옆 사람' })
  await expect(named).toBeVisible()
  await page.getByRole('button', { name: '링크 복사' }).click()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(new RegExp(`/acc/?\\?go=users/${person.idx}$`))

  await page.getByRole('searchbox').fill('address.')
  const rows = page.getByRole('table', { name: '사용자 목록' }).locator('tbody tr[tabindex]')
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: 'address.one' })).toHaveAttribute('aria-current', 'true')
  // From the open row, since nothing has the focus then; afterwards from the focused one.
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('k')
  await expect(beside).toBeVisible()
  await page.keyboard.press('j')
  await expect(named).toBeVisible()
  await page.goto('about:blank')
  await page.goto(link)
  await expect(named).toBeVisible()
})

test('an address of a screen that is not open to the viewer is refused', async ({ page, server }) => {
  const { idx: groupIdx } = await server.admin.groups.create({ parentIdx: 1, name: '이력만 보는 그룹' })
  const reader = await addPerson(server, 'link.reader', '이력만 보는 사람', groupIdx)
  const levels = { policy: 0, user: 0, fileExportApprove: 0, fileImportApprove: 0, log: 1 } as const
  await server.admin.authorities.create({ name: '이력만', groupIdxes: [groupIdx], userIdxes: [reader.idx], ...levels })
  for (const go of ['approvals/1', 'constructor/1']) {
    await enterAt(page, go, reader)
    await answerDialog(page, '오류', '확인')
    await expect(page.getByRole('heading', { level: 1, name: '대시보드' })).toBeVisible()
  }
  // Not a place at all.
  await enterAt(page, '%3Cimg%20src=x%3E', reader)
  await expect(page.getByRole('heading', { level: 1, name: '대시보드' })).toBeVisible()
  await expect(page).toHaveURL(FRONT_ROUTE)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the sidebar leads back to the first view, opens the own sessions, names a screen that is off, and folds to icons', async ({
  page,
}) => {
  await enterAt(page, 'users')
  const main = page.getByRole('main')
  await main.getByRole('button', { name: '생성 방법' }).click()
  await page.getByRole('menuitem', { name: '파일로 가져오기' }).click()
  const list = main.getByRole('table', { name: '사용자 목록' })
  await expect(list).toBeHidden()
  await openScreen(page, '사용자')
  await expect(list).toBeVisible()

  await page.getByRole('button', { name: '내 로그인 세션' }).click()
  const dialog = page.getByRole('dialog', { name: '내 로그인 세션' })
  await expect(dialog.getByRole('listitem').filter({ hasText: '현재 세션' })).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  const imports = menuOf(page).getByRole('button', { name: '반입 승인 (현재 사용할 수 없음)' })
  await expect(imports).toHaveAttribute('aria-disabled', 'true')
  await imports.click({ force: true })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('사용자')
  await imports.hover()
  await expect(page.getByRole('tooltip')).toHaveText('반입 승인 (현재 사용할 수 없음)')

  await page.setViewportSize({ width: 1024, height: 768 })
  const item = menuOf(page).getByRole('button', { name: '이력' })
  await expect(item).toBeVisible()
  await expect.poll(() => page.getByRole('complementary').evaluate((side) => side.clientWidth)).toBeLessThan(80)
  await item.click()
  await expect(page.getByRole('heading', { level: 1, name: '이력' })).toBeVisible()
})

test('My Authority shows a manager the levels and where they apply', async ({ page, server }) => {
  const { idx: groupIdx } = await server.admin.groups.create({ parentIdx: 1, name: '맡은 그룹' })
  const manager = await addPerson(server, 'authority.one', '관리하는 사람')
  await server.admin.authorities.create({
    name: '이력 열람',
    groupIdxes: [groupIdx],
    userIdxes: [manager.idx],
    policy: 1,
    user: 0,
    fileExportApprove: 2,
    fileImportApprove: 0,
    log: 1,
  })
  await enter(page, manager)
  await expect(page.getByRole('heading', { level: 1, name: '반출 승인' })).toBeVisible()
  await expect(menuOf(page).getByRole('button')).toHaveText(['대시보드', '정책', /^반출 승인/, '이력'])
  await page.getByRole('button', { name: '내 권한' }).click()
  const dialog = page.getByRole('dialog', { name: '내 권한' })
  await expect(dialog.getByRole('row').filter({ hasText: '맡은 그룹' })).toHaveText(
    '맡은 그룹읽기차단읽기/편집차단읽기',
  )
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('without the server nothing typed is lost, also where the box of questions cannot be fetched', async ({
  page,
  server,
  faults,
}) => {
  await addUser(server, 'offline.one', '끊길 사람')
  await page.route('**/assets/DialogBox*', (route) => route.abort())
  await enterAt(page, 'users')
  await page.getByRole('searchbox').fill('offline.one')
  const row = page.getByRole('table', { name: '사용자 목록' }).getByRole('row').filter({ hasText: 'offline.one' })
  await row.click()
  const name = page.getByRole('textbox', { name: '이름' })
  await name.fill('이어 쓸 이름')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: '저장' }).click()
  const message = page.getByRole('dialog', { name: '오류' })
  await expect(message).toContainText('서버와 통신하지 못했습니다')
  await page.keyboard.press('Escape')
  await expect(message).toBeHidden()
  await expect(name).toHaveValue('이어 쓸 이름')
  await page.context().setOffline(false)
  await menuOf(page).getByRole('button', { name: '이력' }).click()
  await expect(page.getByRole('dialog', { name: '변경사항 저장' }).getByRole('button', { name: '취소' })).toBeVisible()
  await answerDialog(page, '변경사항 저장', '취소')
  await expect(name).toHaveValue('이어 쓸 이름')
  await page.unroute('**/assets/DialogBox*')
  await menuOf(page).getByRole('button', { name: '이력' }).click()
  await answerDialog(page, '변경사항 저장', '저장 후 계속')
  await expect(page.getByRole('heading', { level: 1, name: '이력' })).toBeVisible()

  await openScreen(page, '사용자')
  await page.getByRole('searchbox').fill('offline.one')
  await row.click()
  await name.fill('이어질 사람')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: '저장' }).click()
  await answerDialog(page, '오류', '확인')
  await expect(name).toHaveValue('이어질 사람')
  await page.getByRole('button', { name: '정지', exact: true }).click()
  await answerDialog(page, '변경사항 저장', '취소')
  await page.getByRole('searchbox').fill('offline')
  await expect(page.getByRole('alert').filter({ hasText: '불러오지 못했습니다' })).toBeVisible()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: '다시 시도' }).click()
  await expect(row).toHaveCount(1)
  await page.getByRole('button', { name: '저장' }).click()
  await expectNotice(page, '사용자 정보를 저장했습니다.')
  await expect(row).toContainText('이어질 사람')
  expect(
    faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED|dynamically imported module/.test(fault)),
  ).toEqual([])
  faults.length = 0
})

test('a screen whose code is lost to the page comes by a reload, or by itself when the server or its version is new', async ({
  page,
  server,
  faults,
}) => {
  const open = (title: string) => menuOf(page).getByRole('button', { name: title, exact: true }).click()
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  const failed = page.getByRole('alert').filter({ hasText: '화면을 표시하지 못했습니다' })
  await page.route('**/assets/HistoryScreen*.js', (route) => route.abort())
  await enter(page)
  await open('이력')
  await expect(failed).toBeVisible()
  await page.unroute('**/assets/HistoryScreen*.js')
  await failed.getByRole('button', { name: '다시 시도' }).click()
  await expect(heading('이력')).toBeVisible()

  await page.route('**/assets/PoliciesScreen*.js', (route) => route.abort())
  await open('정책')
  await expect(failed.getByRole('button')).toHaveText(['다시 시도', '새로 고침'])
  await page.unrouteAll()
  await server.restart(() => expect(failed.getByRole('button')).toHaveText(['다시 시도']))
  await expect(heading('정책')).toBeVisible()

  // The file went with an old version.
  let isOld = true
  await page.route('**/assets/BimScreen*.js', (route) => (isOld ? route.fulfill({ status: 404 }) : route.continue()))
  await page.route(FRONT_ROUTE, (route) => {
    isOld &&= !route.request().isNavigationRequest()
    return isOld ? route.fulfill({ body: '<script type="module" src="./assets/new.js">' }) : route.continue()
  })
  await open('BIM 설정')
  await expect(heading('BIM 설정')).toBeVisible()
  faults.length = 0
})

test('a restart of the server loses no typed value, and screens opened during it appear by themselves', async ({
  page,
  anotherPage,
  server,
  faults,
}) => {
  const { idx } = await addUser(server, 'restart.one', '다시 켤 때 쓰던 사람')
  const writer = await anotherPage()
  await enterAt(writer, `users/${idx}`)
  const name = writer.getByRole('textbox', { name: '이름' })
  await name.fill('다시 켠 뒤 저장한 사람')
  await enter(page)
  // The last part that the dashboard fetches.
  await expect(page.getByRole('region', { name: '시작하기' })).toBeVisible()
  // The font of the notice is loaded before: nothing can fetch it while the server is away.
  const statesOfLetter = () =>
    [...document.fonts].filter(({ unicodeRange }) => /U\+B04A\b/i.test(unicodeRange)).map(({ status }) => status)
  await expect.poll(() => page.evaluate(statesOfLetter)).toEqual(['loaded'])
  const hasBox = () => performance.getEntriesByType('resource').some(({ name }) => name.includes('DialogBox'))
  for (const one of [page, writer]) await expect.poll(() => one.evaluate(hasBox)).toBe(true)
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  const failed = page.getByRole('alert').filter({ hasText: '화면을 표시하지 못했습니다' })
  const stateOf = (one: typeof page) => one.getByRole('complementary').getByRole('status')
  await server.restart(async () => {
    for (const one of [page, writer]) await expect(stateOf(one)).toHaveText('연결 끊김 · 다시 연결 중')
    // A screen that was never opened says why it does not come.
    await menuOf(page).getByRole('button', { name: '이력' }).click()
    await expect(failed).toContainText('서버와 통신하지 못했습니다')
    await expect(failed.getByRole('button')).toHaveText(['다시 시도'])
    // Dialogs and languages that were never opened leave the page as it is.
    for (const button of ['내 로그인 세션', 'English로 보기']) {
      await writer.getByRole('button', { name: button }).click()
      await expect(writer.getByRole('dialog', { name: '오류' })).toContainText('서버와 통신하지 못했습니다')
      await answerDialog(writer, '오류', '확인')
    }
  })
  for (const one of [page, writer]) await expect(stateOf(one)).toBeEmpty()
  await expect(page.getByRole('heading', { level: 1, name: '이력' })).toBeVisible()
  // With its styles, and without a reload.
  await expect(page.getByRole('navigation', { name: '이력 종류' }).getByRole('button').first()).toHaveCSS(
    'border-top-width',
    '0px',
  )
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  await writer.getByRole('button', { name: '내 로그인 세션' }).click()
  await expect(writer.getByRole('dialog', { name: '내 로그인 세션' })).toBeVisible()
  await writer.keyboard.press('Escape')
  await writer.getByRole('button', { name: 'English로 보기' }).click()
  await expect(writer.getByRole('textbox', { name: 'Name' })).toHaveValue('다시 켠 뒤 저장한 사람')
  await writer.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(writer.getByRole('status').filter({ hasText: 'saved' })).toBeVisible()
  expect(faults.filter((fault) => !/net::ERR_|ApiError/.test(fault))).toEqual([])
  faults.length = 0
})

test('unsaved values survive a dialog that did not load, and errors that no screen handles', async ({
  page,
  server,
  faults,
}) => {
  const { idx } = await addUser(server, 'lost.dialog', '쓰던 사람')
  await enterAt(page, `users/${idx}`)
  const name = page.getByRole('textbox', { name: '이름' })
  await name.fill('쓰고 있는 이름')
  const openShortcuts = async () => {
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('Shift+?')
  }
  await page.route('**/assets/ShortcutsDialog*', (route) => route.abort())
  await openShortcuts()
  await expect(page.getByRole('dialog', { name: '새로 고침 필요' })).toBeVisible()
  await page.unrouteAll()
  await answerDialog(page, '새로 고침 필요', '취소')
  await expect(name).toHaveValue('쓰고 있는 이름')
  await openShortcuts()
  await page.getByRole('dialog', { name: '새로 고침 필요' }).getByRole('button', { name: '새로 고침' }).click()
  await expect(page.getByRole('status').filter({ hasText: '복원' })).toBeVisible()
  await expect(name).toHaveValue('쓰고 있는 이름')
  await openShortcuts()
  await expect(page.getByRole('dialog', { name: '키보드 단축키' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()

  // Type, code and message of an error that the call does not announce.
  let refusal = { errorCode: 170, message: 'REQUEST_STATE' }
  await page.route('**/User', (route) => route.fulfill({ status: 200, json: refusal }))
  await page.getByRole('button', { name: '저장', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '오류' })
  await expect(dialog).toContainText('유형 server · 코드 170 · REQUEST_STATE')
  await dialog.getByRole('button', { name: '확인' }).click()
  refusal = { errorCode: 125, message: 'SELF_ACTION' }
  await page.getByRole('button', { name: '저장', exact: true }).click()
  await expect(dialog).toContainText('본인 계정에는 할 수 없는 작업입니다. 다른 관리자에게 요청해 주세요.')
  await expect(dialog).not.toContainText('125')
  await dialog.getByRole('button', { name: '확인' }).click()
  await expect(name).toHaveValue('쓰고 있는 이름')
  faults.length = 0
})
