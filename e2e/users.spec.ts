// Users (S1 sections 2, 4, 5 and 6): finding, creating, changing, suspending, resetting, moving and deleting them.
import type { Page } from '@playwright/test'
import { addPerson, PASSWORD, temporaryPasswordOf } from './arrange.ts'
import { answerDialog, enter, expectNotice, openScreen } from './screens.ts'
import { expect, test } from './test.ts'

const listOf = (page: Page) => page.getByRole('table', { name: '사용자 목록' })
const rowOf = (page: Page, id: string) => listOf(page).getByRole('row').filter({ hasText: id })

async function openUsers(page: Page, search = ''): Promise<void> {
  await enter(page)
  await openScreen(page, '사용자')
  if (search !== '') await page.getByRole('searchbox', { name: /검색/ }).fill(search)
}

test('a user is created in a dialog that says what is wrong with each field', async ({ page, server }) => {
  await addPerson(server, 'create.taken', '먼저 있던 사람')
  await openUsers(page)
  await page.getByRole('main').getByRole('button', { name: '사용자 추가' }).click()
  const dialog = page.getByRole('dialog', { name: '사용자 추가' })
  await expect(dialog.getByRole('textbox', { name: '아이디' })).toBeFocused()
  await dialog.getByRole('textbox', { name: '아이디' }).fill('Bad ID')
  await dialog.getByRole('button', { name: '추가' }).click()
  await expect(
    dialog.getByText('영문 소문자나 숫자로 시작하는 5~30자, 특수문자는 . _ - 만 쓸 수 있습니다.'),
  ).toBeVisible()
  await dialog.getByRole('textbox', { name: '아이디' }).fill('create.taken')
  await dialog.getByRole('textbox', { name: '이름' }).fill('새로 온 사람')
  await dialog.getByRole('textbox', { name: '이메일' }).fill('not an address')
  await dialog.getByRole('button', { name: '추가' }).click()
  await expect(dialog.getByText(/이메일 형식이 아닙니다/)).toBeVisible()
  await dialog.getByRole('textbox', { name: '이메일' }).fill('create.new@example.com')
  await dialog.getByRole('button', { name: '그룹' }).click()
  await dialog.getByRole('treeitem', { name: '본사' }).click()
  await dialog.getByRole('button', { name: '추가' }).click()
  await expect(dialog.getByText('이미 사용 중인 아이디입니다.')).toBeVisible()
  await dialog.getByRole('textbox', { name: '아이디' }).fill('create.new')
  await answerDialog(page, '사용자 추가', '추가')
  await expectNotice(page, '사용자를 추가하고 임시 비밀번호를 메일로 보냈습니다.')
  await expect(page.getByRole('heading', { level: 2, name: '새로 온 사람' })).toBeVisible()
  await expect(rowOf(page, 'create.new')).toContainText('임시 비밀번호')
  expect(await temporaryPasswordOf(server.admin, 'create.new@example.com')).toHaveLength(16)
})

test('a user is found, changed, and asks before the change is lost', async ({ page, server }) => {
  await addPerson(server, 'change.one', '바꿀 사람')
  await addPerson(server, 'change.two', '다른 사람')
  await openUsers(page, 'change.')
  await rowOf(page, 'change.one').click()
  const name = page.getByRole('textbox', { name: '이름' })
  await name.fill('바뀐 사람')
  await page.getByRole('searchbox', { name: /검색/ }).fill('change.two')
  await expect(rowOf(page, 'change.one')).toBeHidden()
  await rowOf(page, 'change.two').click()
  await answerDialog(page, '변경 사항 저장', '취소')
  await expect(name).toHaveValue('바뀐 사람')
  await page.getByRole('searchbox', { name: /검색/ }).fill('change.')
  await page.getByRole('button', { name: '저장' }).click()
  await expectNotice(page, '사용자 정보를 저장했습니다.')
  await expect(rowOf(page, 'change.one')).toContainText('바뀐 사람')
  await rowOf(page, 'change.two').click()
  await expect(page.getByRole('heading', { level: 2, name: '다른 사람' })).toBeVisible()
})

test('what another administrator changed meanwhile is said beside what was typed', async ({ page, server }) => {
  const { idx } = await addPerson(server, 'held.one', '함께 바꿀 사람')
  await openUsers(page, 'held.one')
  await rowOf(page, 'held.one').click()
  await page.getByRole('textbox', { name: '이름' }).fill('내가 바꾼 이름')
  await server.admin.users.update({ idx, name: '남이 바꾼 이름' })
  await expect(page.getByText('다른 관리자가 먼저 변경했습니다')).toBeVisible()
  await expect(page.getByRole('textbox', { name: '이름' })).toHaveValue('내가 바꾼 이름')
  await page.getByRole('button', { name: '변경된 내용 불러오기' }).click()
  await answerDialog(page, '변경 사항 저장', '계속')
  await expect(page.getByRole('textbox', { name: '이름' })).toHaveValue('남이 바꾼 이름')
})

test('suspending ends sessions, and releasing brings the earlier state back', async ({ page, anotherPage, server }) => {
  const person = await addPerson(server, 'suspend.one', '정지할 사람')
  const theirs = await anotherPage()
  await enter(theirs, person)
  await expect(theirs.getByRole('heading', { name: /안녕하세요/ })).toBeVisible()
  await openUsers(page, 'suspend.one')
  await rowOf(page, 'suspend.one').click()
  await expect(page.getByRole('heading', { name: '로그인 세션 1개' })).toBeVisible()
  await page.getByRole('button', { name: '정지', exact: true }).click()
  await answerDialog(page, '사용자 정지', '정지')
  await expectNotice(page, '정지할 사람을 정지했습니다.')
  await expect(rowOf(page, 'suspend.one')).toContainText('정지')
  await expect(page.getByText('열려 있는 세션이 없습니다.')).toBeVisible()
  await theirs.reload()
  await expect(theirs.getByRole('heading', { name: '로그인' })).toBeVisible()
  await page.getByRole('button', { name: '정지 해제' }).click()
  await expect(rowOf(page, 'suspend.one')).toContainText('정상')
})

test('a password is reset by mail', async ({ page, server }) => {
  const person = await addPerson(server, 'reset.one', '초기화할 사람')
  await openUsers(page, 'reset.one')
  await rowOf(page, 'reset.one').click()
  await page.getByRole('button', { name: '비밀번호 초기화' }).click()
  await expect(page.getByRole('dialog')).toContainText('reset.one@example.com으로 보냅니다')
  await answerDialog(page, '비밀번호 초기화', '비밀번호 초기화')
  await expect(rowOf(page, 'reset.one')).toContainText('임시 비밀번호')
  const { items } = await server.admin.users.search({ id: 'reset.one' })
  expect(items).toMatchObject([{ idx: person.idx, state: 1 }])
})

test('checked users are deleted, the system administrator cannot be checked', async ({ page, server }) => {
  await addPerson(server, 'delete.one', '지울 사람')
  await openUsers(page)
  await page.getByRole('main').getByRole('button', { name: '편집' }).click()
  await expect(listOf(page).getByRole('checkbox', { name: 'Administrator 선택' })).toBeDisabled()
  await listOf(page).getByRole('checkbox', { name: '지울 사람 선택' }).check()
  await page.getByRole('main').getByRole('button', { name: '삭제' }).click()
  await answerDialog(page, '사용자 삭제', '삭제')
  await expectNotice(page, '사용자 1명을 삭제했습니다.')
  await expect(rowOf(page, 'delete.one')).toBeHidden()
})

test('several filters narrow the list together, and CSV has the same rows', async ({ page, server }) => {
  const { idx } = await server.admin.groups.create({ parentIdx: 1, name: '거르는 그룹' })
  await addPerson(server, 'filter.one', '거를 사람', idx)
  await addPerson(server, 'filter.two', '남길 사람', idx)
  await addPerson(server, 'filter.three', '거를 사람')
  await openUsers(page)
  await page.getByRole('button', { name: /그룹 필터/ }).click()
  await page.getByRole('dialog').getByRole('treeitem', { name: '거르는 그룹' }).click()
  await expect(rowOf(page, 'filter.')).toHaveCount(2)
  await page.getByRole('button', { name: '다중 검색' }).click()
  await page.getByRole('search').getByRole('textbox', { name: '이름', exact: true }).fill('남길')
  await expect(rowOf(page, 'filter.')).toHaveCount(1)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^users_\d{14}\.csv$/)
  await page.reload()
  await expect(rowOf(page, 'filter.two')).toBeVisible()
  await expect(rowOf(page, 'filter.')).toHaveCount(1)
})

test('a manager with a view level sees the covered users and changes none', async ({ page, server }) => {
  const { idx: groupIdx } = await server.admin.groups.create({ parentIdx: 1, name: '보이는 그룹' })
  await addPerson(server, 'seen.one', '보이는 사람', groupIdx)
  await addPerson(server, 'unseen.one', '안 보이는 사람')
  const manager = await addPerson(server, 'viewer.one', '보는 사람')
  const levels = { policy: 0, user: 1, fileExportApprove: 0, fileImportApprove: 0, log: 0 } as const
  await server.admin.authorities.create({ name: '보기', groupIdxes: [groupIdx], userIdxes: [manager.idx], ...levels })
  await enter(page, { id: manager.id, password: PASSWORD })
  await openScreen(page, '사용자')
  await expect(rowOf(page, 'seen.one')).toHaveCount(1)
  await expect(rowOf(page, 'unseen.one')).toBeHidden()
  await expect(page.getByRole('main').getByRole('button', { name: '사용자 추가' })).toBeHidden()
  await rowOf(page, 'seen.one').click()
  await expect(page.getByRole('heading', { level: 2, name: '보이는 사람' })).toBeVisible()
  await expect(page.getByRole('button', { name: '저장' })).toBeHidden()
  await expect(page.getByRole('button', { name: '정지' })).toBeHidden()
})
