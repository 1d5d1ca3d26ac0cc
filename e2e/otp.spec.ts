// One-time passwords in the portal (spec S1 §2, §4, §5, §8): registration, the step at sign-in and at a change of
// password, codes by mail, and each error. totp-generator shares no code with the server.
import type { Page } from '@playwright/test'
import { TOTP } from 'totp-generator'
import type { AccServer } from './accServer.ts'
import { addNewPerson, addPerson, PASSWORD, type Person } from './arrange.ts'
import { answerDialog, signIn } from './screens.ts'
import { expect, test } from './test.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const otpField = (page: Page) => page.getByRole('textbox', { name: '인증번호(OTP)' })
const greeting = (page: Page) => page.getByRole('heading', { name: /안녕하세요/ })

/** The code of a key, some steps of 30 s from now; each is good once. */
async function codeOf(secret: string, steps = 0): Promise<string> {
  const { otp } = await TOTP.generate(secret, { timestamp: Date.now() + steps * 30_000, explicitZeroPad: true })
  return otp
}
/** A code that is wrong now and soon. */
async function wrongCodeOf(secret: string): Promise<string> {
  const right = await Promise.all([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps)))
  return ['000000', '000001', '000002', '000003', '000004', '000005'].find((code) => !right.includes(code)) ?? ''
}

const requireOtp = ({ admin }: AccServer, { idx }: Person) =>
  admin.loginPolicy.addOtpExceptions({ userIdxes: [idx], useOtp: 1 })

/** Registers with the code of the previous step, so that the present one is unused. Renews one that is too old. */
async function registerApp(server: AccServer, person: Person, secret: string): Promise<void> {
  const otp = await codeOf(secret, -1)
  try {
    await server.anonymous.account.registerOtp({ id: person.id, pw: person.password, otp })
  } catch (error) {
    if (otp === (await codeOf(secret, -1))) throw error
    await registerApp(server, person, secret)
  }
}

async function addPersonWithApp(server: AccServer, id: string, name: string): Promise<Person & { secret: string }> {
  const person = await addPerson(server, id, name)
  await requireOtp(server, person)
  const refusal = await server.anonymous.session.login({ id, pw: person.password }).catch((error: unknown) => error)
  const secret = (refusal as { data: { otpSecret: string } }).data.otpSecret
  await registerApp(server, person, secret)
  return { ...person, secret }
}

/** Signs in as far as the OTP step. */
async function toOtpStep(page: Page, person: Person): Promise<void> {
  await signIn(page, person)
  await answerDialog(page, 'OTP 인증 필요', '확인')
  await expect(otpField(page)).toBeFocused()
}

/** Gives the browser a session of a person whose code is known. */
async function signInBy(page: Page, { id, password }: Person, otp: string): Promise<void> {
  const data = { id, pw: password, otp }
  const answer = await page.request.post('/Account/Login', { data, headers: { 'X-Requested-With': 'XMLHttpRequest' } })
  expect(await answer.json()).toMatchObject({ errorCode: 0 })
  await page.goto('/acc')
}

test('an authenticator is registered with QR code or key after an error and a refusal, and then asked for', async ({
  page,
  server,
}) => {
  const person = await addPerson(server, 'registers.otp', '등록하는 사람')
  await requireOtp(server, person)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  // A key that is missing from the answer is an unknown error, which reloads the page.
  await page.route('**/Account/Login', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), data: null } })
  })
  await signIn(page, person)
  const reloaded = page.waitForEvent('load')
  await answerDialog(page, '알 수 없는 오류', '확인')
  await reloaded
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await page.unroute('**/Account/Login')
  await signIn(page, person)
  await answerDialog(page, 'OTP 미등록', '취소')
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await signIn(page, person)
  await answerDialog(page, 'OTP 미등록', '등록')
  const qr = page.getByRole('img', { name: '인증 앱에 등록할 QR 코드' })
  await expect(qr).toBeVisible()
  expect(await qr.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(30)
  await button(page, '수동 키 복사').click()
  await expect(page.getByText('복사했습니다')).toBeVisible()
  const secret = await page.evaluate(() => navigator.clipboard.readText())
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)

  const submit = button(page, '등록')
  await otpField(page).fill(await wrongCodeOf(secret))
  await expect(submit).toBeDisabled()
  await page.getByRole('checkbox', { name: '수동 키를 안전하게 보관했습니다' }).check()
  await submit.click()
  await expect(page.getByText(/인증번호가 일치하지 않습니다. 5회 이상 틀리면/)).toBeVisible()
  await otpField(page).fill(await codeOf(secret))
  await submit.click()
  await expect(page.getByRole('status').first()).toHaveText('OTP를 등록했습니다. 새 인증번호로 로그인해 주세요.')
  await expect(otpField(page)).toBeFocused()
  await expect(page.getByRole('textbox', { name: '아이디', exact: true })).toHaveValue(person.id)
  await otpField(page).fill(await codeOf(secret, 1))
  await button(page, '인증').click()
  await expect(greeting(page)).toBeVisible()
})

test('the OTP step links its manual; its field is masked, takes a paste, and is checked before it is sent', async ({
  page,
  server,
}) => {
  const person = await addPersonWithApp(server, 'types.otp', '입력하는 사람')
  await toOtpStep(page, person)
  await button(page, 'English').click()
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Open the OTP manual' }).click()
  const manual = await opened
  // In the language of the page.
  await expect(manual.getByRole('heading', { level: 1 })).toHaveText('One-time password manual')
  const pictures = manual.getByRole('img')
  expect(
    await pictures.evaluateAll((all: HTMLImageElement[]) => all.every(({ naturalWidth }) => naturalWidth > 0)),
  ).toBe(true)
  await manual.close()
  await button(page, '한국어').click()
  await otpField(page).focus()
  await expect(otpField(page)).toHaveAttribute('type', 'password')
  await expect(otpField(page)).toHaveAttribute('autocomplete', 'one-time-code')
  await page.keyboard.press('Enter')
  await expect(page.getByText('인증번호를 입력해 주세요.', { exact: true })).toBeVisible()
  await page.keyboard.type('12a3')
  await page.keyboard.press('Enter')
  await expect(page.getByText('인증번호는 6자리 숫자입니다.')).toBeVisible()
  await button(page, '인증번호 표시').click()
  await expect(otpField(page)).toHaveAttribute('type', 'text')
  await expect(otpField(page)).toHaveValue('123')
  const code = await codeOf(person.secret)
  await otpField(page).selectText()
  await page.keyboard.insertText(` ${code.slice(0, 3)} ${code.slice(3)} `)
  await expect(otpField(page)).toHaveValue(code)
  await page.keyboard.press('Enter')
  await expect(greeting(page)).toBeVisible()
})

test('the last wrong code says that the account is locked', async ({ page, server }) => {
  const person = await addPersonWithApp(server, 'guesses.otp', '틀리는 사람')
  const wrong = await wrongCodeOf(person.secret)
  await toOtpStep(page, person)
  for (let tries = 1; tries < 5; tries++) {
    const guess = server.anonymous.session.login({ id: person.id, pw: person.password, otp: wrong })
    await expect(guess).rejects.toThrow()
  }
  await otpField(page).fill(wrong)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText(/여러 번 잘못 입력하여 계정이 정지되었습니다/)
})

test('a new password of a person who needs an authenticator leads to its registration', async ({ page, server }) => {
  const person = await addNewPerson(server, 'new.with.otp', '새 OTP 사람')
  await requireOtp(server, person)
  await signIn(page, person)
  await page.getByLabel('새 비밀번호', { exact: true }).fill(PASSWORD)
  await page.getByLabel('새 비밀번호 확인').fill(PASSWORD)
  await button(page, '변경').click()
  await expect(page.getByRole('heading', { name: 'OTP 등록' })).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await button(page, '수동 키 복사').click()
  await expect(page.getByText('복사했습니다')).toBeVisible()
  const secret = await page.evaluate(() => navigator.clipboard.readText())
  await page.getByRole('checkbox').check()
  const used = await codeOf(secret)
  await otpField(page).fill(used)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').first()).toHaveText(/OTP를 등록했습니다/)
  // The code of the registration is used up: the page says when the next one comes.
  await expect(page.getByRole('timer')).toHaveText(/^\d+초 뒤에 새 인증번호가 표시됩니다\.$/)
  await otpField(page).fill(used)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: /이미 사용했거나 만료된/ })).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(otpField(page)).toHaveValue('')
  await expect(otpField(page)).toBeFocused()
  await otpField(page).fill(await codeOf(secret, 1))
  await page.keyboard.press('Enter')
  await expect(greeting(page)).toBeVisible()
})

test('a change of password asks people with an authenticator for a code', async ({ page, server }) => {
  const { secret, ...person } = await addPersonWithApp(server, 'changes.pw', '바꾸는 사람')
  await signInBy(page, person, await codeOf(secret))
  await button(page, '비밀번호 변경').click()
  await page.getByLabel('현재 또는 임시 비밀번호').fill('wrong')
  await page.getByLabel('새 비밀번호', { exact: true }).fill(`${PASSWORD}x`)
  await page.getByLabel('새 비밀번호 확인').fill(`${PASSWORD}x`)
  await button(page, '변경').click()
  await expect(page.getByText(/현재 비밀번호가 일치하지 않습니다. 5회/)).toBeVisible()
  await page.getByLabel('현재 또는 임시 비밀번호').fill(person.password)
  await button(page, '변경').click()
  await answerDialog(page, 'OTP 인증 필요', '확인')
  await expect(page.getByRole('heading', { name: '비밀번호 변경' })).toBeVisible()
  await otpField(page).fill(await wrongCodeOf(secret))
  await page.keyboard.press('Enter')
  await expect(page.getByText(/인증번호가 일치하지 않습니다. 5회/)).toBeVisible()
  await otpField(page).fill(await codeOf(secret, 1))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText(/비밀번호를 변경했습니다/)
})

test('an expired key is replaced, and an authenticator that is registered elsewhere ends the page', async ({
  page,
  server,
}) => {
  const person = await addPerson(server, 'late.with.otp', '늦은 사람')
  await requireOtp(server, person)
  await signIn(page, person)
  await answerDialog(page, 'OTP 미등록', '등록')
  const key = page.getByRole('button', { name: '수동 키 복사' })
  const first = await key.textContent()
  // Another browser asks for a key, which voids this one, and registers it.
  const refusal = await server.anonymous.session
    .login({ id: person.id, pw: person.password })
    .catch((error: unknown) => error)
  const { otpSecret } = (refusal as { data: { otpSecret: string } }).data
  expect(first).not.toContain(otpSecret.slice(0, 4))
  await server.anonymous.account.registerOtp({ id: person.id, pw: person.password, otp: await codeOf(otpSecret) })
  await page.getByRole('checkbox').check()
  await otpField(page).fill('123456')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: '알림' })).toContainText('인증 앱이 이미 등록되어 있습니다.')
  await answerDialog(page, '알림', '확인')
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
})
