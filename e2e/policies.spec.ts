// Groups, their people and the policy that applies to them (spec S1 §2, §4, §5).
import type { Page } from '@playwright/test'
import type { AccServer } from './accServer.ts'
import { addPerson } from './arrange.ts'
import { answerDialog, enterAt, expectNotice, findGroup, groupOf, openGroup } from './screens.ts'
import { expect, test } from './test.ts'

async function openPolicies(page: Page): Promise<void> {
  await enterAt(page, 'policies')
}

test('a group gets its own policy, is changed, and inherits again, each after a question', async ({ page, server }) => {
  const { idx } = await server.admin.groups.create({ parentIdx: 1, name: '연구소' })
  await addPerson(server, 'researcher', '연구원', idx)
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

test('unsaved values ask before they are left, wherever the person goes', async ({ page, server }) => {
  await server.admin.groups.create({ parentIdx: 1, name: '다른 그룹' })
  await openPolicies(page)
  await openGroup(page, '전체 조직')
  const clipboard = page.getByRole('combobox', { name: '클립보드' })
  const before = await clipboard.inputValue()
  const change = async () => {
    await clipboard.click()
    await page.getByRole('option', { name: before === '양방향' ? '차단' : '양방향' }).click()
  }
  await change()
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
  await openGroup(page, '전체 조직')
  await expect(clipboard).toHaveValue(before)

  function openMenu(title: string) {
    return page.getByRole('navigation', { name: '주 메뉴' }).getByRole('button', { name: title }).click()
  }
})

test('people are moved to another group', async ({ page, server }) => {
  const from = await server.admin.groups.create({ parentIdx: 1, name: '옮기기 전' })
  const to = await server.admin.groups.create({ parentIdx: 1, name: '옮긴 뒤' })
  await server.admin.groups.setIsMyPolicy({ idx: to.idx, isMyPolicy: 1 })
  await addPerson(server, 'mover.one', '옮길 사람', from.idx)
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

/** Opens the network tab of a group with a policy of its own. */
async function openNetwork(page: Page, server: AccServer, name: string) {
  const { idx } = await server.admin.groups.create({ parentIdx: 1, name })
  await server.admin.groups.setIsMyPolicy({ idx, isMyPolicy: 1 })
  await openPolicies(page)
  await openGroup(page, name)
  await page.getByRole('radiogroup', { name: '정책 구분' }).getByText('네트워크').click()
  const policyOf = () => server.admin.policies.find({ ownerIdx: idx, ownerType: 0 })
  return { idx, policyOf }
}

test('exceptions are added, refused, edited and deleted, and saved together', async ({ page, server }) => {
  const { policyOf } = await openNetwork(page, server, '예외 그룹')
  const list = page.getByRole('table', { name: '로컬 네트워크 예외' })
  const dialog = page.getByRole('dialog', { name: '로컬 네트워크 예외 추가' })
  const field = (name: string) => dialog.getByRole('textbox', { name })
  const add = () => dialog.getByRole('button', { name: '추가', exact: true }).click()
  const open = () =>
    page
      .getByRole('button', { name: / 추가$/ })
      .nth(1)
      .click()
  await open()
  await add()
  await expect(dialog.getByText('필수 항목입니다.')).toHaveCount(3)
  await field('설명').fill('프린터')
  await field('시작 IP').fill('10.0.0.300')
  await expect(field('끝 IP')).toHaveValue('10.0.0.300')
  await add()
  await expect(dialog.getByText('0~255 사이의 숫자 4개를 점으로 구분해 입력해 주세요.')).toHaveCount(2)
  await field('시작 IP').fill('10.0.0.30')
  await field('끝 IP').fill('10.0.0.3')
  await add()
  await expect(dialog.getByText('시작 IP보다 작을 수 없습니다.')).toBeVisible()
  await field('끝 IP').fill('10.0.0.39')
  await field('포트').fill('70000')
  await add()
  await expect(dialog.getByText('0~65535 사이의 숫자 또는 *를 입력해 주세요.')).toBeVisible()
  await field('포트').fill('9100')
  await add()
  await expect(list.getByRole('row', { name: '프린터 10.0.0.30 – 10.0.0.39 9100 허용' })).toBeVisible()

  await open()
  await field('설명').fill('망')
  await dialog.getByText('IP + 서브넷').click()
  await field('IP 주소').fill('10.1.0.0')
  await field('서브넷 마스크').fill('255.0.255.0')
  await add()
  await expect(dialog.getByText('서브넷 마스크를 입력해 주세요.')).toBeVisible()
  await field('서브넷 마스크').fill('255.255.0.0')
  await dialog.getByText('차단').click()
  await add()
  for (const domain of ['한국', '*.example.com']) {
    await open()
    await field('설명').fill('도메인')
    await dialog.getByText('도메인', { exact: true }).first().click()
    await field('도메인').fill(domain)
    await add()
    if (domain === '한국') {
      await expect(dialog.getByText('도메인을 입력해 주세요.')).toBeVisible()
      // What was typed is dropped after a question, and the list keeps its rows.
      await page.keyboard.press('Escape')
      await answerDialog(page, '변경사항 저장', '저장하지 않고 계속')
      await expect(dialog).toBeHidden()
    }
  }
  await expect(list.getByRole('row', { name: '망 10.1.0.0 / 255.255.0.0 * 차단' })).toBeVisible()
  await open()
  await field('설명').fill('다시')
  await field('시작 IP').fill('10.0.0.30')
  await field('끝 IP').fill('10.0.0.39')
  await field('포트').fill('9100')
  await add()
  await expect(dialog.getByText('이미 등록된 예외입니다.')).toBeVisible()
  await field('포트').fill('*')
  await add()
  // Three rows a page: the added one is on the second.
  await expect(list.getByRole('row')).toHaveCount(2)
  await expect(list.getByRole('row', { name: '다시 10.0.0.30 – 10.0.0.39 * 허용' })).toBeVisible()

  const loopback = page.getByRole('dialog', { name: '루프백 예외 추가' })
  for (const name of ['chrome.exe', 'CHROME.exe']) {
    await page
      .getByRole('button', { name: / 추가$/ })
      .last()
      .click()
    await loopback.getByRole('textbox', { name: '설명' }).fill('브라우저')
    await loopback.getByRole('textbox', { name: '프로세스 이름' }).fill(name)
    await loopback.getByRole('button', { name: '추가', exact: true }).click()
  }
  await expect(loopback.getByText('이미 등록된 예외입니다.')).toBeVisible()
  await page.keyboard.press('Escape')
  await answerDialog(page, '변경사항 저장', '저장하지 않고 계속')

  await page.getByRole('button', { name: '저장' }).click()
  await answerDialog(page, '정책 완화', '저장')
  await expectNotice(page, '저장했습니다.')
  expect(await policyOf()).toMatchObject({
    policyNetworkExceptions: [],
    policyLocalNetworkExceptions: [
      { description: '프린터', type: 1, ip1: '10.0.0.30', ip2: '10.0.0.39', port: 9100, access: 1 },
      { description: '망', type: 2, ip1: '10.1.0.0', ip2: '255.255.0.0', port: 0, access: 0 },
      { description: '도메인', type: 0, ip1: '*.example.com', ip2: '' },
      { description: '다시', port: 0 },
    ],
    policyLoopbackExceptions: [{ processName: 'chrome.exe' }],
  })

  await list.getByText('프린터').click()
  const edited = page.getByRole('dialog', { name: '로컬 네트워크 예외 수정' })
  await expect(edited.getByRole('button', { name: '적용' })).toHaveAttribute('aria-disabled', 'true')
  await edited.getByRole('textbox', { name: '설명' }).fill('복합기')
  await edited.getByRole('button', { name: '적용' }).click()
  const editing = page.getByRole('button', { name: '여러 개 선택' }).nth(1)
  await editing.click()
  await page.getByRole('checkbox', { name: '망 선택' }).check()
  await page.getByRole('checkbox', { name: '도메인 선택' }).check()
  await page.getByRole('button', { name: / 삭제$/ }).click()
  await expect(page.getByText('변경 1건')).toBeVisible()
  await page.getByRole('button', { name: '저장' }).click()
  await answerDialog(page, '정책 완화', '저장')
  await expect
    .poll(async () => (await policyOf()).policyLocalNetworkExceptions.map(({ description }) => description))
    .toEqual(['복합기', '다시'])
  // Saving ends when the stored policy is loaded again.
  await expect(page.getByRole('button', { name: '저장' })).not.toHaveAttribute('aria-busy')
  await expect(page.getByText('전체 조직과 다름: 추가 2개')).toBeVisible()
  await page.getByRole('radiogroup', { name: '정책 방식' }).getByText('상속').click()
  await expect(page.getByRole('dialog').getByRole('row', { name: /^로컬 네트워크 예외 복합기, 다시 -/ })).toBeVisible()
  await answerDialog(page, '상속으로 전환', '취소')
})

test('shortcuts are picked for a policy, ten a page, and dropped again', async ({ page, server }) => {
  for (const name of ['위키', '메일', '포털'])
    await server.admin.shortcuts.createWeb({ name, url: `https://${encodeURIComponent(name)}.example.com` })
  await server.admin.shortcuts.createProgram({ name: '도면 뷰어', path: 'C:\\viewer\\viewer.exe' })
  const { policyOf } = await openNetwork(page, server, '바로가기 그룹')
  await page.getByRole('radiogroup', { name: '정책 구분' }).getByText('바로가기').click()
  const webs = page.getByRole('dialog', { name: '웹 바로가기 추가' })
  const pick = async (...names: string[]) => {
    await page
      .getByRole('button', { name: / 추가$/ })
      .first()
      .click()
    for (const name of names) await webs.getByRole('checkbox', { name: `${name} 선택`, exact: true }).check()
    await answerDialog(page, '웹 바로가기 추가', '추가')
  }
  await pick('위키', '포털')
  await page
    .getByRole('button', { name: / 추가$/ })
    .last()
    .click()
  const programs = page.getByRole('dialog', { name: '프로그램 바로가기 추가' })
  await programs.getByRole('searchbox', { name: '바로가기 검색' }).fill('뷰어')
  // A shorter list moves the buttons below it.
  await expect(programs.getByText('1–1 / 1')).toBeVisible()
  await programs.getByRole('checkbox', { name: '도면 뷰어 선택' }).check()
  await answerDialog(page, '프로그램 바로가기 추가', '추가')
  await page.getByRole('button', { name: '저장' }).click()
  await expectNotice(page, '저장했습니다.')
  const named = async () => {
    const { shortcutWebs, shortcutPrograms } = await policyOf()
    return [...shortcutWebs, ...shortcutPrograms].map(({ name }) => name)
  }
  expect(await named()).toEqual(['위키', '포털', '도면 뷰어'])
  await page
    .getByRole('button', { name: / 추가$/ })
    .first()
    .click()
  await expect(webs.getByRole('checkbox', { name: '위키 선택' })).toBeDisabled()
  await answerDialog(page, '웹 바로가기 추가', '취소')
  await page.getByRole('button', { name: '여러 개 선택' }).first().click()
  await page.getByRole('checkbox', { name: '위키 선택' }).check()
  await page.getByRole('button', { name: / 삭제$/ }).click()
  await page.getByRole('button', { name: '저장' }).click()
  await expect.poll(named).toEqual(['포털', '도면 뷰어'])
})
