// Accounts in states that no call brings about at once: past their last day (103), with a key that does not open (115), and
// without an address (116). Their rows are changed in the server's own database (spec S1 §8).
import type { AccServer } from './accServer.ts'
import { addPerson, registerAuthenticator } from './arrange.ts'
import { answerDialog, openPortalPage, signIn } from './screens.ts'
import { withDatabase } from './serverDatabase.ts'
import { expect, test } from './test.ts'

type Row = Partial<{ isMortal: 0 | 1; expireDT: string; email: string; otpSecret: Buffer }>

const changeRow = (server: AccServer, idx: number, columns: Row) =>
  withDatabase(server, (db) => db.write.updateTable('users').set(columns).where('idx', '=', idx).execute())

test('an account past its last day sees the reason at the sign-in', async ({ page, server }) => {
  const person = await addPerson(server, 'odd.expired', '지난 사람')
  await changeRow(server, person.idx, { isMortal: 1, expireDT: '2020-01-31' })
  await signIn(page, person)
  await expect(page.getByRole('alert')).toHaveText('사용 기간이 만료된 계정입니다. 관리자에게 문의해 주세요.')
})

test('a code cannot be judged where the key of the authenticator does not open', async ({ page, server }) => {
  const person = await addPerson(server, 'odd.key', '열쇠 없는 사람')
  await server.admin.loginPolicy.addOtpExceptions({ userIdxes: [person.idx], useOtp: 1 })
  await registerAuthenticator(server, person)
  await changeRow(server, person.idx, { otpSecret: Buffer.alloc(60, 1) })
  await signIn(page, person)
  await answerDialog(page, 'OTP 인증 필요', '확인')
  await page.getByRole('textbox', { name: '인증번호(OTP)' }).fill('123456')
  await page.keyboard.press('Enter')
  await expect(page.getByText('인증번호를 만들지 못했습니다.')).toBeVisible()
})

test('an account without an address cannot get a temporary password', async ({ page, server }) => {
  const person = await addPerson(server, 'odd.address', '주소 없는 사람')
  await changeRow(server, person.idx, { email: '' })
  await page.goto('/acc')
  await openPortalPage(page, '비밀번호 찾기')
  await page.getByRole('textbox').fill(person.id)
  await page.keyboard.press('Enter')
  await expect(
    page.getByText('계정에 이메일 주소가 없어 메일을 보낼 수 없습니다. 관리자에게 문의해 주세요.'),
  ).toBeVisible()
})
