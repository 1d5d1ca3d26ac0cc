// The register step's mail form (spec S1 §2, §4), against a mail server that disconnects and one that is slow. One that
// refuses: mailServer.spec.ts.
import type { Page } from '@playwright/test'
import { startSmtpServer } from '../server/src/mail/smtp.fixture.ts'
import { ADMIN } from './accServer.ts'
import { menuOf, signIn } from './screens.ts'
import { expect, test } from './test.ts'

test.use({ beginning: 'licensed' })

/** Milliseconds that the slow peer takes to greet. */
const SLOW = 2_000

async function fillForm(page: Page, port: number): Promise<void> {
  await page.getByRole('textbox', { name: '서버 주소' }).fill('localhost')
  await page.getByRole('combobox', { name: '암호화' }).selectOption('없음')
  await page.getByRole('textbox', { name: '포트' }).fill(String(port))
  await page.getByRole('textbox', { name: '보내는 사람 이메일' }).fill('acc@example.com')
  await page.getByRole('textbox', { name: '테스트 메일을 받을 이메일' }).fill('it@example.com')
}

test('a mail server that disconnects is refused, and one that is slow but takes mail completes the step', async ({
  page,
}) => {
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
})
