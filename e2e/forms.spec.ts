// Forms of the console: leaving, errors without a field, conflicts, and deleted records (spec S1 §4).
import type { Page } from '@playwright/test'
import { days, later } from '../server/src/clock.ts'
import { makePng } from '../server/src/files/png.fixture.ts'
import { addUser } from './arrange.ts'
import { answerDialog, enterAt, enterSettings, expectNotice, openGroup, openSettings, saveOf } from './screens.ts'
import { expect, test } from './test.ts'

const webShortcuts = (page: Page) =>
  page
    .getByRole('main')
    .locator('form')
    .filter({ has: page.getByRole('heading', { name: '웹 바로가기' }) })
const unsaved = (page: Page) => page.getByRole('dialog', { name: '변경사항 저장' })

/** The values before and after that a conflict names, by the label of the field. */
const changesOfOthers = (page: Page) =>
  page.getByRole('status').filter({ hasText: '다른 관리자가 먼저 변경했습니다' }).getByRole('row')

test('changes of others are merged into typed values, and a field that both changed offers a choice', async ({
  page,
  server,
}) => {
  const { idx } = await addUser(server, 'newer.one', '처음 이름')
  const { idx: groupIdx } = await server.admin.groups.create({ parentIdx: 1, name: '옮겨 간 팀' })
  const expireDT = later(new Date(), days(30)).toISOString().slice(0, 10)
  await enterAt(page, `users/${idx}`)
  const name = page.getByRole('textbox', { name: '이름', exact: true })
  await name.fill('내 이름')
  await page.getByRole('textbox', { name: '이메일' }).fill('mine.one@example.com')
  await server.admin.users.update({ idx, name: '다른 이름', groupIdx, isMortal: 1, expireDT, loginType: 3 })
  await expect(changesOfOthers(page)).toHaveText([
    '항목이전이후',
    '이름처음 이름다른 이름',
    '그룹전체 조직전체 조직 › 옮겨 간 팀',
    `만료일없음${expireDT}`,
    '로그인 방식비밀번호비밀번호와 SSO',
  ])
  await expect(name).toHaveValue('내 이름')
  await expect(page.getByRole('textbox', { name: '만료일' })).toHaveValue(expireDT)
  await expect(page.getByText('변경 2건')).toBeVisible()
  await page.getByRole('button', { name: '변경된 이름 사용' }).click()
  await expect(name).toHaveValue('다른 이름')
  await expect(page.getByText('입력한 내용과 겹치지 않습니다.')).toBeVisible()
  await saveOf(page).click()
  await expectNotice(page, '사용자 정보를 저장했습니다.')
  await expect(page.getByText('다른 관리자가 먼저 변경했습니다')).toBeHidden()
  const merged = { name: '다른 이름', email: 'mine.one@example.com', groupIdx, isMortal: 1, expireDT, loginType: 3 }
  expect(await server.admin.users.find({ idx })).toMatchObject(merged)
})

test('an icon whose name has an invisible character says so; an edit of a shortcut that is deleted goes with it', async ({
  page,
  server,
}) => {
  const { idx } = await server.admin.shortcuts.createWeb({ name: '지워질 바로가기', url: 'https://example.com/gone' })
  await enterSettings(page, '바로가기')
  const webs = webShortcuts(page)
  await webs.getByRole('button', { name: '생성' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').first().fill('숨은 문자')
  await dialog.getByRole('textbox').nth(1).fill('https://example.com/hidden')
  const file = dialog.locator('input[type=file]')
  await file.setInputFiles({ name: 'lo\u200bgo.png', mimeType: 'image/png', buffer: makePng(16, 16) })
  await dialog.getByRole('button', { name: '생성' }).click()
  await expect(dialog.getByText('보이지 않는 문자')).toBeVisible()
  await page.keyboard.press('Escape')
  await answerDialog(page, '변경사항 저장', '저장하지 않고 계속')

  await webs.getByRole('button', { name: '편집' }).click()
  await webs.getByText('지워질 바로가기').click()
  await webs.getByRole('textbox', { name: /지워질 바로가기 이름/ }).fill('바뀐 바로가기')
  await expect(page.getByText('변경 1건')).toBeVisible()
  await server.admin.shortcuts.removeWebs({ idxes: [idx] })
  await expect(page.getByText('변경 1건')).toBeHidden()
  await openSettings(page, '정보')
  await expect(unsaved(page)).toBeHidden()
  await expect(webs).toBeHidden()
})

test('a conflict of a policy names the values that others changed', async ({ page, server }) => {
  const { idx: ownerIdx } = await server.admin.groups.create({ parentIdx: 1, name: '겹친 팀' })
  await server.admin.groups.setIsMyPolicy({ idx: ownerIdx, isMyPolicy: 1 })
  const { idx, revision, print } = await server.admin.policies.find({ ownerIdx, ownerType: 0 })
  await enterAt(page, 'policies')
  await openGroup(page, '겹친 팀')
  const clipboard = page.getByRole('combobox', { name: '클립보드' })
  const before = await clipboard.inputValue()
  await clipboard.click()
  await page.getByRole('option', { name: before === '양방향' ? '차단' : '양방향' }).click()
  await server.admin.policies.update({ idx, revision, print: print === 0 ? 1 : 0 })
  await expect(changesOfOthers(page).last()).toHaveText(print === 0 ? '인쇄차단허용' : '인쇄허용차단')
  await expect(clipboard).not.toHaveValue(before)
  await saveOf(page).click()
  if (before !== '양방향') await answerDialog(page, '정책 완화', '저장')
  await expectNotice(page, '저장했습니다.')
  expect(await server.admin.policies.find({ ownerIdx, ownerType: 0 })).toMatchObject({ print: print === 0 ? 1 : 0 })
})

test('a configuration that others changed is compared with the text at once', async ({ page, server }) => {
  await enterSettings(page, '사이트 설정')
  const editor = page.getByRole('main').getByRole('textbox')
  await editor.fill('<site>내 값</site>')
  await server.admin.configTexts.setSiteConfig({ siteConfig: '<site>남의 값</site>' })
  await expect(page.locator('.cm-deletedChunk')).toContainText('남의 값')
  await expect(editor).toContainText('내 값')
  await page.getByRole('checkbox', { name: '선택한 값과 비교' }).uncheck()
  await expect(page.locator('.cm-deletedChunk')).toHaveCount(0)
  await saveOf(page).click()
  await expectNotice(page, '저장했습니다.')
  expect((await server.admin.configTexts.findSiteConfig({})).siteConfig).toBe('<site>내 값</site>')
})
