// Extreme amounts of data: groups nested 8 deep with names of 50 characters, people with names of 30. No screen grows
// wider than its window, no pane wider than its place, and buttons remain within reach.
import type { Locator, Page } from '@playwright/test'
import type { AccServer } from './accServer.ts'
import { addUser, ROOT } from './arrange.ts'
import { backToList, expectReachable, overflowing } from './eachScreen.ts'
import { enter, findGroup, openScreen } from './screens.ts'
import { expect, test } from './test.ts'

const DEEP = 8
const LONG_NAME = '아주긴이름을가진사람은화면의어디에서도넘치지않아야합니다정말로요'.slice(0, 30)
const groupName = (depth: number) =>
  `${depth}단계아주길게빈칸없이지은그룹의이름은쉰글자까지쓸수있으므로어디에서나줄여보여야합니다`
    .padEnd(50, '가')
    .slice(0, 50)

/** Groups below each other, a person in the lowest, who holds an authority over all. */
async function addDeepGroups(server: AccServer): Promise<{ id: string; lowest: string; above: string }> {
  const { admin } = server
  const id = 'an.id.of.thirty.characters.xyz'
  const names = Array.from({ length: DEEP }, (_, at) => groupName(at + 1))
  const idxes: number[] = []
  for (const name of names) {
    const { idx } = await admin.groups.create({ parentIdx: idxes.at(-1) ?? ROOT, name })
    idxes.push(idx)
  }
  const lowest = idxes.at(-1) ?? ROOT
  const person = await addUser(server, id, LONG_NAME, lowest)
  await admin.groups.setIsMyPolicy({ idx: lowest, isMyPolicy: 1 })
  const end = {
    endDT: null,
    endReason: '종료일을 정할 수 없는 사유도 길어질 수 있습니다. '.repeat(8).slice(0, 200).trim(),
  }
  await admin.users.setIsMyPolicy({ idx: person.idx, isMyPolicy: 1, ...end })
  const levels = { policy: 2, user: 2, fileExportApprove: 2, fileImportApprove: 0, log: 1 } as const
  const name = '서른 글자까지 쓸 수 있는 관리 권한의 아주 긴 이름'.padEnd(30, '가').slice(0, 30)
  const description = '설명도 백 글자까지 길어질 수 있습니다. '.repeat(5).slice(0, 100).trim()
  const ends = [{ userIdx: person.idx, ...end }]
  await admin.authorities.create({ name, description, groupIdxes: idxes, userIdxes: [person.idx], ends, ...levels })
  return { id, lowest: groupName(DEEP), above: groupName(DEEP - 1) }
}

async function expectFits(page: Page, where: string): Promise<void> {
  await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0)
  expect.soft(await overflowing(page), where).toEqual([])
}

/** Expects that a click in the middle of the button reaches the button itself, enabled or not. */
async function reach(button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded()
  const isHit = await button.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
  expect.soft(isHit, (await button.textContent()) ?? '').toBe(true)
}

async function walkPolicies(page: Page, lowest: string): Promise<void> {
  await openScreen(page, '정책')
  // The tree shows the groups above a found one.
  const group = await findGroup(page.getByRole('main'), lowest)
  await group.click()
  await expect(page.getByRole('heading', { level: 2, name: lowest })).toBeVisible()
  await expectFits(page, 'policies, deepest group')
  await expectReachable(page.getByRole('main'), 'policies')
  await reach(page.getByRole('button', { name: '저장' }))
  await backToList(page)
  await group.hover()
  const gear = page.getByRole('button', { name: `${lowest} 그룹 작업` })
  await reach(gear)
  await gear.click()
  await page.getByRole('menuitem', { name: '하위 그룹 생성' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox').first()).toBeFocused()
  await expectFits(page, 'policies, a new group')
  await dialog.getByRole('button', { name: '취소' }).click()
  await group.click()
  await page.getByRole('tab', { name: '정보' }).click()
  await expectFits(page, 'policies, information')
  await page.getByRole('table', { name: '사용자 목록' }).getByText(LONG_NAME).click()
  await expect(page.getByRole('heading', { level: 2, name: LONG_NAME })).toBeVisible()
  await expectFits(page, 'policies, a person')
  await expectReachable(page.getByRole('main'), 'policies, a person')
}

async function walkUsers(page: Page, id: string, above: string): Promise<void> {
  await openScreen(page, '사용자')
  await page.getByRole('searchbox').fill(id)
  await page.getByRole('row').filter({ hasText: id }).click()
  await expect(page.getByRole('heading', { level: 2, name: LONG_NAME })).toBeVisible()
  await expectFits(page, 'users')
  await expectReachable(page.getByRole('main'), 'users')
  await reach(page.getByRole('button', { name: '저장' }))
  await page
    .getByRole('main')
    .getByRole('button', { name: /^그룹 / })
    .last()
    .click()
  await expectFits(page, 'users, the group field')
  await page.keyboard.press('Escape')
  await backToList(page)
  await page.getByRole('button', { name: '여러 명 선택' }).click()
  await page.getByRole('checkbox', { name: `${LONG_NAME} 선택` }).check()
  await page.getByRole('main').getByRole('button', { name: /이동/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('tree')).toBeVisible()
  await (await findGroup(dialog, above)).click()
  await expectFits(page, 'users, the group dialog')
  await expectReachable(dialog, 'users, the group dialog')
  await reach(dialog.getByRole('button', { name: '이동' }))
  await dialog.getByRole('button', { name: '취소' }).click()
}

async function walkAuthorities(page: Page): Promise<void> {
  await openScreen(page, '관리 권한')
  await page.getByRole('button', { name: /^서른 글자까지/ }).click()
  await expect(page.getByRole('button', { name: '저장' })).toBeVisible()
  await expectFits(page, 'authorities')
  await expectReachable(page.getByRole('main'), 'authorities')
  await page.getByRole('region', { name: '관리자' }).getByRole('button', { name: '추가' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('searchbox').fill('an.id')
  await expect(dialog.getByRole('row').filter({ hasText: LONG_NAME })).toBeVisible()
  await expectFits(page, 'authorities, adding people')
  await expectReachable(dialog, 'authorities, adding people')
  await dialog.getByRole('button', { name: '취소' }).click()
}

test('long names and deep groups fit into wide and narrow windows', async ({ page, server }) => {
  test.setTimeout(240_000)
  const { id, lowest, above } = await addDeepGroups(server)
  await enter(page)
  // Two panes have the least room at 1024 pixels. The other one is a window of 1280 by 800 at 200 %.
  for (const [width, height] of [
    [1024, 768],
    [640, 400],
  ] as const) {
    await page.setViewportSize({ width, height })
    await walkPolicies(page, lowest)
    await walkUsers(page, id, above)
    await walkAuthorities(page)
  }
})
