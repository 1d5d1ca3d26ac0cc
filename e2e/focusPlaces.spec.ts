// After each action the focus has a defined place: the pressed control, its replacement, or the new element.
import { ADMIN } from './accServer.ts'
import { addUser } from './arrange.ts'
import { enterAt, expectNotice } from './screens.ts'
import { expect, test } from './test.ts'

test('a switch keeps the focus while it is saved; a dialog in which an option was picked by the pointer returns it', async ({
  page,
  server,
}) => {
  await enterAt(page, 'loginPolicy')
  await page.getByRole('tab', { name: 'OTP 정책' }).click()
  const control = page.getByRole('switch', { name: '기본 OTP 사용', exact: true })
  await control.focus()
  await page.keyboard.press('Space')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: '취소' })).toBeFocused()
  await dialog.getByRole('button', { name: '사용', exact: true }).press('Enter')
  await expectNotice(page, '기본으로 OTP를 사용합니다.')
  await expect(control).toBeChecked()
  await expect(control).toBeFocused()
  await server.admin.loginPolicy.setDefaultOtp({ defaultOtp: 0 })

  await page.getByRole('tab', { name: '비밀번호 규칙' }).click()
  const add = page.getByRole('button', { name: / 추가$/ }).first()
  await add.click()
  await page.getByRole('dialog').getByRole('combobox', { name: '규칙' }).click()
  await page.getByRole('option', { name: '공백 포함' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(add).toBeFocused()
})

test('on the list of users each action leaves the focus in its place: a selection, a download, a release, a link', async ({
  page,
  server,
}) => {
  const person = await addUser(server, 'places.release', '풀려날 사람')
  await server.admin.users.setDisabled({ idx: person.idx, state: 2 })
  await enterAt(page, 'users')
  const start = page.getByRole('main').getByRole('button', { name: '여러 명 선택' })
  await start.press('Enter')
  const done = page.getByRole('main').getByRole('button', { name: '완료' })
  await expect(done).toBeFocused()
  await done.press('Enter')
  await expect(start).toBeFocused()

  await test.step('the button that downloads the list keeps the focus while it works', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/*', async (route) => {
      if (route.request().headers().accept === 'text/csv') await held
      await route.continue()
    })
    const csv = page.getByRole('button', { name: 'CSV' })
    await csv.press('Enter')
    const running = page.getByRole('button', { name: /취소$/ })
    await expect(running).toBeFocused()
    release()
    await expectNotice(page, /\.csv/)
    await expect(csv).toBeFocused()
  })
  await test.step('a release from the list of suspended users moves the focus to the heading', async () => {
    await page.getByRole('searchbox').fill(person.id)
    await page.getByRole('combobox', { name: '상태' }).click()
    await page.getByRole('option', { name: '정지', exact: true }).click()
    await page.getByRole('row').filter({ hasText: 'places.release' }).click()
    const release = page.getByRole('button', { name: '정지 해제' })
    await release.press('Enter')
    await expectNotice(page, '정지를 해제했습니다.')
    await expect(page.getByRole('row').filter({ hasText: 'places.release' })).toBeHidden()
    await expect(page.getByRole('heading', { level: 2, name: '풀려날 사람' })).toBeFocused()
  })
  await test.step('a screen that another one leads to has the focus, also after a click', async () => {
    await page.getByRole('button', { name: '정책 보기' }).click()
    await expect(page.getByRole('heading', { level: 1, name: '정책' })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
  })
})

test('after the sign-in the page has the focus, also while it loads', async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/MainApp*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/acc')
  await page.waitForLoadState('networkidle')
  await page.getByRole('textbox', { name: '아이디' }).fill(ADMIN.id)
  await page.getByRole('textbox', { name: '비밀번호' }).fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  release()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})
