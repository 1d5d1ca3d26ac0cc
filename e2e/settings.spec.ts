// The settings screen (spec S1 §2, §4, §5): one Save for its menus, and where saved values appear.
import type { Page } from '@playwright/test'
import { makePng } from '../server/src/files/png.fixture.ts'
import {
  answerDialog,
  enter,
  enterSettings,
  expectNotice,
  menuOf,
  openScreen,
  openSettings,
  saveOf,
} from './screens.ts'
import { expect, test } from './test.ts'

const png = (width: number, height: number) => ({
  name: '로고.png',
  mimeType: 'image/png',
  buffer: makePng(width, height),
})

test('address and retention of files are saved by one Save, each with its own fault, and Save says why it is off', async ({
  page,
  server,
}) => {
  await enterSettings(page, '정보')
  const address = page.getByRole('textbox', { name: '호스트 서버 주소' })
  await saveOf(page).hover()
  await expect(page.getByRole('tooltip', { name: '변경사항이 없습니다.' })).toBeVisible()
  const days = page.getByRole('textbox', { name: '처리된 요청의 파일 보관 기간' })
  await expect(days).toHaveValue('0일')
  await address.fill('https://acc.example.com')
  await days.fill('')
  await saveOf(page).click()
  await expect(page.getByText('호스트 이름이나 IP 주소를 입력해 주세요.', { exact: false })).toBeVisible()
  await expect(page.getByText('필수 항목입니다.')).toBeVisible()
  await expect(address).toBeFocused()
  await days.fill('90')
  await address.fill('both.example.com:8443')
  await expect(page.getByText('24시간 뒤부터 적용됩니다.', { exact: false })).toBeVisible()
  await saveOf(page).click()
  await expectNotice(page, '저장했습니다.')
  const saved = { hostServerAddress: 'both.example.com:8443', fileRetentionDays: 90 }
  await expect.poll(() => server.admin.infos.find({})).toMatchObject(saved)
  await expect(page.getByRole('button', { name: '되돌리기' })).toBeHidden()
  await expect(days).toHaveValue('90일')
})

test('the system status names faults, which the menu counts', async ({ page, server }) => {
  await enter(page)
  const [fault] = (await server.admin.systemStatus.find({})).faults
  expect(fault).toBe('mailServerMissing')
  await expect(menuOf(page).getByRole('button', { name: /^운영 상태, 주의 \d건$/ })).toBeVisible()
  await openScreen(page, '운영 상태')
  const items = page.getByRole('list', { name: '확인이 필요한 항목' })
  await expect(items).toContainText('메일이 발송되지 않습니다')
  await expect(page.getByRole('listitem').filter({ hasText: '백업이 필요합니다' })).toContainText(
    'acc-admin backup --to 폴더',
  )
  await expect(menuOf(page).getByRole('button', { name: /^운영 상태/ })).toHaveAccessibleName(
    new RegExp(` ${await items.getByRole('listitem').count()}건$`),
  )
  const nodes = page.getByRole('table', { name: '노드' })
  await expect(nodes.getByRole('row')).toHaveCount(2)
  await expect(nodes.getByText(new URL(server.baseUrl).port, { exact: false })).toBeVisible()
  await expect(
    page.getByRole('region', { name: '데이터베이스' }).getByText('내장 PostgreSQL', { exact: false }),
  ).toBeVisible()
  // Each figure that can become a fault says where the fault begins.
  for (const [part, limit] of [
    ['데이터베이스', '80%를 넘으면 주의'],
    ['파일 저장소', '10 GB 미만이면 주의, 1 GB 미만이면 조치 필요'],
    ['메일', '60분 넘게 대기하면 조치 필요'],
    ['백업', '7일이 지나면 주의'],
    ['라이선스', '90%부터 주의, 모두 사용하면 조치 필요'],
    ['노드', '시계가 5초 넘게 다르면 주의'],
  ] as const)
    await expect(page.getByRole('region', { name: part })).toContainText(limit)
  // Jobs have words, and their times are those of the reader.
  await expect(page.getByRole('columnheader', { name: '일정 (GMT+9)' })).toBeVisible()
  await expect(page.getByText('cancelAbandonedRequests')).toHaveCount(0)
  await expect(
    page.getByRole('table', { name: '예약 작업' }).getByText('예정된 메일 발송', { exact: true }),
  ).toBeVisible()
})

test('logos are previewed, saved, shown on the sign-in page and in the menu, removed, and refused in their place', async ({
  page,
  server,
  anotherPage,
}) => {
  await enterSettings(page, '정보')
  const files = page.locator('input[type=file]')
  await files.nth(0).setInputFiles({ ...png(20, 20), name: '로고.svg' })
  await expect(page.getByRole('alert').getByText('PNG 파일만 업로드할 수 있습니다.')).toBeVisible()
  await files.nth(0).setInputFiles(png(1201, 20))
  await expect(page.getByText('1200×520 px 이하로 줄여 주세요.', { exact: false })).toBeVisible()
  await files.nth(0).setInputFiles(png(300, 130))
  await files.nth(1).setInputFiles(png(180, 80))
  await expect(page.getByText('로고.png · 300×130 px', { exact: false })).toBeVisible()
  await expect(page.getByRole('img', { name: '로그인 화면 미리 보기' }).locator('img')).toBeVisible()
  await saveOf(page).click()
  await expectNotice(page, '저장했습니다.')
  await expect(page.getByRole('complementary').getByRole('img', { name: 'ACC' })).toBeVisible()
  const visitor = await anotherPage()
  await visitor.goto('/acc')
  const logo = visitor.getByRole('img', { name: 'ACC' })
  expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300)
  for (const name of ['로그인 화면 로고', '관리 화면 로고'])
    await page.getByRole('button', { name: `${name} 삭제` }).click()
  await saveOf(page).click()
  await expect(page.getByRole('complementary').getByRole('img', { name: 'ACC' })).toBeHidden()
  expect((await server.admin.infos.find({})).loginPageLogoData).toBeNull()

  const noise = makePng(300, 130, () => Math.floor(Math.random() * 256))
  await files.nth(0).setInputFiles({ ...png(1, 1), buffer: noise })
  await saveOf(page).click()
  await expect(page.getByRole('alert').getByText('이미지 용량이 너무 큽니다.', { exact: false })).toBeVisible()
})

const editorOf = (page: Page) => page.getByRole('main').getByRole('textbox')

test('a configuration is marked where it is wrong, saved, compared and taken back', async ({ page, server }) => {
  const { logs } = await server.admin.configTexts.searchOldSiteConfigs({})
  await enterSettings(page, '사이트 설정')
  await editorOf(page).fill('<site><name>본사</site>')
  await expect(page.getByText('XML 형식이 올바르지 않습니다.')).toBeVisible()
  await expect(saveOf(page)).toHaveAttribute('aria-disabled', 'true')
  for (const name of ['본사', '지사']) {
    await editorOf(page).fill(`<site>${name}</site>`)
    await expect(page.getByText('XML 형식이 올바르지 않습니다.')).toBeHidden()
    await saveOf(page).click()
    await expectNotice(page, '저장했습니다.')
    await expect(saveOf(page)).toHaveAttribute('aria-disabled', 'true')
  }
  const entries = page.getByRole('main').getByRole('listitem').getByRole('button')
  await expect(entries).toHaveCount(logs.length + 3)
  const earlier = entries.nth(logs.length + 1)
  const apply = page.getByRole('button', { name: '적용', exact: true })
  await apply.hover()
  await expect(page.getByRole('tooltip', { name: '편집 중인 내용과 같습니다.' })).toBeVisible()
  // A former value is compared with the text, which it replaces only when it is applied.
  await editorOf(page).fill('<site>초안</site>')
  await earlier.click()
  await expect(page.locator('.cm-deletedChunk')).toContainText('본사')
  await apply.click()
  await expect(editorOf(page)).toHaveText('<site>본사</site>')
  await expect(page.locator('.cm-deletedChunk')).toHaveCount(0)
  await expect(apply).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('checkbox', { name: '선택한 값과 비교' }).uncheck()
  await saveOf(page).click()
  await expect
    .poll(async () => (await server.admin.configTexts.findSiteConfig({})).siteConfig)
    .toBe('<site>본사</site>')
  await openSettings(page, '클라이언트 정책')
  await editorOf(page).fill('{"path": "C:\\acc", }')
  await expect(page.getByText('JSON 형식이 올바르지 않습니다.')).toBeVisible()
  await page.getByRole('navigation', { name: '설정 메뉴' }).getByRole('button', { name: '정보' }).click()
  await answerDialog(page, '변경사항 저장', '저장하지 않고 계속')
  await expect(page.getByRole('textbox', { name: '호스트 서버 주소' })).toBeVisible()
})
