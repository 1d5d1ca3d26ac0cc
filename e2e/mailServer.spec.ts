// The mail server (spec S1 §2, §4): the register step and the settings against one that takes mail. What servers do
// that do not: server/src/domains/mailServer. On a server of its own, since its mail leaves the outbox.
import type { Page } from '@playwright/test'
import { licenseFile } from './accServer.ts'
import { answerDialog, enter, expectNotice, menuOf, openSettings, saveOf } from './screens.ts'
import { expect, testOnOwnServer } from './test.ts'

const test = testOnOwnServer().extend<object, object>({ beginning: 'bare' })

async function fillForm(page: Page, port: number): Promise<void> {
  await page.getByRole('textbox', { name: '서버 주소' }).fill('localhost')
  await page.getByRole('combobox', { name: '암호화' }).selectOption('없음')
  await page.getByRole('textbox', { name: '포트' }).fill(String(port))
  await page.getByRole('textbox', { name: '보내는 사람 이메일' }).fill('acc@example.com')
  await page.getByRole('textbox', { name: '테스트 메일을 받을 이메일' }).fill('it@example.com')
}

const tryIt = (page: Page) => page.getByRole('button', { name: '테스트 메일 발송' })

const OUTBOX = '시스템 관리자는 설정 > 메일 서버 > 보낸 메일에서 내용을 볼 수 있습니다.'

/** Completes the register step: its license by a file, and its mail server, whose Save waits for a test. */
async function register(page: Page, port: number): Promise<void> {
  let isExternalMode = true
  await page.route('**/Configs', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    answer.data.runtime.isExternalMode = isExternalMode
    await route.fulfill({ response, json: answer })
  })
  await enter(page)
  await page.locator('input[type=file]').setInputFiles(licenseFile({ maxCount: 30 }))
  await answerDialog(page, '라이선스 등록', '등록')
  await expect(page.getByText('이 서버는 외부 모드이므로 콘솔에서 내용을 볼 수 없습니다.')).toBeVisible()
  await expect(page.getByText(OUTBOX)).toHaveCount(0)
  isExternalMode = false
  await page.reload()
  await expect(page.getByText(OUTBOX)).toBeVisible()
  await page.unrouteAll()
  await fillForm(page, port)
  const save = page.getByRole('button', { name: '저장', exact: true })
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await tryIt(page).click()
  await expect(save).not.toHaveAttribute('aria-disabled', 'true')
  await save.click()
  await expect(menuOf(page)).toBeVisible()
}

test('the register step takes a license and a mail server; another one is saved in the settings after its test', async ({
  page,
  server,
  smtp,
}) => {
  const port = smtp.settings.serverPort
  await register(page, port)
  expect(smtp.received).toMatchObject([{ to: ['it@example.com'] }])
  await openSettings(page, '메일 서버')
  const receiver = page.getByRole('textbox', { name: '테스트 메일을 받을 이메일' })
  await page.getByRole('textbox', { name: '서버 주소' }).fill('local host')
  await page.getByRole('textbox', { name: '포트' }).fill('smtp')
  await tryIt(page).click()
  await expect(page.getByText('호스트 이름이나 IP 주소를 입력해 주세요.')).toBeVisible()
  await expect(page.getByText('0~65535 사이의 숫자 또는 *를 입력해 주세요.')).toBeVisible()
  await fillForm(page, port)
  await page.getByRole('textbox', { name: '보내는 사람 이메일' }).fill('later@example.com')
  // A test that fails takes ten seconds.
  await page.route('**/MailServer/Test', (route) => route.fulfill({ json: { errorCode: 997, message: '' } }))
  await tryIt(page).click()
  const failed = page.getByRole('dialog', { name: '테스트 메일을 발송하지 못했습니다' })
  await expect(failed).toContainText('테스트 메일을 보내지 못했습니다.')
  await expect(failed).not.toContainText('997')
  await page.keyboard.press('Escape')
  await expect(failed).toBeHidden()
  await expect(saveOf(page)).toHaveAttribute('aria-disabled', 'true')
  await page.unrouteAll()
  await tryIt(page).click()
  await expectNotice(page, '테스트 메일을 발송했습니다.')
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
  await tryIt(page).click()
  await expect(saveOf(page)).toHaveAttribute('aria-disabled', 'false')
  await saveOf(page).click()
  await expectNotice(page, '저장했습니다.')
  expect((await server.admin.mailServer.find({})).server).toMatchObject({ senderEmail: 'later@example.com', hasPw: 0 })
})
