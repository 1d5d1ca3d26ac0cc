// What the server asks of others on the network: addresses of a domain (spec S1 §7), and a mail service that the
// operator set (spec S1 §2).
import { type DnsServer, ipv4, startDnsServer } from '../server/test/dnsServer.ts'
import { enterAt, enterSettings, openGroup } from './screens.ts'
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
