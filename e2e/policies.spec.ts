// Groups, their people and the policy that applies to them (spec S1 §2, §4, §5).
import type { Page } from '@playwright/test'
import type { AccServer } from './accServer.ts'
import { addUser } from './arrange.ts'
import { answerDialog, dayIn, enterAt, expectNotice, findGroup, groupOf, openGroup } from './screens.ts'
import { expect, test } from './test.ts'

async function openPolicies(page: Page): Promise<void> {
  await enterAt(page, 'policies')
}

test('a group gets its own policy, is changed, and inherits again, each after a question', async ({ page, server }) => {
  const { idx } = await server.admin.groups.create({ parentIdx: 1, name: '연구소' })
  await addUser(server, 'researcher', '연구원', idx)
  const policyOf = () => server.admin.policies.find({ ownerIdx: idx, ownerType: 0 })
  await openPolicies(page)
  await openGroup(page, '연구소')
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
  await expect((await groupOf(page, '연구소')).getByRole('img', { name: '개별 정책이 있는 그룹' })).toBeVisible()

  const save = page.getByRole('button', { name: '저장' })
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('combobox', { name: '파일 반출' }).click()
  await page.getByRole('option', { name: '승인 필요' }).click()
  await expect(page.getByText('변경 1건 · 사용자 1명, 그룹 1개에 적용됩니다')).toBeVisible()
  await save.click()
  const question = page.getByRole('dialog', { name: '정책 완화' })
  await expect(question.getByText('사용자 1명, 그룹 1개에 적용됩니다.')).toBeVisible()
  await expect(question.getByRole('row', { name: '파일 반출 (완화) 차단 승인 필요' })).toBeVisible()
  await answerDialog(page, '정책 완화', '취소')
  expect(await policyOf()).toMatchObject({ fileExport: 0 })
  await save.click()
  await answerDialog(page, '정책 완화', '저장')
  await expectNotice(page, '저장했습니다.')
  await expect(page.locator('[data-differs]').getByText('전체 조직은 차단', { exact: true })).toBeVisible()
  expect(await policyOf()).toMatchObject({ isMyPolicy: 1, fileExport: 2 })

  await mode.getByText('상속').click()
  await expect(page.getByRole('dialog').getByRole('row', { name: '파일 반출 승인 필요 차단' })).toBeVisible()
  await answerDialog(page, '상속으로 전환', '상속으로 전환')
  await expect(page.getByText('전체 조직을 상속')).toBeVisible()
  expect(await policyOf()).toMatchObject({ isMyPolicy: 0, fileExport: 0 })
})

test('unsaved values stay while their reasons are shown, and ask before they are left, wherever the person goes', async ({
  page,
  server,
}) => {
  await server.admin.groups.create({ parentIdx: 1, name: '다른 그룹' })
  const { idx } = await server.admin.groups.create({ parentIdx: 1, name: '입력 그룹' })
  await server.admin.groups.setIsMyPolicy({ idx, isMyPolicy: 1 })
  await openPolicies(page)
  await openGroup(page, '입력 그룹')
  const clipboard = page.getByRole('combobox', { name: '클립보드' })
  const before = await clipboard.inputValue()
  const change = async () => {
    await clipboard.click()
    await page.getByRole('option', { name: before === '양방향' ? '차단' : '양방향' }).click()
  }
  await change()
  const reasons = page.getByText(/^입력 그룹 · /)
  await page.getByRole('button', { name: '적용 근거' }).click()
  await expect(reasons.first()).toBeVisible()
  await page.getByRole('button', { name: '적용 근거' }).click()
  await expect(reasons).toHaveCount(0)
  for (const leave of [
    () => openGroup(page, '다른 그룹'),
    () => openMenu('이력'),
    () => page.getByRole('tab', { name: '정보' }).click(),
    () => page.goBack(),
  ]) {
    await leave()
    await answerDialog(page, '변경사항 저장', '취소')
    await expect(clipboard).not.toHaveValue(before)
  }
  await page.getByRole('button', { name: '되돌리기' }).click()
  await expect(clipboard).toHaveValue(before)
  await change()
  await openGroup(page, '다른 그룹')
  await answerDialog(page, '변경사항 저장', '저장하지 않고 계속')
  await expect(page.getByRole('heading', { level: 2, name: '다른 그룹' })).toBeVisible()
  await openGroup(page, '입력 그룹')
  await expect(clipboard).toHaveValue(before)

  function openMenu(title: string) {
    return page.getByRole('navigation', { name: '주 메뉴' }).getByRole('button', { name: title }).click()
  }
})

test('people are moved to another group', async ({ page, server }) => {
  const from = await server.admin.groups.create({ parentIdx: 1, name: '옮기기 전' })
  const to = await server.admin.groups.create({ parentIdx: 1, name: '옮긴 뒤' })
  await server.admin.groups.setIsMyPolicy({ idx: to.idx, isMyPolicy: 1 })
  await addUser(server, 'mover.one', '옮길 사람', from.idx)
  await openPolicies(page)
  await openGroup(page, '옮기기 전')
  const people = page.getByRole('table', { name: '사용자 목록' })
  await expect(people.getByText('mover.one')).toBeVisible()
  await page.getByRole('button', { name: '여러 명 선택' }).click()
  await people.getByRole('checkbox', { name: '옮길 사람 선택' }).check()
  await page.getByRole('button', { name: '이동', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '사용자 1명 그룹 이동' })
  await expect(await findGroup(dialog, '옮기기 전')).toHaveAttribute('aria-disabled', 'true')
  await (await findGroup(dialog, '옮긴 뒤')).click()
  await expect(
    dialog.getByText('옮긴 뒤의 정책이 적용됩니다. 개별 정책이 있는 사용자는 그대로 유지됩니다.'),
  ).toBeVisible()
  await answerDialog(page, '사용자 1명 그룹 이동', '이동')
  await expect(await groupOf(page, '옮긴 뒤')).toHaveAttribute('aria-selected', 'true')
  await expect(people.getByText('mover.one')).toBeVisible()
})

/** Creates a group with a policy of its own. */
async function addPolicy({ admin }: AccServer, name: string) {
  const { idx } = await admin.groups.create({ parentIdx: 1, name })
  await admin.groups.setIsMyPolicy({ idx, isMyPolicy: 1 })
  return () => admin.policies.find({ ownerIdx: idx, ownerType: 0 })
}

/** Opens a part of the policy of a group. */
async function openPart(page: Page, group: string, part: string): Promise<void> {
  await openPolicies(page)
  await openGroup(page, group)
  await page.getByRole('radiogroup', { name: '정책 구분' }).getByText(part).click()
}

/** Three stored exceptions, which fill a page. */
const STORED = [
  { idx: -1, description: '팩스', type: 1, ip1: '10.0.0.9', ip2: '10.0.0.9', port: 9100, access: 1 },
  { idx: -2, description: '망', type: 2, ip1: '10.1.0.0', ip2: '255.255.0.0', port: 0, access: 0 },
  { idx: -3, description: '도메인', type: 0, ip1: '*.example.com', ip2: '', port: 0, access: 1 },
] as const

test('exceptions are refused or added, with a last day, and saved together', async ({ page, server }) => {
  const policyOf = await addPolicy(server, '예외 그룹')
  const { idx } = await policyOf()
  await server.admin.policies.update({ idx, policyLocalNetworkExceptions: [...STORED] })
  await openPart(page, '예외 그룹', '네트워크')
  const list = page.getByRole('table', { name: '로컬 네트워크 예외' })
  await expect(list.getByRole('row', { name: '망 10.1.0.0 / 255.255.0.0 * 차단' })).toBeVisible()
  await page.getByRole('button', { name: '로컬 네트워크 예외 추가' }).click()
  const dialog = page.getByRole('dialog', { name: '로컬 네트워크 예외 추가' })
  const field = (name: string) => dialog.getByRole('textbox', { name })
  const add = () => dialog.getByRole('button', { name: '추가', exact: true }).click()
  await add()
  await expect(dialog.getByText('필수 항목입니다.')).toHaveCount(3)
  await field('설명').fill('프린터')
  await field('시작 IP').fill('10.0.0.30')
  await expect(field('끝 IP')).toHaveValue('10.0.0.30')
  await field('끝 IP').fill('10.0.0.3')
  await field('포트').fill('9100')
  await dialog.getByRole('radiogroup', { name: '적용 기간' }).getByText('날짜').click()
  await field('마지막 날').fill('2020-01-01')
  await field('마지막 날').blur()
  await add()
  await expect(dialog.getByText('시작 IP보다 작을 수 없습니다.')).toBeVisible()
  await expect(dialog.getByText('선택할 수 있는 기간의 날짜를 입력해 주세요.')).toBeVisible()
  await field('끝 IP').fill('10.0.0.39')
  const last = dayIn(30)
  await field('마지막 날').fill(last)
  await field('마지막 날').blur()
  await add()
  // Three rows a page: the added one is on the second.
  await expect(list.getByRole('row')).toHaveCount(2)
  await expect(list.getByRole('row', { name: '프린터 10.0.0.30 – 10.0.0.39 9100 허용' })).toContainText(`${last}까지`)

  await test.step('what was typed is dropped after a question', async () => {
    await page.getByRole('button', { name: '루프백 예외 추가' }).click()
    await page.getByRole('dialog', { name: '루프백 예외 추가' }).getByRole('textbox', { name: '설명' }).fill('x')
    await page.keyboard.press('Escape')
    await answerDialog(page, '변경사항 저장', '저장하지 않고 계속')
  })
  await page.getByRole('button', { name: '저장' }).click()
  await answerDialog(page, '정책 완화', '저장')
  await expectNotice(page, '저장했습니다.')
  const printer = { description: '프린터', type: 1, ip1: '10.0.0.30', ip2: '10.0.0.39', port: 9100, access: 1 }
  const endDT = new Date(`${last}T24:00:00+09:00`).toISOString()
  expect(await policyOf()).toMatchObject({
    policyNetworkExceptions: [],
    policyLocalNetworkExceptions: [...STORED.map(({ description }) => ({ description })), { ...printer, endDT }],
    policyLoopbackExceptions: [],
  })
})

test('exceptions are edited and deleted, and saved together', async ({ page, server }) => {
  const policyOf = await addPolicy(server, '고치는 그룹')
  const { idx } = await policyOf()
  await server.admin.policies.update({ idx, policyLocalNetworkExceptions: [...STORED] })
  await openPart(page, '고치는 그룹', '네트워크')
  await page.getByRole('table', { name: '로컬 네트워크 예외' }).getByText('팩스').click()
  const edited = page.getByRole('dialog', { name: '로컬 네트워크 예외 수정' })
  await expect(edited.getByRole('button', { name: '적용' })).toHaveAttribute('aria-disabled', 'true')
  await edited.getByRole('textbox', { name: '설명' }).fill('복합기')
  await edited.getByRole('textbox', { name: '종료일이 없는 사유' }).fill('상시')
  await edited.getByRole('button', { name: '적용' }).click()
  await page.getByRole('button', { name: '여러 개 선택' }).nth(1).click()
  await page.getByRole('checkbox', { name: '망 선택' }).check()
  await page.getByRole('checkbox', { name: '도메인 선택' }).check()
  await page.getByRole('button', { name: / 삭제$/ }).click()
  await expect(page.getByText('변경 1건')).toBeVisible()
  await page.getByRole('button', { name: '저장' }).click()
  await answerDialog(page, '정책 완화', '저장')
  await expect
    .poll(async () => (await policyOf()).policyLocalNetworkExceptions.map(({ description }) => description))
    .toEqual(['복합기'])
  // Saving ends when the stored policy is loaded again.
  await expect(page.getByRole('button', { name: '저장' })).not.toHaveAttribute('aria-busy')
  await expect(page.getByText('전체 조직과 다름: 추가 1개')).toBeVisible()
  await page.getByRole('radiogroup', { name: '정책 방식' }).getByText('상속').click()
  await expect(page.getByRole('dialog').getByRole('row', { name: /^로컬 네트워크 예외 복합기 -/ })).toBeVisible()
  await answerDialog(page, '상속으로 전환', '취소')
})

test('shortcuts are picked for a policy, and dropped again', async ({ page, server }) => {
  for (const name of ['위키', '포털'])
    await server.admin.shortcuts.createWeb({ name, url: `https://${encodeURIComponent(name)}.example.com` })
  await server.admin.shortcuts.createProgram({ name: '도면 뷰어', path: 'C:\\viewer\\viewer.exe' })
  const policyOf = await addPolicy(server, '바로가기 그룹')
  await openPart(page, '바로가기 그룹', '바로가기')
  const openPicker = async (kind: string) => {
    await page.getByRole('button', { name: `${kind} 바로가기 추가` }).click()
    return page.getByRole('dialog', { name: `${kind} 바로가기 추가` })
  }
  const webs = await openPicker('웹')
  for (const name of ['위키', '포털']) await webs.getByRole('checkbox', { name: `${name} 선택`, exact: true }).check()
  await answerDialog(page, '웹 바로가기 추가', '추가')
  await (await openPicker('프로그램')).getByRole('checkbox', { name: '도면 뷰어 선택' }).check()
  await answerDialog(page, '프로그램 바로가기 추가', '추가')
  await page.getByRole('button', { name: '저장' }).click()
  await expectNotice(page, '저장했습니다.')
  const named = async () => {
    const { shortcutWebs, shortcutPrograms } = await policyOf()
    return [...shortcutWebs, ...shortcutPrograms].map(({ name }) => name)
  }
  expect(await named()).toEqual(['위키', '포털', '도면 뷰어'])
  await openPicker('웹')
  await expect(webs.getByRole('checkbox', { name: '위키 선택' })).toBeDisabled()
  await answerDialog(page, '웹 바로가기 추가', '취소')
  await page.getByRole('button', { name: '여러 개 선택' }).first().click()
  await page.getByRole('checkbox', { name: '위키 선택' }).check()
  await page.getByRole('button', { name: / 삭제$/ }).click()
  await page.getByRole('button', { name: '저장' }).click()
  await expect.poll(named).toEqual(['포털', '도면 뷰어'])
})
