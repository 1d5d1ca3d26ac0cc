// Failed calls of the oversight screens (spec S2 §7, §8): codes at fields, failures in their places.
import { requestExport } from './requests.ts'
import { answerDialog, enterAt, findGroup } from './screens.ts'
import { test } from './teams.ts'
import { expect } from './test.ts'

test('a download of files that fails is a dialog, and the request stays', async ({ page, addTeam, faults }) => {
  const { pc, manager } = await addTeam('broken', '고장팀')
  const idx = await requestExport(pc, '내려받기', { 'a.txt': 'a' })
  await page.route('**/FileEximport/Download?*', (route) => route.fulfill({ json: { errorCode: 989, message: '' } }))
  await enterAt(page, `approvals/${idx}`, manager)
  await page.getByRole('button', { name: '선택 파일 다운로드 (ZIP)' }).click()
  await expect(page.getByRole('dialog', { name: '파일 다운로드에 실패했습니다' })).toBeVisible()
  await expect(page.getByText('다운로드 중')).toHaveCount(0)
  await answerDialog(page, '파일 다운로드에 실패했습니다', '확인')
  await expect(page.getByRole('heading', { level: 2, name: new RegExp(`^#${idx} `) })).toBeVisible()
  faults.length = 0
})

test('an ID that another BIM server has is refused at its field, an already allowed group in a dialog', async ({
  page,
  server,
}) => {
  const { id } = await server.admin.bim.createServer({ pcName: '아이디 주인', ip: '10.66.0.1' })
  await enterAt(page, 'bim')
  await page.getByRole('button', { name: / 추가$/ }).click()
  await page.getByRole('textbox', { name: 'PC 이름' }).fill('아이디 손님')
  await page.getByRole('textbox', { name: 'IP', exact: true }).fill('10.66.0.2')
  await page.getByRole('textbox', { name: 'ID', exact: true }).fill(id)
  await page.getByRole('button', { name: '저장', exact: true }).click()
  await expect(page.getByText('이미 등록된 ID입니다.')).toBeVisible()
  const { servers } = await server.admin.bim.searchServers({})
  expect(servers.some(({ pcName }) => pcName === '아이디 손님')).toBe(false)

  await page.getByRole('button', { name: '되돌리기' }).click()
  await page.getByRole('tab', { name: '허용 그룹과 사용자' }).click()
  await page.route('**/Bim/Groups', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ json: { errorCode: 127, message: '' } }) : route.continue(),
  )
  await page.getByRole('button', { name: '그룹 추가' }).click()
  await (await findGroup(page.getByRole('dialog'), '전체 조직')).click()
  await page.getByRole('dialog').getByRole('button', { name: '추가', exact: true }).click()
  await expect(page.getByText('이미 추가된 그룹입니다.')).toBeVisible()
})
