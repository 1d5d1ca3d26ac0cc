// What the server asks of others on the network: addresses of a domain (spec S1 §7), and a mail service that the
// operator set (spec S1 §2), over which codes and temporary passwords arrive, each with its only recipient.
import type { ReceivedMail, Smtp } from '../server/src/mail/smtp.fixture.ts'
import { type DnsServer, ipv4, startDnsServer } from '../server/test/dnsServer.ts'
import { codeIn, PASSWORD, temporaryPasswordIn, until } from './arrange.ts'
import { answerDialog, enterAt, enterSettings, openGroup, signIn } from './screens.ts'
import { test as base, expect, mailBy } from './test.ts'

const test = base.extend<object, { dns: DnsServer }>({
  dns: [
    async ({ beginning: _ }, use) => {
      const dns = await startDnsServer(({ name, type }) => {
        if (name === 'unknown.example.com') return 3
        if (name === 'broken.example.com') return 2
        return type === 'A' ? [ipv4(10, 0, 0, 1), ipv4(10, 0, 0, 2)] : []
      })
      await use(dns)
      await dns.stop()
    },
    { scope: 'worker' },
  ],
  beginning: 'licensed',
  operator: [
    async ({ dns, smtp }, use) => use({ env: { ...mailBy(smtp), ACC_DNS_SERVERS: dns.address } }),
    { scope: 'worker' },
  ],
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

test('the addresses of a domain are looked up while an exception is written', async ({ page, server }) => {
  const { idx } = await server.admin.groups.create({ parentIdx: 1, name: 'DNS 그룹' })
  await server.admin.groups.setIsMyPolicy({ idx, isMyPolicy: 1 })
  await enterAt(page, 'policies')
  await openGroup(page, 'DNS 그룹')
  await page.getByRole('radiogroup', { name: '정책 구분' }).getByText('네트워크').click()
  await page
    .getByRole('button', { name: / 추가$/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: '네트워크 예외 추가' })
  await dialog.getByText('도메인', { exact: true }).first().click()
  const [domain, ask] = [
    dialog.getByRole('textbox', { name: '도메인' }),
    dialog.getByRole('button', { name: 'DNS 조회' }),
  ]
  await ask.hover()
  await expect(page.getByRole('tooltip', { name: /전체 도메인 이름/ })).toBeVisible()
  await dialog.getByRole('button', { name: '추가', exact: true }).click()
  await expect(dialog.getByText('필수 항목입니다.').last()).toBeVisible()
  await domain.fill('*.portal.example.com')
  await ask.click()
  await expect(dialog.getByRole('list', { name: '조회된 IP 주소' }).getByRole('listitem')).toHaveText([
    '10.0.0.1',
    '10.0.0.2',
  ])
  await domain.fill('unknown.example.com')
  await expect(dialog.getByRole('list', { name: '조회된 IP 주소' })).toBeHidden()
  await ask.click()
  await expect(dialog.getByText('IP 주소를 찾지 못했습니다.')).toBeVisible()
  await domain.fill('broken.example.com')
  await ask.click()
  await expect(dialog.getByText('DNS 서버가 응답하지 않았습니다.')).toBeVisible()
})

test('a mail service of the operator replaces the form of the mail server by a notice', async ({ page }) => {
  await enterSettings(page, '메일 서버')
  await expect(page.getByText('외부 메일 서비스를 사용하고 있습니다')).toBeVisible()
  const main = page.getByRole('main')
  await expect(main.getByRole('textbox')).toHaveCount(0)
  await expect(main.getByRole('button', { name: '저장', exact: true })).toHaveCount(0)
  await main.getByRole('tab', { name: '보낸 메일' }).click()
  await expect(main.getByRole('table')).toBeVisible()
  await expect(main.getByRole('button', { name: '저장', exact: true })).toHaveCount(0)
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
