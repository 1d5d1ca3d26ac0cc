// Forgotten IDs and passwords (spec S1 §2, §4, §8): the OTP step, the ID to copy, the temporary password.
import type { Page } from '@playwright/test'
import { addPerson, mailedCodeOf, PASSWORD, type Person, temporaryPasswordOf } from './arrange.ts'
import { answerDialog, enter, openPortalPage } from './screens.ts'
import { expect, test } from './test.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const otpField = (page: Page) => page.getByRole('textbox', { name: '인증번호(OTP)' })

async function askForId(page: Page, name: string, email: string): Promise<void> {
  await page.goto('/acc')
  await button(page, '아이디 찾기').click()
  await page.getByRole('textbox', { name: '이름' }).fill(name)
  await page.getByRole('textbox', { name: '이메일' }).fill(email)
  await page.keyboard.press('Enter')
}

/** Asks for an ID without values, with no address, and with a wrong name. The person's address remains in its field. */
async function refuseOthers(page: Page, person: Person): Promise<void> {
  const held = Promise.withResolvers<void>()
  await page.route('**/ForgotIdPage*.js', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/acc')
  await button(page, '아이디 찾기').click()
  const submit = page.locator('form button[type=submit]')
  await expect(submit).toHaveAttribute('data-loading', 'true')
  held.resolve()
  await expect(page.getByRole('textbox', { name: '이름' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('이름을 입력해 주세요.')).toBeVisible()
  await expect(page.getByText('이메일을 입력해 주세요.', { exact: true })).toBeVisible()
  await expect(page.getByRole('textbox', { name: '이름' })).toBeFocused()
  await page.getByRole('textbox', { name: '이름' }).fill('다른 이름')
  await page.getByRole('textbox', { name: '이메일' }).fill('not an address')
  await page.keyboard.press('Enter')
  await expect(page.getByText('이메일 형식에 맞게 입력해 주세요.')).toBeVisible()
  await page.getByRole('textbox', { name: '이메일' }).fill(person.email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('이름과 이메일이 일치하는 계정이 없습니다. 다시 확인해 주세요.')
}

test('a forgotten ID: wrong input is refused; name, address and a mailed code find it, and a click copies it', async ({
  page,
  server,
}) => {
  const person = await addPerson(server, 'forgot.id', '아이디 잊은 사람')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await refuseOthers(page, person)
  await page.getByRole('textbox', { name: '이름' }).fill(person.name)
  await page.keyboard.press('Enter')
  await answerDialog(page, 'OTP 인증 필요', '확인')
  await expect(page.getByText('이메일로 받은 6자리 인증번호를 입력해 주세요.')).toBeVisible()
  await expect(otpField(page)).toBeFocused()
  await expect(page.getByRole('textbox', { name: '아이디', exact: true })).toBeHidden()
  const code = await mailedCodeOf(server.admin, person.email)
  await otpField(page).fill(code === '000000' ? '000001' : '000000')
  await button(page, '인증').click()
  await expect(page.getByText(/인증번호가 일치하지 않습니다. 5회 이상 틀리면/)).toBeVisible()
  await expect(otpField(page)).toHaveValue('')
  await expect(otpField(page)).toBeFocused()
  await otpField(page).fill(code)
  await page.keyboard.press('Enter')

  await expect(page.getByText('아이디를 찾았습니다.')).toBeVisible()
  await page.clock.install()
  await button(page, 'forgot.id 복사').click()
  await expect(page.getByRole('status')).toHaveText('복사했습니다')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('forgot.id')
  await page.clock.fastForward(2000)
  await expect(page.getByRole('status')).toHaveText('복사했습니다')
  await page.clock.fastForward(1100)
  await expect(page.getByRole('status')).toHaveText('누르면 복사됩니다')
  await button(page, '로그인').click()
  await expect(page.getByLabel('아이디', { exact: true })).toHaveValue('forgot.id')
})

test('asked again within a minute, the code of the first mail stays good', async ({ page, server }) => {
  const person = await addPerson(server, 'asks.twice', '두 번 묻는 사람')
  await askForId(page, person.name, person.email)
  await answerDialog(page, 'OTP 인증 필요', '확인')
  await button(page, '인증번호 다시 받기').click()
  await expect(page.getByRole('status')).toHaveText(/이미 보낸 인증번호가 아직 유효합니다/)
  await button(page, '뒤로').click()
  await expect(page.getByRole('textbox', { name: '이메일' })).toHaveValue(person.email)
  await button(page, '다음').click()
  const dialog = page.getByRole('dialog', { name: 'OTP 인증 필요' })
  await expect(dialog).toContainText('이미 보낸 인증번호가 아직 유효합니다')
  await answerDialog(page, 'OTP 인증 필요', '확인')
  // No further code helps a suspended account.
  await page.route('**/Account/FindID', (route) => route.fulfill({ json: { errorCode: 109, message: '' } }))
  await otpField(page).fill('000000')
  await button(page, '인증').click()
  await expect(page.getByRole('alert')).toHaveText(/여러 번 잘못 입력하여 계정이 정지되었습니다/)
  await expect(button(page, '인증번호 다시 받기')).toBeHidden()
  await page.unroute('**/Account/FindID')
  await otpField(page).fill(await mailedCodeOf(server.admin, person.email))
  await button(page, '인증').click()
  await expect(button(page, 'asks.twice 복사')).toBeVisible()
})

test('a temporary password comes by mail, and is no new password', async ({ page, server }) => {
  const person = await addPerson(server, 'forgot.pw', '비밀번호 잊은 사람')
  await page.goto('/acc')
  await page.getByLabel('아이디', { exact: true }).fill('forgot.pw')
  await button(page, '비밀번호 찾기').click()
  await expect(page.getByLabel('아이디', { exact: true })).toHaveValue('forgot.pw')
  await button(page, '임시 비밀번호 받기').click()
  await expect(page.getByRole('heading', { name: '임시 비밀번호 발송' })).toBeVisible()
  await expect(page.getByRole('status')).toHaveText(/임시 비밀번호를 f\*\*\*@example.com 주소로 보냈습니다/)
  const temporary = await temporaryPasswordOf(server.admin, person.email)
  await enter(page, person)
  await button(page, '비밀번호 변경').click()
  await page.getByLabel('현재 또는 임시 비밀번호').fill(person.password)
  await page.getByLabel('새 비밀번호', { exact: true }).fill(temporary)
  await page.getByLabel('새 비밀번호 확인').fill(temporary)
  await button(page, '변경').click()
  await expect(
    page.getByText('임시 비밀번호는 새 비밀번호로 사용할 수 없습니다. 다른 비밀번호를 입력해 주세요.'),
  ).toBeVisible()
  await page.getByLabel('현재 또는 임시 비밀번호').fill(temporary)
  for (const name of ['새 비밀번호', '새 비밀번호 확인'])
    await page.getByLabel(name, { exact: true }).fill(`${PASSWORD}x`)
  await button(page, '변경').click()
  await expect(page.getByRole('status')).toHaveText(/비밀번호를 변경했습니다/)
})

test('an ID that is not registered, and too many requests, are said', async ({ page, server }) => {
  const person = await addPerson(server, 'asks.often', '자주 묻는 사람')
  await page.goto('/acc')
  await button(page, '아이디 찾기').click()
  await button(page, '로그인으로 돌아가기').click()
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await button(page, '비밀번호 찾기').click()
  await expect(page.getByRole('heading', { name: '비밀번호 찾기' })).toBeVisible()
  await expect(page.getByLabel('아이디', { exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('아이디를 입력해 주세요.')).toBeVisible()
  await page.getByLabel('아이디', { exact: true }).fill('no.such.person')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('등록되지 않은 아이디입니다. 다시 확인해 주세요.')
  for (let requests = 0; requests < 5; requests++) await server.admin.account.resetPw({ id: person.id })
  await page.getByLabel('아이디', { exact: true }).fill(person.id)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText(/시도가 너무 많습니다. \d+초 후/)
})

test.describe('in an English browser, on a telephone', () => {
  test.use({ locale: 'en-GB', viewport: { width: 360, height: 740 } })

  test('both pages are English and fit', async ({ page, server }) => {
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)
    const person = await addPerson(server, 'english.one', 'Alexandria Montgomery-Fitzger')
    await page.goto('/acc')
    await button(page, 'Forgot ID').click()
    await page.getByRole('textbox', { name: 'Name' }).fill(person.name)
    await page.getByRole('textbox', { name: 'Email' }).fill(person.email)
    await button(page, 'Next').click()
    await answerDialog(page, 'OTP required', 'OK')
    await page.getByRole('textbox', { name: 'Verification code (OTP)' }).fill('12')
    await button(page, 'Verify').click()
    await expect(page.getByText('The verification code has six digits.')).toBeVisible()
    expect(await fits()).toBe(true)
    await button(page, 'Back').click()
    await button(page, 'Back to sign-in').click()
    await openPortalPage(page, 'Forgot password')
    await page.getByLabel('ID', { exact: true }).fill(person.id)
    await button(page, 'Send a temporary password').click()
    await expect(page.getByRole('heading', { name: 'Temporary password sent' })).toBeVisible()
    expect(await fits()).toBe(true)
  })
})
