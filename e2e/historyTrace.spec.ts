// Histories that answer questions: the sentence of a row, the rows of an object, the filters by changed field and by
// person, and the strip of bars that chooses a period.
import type { Page } from '@playwright/test'
import { addPerson, addUser, ROOT } from './arrange.ts'
import { addFilter, enterAt, openScreen } from './screens.ts'
import { test } from './teams.ts'
import { expect } from './test.ts'

const rowsOf = (page: Page, menu: string) =>
  page
    .getByRole('table', { name: `${menu} 이력`, exact: true })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
const openMenu = (page: Page, menu: string) =>
  page.getByRole('navigation', { name: '이력 종류' }).getByRole('button', { name: menu, exact: true }).click()

test('who gave a person the right to export is asked by the changed field and by the person, who is typed or picked', async ({
  page,
  addTeam,
}) => {
  const { employee } = await addTeam('traced', '추적팀')
  await enterAt(page, 'history')
  await openMenu(page, '정책 관리')
  await addFilter(page)
  const search = page.getByRole('search')
  await search.getByRole('textbox', { name: '정책 적용 사용자 ID' }).fill(employee.id)
  await search.getByRole('combobox', { name: '변경된 항목' }).click()
  await page.getByRole('option', { name: '파일 반출', exact: true }).click()
  const row = rowsOf(page, '정책 관리').filter({ hasText: '추적팀' })
  await expect(row).toHaveText([/파일 반출: 차단 → 승인 필요/])
  await expect(rowsOf(page, '정책 관리').filter({ hasText: '개별 정책으로 전환' })).toHaveCount(0)
  await search.getByRole('button', { name: '변경된 항목 지우기' }).click()
  await expect(rowsOf(page, '정책 관리').filter({ hasText: '개별 정책으로 전환' })).toHaveText([/정책 소유자: /])
  await search.getByRole('textbox', { name: '정책 적용 사용자 ID' }).fill('no.such.person')
  await expect(page.getByText('조건에 맞는 이력이 없습니다')).toBeVisible()

  // A person is picked where users may be seen, and only one.
  await page.getByRole('button', { name: '사용자 선택' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('searchbox').fill('추적팀')
  for (const name of ['추적팀 부장', '추적팀 직원'])
    await dialog.getByRole('checkbox', { name: new RegExp(name) }).check()
  await expect(dialog.getByRole('checkbox', { name: /추적팀 부장/ })).not.toBeChecked()
  await dialog.getByRole('button', { name: '적용' }).click()
  await expect(page.getByRole('search').getByText(employee.id)).toBeVisible()
  await expect(rowsOf(page, '정책 관리').filter({ hasText: '추적팀' }).first()).toBeVisible()
})

test('a user, a group, a policy and an authority lead to their own rows by keyboard', async ({
  page,
  addTeam,
  server,
}) => {
  const { employee } = await addTeam('led', '이끈팀')
  await server.admin.users.update({ idx: employee.idx, name: '이끈 새 이름' })
  await enterAt(page, `users/${employee.idx}`)
  await page.getByRole('button', { name: '이력 보기' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('대상: 이끈 새 이름')).toBeVisible()
  await expect(page.getByRole('button', { name: '기간' })).toHaveText('전체 기간')
  const rows = rowsOf(page, '사용자 관리')
  await expect(rows.first()).toHaveText(/이름: 이끈팀 직원 → 이끈 새 이름/)
  for (const row of await rows.all()) await expect(row).toHaveText(/이끈/)
  await page.getByRole('button', { name: '대상 지우기' }).click()
  await expect(page.getByText('대상: 이끈 새 이름')).toBeHidden()
  await openScreen(page, '정책')
  await page.getByRole('treeitem', { name: /이끈팀/ }).click()
  await page.getByRole('main').getByRole('button', { name: '이력 보기' }).click()
  await expect(rowsOf(page, '정책 관리').first()).toHaveText(/파일 반출: 차단 → 승인 필요/)
  await page.goBack()
  await page.getByRole('tab', { name: '정보' }).click()
  await page.getByRole('main').getByRole('button', { name: '그룹 관리 이력 보기' }).click()
  await expect(rowsOf(page, '그룹 관리')).toHaveText([/상위 그룹: 전체 조직.*이끈팀/])
})

test('a manager without the history has no way into it', async ({ page, server }) => {
  const [reader, seen] = [
    await addPerson(server, 'closed.reader', '닫힌 관리자'),
    await addUser(server, 'closed.seen', '닫힌 사람'),
  ]
  const levels = { policy: 1, user: 1, fileExportApprove: 0, fileImportApprove: 0, log: 0 } as const
  await server.admin.authorities.create({ name: '닫힌 권한', groupIdxes: [ROOT], userIdxes: [reader.idx], ...levels })
  await enterAt(page, `users/${seen.idx}`, reader)
  await expect(page.getByRole('heading', { level: 2, name: seen.name })).toBeVisible()
  await expect(page.getByRole('button', { name: '이력 보기' })).toHaveCount(0)
})

test('the strip chooses hours by keyboard and days by dragging; Back shows the longer period again', async ({
  page,
  server,
}) => {
  await addUser(server, 'strip.one', '막대 사람')
  await enterAt(page, 'history')
  await openMenu(page, '사용자 관리')
  const strip = page.getByRole('listbox', { name: '기간별 이력 수' })
  const selected = strip.getByRole('option', { selected: true })
  const chooseMonth = async () => {
    await page.getByRole('button', { name: '기간' }).click()
    await page.getByRole('button', { name: '최근 30일' }).click()
    await expect(strip.getByRole('option')).toHaveCount(30)
  }
  await chooseMonth()
  await strip.focus()
  await page.keyboard.press('End')
  await expect(selected).toHaveCount(1)
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(selected).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(selected).toHaveCount(0)
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: '기간' })).toHaveText(/^(\S+) – \1$/)
  await expect(strip.getByRole('option').last()).toHaveAttribute('aria-label', /\d\d:\d\d/)
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^시간: /)).toBeVisible()
  await expect(selected).toHaveCount(1)
  await expect(rowsOf(page, '사용자 관리').first()).toBeVisible()
  await page.getByRole('button', { name: '시간 지우기' }).click()
  await chooseMonth()
  const [first, last] = [strip.getByRole('option').nth(10), strip.getByRole('option').nth(15)]
  await first.hover()
  await page.mouse.down()
  await last.hover()
  await page.mouse.up()
  await expect(strip.getByRole('option')).toHaveCount(6)
  await expect(page.getByText('이 기간의 이력이 없습니다')).toBeVisible()
  await page.goBack()
  await expect(strip.getByRole('option')).toHaveCount(30)
})
