// The mail server (spec S1 §2, §4): the register step against one that disconnects and one that is slow, the settings
// against one that refuses. On a server of its own, since its mail leaves the outbox.
import type { Page } from '@playwright/test'
import { startSmtpServer } from '../server/src/mail/smtp.fixture.ts'
import { ADMIN } from './accServer.ts'
import { expectNotice, menuOf, openSettings, saveOf, signIn } from './screens.ts'
import { expect, testOnOwnServer } from './test.ts'

const test = testOnOwnServer().extend<object, object>({ beginning: 'licensed' })

/** Milliseconds that the slow peer takes to greet. */
const SLOW = 2_000

async function fillForm(page: Page, port: number): Promise<void> {
  await page.getByRole('textbox', { name: '서버 주소' }).fill('localhost')
  await page.getByRole('combobox', { name: '암호화' }).selectOption('없음')
  await page.getByRole('textbox', { name: '포트' }).fill(String(port))
  await page.getByRole('textbox', { name: '보내는 사람 이메일' }).fill('acc@example.com')
  await page.getByRole('textbox', { name: '테스트 메일을 받을 이메일' }).fill('it@example.com')
}

/** Completes the register step: a mail server that disconnects is refused, one that is slow but takes mail is not. */
async function register(page: Page): Promise<void> {
  const dropping = await startSmtpServer({
    onConnect: (_session, done) => done(Object.assign(new Error('gone'), { responseCode: 421 })),
  })
  const slow = await startSmtpServer({ onConnect: (_session, done) => setTimeout(done, SLOW) })
  await signIn(page, ADMIN)
  await expect(page.getByText('시스템 관리자는 설정 > 메일 서버 > 보낸 메일에서 내용을 볼 수 있습니다.')).toBeVisible()
  await fillForm(page, dropping.settings.serverPort)
  const tryIt = page.getByRole('button', { name: '테스트 메일 발송' })
  const save = page.getByRole('button', { name: '저장', exact: true })
  await tryIt.click()
  const failed = page.getByRole('dialog', { name: '테스트 메일을 발송하지 못했습니다' })
  await expect(failed).toContainText('테스트 메일을 보내지 못했습니다.', { timeout: 25_000 })
  await expect(failed).not.toContainText('997')
  await page.keyboard.press('Escape')
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await fillForm(page, slow.settings.serverPort)
  await tryIt.click()
  await expect(save).not.toHaveAttribute('aria-disabled', 'true')
  expect(slow.received).toMatchObject([{ to: ['it@example.com'] }])
  await save.click()
  await expect(menuOf(page)).toBeVisible()
  for (const { stop } of [dropping, slow]) await stop()
}

test('the register step takes a slow mail server; another one is saved in the settings after its test', async ({
  page,
  server,
}) => {
  test.setTimeout(120_000)
  await register(page)
  const smtp = await startSmtpServer({
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith('refused') ? done(new Error('no such mailbox')) : done(),
  })
  await openSettings(page, '메일 서버')
  const tryIt = page.getByRole('button', { name: '테스트 메일 발송' })
  const receiver = page.getByRole('textbox', { name: '테스트 메일을 받을 이메일' })
  await page.getByRole('textbox', { name: '서버 주소' }).fill('local host')
  await page.getByRole('textbox', { name: '포트' }).fill('smtp')
  await tryIt.click()
  await expect(page.getByText('호스트 이름이나 IP 주소를 입력해 주세요.')).toBeVisible()
  await expect(page.getByText('0~65535 사이의 숫자 또는 *를 입력해 주세요.')).toBeVisible()
  await page.getByRole('textbox', { name: '서버 주소' }).fill('localhost')
  await page.getByRole('combobox', { name: '암호화' }).selectOption('없음')
  await page.getByRole('textbox', { name: '포트' }).fill(String(smtp.settings.serverPort))
  await page.getByRole('textbox', { name: '보내는 사람 이메일' }).fill('acc@example.com')
  await receiver.fill('refused@example.com')
  await tryIt.click()
  const failed = page.getByRole('dialog')
  await expect(failed).toContainText('테스트 메일을 보내지 못했습니다.', { timeout: 20_000 })
  await page.keyboard.press('Escape')
  await expect(failed).toBeHidden()
  await expect(saveOf(page)).toHaveAttribute('aria-disabled', 'true')
  await receiver.fill('it@example.com')
  await tryIt.click()
  await expectNotice(page, '테스트 메일을 발송했습니다.')
  expect(smtp.received).toMatchObject([{ to: ['it@example.com'] }])
  await receiver.fill('other@example.com')
  await saveOf(page).hover()
  await expect(page.getByRole('tooltip', { name: '테스트 메일을 발송한 후 저장할 수 있습니다.' })).toBeVisible()
  await receiver.fill('it@example.com')
  // Any edit asks for another test, also one that is taken back.
  await expect(saveOf(page)).toHaveAttribute('aria-disabled', 'true')
  // Leaving offers no save: the test stores nothing.
  await page.getByRole('navigation', { name: '설정 메뉴' }).getByRole('button', { name: '정보' }).click()
  const question = page.getByRole('dialog', { name: '변경사항 저장' })
  await expect(question.getByRole('button', { name: '저장하지 않고 계속' })).toBeVisible()
  await expect(question.getByRole('button', { name: '저장 후 계속' })).toBeHidden()
  await question.getByRole('button', { name: '취소' }).click()
  await tryIt.click()
  await expect(saveOf(page)).toHaveAttribute('aria-disabled', 'false')
  await saveOf(page).click()
  await expectNotice(page, '저장했습니다.')
  expect((await server.admin.mailServer.find({})).server).toMatchObject({ receiverEmail: 'it@example.com', hasPw: 0 })
  await smtp.stop()
})
