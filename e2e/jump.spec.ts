// Ctrl K: screens, settings, records, request numbers and commands, by keyboard alone.

import type { Page } from '@playwright/test'
import { addPerson, addUser } from './arrange.ts'
import { requestExport } from './requests.ts'
import { answerDialog, enter, menuOf } from './screens.ts'
import { test } from './teams.ts'
import { expect } from './test.ts'

const boxOf = (page: Page) => page.getByRole('combobox', { name: /찾기|Find/ })
const heading = (page: Page, name: string | RegExp, level: 1 | 2 = 1) => page.getByRole('heading', { level, name })
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const activeOf = (page: Page) => page.getByRole('option', { selected: true })

const languageOf = async (page: Page) => ((await page.locator('html').getAttribute('lang')) === 'en' ? 'en' : 'ko')

/** Opens the dialog and types. */
async function find(page: Page, text: string): Promise<void> {
  await expect(menuOf(page, await languageOf(page))).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(boxOf(page)).toBeFocused()
  await page.keyboard.type(text)
}

/** Opens the first match, which has this name. */
async function jump(page: Page, text: string, name: string | RegExp): Promise<void> {
  await find(page, text)
  await expect(activeOf(page)).toHaveAccessibleName(name)
  await page.keyboard.press('Enter')
  await expect(boxOf(page)).toBeHidden()
}

test('Ctrl K jumps to screens and groups, says when nothing matches, and leads to the keyboard shortcuts', async ({
  page,
  server,
}) => {
  await server.admin.groups.create({ parentIdx: 1, name: '뛰어갈 그룹' })
  await enter(page)
  await find(page, '없는 것을 찾습니다')
  await expect(page.getByRole('status').filter({ hasText: '0개 항목' })).toBeAttached()
  await page.keyboard.press('Escape')
  await find(page, '이력')
  const box = boxOf(page)
  await expect(page.getByRole('option', { name: '이력', exact: true })).toBeVisible()
  // Enter ends a syllable that is being composed, and opens nothing.
  await box.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
  await expect(box).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(heading(page, '이력')).toBeVisible()
  await find(page, '뛰어갈')
  await page.getByRole('option', { name: /뛰어갈 그룹/ }).click()
  await expect(heading(page, '뛰어갈 그룹', 2)).toBeVisible()
  await find(page, '')
  await page.getByRole('button', { name: '키보드 단축키' }).click()
  await expect(box).toBeHidden()
  const shortcuts = dialogOf(page, '키보드 단축키')
  await expect(shortcuts).toContainText('다음 행 열기')
  await page.keyboard.press('Escape')
  await expect(shortcuts).toBeHidden()
  await page.keyboard.press('Shift+?')
  await expect(shortcuts).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(shortcuts).toBeHidden()
})

test('Ctrl K opens settings, tabs and kinds of history, by words of both languages and by initials, and runs commands', async ({
  page,
}) => {
  await enter(page)
  await jump(page, 'license', /^라이선스 설정$/)
  await expect(heading(page, '라이선스', 2)).toBeAttached()
  await jump(page, 'outbox', /^보낸 메일/)
  await expect(page.getByRole('table', { name: '메일 목록' })).toBeVisible()
  await jump(page, 'ㅂㅁㅂㅎ', /^비밀번호 규칙/)
  await expect(page.getByRole('tab', { name: '비밀번호 규칙', selected: true })).toBeVisible()
  await jump(page, 'policy map', /^정책 지도/)
  await expect(page.getByRole('treegrid', { name: '정책 지도' })).toBeVisible()
  await jump(page, '네트워크', /^네트워크 차단 이력/)
  await expect(page.getByRole('navigation', { name: '이력 종류' }).locator('[aria-current="page"]')).toHaveText(
    '네트워크 차단',
  )

  const html = page.locator('html')
  await jump(page, 'dark', '어두운 테마로 바꾸기')
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await jump(page, 'create user', /^사용자 생성/)
  const user = dialogOf(page, '사용자 생성')
  await expect(user.getByRole('textbox', { name: '아이디' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(user).toBeHidden()
  await jump(page, '그룹 생성', /^그룹 생성/)
  const group = dialogOf(page, '그룹 생성')
  await expect(group.getByRole('button', { name: /^상위 그룹/ })).toContainText('전체 조직')
  await group.getByRole('textbox', { name: '그룹 이름' }).fill('명령의 그룹')
  await answerDialog(page, '그룹 생성', '생성')
  await expect(heading(page, '명령의 그룹', 2)).toBeVisible()
  await jump(page, '언어', 'English로 보기')
  await expect(html).toHaveAttribute('lang', 'en')
  await jump(page, '비밀번호 규칙', /^Password rules/)
  await jump(page, 'sign out', 'Sign out')
  await expect(page.getByRole('textbox', { name: 'ID' })).toBeVisible()
})

test('a request is opened by its number, with or without #, in its direction and tab', async ({
  page,
  server,
  addTeam,
}) => {
  const { pc, manager } = await addTeam('jump', '이동번호팀')
  const idx = await requestExport(pc, '번호로 찾기', { 'a.txt': 'a' })
  await enter(page, manager)
  await jump(page, `#${idx}`, new RegExp(`^#${idx} 이동번호팀 직원`))
  await expect(heading(page, '반출 승인')).toBeVisible()
  await expect(page.getByRole('radio', { name: '대기', checked: true })).toBeAttached()
  await server.admin.requests.decide({ idx, state: 1 })
  await jump(page, '이력', /^이력/)
  await jump(page, String(idx), new RegExp(`^#${idx} 이동번호팀 직원`))
  await expect(page.getByRole('radio', { name: '승인', checked: true })).toBeAttached()
  await expect(heading(page, new RegExp(`^#${idx} `), 2)).toBeVisible()
  await find(page, '999999999')
  await expect(page.getByText('조건에 맞는 항목이 없습니다')).toBeVisible()
})

test('a manager finds only what the own levels and groups open', async ({ page, server, addTeam }) => {
  const { idx: groupIdx } = await server.admin.groups.create({ parentIdx: 1, name: '내 부서' })
  await server.admin.groups.create({ parentIdx: 1, name: '남의 부서' })
  await addUser(server, 'jump.foreign', '남의 사람')
  const { pc } = await addTeam('foreign', '남의 팀')
  const foreign = await requestExport(pc, '남의 요청', { 'a.txt': 'a' })
  const manager = await addPerson(server, 'jump.head', '부서장', groupIdx)
  const levels = { policy: 0, user: 1, fileExportApprove: 1, fileImportApprove: 0, log: 1 } as const
  await server.admin.authorities.create({
    name: '부서 조회',
    groupIdxes: [groupIdx],
    userIdxes: [manager.idx],
    ...levels,
  })
  await enter(page, manager)
  for (const text of [
    'license',
    '비밀번호 규칙',
    '남의 부서',
    'jump.foreign',
    `#${foreign}`,
    '사용자 생성',
    '부서 조회',
    '운영 상태',
  ]) {
    await find(page, text)
    await expect(page.getByText('조건에 맞는 항목이 없습니다')).toBeVisible()
    await page.keyboard.press('Escape')
  }
  await jump(page, '내 부서', /^내 부서/)
  await jump(page, 'jump.head', /^부서장/)
  await expect(heading(page, '부서장', 2)).toBeVisible()
})

test('an opened record has the focus at its heading and is offered first, by its present name; a policy is explained', async ({
  page,
  server,
}) => {
  const { idx: groupIdx } = await server.admin.groups.create({ parentIdx: 1, name: '초점 그룹' })
  const person = await addUser(server, 'jump.why', '근거볼사람', groupIdx)
  await enter(page)
  await jump(page, '근거볼사람', /^근거볼사람 jump/)
  await expect(heading(page, '근거볼사람', 2)).toBeFocused()
  await jump(page, '초점 그룹', /^초점 그룹/)
  await expect(heading(page, '초점 그룹', 2)).toBeFocused()
  const tree = page.getByRole('tree')
  const activeGroup = async () =>
    page.locator(`[id="${await tree.getAttribute('aria-activedescendant')}"]`).getAttribute('aria-label')
  expect(await activeGroup()).toBe('초점 그룹')
  await tree.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(heading(page, '전체 조직', 2)).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  // The policy screen is open already, and the group is below a collapsed one.
  await find(page, '근거볼사람')
  await expect(page.getByRole('option', { name: '근거볼사람 · 적용 근거' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(heading(page, /^근거볼사람/, 2)).toBeFocused()
  await expect(page.getByText(/^전체 조직 · /).first()).toBeVisible()
  expect(await activeGroup()).toBe('초점 그룹')

  await jump(page, '초점 그룹', /^초점 그룹/)
  await expect(heading(page, '초점 그룹', 2)).toBeVisible()
  await server.admin.groups.update({ idx: groupIdx, name: '바뀐 그룹' })
  await page.reload()
  await find(page, '')
  const recent = page.getByRole('group', { name: '최근 항목' }).getByRole('option')
  await expect(recent.nth(0)).toHaveAccessibleName(/^바뀐 그룹/)
  await expect(recent.nth(1)).toHaveAccessibleName(/^근거볼사람/)
  const kept = await page.evaluate(() => JSON.stringify(localStorage))
  expect(kept).toContain(`user${person.idx}`)
  expect(kept).not.toContain('근거볼사람')
  const count = await recent.count()
  await server.admin.users.remove({ idxes: [person.idx] })
  await page.keyboard.press('Escape')
  await page.reload()
  await find(page, '')
  await expect(recent.nth(0)).toHaveAccessibleName(/^바뀐 그룹/)
  await expect(recent.filter({ hasText: '근거볼사람' })).toHaveCount(0)
  expect(await recent.count()).toBeLessThan(count)
  await page.keyboard.press('Enter')
  await expect(heading(page, '바뀐 그룹', 2)).toBeVisible()
})
