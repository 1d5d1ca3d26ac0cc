// Groups on the policy screen (spec S1 §2 to §6): creating, renaming, ordering, deleting, the DMS root, the tree.
import type { Page } from '@playwright/test'
import { ROOT } from './arrange.ts'
import {
  answerDialog,
  chooseGroupAction,
  enterAt,
  expectNotice,
  groupOf,
  openGroup,
  openGroupMenu,
  openScreen,
} from './screens.ts'
import { expect, test } from './test.ts'

async function openPolicies(page: Page): Promise<void> {
  await enterAt(page, 'policies')
}

test('a subgroup is created, renamed and deleted', async ({ page, server }) => {
  await openPolicies(page)
  await chooseGroupAction(page, '전체 조직', '하위 그룹 생성')
  await page.getByRole('dialog').getByLabel('그룹 이름').fill('영')
  await page.getByRole('dialog').getByRole('button', { name: '생성' }).click()
  await expect(page.getByRole('dialog').getByText(/3~50자/)).toBeVisible()
  await page.getByRole('dialog').getByLabel('그룹 이름').fill(' 영업본부 ')
  await page.keyboard.press('Enter')
  await expectNotice(page, '그룹을 생성했습니다.')
  await expect(page.getByRole('heading', { level: 2, name: '영업본부' })).toBeVisible()
  const tree = page.getByRole('tree')
  await expect(tree).toBeFocused()
  const created = page.getByRole('treeitem', { name: '영업본부', selected: true })
  await expect(tree).toHaveAttribute('aria-activedescendant', (await created.getAttribute('id')) ?? '')
  await expect(await groupOf(page, '영업본부')).toHaveAttribute('aria-selected', 'true')

  await chooseGroupAction(page, '영업본부', '하위 그룹 생성')
  await page.getByRole('dialog').getByLabel('그룹 이름').fill('영업 1팀')
  await answerDialog(page, '영업본부의 하위 그룹 생성', '생성')
  await chooseGroupAction(page, '영업본부', '하위 그룹 생성')
  await page.getByRole('dialog').getByLabel('그룹 이름').fill('영업 1팀')
  await page.getByRole('dialog').getByRole('button', { name: '생성' }).click()
  await expect(page.getByRole('dialog').getByText('이미 사용 중인 이름입니다.')).toBeVisible()
  await page.keyboard.press('Escape')
  await answerDialog(page, '변경사항 저장', '저장하지 않고 계속')

  await openGroup(page, '영업본부')
  await page.getByRole('tab', { name: '정보' }).click()
  await page.getByLabel('그룹 이름').fill('')
  await page.getByRole('button', { name: '저장' }).click()
  await expect(page.getByLabel('그룹 이름')).toHaveAccessibleDescription('필수 항목입니다.')
  await page.getByLabel('그룹 이름').fill('국내영업본부')
  await page.getByRole('button', { name: '저장' }).click()
  await expectNotice(page, '그룹 정보를 저장했습니다.')
  await expect(await groupOf(page, '국내영업본부')).toBeVisible()

  await chooseGroupAction(page, '국내영업본부', '그룹 삭제')
  await expect(page.getByRole('dialog')).toContainText('하위 그룹 1개는 전체 조직으로 이동합니다')
  await answerDialog(page, '그룹 삭제', '삭제')
  await page.getByRole('textbox', { name: '그룹 검색' }).fill('국내영업본부')
  await expect(page.getByText('조건에 맞는 그룹이 없습니다')).toBeVisible()
  await page.getByRole('button', { name: '조건 초기화' }).click()
  await expect(page.getByRole('textbox', { name: '그룹 검색' })).toHaveValue('')
  await expect(await groupOf(page, '전체 조직')).toHaveAttribute('aria-selected', 'true')
  const { groups } = await server.admin.groups.searchAuthGroups({})
  expect(groups[0]?.children.map(({ name }) => name)).toContain('영업 1팀')
})

test('groups side by side take another order, unless there is only one, and with groups that others create', async ({
  page,
  server,
  faults,
}) => {
  const { idx } = await server.admin.groups.create({ parentIdx: ROOT, name: '순서 본부' })
  for (const name of ['첫째 팀', '둘째 팀', '셋째 팀']) await server.admin.groups.create({ parentIdx: idx, name })
  const { idx: only } = await server.admin.groups.create({ parentIdx: ROOT, name: '외동 본부' })
  await server.admin.groups.create({ parentIdx: only, name: '외동 팀' })
  await openPolicies(page)
  await openGroupMenu(page, '외동 팀')
  await expect(page.getByRole('menuitem', { name: '순서 변경' })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')

  await chooseGroupAction(page, '둘째 팀', '순서 변경')
  const dialog = page.getByRole('dialog', { name: '순서 본부의 하위 그룹 순서' })
  await dialog.getByRole('button', { name: '셋째 팀 위로' }).click()
  await dialog.getByRole('button', { name: '셋째 팀 위로' }).click()
  await dialog.getByRole('button', { name: '저장' }).click()
  await expectNotice(page, '순서를 저장했습니다.')
  await page.getByRole('textbox', { name: '그룹 검색' }).fill('째 팀')
  await expect(page.getByRole('treeitem').filter({ hasText: /째 팀/ })).toHaveText([/셋째/, /첫째/, /둘째/])

  await chooseGroupAction(page, '둘째 팀', '순서 변경')
  await dialog.getByRole('button', { name: '첫째 팀 아래로' }).click()
  // The dialog does not learn of the new group before the save.
  await page.route('**/AuthGroups*', (route) => route.abort())
  await server.admin.groups.create({ parentIdx: idx, name: '넷째 팀' })
  await dialog.getByRole('button', { name: '저장' }).click()
  const refused = page.getByRole('dialog', { name: '저장하지 못했습니다' })
  await expect(refused).toContainText('순서를 확인한 뒤 다시 저장해 주세요.')
  await page.unroute('**/AuthGroups*')
  await refused.getByRole('button', { name: '확인' }).click()
  // The server notifies open screens of the next one, and they reload.
  await server.admin.groups.create({ parentIdx: idx, name: '다섯째 팀' })
  for (const name of ['넷째 팀', '다섯째 팀']) await expect(dialog.getByText(name, { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: '저장' }).click()
  await expect(dialog).toBeHidden()
  faults.length = 0
})

test('the DMS root is set after a question, is marked, and makes partner groups of those below', async ({
  page,
  server,
}) => {
  const { idx } = await server.admin.groups.create({ parentIdx: ROOT, name: '협력 본부' })
  await server.admin.groups.create({ parentIdx: idx, name: '협력 팀' })
  await openPolicies(page)
  await chooseGroupAction(page, '협력 본부', 'DMS 최상위 그룹으로 지정')
  await answerDialog(page, 'DMS 최상위 그룹 지정', '지정')
  await expectNotice(page, 'DMS 최상위 그룹을 지정했습니다.')
  await expect((await groupOf(page, '협력 본부')).getByRole('img', { name: /DMS/ })).toBeVisible()
  await openGroupMenu(page, '협력 팀')
  const refused = await page.locator('[role=menuitem][aria-disabled=true]').allInnerTexts()
  expect(refused).toEqual(['하위 그룹 생성', '순서 변경', '그룹 삭제'])
})

test('the tree is walked by keys and searched; a search is answered by keys, in a field too, and submits no form', async ({
  page,
  server,
}) => {
  const { idx } = await server.admin.groups.create({ parentIdx: ROOT, name: '찾는 상위' })
  await server.admin.groups.create({ parentIdx: idx, name: '찾는 하위' })
  await openPolicies(page)
  const search = page.getByRole('textbox', { name: '그룹 검색' })
  const tree = page.getByRole('tree', { name: '그룹' })
  await search.fill('찾는 하')
  await expect(tree.getByRole('treeitem')).toHaveText([/전체 조직/, /찾는 상위/, /찾는 하위/])
  await openGroup(page, '찾는 상위')
  // The whole tree again, which is scrolled to the selected group.
  await search.fill('')
  const below = tree.getByRole('treeitem', { name: '찾는 하위' })
  await expect(below).toBeVisible()
  await tree.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(below).toBeHidden()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 2, name: '찾는 하위' })).toBeVisible()

  await search.fill('찾는 하')
  await search.press('Enter')
  await expect(page.getByRole('heading', { level: 2, name: '찾는 하위' })).toBeVisible()
  await search.fill('찾는 상')
  await search.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 2, name: '찾는 상위' })).toBeVisible()

  await openScreen(page, '사용자')
  await page.getByRole('main').getByRole('button', { name: '사용자 생성' }).click()
  const dialog = page.getByRole('dialog', { name: '사용자 생성' })
  const field = dialog.getByRole('button', { name: '그룹' })
  await field.press('Enter')
  await expect(search).toBeFocused()
  await search.press('Enter')
  await page.keyboard.type('없는 그룹')
  await search.press('Enter')
  await expect(search).toBeFocused()
  await search.fill('찾는')
  await search.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(field).toContainText('찾는 하위')
  await expect(field).toBeFocused()
  await field.press('Enter')
  await search.fill('찾는 상')
  await search.press('Enter')
  await expect(field).toHaveText(/찾는 상위$/)
  await expect(dialog.getByText('필수 항목입니다.')).toHaveCount(0)
})
