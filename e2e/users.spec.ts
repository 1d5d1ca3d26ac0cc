// Users (spec S1 §2, §4, §5, §6): finding, creating, changing, suspending and resetting them.
import type { Page } from '@playwright/test'
import { signInByCall } from './accServer.ts'
import { addPerson, addUser, ROOT, temporaryPasswordOf } from './arrange.ts'
import { answerDialog, enterAt, expectNotice, findGroup } from './screens.ts'
import { withDatabase } from './serverDatabase.ts'
import { expect, test } from './test.ts'

const listOf = (page: Page) => page.getByRole('table', { name: '사용자 목록' })
const rowOf = (page: Page, id: string) => listOf(page).getByRole('row').filter({ hasText: id })

async function openUsers(page: Page, search = ''): Promise<void> {
  await enterAt(page, 'users')
  if (search !== '') await page.getByRole('searchbox', { name: /검색/ }).fill(search)
}

test('a user is created in a dialog that names the fault of each field', async ({ page, server }) => {
  await addUser(server, 'create.taken', '먼저 있던 사람')
  await openUsers(page)
  await page.getByRole('main').getByRole('button', { name: '사용자 생성' }).click()
  const dialog = page.getByRole('dialog', { name: '사용자 생성' })
  const id = dialog.getByRole('textbox', { name: '아이디' })
  await expect(id).toBeFocused()
  await id.fill('Bad ID')
  // Nothing of a new user is marked as edited.
  const mark = (label: Element) => getComputedStyle(label, '::after').content
  expect(await dialog.locator('label').first().evaluate(mark)).toBe('none')
  // A press that shows a message above the button is a click: the form leads to its first wrong field.
  await dialog.getByRole('button', { name: '생성' }).hover()
  await page.mouse.down()
  await expect(id).not.toBeFocused()
  await page.mouse.up()
  await expect(id).toBeFocused()
  await expect(id).toHaveAttribute('aria-invalid', 'true')
  await expect(
    dialog.getByText('영문 소문자나 숫자로 시작하는 5~30자여야 하고, 특수문자는 . _ - 만 사용할 수 있습니다.'),
  ).toBeVisible()
  await id.fill('create.taken')
  await dialog.getByRole('textbox', { name: '이름' }).fill('새로 온 사람')
  await dialog.getByRole('textbox', { name: '이메일' }).fill('not an address')
  await dialog.getByRole('button', { name: '생성' }).click()
  await expect(dialog.getByText(/이메일 형식에 맞게 입력해 주세요/)).toBeVisible()
  await dialog.getByRole('textbox', { name: '이메일' }).fill('create.new@example.com')
  await dialog.getByRole('button', { name: '그룹' }).click()
  await dialog.getByRole('treeitem', { name: '전체 조직' }).click()
  await dialog.getByRole('button', { name: '생성' }).click()
  await expect(dialog.getByText('이미 사용 중인 아이디입니다.')).toBeVisible()
  await id.fill('create.new')
  await answerDialog(page, '사용자 생성', '생성')
  await expectNotice(page, '사용자를 생성했습니다. 임시 비밀번호 메일을 평가용 보관함에 저장했습니다. (발송되지 않음)')
  await expect(page.getByRole('heading', { level: 2, name: '새로 온 사람' })).toBeVisible()
  await expect(rowOf(page, 'create.new')).toContainText('임시 비밀번호')
  expect(await temporaryPasswordOf(server.admin, 'create.new@example.com')).toHaveLength(16)
  await page.getByRole('status').getByRole('button', { name: '보낸 메일 보기' }).click()
  await expect(page.getByRole('tab', { name: '보낸 메일' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('row').filter({ hasText: 'create.new@example.com' })).toBeVisible()
})

test('a new user is selected in the list with any filter and sort; several are created one after the other', async ({
  page,
  server,
}) => {
  const { idx: above } = await server.admin.groups.create({ parentIdx: ROOT, name: '새 사람 본부' })
  const { idx: below } = await server.admin.groups.create({ parentIdx: above, name: '새 사람 팀' })
  await addUser(server, 'beside.new', '가장 앞의 사람', below)
  const dialog = page.getByRole('dialog', { name: '사용자 생성' })
  const field = (name: string) => dialog.getByRole('textbox', { name, exact: true })
  const fill = async (id: string) => {
    await field('아이디').fill(id)
    await field('이름').fill('하나뿐인 사람')
    await field('이메일').fill(`${id}@example.com`)
  }
  const expectFirst = async (id: string) => {
    await expect(rowOf(page, id)).toHaveAttribute('aria-current', 'true')
    await expect(listOf(page).getByRole('row').nth(1)).toContainText(id)
  }
  await openUsers(page, 'beside.new')
  await page.getByRole('button', { name: '그룹: 전체' }).click()
  await (await findGroup(page.getByRole('dialog'), '새 사람 본부')).click()
  await listOf(page).getByRole('button', { name: '이름' }).click()
  await expect(listOf(page).getByRole('row')).toHaveCount(2)

  await page.getByRole('main').getByRole('button', { name: '사용자 생성' }).click()
  await dialog.getByRole('button', { name: '그룹' }).click()
  await (await findGroup(dialog, '새 사람 팀')).click()
  await dialog.getByRole('checkbox', { name: '계속 생성' }).check()
  for (const id of ['new.first', 'new.second']) {
    await fill(id)
    await dialog.getByRole('button', { name: '생성', exact: true }).click()
    await expect(field('아이디')).toHaveValue('')
    await expect(field('아이디')).toBeFocused()
    await expect(field('이름')).toHaveValue('')
    await expect(dialog.getByRole('button', { name: '그룹' })).toContainText('새 사람 팀')
  }
  await answerDialog(page, '사용자 생성', '취소')
  await expectFirst('new.second')
  await expect(page.getByRole('searchbox', { name: /검색/ })).toHaveValue('')
  await expect(listOf(page).getByRole('row')).toHaveCount(4)

  await addUser(server, 'outside.new', '본부 밖의 사람')
  await page.getByRole('main').getByRole('button', { name: '사용자 생성' }).click()
  await fill('new.elsewhere')
  await dialog.getByRole('button', { name: '그룹' }).click()
  await (await findGroup(dialog, '전체 조직')).click()
  await answerDialog(page, '사용자 생성', '생성')
  await expectFirst('new.elsewhere')
  await expect(listOf(page).getByRole('row').nth(2)).toContainText('outside.new')
})

test('a user is found and changed; what cannot be saved stays, what can is saved before the next one opens', async ({
  page,
  server,
}) => {
  await addUser(server, 'change.one', '바꿀 사람')
  await addUser(server, 'change.two', '다른 사람')
  await openUsers(page, 'change.')
  await rowOf(page, 'change.one').click()
  await expect(page.getByRole('heading', { level: 2, name: '바꿀 사람' })).toBeVisible()
  const name = page.getByRole('textbox', { name: '이름' })
  await name.fill('바뀐 사람')
  await page.getByRole('button', { name: '저장' }).click()
  await expectNotice(page, '사용자 정보를 저장했습니다.')
  await expect(rowOf(page, 'change.one')).toContainText('바뀐 사람')
  await rowOf(page, 'change.two').click()
  await expect(page.getByRole('heading', { level: 2, name: '다른 사람' })).toBeVisible()

  const fields = ['이름', '이메일', '키'].map((label) => page.getByRole('textbox', { name: label, exact: true }))
  for (const field of fields) await field.fill(' ')
  await rowOf(page, 'change.one').click()
  await answerDialog(page, '변경사항 저장', '저장 후 계속')
  await expect(name).toBeFocused()
  for (const field of fields) await expect(field).toHaveAccessibleDescription('필수 항목입니다.')
  await page.getByRole('button', { name: '되돌리기' }).click()
  await name.fill('저장된 사람')
  await rowOf(page, 'change.one').click()
  await answerDialog(page, '변경사항 저장', '저장 후 계속')
  await expect(page.getByRole('heading', { level: 2, name: '바뀐 사람' })).toBeVisible()
  await expect(rowOf(page, 'change.two')).toContainText('저장된 사람')
})

test('suspending ends sessions, releasing brings the earlier state back, and a password is reset by mail', async ({
  page,
  server,
}) => {
  const person = await addPerson(server, 'suspend.one', '정지할 사람')
  await signInByCall(server.baseUrl, person)
  await enterAt(page, `users/${person.idx}`)
  await expect(page.getByRole('heading', { name: '로그인 세션 1개' })).toBeVisible()
  await page.getByRole('button', { name: '정지', exact: true }).click()
  await answerDialog(page, '사용자 정지', '정지')
  await expectNotice(page, '정지할 사람을 정지했습니다.')
  await expect(rowOf(page, 'suspend.one')).toContainText('정지')
  await expect(page.getByText('열려 있는 세션이 없습니다.')).toBeVisible()
  for (const [name, why] of [
    ['비밀번호 초기화', '정지된 사용자의 비밀번호는 초기화할 수 없습니다. 먼저 정지를 해제해 주세요.'],
    ['OTP 초기화', '정지된 사용자의 OTP는 초기화할 수 없습니다. 먼저 정지를 해제해 주세요.'],
  ] as const) {
    await page.getByRole('button', { name }).hover()
    await expect(page.getByRole('tooltip', { name: why })).toBeVisible()
  }
  await page.getByRole('button', { name: '정지 해제' }).click()
  await expect(rowOf(page, 'suspend.one')).toContainText('정상')
  await page.getByRole('button', { name: '비밀번호 초기화' }).click()
  await expect(page.getByRole('dialog')).toContainText('suspend.one@example.com으로 보냅니다')
  await answerDialog(page, '비밀번호 초기화', '비밀번호 초기화')
  await expect(rowOf(page, 'suspend.one')).toContainText('임시 비밀번호')
})

test('a manager sees the covered users: read-only at one level; at the other without the parts of administrators', async ({
  page,
  server,
}) => {
  const { idx: groupIdx } = await server.admin.groups.create({ parentIdx: ROOT, name: '보이는 그룹' })
  const { idx } = await addUser(server, 'seen.one', '보이는 사람', groupIdx)
  await server.admin.users.update({ idx, useOtp: 1 })
  await addUser(server, 'hidden.one', '안 보이는 사람')
  const manager = await addPerson(server, 'viewer.one', '보는 사람')
  const levels = { policy: 0, user: 1, fileExportApprove: 0, fileImportApprove: 0, log: 0 } as const
  const authority = { name: '보기', groupIdxes: [groupIdx], ...levels }
  const created = await server.admin.authorities.create({ ...authority, userIdxes: [manager.idx] })
  await enterAt(page, 'users', manager)
  await expect(rowOf(page, 'seen.one')).toHaveCount(1)
  await expect(rowOf(page, 'hidden.one')).toBeHidden()
  await expect(page.getByRole('main').getByRole('button', { name: '사용자 생성' })).toBeHidden()
  await rowOf(page, 'seen.one').click()
  await expect(page.getByRole('heading', { level: 2, name: '보이는 사람' })).toBeVisible()
  await expect(page.getByRole('button', { name: '저장' })).toBeHidden()
  await expect(page.getByRole('button', { name: '정지' })).toBeHidden()

  await server.admin.authorities.update({ ...authority, idx: created.idx, user: 2 })
  await enterAt(page, `users/${idx}`, manager)
  const otp = page.getByRole('combobox', { name: 'OTP' })
  await expect(otp).toHaveValue('항상 사용')
  await expect(page.getByText('시스템 관리자만 변경할 수 있습니다.')).toBeVisible()
  await otp.click()
  await expect(page.getByRole('option', { name: '사용 안 함' })).toBeHidden()
  await page.getByRole('textbox', { name: '이름' }).fill('이름이 바뀐 사람')
  await page.getByRole('button', { name: '저장' }).click()
  await expectNotice(page, '사용자 정보를 저장했습니다.')
  expect(await server.admin.users.find({ idx })).toMatchObject({ useOtp: 1, name: '이름이 바뀐 사람' })
  await page.getByRole('main').getByRole('button', { name: '생성 방법' }).click()
  await page.getByRole('menuitem', { name: '파일로 가져오기' }).click()
  const columns = page.getByRole('table', { name: '파일의 열' }).getByRole('rowheader')
  await expect(columns.filter({ hasText: '아이디' })).toBeVisible()
  await expect(columns.filter({ hasText: /^키/ })).toHaveCount(0)
  await expect(page.getByRole('checkbox', { name: '없는 그룹 생성' })).toBeHidden()
})

test('an authenticator is reset, and the OTP setting of a user is changed', async ({ page, server }) => {
  const { idx } = await addUser(server, 'otp.holder', '인증 사용자')
  const registered = { useOtp: 1, otpSecret: Buffer.alloc(60, 1) } as const
  await withDatabase(server, (db) => db.write.updateTable('users').set(registered).where('idx', '=', idx).execute())
  await enterAt(page, `users/${idx}`)
  await expect(page.getByText('항상 사용 · 인증 앱 등록됨')).toBeVisible()
  await page.getByRole('button', { name: 'OTP 초기화' }).click()
  await answerDialog(page, 'OTP 초기화', 'OTP 초기화')
  await expectNotice(page, '인증 사용자의 OTP를 초기화했습니다.')
  await expect(page.getByText('항상 사용 · 인증 앱 미등록')).toBeVisible()
  await expect(page.getByRole('button', { name: 'OTP 초기화' })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('heading', { level: 2, name: '인증 사용자' }).hover()
  await page.getByRole('button', { name: 'OTP 초기화' }).hover()
  await expect(page.getByRole('tooltip', { name: 'OTP를 등록하지 않은 사용자입니다.' })).toBeVisible()
  await page.getByRole('combobox', { name: 'OTP' }).click()
  await expect(page.getByText('먼저 로그인 정책에 따르도록 저장해 주세요.')).toBeVisible()
  await expect(page.getByRole('option', { name: '사용 안 함' })).toHaveAttribute('data-combobox-disabled', 'true')
  await page.getByRole('option', { name: '로그인 정책에 따름' }).click()
  await page.getByRole('button', { name: '저장' }).click()
  await expectNotice(page, '사용자 정보를 저장했습니다.')
  await expect(page.getByText('로그인 정책에 따름 · 인증 앱 미등록')).toBeVisible()
  await expect(page.getByText('먼저 로그인 정책에 따르도록 저장해 주세요.')).toBeHidden()
  expect(await server.admin.users.find({ idx })).toMatchObject({ useOtp: null, isOtpRegistered: 0 })
})

test('checked users are suspended, released and given a last day, system administrators are not', async ({
  page,
  server,
}) => {
  const people = [await addUser(server, 'many.one', '한꺼번에 하나'), await addUser(server, 'many.two', '한꺼번에 둘')]
  const stored = async () => (await server.admin.users.search({ id: 'many.' })).items
  await openUsers(page, 'admin')
  const main = page.getByRole('main')
  await main.getByRole('button', { name: '여러 명 선택' }).click()
  await expect(listOf(page).getByRole('checkbox', { name: 'Administrator 선택' })).toBeDisabled()
  await page.getByRole('searchbox', { name: /검색/ }).fill('many.')
  const checkBoth = async () => {
    for (const { name } of people)
      await listOf(page)
        .getByRole('checkbox', { name: `${name} 선택` })
        .check()
  }
  await checkBoth()
  await main.getByRole('button', { name: '정지', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('사용자 2명(한꺼번에 하나, 한꺼번에 둘)을 정지합니다.')
  await answerDialog(page, '사용자 정지', '정지')
  await expectNotice(page, '사용자 2명을 정지했습니다.')
  await expect(rowOf(page, 'many.one')).toContainText('정지')
  await expect(main.getByText('0명 선택됨')).toBeVisible()
  await checkBoth()
  await main.getByRole('button', { name: '정지 해제' }).click()
  await answerDialog(page, '사용자 정지 해제', '정지 해제')
  await expectNotice(page, '사용자 2명의 정지를 해제했습니다.')
  expect(await stored()).toMatchObject([{ state: 1 }, { state: 1 }])
  await checkBoth()
  await main.getByRole('button', { name: '만료일 변경' }).click()
  const dialog = page.getByRole('dialog', { name: '사용자 2명 만료일 변경' })
  await dialog.getByRole('switch', { name: '사용 기간 제한' }).check({ force: true })
  await answerDialog(page, '사용자 2명 만료일 변경', '변경')
  await expectNotice(page, '사용자 2명의 만료일을 변경했습니다.')
  expect(await stored()).toMatchObject([{ isMortal: 1 }, { isMortal: 1 }])
})
