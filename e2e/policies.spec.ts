// Groups, their people and the policy that applies to them (spec S1 §2, §4, §5).
import type { Page } from '@playwright/test'
import { addPerson } from './arrange.ts'
import { answerDialog, enter, expectNotice, findGroup, groupItem, openScreen } from './screens.ts'
import { expect, test } from './test.ts'

async function openPolicies(page: Page): Promise<void> {
  await enter(page)
  await openScreen(page, '정책')
}

test('a group gets its own policy, is changed, and inherits again, each after a question', async ({ page, server }) => {
  const { idx } = await server.admin.groups.create({ parentIdx: 1, name: '연구소' })
  await addPerson(server, 'researcher', '연구원', idx)
  const policyOf = () => server.admin.policies.find({ ownerIdx: idx, ownerType: 0 })
  await openPolicies(page)
  await groupItem(page, '연구소').click()
  await expect(page.getByText('전체 조직을 상속')).toBeVisible()
  await expect(page.getByRole('table', { name: '사용자 목록' }).getByText('researcher')).toBeVisible()
  const mode = page.getByRole('radiogroup', { name: '정책 방식' })
  await expect(mode.getByRole('radio', { name: '상속' })).toBeChecked()

  await mode.getByText('개별 정책').click()
  await answerDialog(page, '개별 정책으로 전환', '취소')
  await expect(mode.getByRole('radio', { name: '상속' })).toBeChecked()
  await mode.getByText('개별 정책').click()
  await answerDialog(page, '개별 정책으로 전환', '개별 정책으로 전환')
  await expect(mode.getByRole('radio', { name: '개별 정책' })).toBeChecked()
  await expect(groupItem(page, '연구소').getByRole('img', { name: '개별 정책이 있는 그룹' })).toBeVisible()

  const save = page.getByRole('button', { name: '저장' })
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('combobox', { name: '파일 반출' }).click()
  await page.getByRole('option', { name: '승인 필요' }).click()
  await expect(page.getByText('변경 1건 · 사용자 1명, 그룹 1개에 적용됩니다')).toBeVisible()
  await save.click()
  await expectNotice(page, '저장했습니다.')
  await expect(page.locator('[data-differs]').getByText('차단', { exact: true })).toBeVisible()
  expect(await policyOf()).toMatchObject({ isMyPolicy: 1, fileExport: 2 })

  await mode.getByText('상속').click()
  await expect(page.getByRole('dialog').getByRole('row', { name: '파일 반출 승인 필요 차단' })).toBeVisible()
  await answerDialog(page, '상속으로 전환', '상속으로 전환')
  await expect(page.getByText('전체 조직을 상속')).toBeVisible()
  expect(await policyOf()).toMatchObject({ isMyPolicy: 0, fileExport: 0 })
})

test('unsaved values ask before they are left, wherever the person goes', async ({ page, server }) => {
  await server.admin.groups.create({ parentIdx: 1, name: '다른 그룹' })
  await openPolicies(page)
  await groupItem(page, '전체 조직').click()
  const clipboard = page.getByRole('combobox', { name: '클립보드' })
  const before = await clipboard.inputValue()
  const change = async () => {
    await clipboard.click()
    await page.getByRole('option', { name: before === '양방향' ? '차단' : '양방향' }).click()
  }
  await change()
  for (const leave of [
    () => groupItem(page, '다른 그룹').click(),
    () => openMenu('이력'),
    () => page.getByRole('tab', { name: '정보' }).click(),
    () => page.goBack(),
  ]) {
    await leave()
    await answerDialog(page, '변경 사항 저장', '취소')
    await expect(clipboard).not.toHaveValue(before)
  }
  await page.getByRole('button', { name: '되돌리기' }).click()
  await expect(clipboard).toHaveValue(before)
  await change()
  await groupItem(page, '다른 그룹').click()
  await answerDialog(page, '변경 사항 저장', '저장하지 않고 계속')
  await expect(page.getByRole('heading', { level: 2, name: '다른 그룹' })).toBeVisible()
  await groupItem(page, '전체 조직').click()
  await expect(clipboard).toHaveValue(before)

  function openMenu(title: string) {
    return page.getByRole('navigation', { name: '주 메뉴' }).getByRole('button', { name: title }).click()
  }
})

test('people are moved to another group', async ({ page, server }) => {
  const from = await server.admin.groups.create({ parentIdx: 1, name: '옮기기 전' })
  await server.admin.groups.create({ parentIdx: 1, name: '옮긴 뒤' })
  await addPerson(server, 'mover.one', '옮길 사람', from.idx)
  await openPolicies(page)
  await groupItem(page, '옮기기 전').click()
  const people = page.getByRole('table', { name: '사용자 목록' })
  await expect(people.getByText('mover.one')).toBeVisible()
  await page.getByRole('button', { name: '여러 명 선택' }).click()
  await people.getByRole('checkbox', { name: '옮길 사람 선택' }).check()
  await page.getByRole('button', { name: '이동', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '사용자 1명 그룹 이동' })
  // A tree renders only the groups in view, and other tests have created many.
  await dialog.getByRole('textbox', { name: '그룹 검색' }).fill('옮')
  await expect(await findGroup(dialog, '옮기기 전')).toHaveAttribute('aria-disabled', 'true')
  await (await findGroup(dialog, '옮긴 뒤')).click()
  await answerDialog(page, '사용자 1명 그룹 이동', '이동')
  await expect(groupItem(page, '옮긴 뒤')).toHaveAttribute('aria-selected', 'true')
  await expect(people.getByText('mover.one')).toBeVisible()
})
