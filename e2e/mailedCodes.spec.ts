// Self-service over a real SMTP server instead of the evaluation outbox: the temporary password of a new account, the
// code of a forgotten ID and the temporary password of a forgotten one arrive, each with its only recipient.
import type { ReceivedMail, Smtp } from '../server/src/mail/smtp.fixture.ts'
import { codeIn, PASSWORD, temporaryPasswordIn, until } from './arrange.ts'
import { answerDialog, signIn } from './screens.ts'
import { test as base, expect, mailBy } from './test.ts'

const test = base.extend<object, object>({
  beginning: 'bare',
  operator: [async ({ smtp }, use) => use({ env: mailBy(smtp) }), { scope: 'worker' }],
})

/** The plain text of a mail (RFC 2045): base64 or quoted-printable. */
function textOf({ source }: ReceivedMail): string {
  const boundary = /boundary="([^"]+)"/.exec(source)?.[1] ?? ''
  const part = source.split(`--${boundary}`).find((one) => one.includes('Content-Type: text/plain')) ?? ''
  const at = part.indexOf('\r\n\r\n')
  const [head, body] = [part.slice(0, at), part.slice(at + 4)]
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8').replaceAll('\r', '')
  const escaped = body
    .replaceAll('%', '%25')
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, '%$1')
  return decodeURIComponent(escaped).replaceAll('\r', '')
}

/** Waits for a new mail with a match and returns it. Expects none to other addresses. */
const mailed = ({ received }: Smtp, known: number, to: string, read: (text: string) => string): Promise<string> =>
  until('a mail', async () => {
    const mails = received.slice(known).filter((mail) => read(textOf(mail)) !== '')
    expect(mails.flatMap((mail) => mail.to).filter((address) => address !== to)).toEqual([])
    return mails.map((mail) => read(textOf(mail))).at(0)
  })

test('codes and temporary passwords arrive, and lead to a new password', async ({ page, server, smtp }) => {
  const person = { id: 'over.smtp', name: '메일 서버 사람', email: 'over.smtp@example.com' }
  await server.admin.users.create({ ...person, groupIdx: 1, isMortal: 0 })
  const pw = await mailed(smtp, 0, person.email, temporaryPasswordIn)
  await server.anonymous.account.changePw({ id: person.id, pw, newPw: PASSWORD })

  await page.goto('/acc')
  await page.getByRole('button', { name: '아이디 찾기' }).click()
  await page.getByRole('textbox', { name: '이름' }).fill(person.name)
  await page.getByRole('textbox', { name: '이메일' }).fill(person.email)
  await page.keyboard.press('Enter')
  await answerDialog(page, 'OTP 인증 필요', '확인')
  await page.getByRole('textbox', { name: '인증번호(OTP)' }).fill(await mailed(smtp, 0, person.email, codeIn))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'over.smtp 복사' })).toBeVisible()

  await page.getByRole('button', { name: '로그인', exact: true }).click()
  await page.getByRole('button', { name: '비밀번호 찾기' }).click()
  const known = smtp.received.length
  await page.getByRole('button', { name: '임시 비밀번호 받기' }).click()
  await expect(page.getByRole('heading', { name: '임시 비밀번호 발송' })).toBeVisible()
  const temporary = await mailed(smtp, known, person.email, temporaryPasswordIn)
  await page.getByRole('button', { name: '로그인', exact: true }).click()
  await signIn(page, { id: person.id, password: temporary })
  await expect(page.getByText('임시 비밀번호를 새 비밀번호로 변경해야 합니다.')).toBeVisible()
})
