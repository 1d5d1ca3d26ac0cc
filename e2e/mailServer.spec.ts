// The mail server of the settings (spec S1 §2, §4), on a server of its own, since its mail leaves the outbox.
import { startSmtpServer } from '../server/src/mail/smtp.fixture.ts'
import { enterSettings, expectNotice, saveOf } from './screens.ts'
import { expect, testOnOwnServer } from './test.ts'

const test = testOnOwnServer()

test('a mail server is saved after its test, which says once and slowly that it failed', async ({ page, server }) => {
  const smtp = await startSmtpServer({
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith('refused') ? done(new Error('no such mailbox')) : done(),
  })
  await enterSettings(page, '메일 서버')
  const test = page.getByRole('button', { name: '테스트 메일 발송' })
  const receiver = page.getByRole('textbox', { name: '테스트 메일을 받을 이메일' })
  await page.getByRole('textbox', { name: '서버 주소' }).fill('local host')
  await page.getByRole('textbox', { name: '포트' }).fill('smtp')
  await test.click()
  await expect(page.getByText('호스트 이름이나 IP 주소를 입력해 주세요.')).toBeVisible()
  await expect(page.getByText('0~65535 사이의 숫자 또는 *를 입력해 주세요.')).toBeVisible()
  await page.getByRole('textbox', { name: '서버 주소' }).fill('localhost')
  await page.getByRole('combobox', { name: '암호화' }).selectOption('없음')
  await page.getByRole('textbox', { name: '포트' }).fill(String(smtp.settings.serverPort))
  await page.getByRole('textbox', { name: '보내는 사람 이메일' }).fill('acc@example.com')
  await receiver.fill('refused@example.com')
  await test.click()
  const failed = page.getByRole('dialog')
  await expect(failed).toContainText('테스트 메일을 보내지 못했습니다.', { timeout: 20_000 })
  await page.keyboard.press('Escape')
  await expect(failed).toBeHidden()
  await expect(saveOf(page)).toHaveAttribute('aria-disabled', 'true')
  await receiver.fill('it@example.com')
  await test.click()
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
  await test.click()
  await expect(saveOf(page)).toHaveAttribute('aria-disabled', 'false')
  await saveOf(page).click()
  await expectNotice(page, '저장했습니다.')
  expect((await server.admin.mailServer.find({})).server).toMatchObject({ receiverEmail: 'it@example.com', hasPw: 0 })
  await smtp.stop()
})
