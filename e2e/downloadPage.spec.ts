// The download page (spec S1 §2), and one-time passwords by mail where the operator chose them: account, manuals, the
// OTP step at sign-in, at a forgotten password and at a change, and accounts that others change.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { AccServer } from './accServer.ts'
import { addPerson, mailedCodeOf, PASSWORD, type Person } from './arrange.ts'
import { answerDialog, openPortalPage, signIn } from './screens.ts'
import { expect, test } from './test.ts'

const MANUAL = 'https://docs.example.com/dms'

test.use({
  operator: {
    env: { ACC_OTP_METHOD: 'email' },
    consoleConfig: { dmsManualLink: MANUAL, product: { clientName: '보안 데스크톱' } },
  },
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const otpField = (page: Page) => page.getByRole('textbox', { name: '인증번호(OTP)' })
const greeting = (page: Page) => page.getByRole('heading', { name: /안녕하세요/ })

async function addPersonWithOtp(server: AccServer, id: string, name: string): Promise<Person> {
  const person = await addPerson(server, id, name)
  await server.admin.loginPolicy.addOtpExceptions({ userIdxes: [person.idx], useOtp: 1 })
  return person
}

test('the page names the account, the client and its systems, and offers the manuals', async ({ page, server }) => {
  const person = await addPerson(server, 'reads.page', '읽는 사람')
  const { revision } = await server.admin.users.find({ idx: person.idx })
  await server.admin.users.update({ idx: person.idx, revision, isMortal: 1, expireDT: '2030-12-31' })
  await signIn(page, person)
  await expect(greeting(page)).toBeVisible()
  await expect(page.getByText('reads.page@example.com')).toBeVisible()
  await expect(page.getByText('2030-12-31')).toBeVisible()
  await expect(page.getByRole('heading', { name: '보안 데스크톱' })).toBeVisible()
  await expect(page.getByText('Windows 10 22H2 · Windows 11 23H2~25H2')).toBeVisible()
  await expect(page.getByText('아직 배포된 버전이 없습니다.')).toBeVisible()
  await expect(page.getByRole('link', { name: '문서보안 설명서' })).toHaveAttribute('href', MANUAL)
  await expect(page.getByRole('link', { name: 'OTP 설명서' })).toHaveAttribute('target', '_blank')

  const downloaded = page.waitForEvent('download')
  await button(page, '사용자 설명서 (PDF)').click()
  const file = await downloaded
  expect(file.suggestedFilename()).toBe('보안 데스크톱 사용자 설명서.pdf')
  const bytes = await readFile(await file.path())
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  await button(page, 'English').click()
  const english = page.waitForEvent('download')
  await button(page, 'User manual (PDF)').click()
  expect((await english).suggestedFilename()).toBe('보안 데스크톱 user manual.pdf')
  await button(page, '한국어').click()
  await page.route('**/Account/AccManual*', (route) =>
    route.fulfill({ json: { errorCode: 980, message: '', data: null } }),
  )
  await button(page, '사용자 설명서 (PDF)').click()
  await answerDialog(page, '파일을 다운로드하지 못했습니다', '확인')
})

test('without an authenticator the code comes by mail, at the sign-in, at a change of password and at a forgotten one', async ({
  page,
  server,
}) => {
  const person = await addPersonWithOtp(server, 'mailed.code', '메일 받는 사람')
  await signIn(page, person)
  await expect(page.getByRole('dialog', { name: 'OTP 인증 필요' })).toContainText('인증번호를 이메일로 보냈습니다.')
  await answerDialog(page, 'OTP 인증 필요', '확인')
  await expect(page.getByText('이메일로 받은 6자리 인증번호를 입력해 주세요.')).toBeVisible()
  await button(page, '인증번호 다시 받기').click()
  await expect(page.getByRole('status')).toHaveText(/이미 보낸 인증번호가 아직 유효합니다/)
  const first = await mailedCodeOf(server.admin, person.email)
  await otpField(page).fill(first)
  await page.keyboard.press('Enter')
  await expect(greeting(page)).toBeVisible()

  await button(page, '비밀번호 변경').click()
  await page.getByLabel('현재 또는 임시 비밀번호').fill(PASSWORD)
  await page.getByLabel('새 비밀번호', { exact: true }).fill(`${PASSWORD}x`)
  await page.getByLabel('새 비밀번호 확인').fill(`${PASSWORD}x`)
  await button(page, '변경').click()
  await answerDialog(page, 'OTP 인증 필요', '확인')
  await expect.poll(() => mailedCodeOf(server.admin, person.email)).not.toBe(first)
  const second = await mailedCodeOf(server.admin, person.email)
  await otpField(page).fill(second)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText(/비밀번호를 변경했습니다/)

  await openPortalPage(page, '비밀번호 찾기')
  await page.getByLabel('아이디', { exact: true }).fill(person.id)
  await page.keyboard.press('Enter')
  await answerDialog(page, 'OTP 인증 필요', '확인')
  await expect(page.getByRole('textbox', { name: '아이디', exact: true })).toHaveValue(person.id)
  await expect.poll(() => mailedCodeOf(server.admin, person.email)).not.toBe(second)
  await otpField(page).fill(await mailedCodeOf(server.admin, person.email))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText(/임시 비밀번호를 m\*\*\*@example.com 주소로 보냈습니다/)
})

test('a suspension in the OTP step gets a message and reloads', async ({ page, server }) => {
  const person = await addPersonWithOtp(server, 'suspended.otp', '정지되는 사람')
  await signIn(page, person)
  await answerDialog(page, 'OTP 인증 필요', '확인')
  const code = await mailedCodeOf(server.admin, person.email)
  await server.admin.users.setDisabled({ idx: person.idx, state: 2 })
  await otpField(page).fill(code)
  const reloaded = page.waitForEvent('load')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('정지된 계정입니다')
  await page.getByRole('dialog').getByRole('button', { name: '확인' }).click()
  await reloaded
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
})
