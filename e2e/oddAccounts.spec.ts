// Accounts in states that no call creates at once (spec S1 §8), changed in the server's database: expired (103), with a
// password that is too old (104) or a key that does not open (115), without an address (116).

import { days, later } from '../server/src/clock.ts'
import type { AccServer } from './accServer.ts'
import { addPerson, PASSWORD, registerAuthenticator } from './arrange.ts'
import { answerDialog, openPortalPage, signIn } from './screens.ts'
import { withDatabase } from './serverDatabase.ts'
import { expect, test } from './test.ts'

type Row = Partial<{ isMortal: 0 | 1; expireDT: string | null; email: string; otpSecret: Buffer; pwSetDT: Date }>

const changeRow = (server: AccServer, idx: number, columns: Row) =>
  withDatabase(server, (db) => db.write.updateTable('users').set(columns).where('idx', '=', idx).execute())

test('a password past its age must be changed at the sign-in, which says why and lets the new one in', async ({
  page,
  server,
}) => {
  const { revision, ...protection } = await server.admin.loginPolicy.findProtection({})
  await server.admin.loginPolicy.setProtection({ ...protection, revision, maxPasswordDays: 90 })
  const person = await addPerson(server, 'odd.password', '오래된 비밀번호')
  await changeRow(server, person.idx, { pwSetDT: later(new Date(), -days(91)) })
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: '비밀번호 변경' })).toBeVisible()
  await expect(
    page.getByText('비밀번호를 90일 이상 사용했습니다. 새 비밀번호로 변경해야 로그인할 수 있습니다.'),
  ).toBeVisible()
  await expect(page.getByLabel('현재 또는 임시 비밀번호')).toHaveValue(person.password)
  const change = page.getByRole('button', { name: '변경', exact: true })
  const choose = async (password: string) => {
    await page.getByLabel('새 비밀번호', { exact: true }).fill(password)
    await page.getByLabel('새 비밀번호 확인').fill(password)
    await change.click()
  }
  await choose(person.password)
  await expect(page.getByText('비밀번호 규칙을 모두 충족해야 합니다.')).toBeVisible()
  const next = `${PASSWORD}-91`
  await choose(next)
  await expect(page.getByRole('status')).toHaveText('비밀번호를 변경했습니다. 새 비밀번호로 로그인해 주세요.')
  await signIn(page, { ...person, password: next })
  await expect(page.getByRole('heading', { name: /안녕하세요/ })).toBeVisible()
})

test('an expired account, a key that does not open and a missing address are said where they matter', async ({
  page,
  server,
}) => {
  const person = await addPerson(server, 'odd.key', '열쇠 없는 사람')
  await changeRow(server, person.idx, { isMortal: 1, expireDT: '2020-01-31' })
  await signIn(page, person)
  await expect(page.getByRole('alert')).toHaveText('사용 기간이 만료된 계정입니다. 관리자에게 문의해 주세요.')

  await changeRow(server, person.idx, { isMortal: 0, expireDT: null })
  await server.admin.loginPolicy.addOtpExceptions({ userIdxes: [person.idx], useOtp: 1 })
  await registerAuthenticator(server, person)
  await changeRow(server, person.idx, { otpSecret: Buffer.alloc(60, 1) })
  await signIn(page, person)
  await answerDialog(page, 'OTP 인증 필요', '확인')
  await page.getByRole('textbox', { name: '인증번호(OTP)' }).fill('123456')
  await page.keyboard.press('Enter')
  await expect(page.getByText('인증번호를 만들지 못했습니다.')).toBeVisible()

  await changeRow(server, person.idx, { email: '' })
  await page.getByRole('button', { name: '뒤로', exact: true }).click()
  await openPortalPage(page, '비밀번호 찾기')
  await page.getByRole('textbox').fill(person.id)
  await page.keyboard.press('Enter')
  await expect(
    page.getByText('계정에 이메일 주소가 없어 메일을 보낼 수 없습니다. 관리자에게 문의해 주세요.'),
  ).toBeVisible()
})
