// The license menu of the settings, and an expired license (spec S1 §2, §4). The register step: mailServer.spec.ts.
import { api } from '@acc/contract'
import { createClient } from '@acc/contract/core/client'
import { type AccServer, ADMIN, licenseFile } from './accServer.ts'
import { addPerson, type Person } from './arrange.ts'
import { answerDialog, enter, enterSettings, expectNotice, menuOf, saveOf, signIn } from './screens.ts'
import { expect, test } from './test.ts'

/** A person signs in with the desktop client, which registers the PC. */
const registerPc = ({ baseUrl }: AccServer, { id, password }: Person, deviceName: string) =>
  createClient(api, { baseUrl }).agent.login({
    id,
    pw: password,
    deviceId: deviceName,
    deviceName,
    clientVersion: '4.2.0',
  })

test('a license is previewed, registered, and shows at once; a file of another kind is refused', async ({
  page,
  server,
}) => {
  await enterSettings(page, '라이선스')
  await expect(page.getByRole('cell', { name: '평가용 라이선스' })).toBeVisible()
  const files = page.locator('input[type=file]')
  await files.setInputFiles({ name: 'license.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
  await expect(page.getByRole('alert')).toHaveText('올바른 라이선스 파일이 아닙니다. 다른 파일을 선택해 주세요.')
  const file = licenseFile({ expiry: '2099-12-31' })
  const altered = Buffer.from(file.buffer.toString().replace('250', '950'))
  await files.setInputFiles({ ...file, buffer: altered })
  await expect(page.getByRole('alert')).toContainText('내용이 변경되었거나')

  await files.setInputFiles(file)
  const dialog = page.getByRole('dialog', { name: '라이선스 등록' })
  await expect(dialog.getByRole('row', { name: /발급 대상/ })).toContainText('한빛전자')
  await expect(dialog.getByRole('row', { name: /전체/ })).toContainText('250')
  await expect(page.getByRole('alert')).toBeHidden()
  expect(await server.admin.licenses.find({})).toMatchObject({ isEvaluation: 1 })
  await answerDialog(page, '라이선스 등록', '등록')
  await expectNotice(page, '라이선스를 등록했습니다.')
  await expect(page.getByRole('cell', { name: '한빛전자' })).toBeVisible()
  await expect(page.getByRole('cell', { name: '2099-12-31' })).toBeVisible()

  await files.setInputFiles(licenseFile({ issued: '2020-01-01T00:00:00.000Z', expiry: '2099-12-31' }))
  await expect(dialog.getByRole('alert')).toContainText('먼저 발급된 라이선스')
  await expect(dialog.getByRole('button', { name: '등록' })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('PCs are found and removed, open lists follow what others do, and the number of PCs per user is saved', async ({
  page,
  server,
}) => {
  const person = await addPerson(server, 'pc.owner', '피씨 주인')
  await registerPc(server, person, 'NOTEBOOK-1')
  await enterSettings(page, '라이선스')
  const table = page.getByRole('region', { name: '등록된 PC' })
  await table.getByRole('searchbox').fill('pc.owner')
  await expect(table.getByRole('row').filter({ hasText: 'NOTEBOOK-1' })).toBeVisible()
  await registerPc(server, person, 'NOTEBOOK-2')
  const second = table.getByRole('row').filter({ hasText: 'NOTEBOOK-2' })
  await expect(second).toBeVisible()

  await table.getByRole('button', { name: '여러 개 선택' }).click()
  await second.getByRole('checkbox').check()
  await table.getByRole('button', { name: '해제' }).click()
  await answerDialog(page, '등록 PC 해제', '해제')
  await expectNotice(page, '등록 PC를 해제했습니다.')
  await expect(second).toBeHidden()
  await expect(table.getByRole('row').filter({ hasText: 'NOTEBOOK-1' })).toBeVisible()

  const number = page.getByRole('textbox', { name: '사용자당 등록 PC 수' })
  await expect(number).toHaveValue('5')
  await number.fill('7')
  await saveOf(page).click()
  await expectNotice(page, '저장했습니다.')
  expect((await server.admin.licenses.find({})).devicesPerUser).toBe(7)
  await server.admin.licenses.setDevicesPerUser({ devicesPerUser: 5 })
})

test('an expired license is asked for at sign-in, and can wait', async ({ page }) => {
  await page.route('**/Configs', async (route) => {
    const response = await route.fetch()
    const { data, ...envelope } = await response.json()
    await route.fulfill({ response, json: { ...envelope, data: { ...data, isLicensed: 0, isEvaluation: 0 } } })
  })
  await enter(page)
  await expect(page.getByRole('heading', { name: '라이선스가 만료되었습니다' })).toBeVisible()
  await expect(page.getByRole('button', { name: '평가용 라이선스로 시작' })).toBeHidden()
  await page.getByRole('button', { name: '나중에 등록' }).click()
  await expect(menuOf(page)).toBeVisible()
  await page.reload()
  await expect(menuOf(page)).toBeVisible()
  // Signing out loads the page again.
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: '로그아웃' }).click()
  await loaded
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await signIn(page, ADMIN)
  await expect(page.getByRole('button', { name: '나중에 등록' })).toBeVisible()
})
