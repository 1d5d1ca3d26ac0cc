// After each action the focus has a defined place: the control that was pressed, what replaced it, or what was created.
import { addPerson } from './arrange.ts'
import { enter, expectNotice, openScreen } from './screens.ts'
import { expect, testOnOwnServer } from './test.ts'

const test = testOnOwnServer()
test.use({ beginning: 'demo' })

test('a switch keeps the focus while it is saved', async ({ page, server }) => {
  await enter(page)
  await openScreen(page, '로그인 정책')
  await page.getByRole('tab', { name: 'OTP 정책' }).click()
  const control = page.getByRole('switch', { name: '기본 OTP 사용', exact: true })
  await control.focus()
  await page.keyboard.press('Space')
  await page.getByRole('dialog').getByRole('button', { name: '사용', exact: true }).press('Enter')
  await expectNotice(page, '기본으로 OTP를 사용합니다.')
  await expect(control).toBeChecked()
  await expect(control).toBeFocused()
  await server.admin.loginPolicy.setDefaultOtp({ defaultOtp: 0 })
})

test('the button that starts the selection of several users keeps the focus when it ends it', async ({ page }) => {
  await enter(page)
  await openScreen(page, '사용자')
  const start = page.getByRole('main').getByRole('button', { name: '여러 명 선택' })
  await start.press('Enter')
  const done = page.getByRole('main').getByRole('button', { name: '완료' })
  await expect(done).toBeFocused()
  await done.press('Enter')
  await expect(start).toBeFocused()
})

test('releasing a user from the list of suspended ones leaves the focus on the button', async ({ page, server }) => {
  const person = await addPerson(server, 'places.release', '풀려날 사람')
  await server.admin.users.setDisabled({ idx: person.idx, state: 2 })
  await enter(page)
  await openScreen(page, '사용자')
  await page.getByRole('combobox', { name: '상태' }).click()
  await page.getByRole('option', { name: '정지', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'places.release' }).click()
  const release = page.getByRole('button', { name: '정지 해제' })
  await release.press('Enter')
  await expectNotice(page, '정지를 해제했습니다.')
  await expect(page.getByRole('row').filter({ hasText: 'places.release' })).toBeHidden()
  await expect(page.getByRole('button', { name: '정지', exact: true })).toBeFocused()
})
