// Codes of the catalogue (spec S1 §8) whose reaction no other spec shows, at fields and at the sign-in.
import { addPerson, ROOT } from './arrange.ts'
import { answerDialog, chooseGroupAction, enter, enterAt, findGroup, signIn } from './screens.ts'
import { withDatabase } from './serverDatabase.ts'
import { expect, test } from './test.ts'

test('of a new user, an address or a key that another one has is said at its field, a deleted group in a dialog (121, 141, 122)', async ({
  page,
  server,
}) => {
  const { idx } = await server.admin.groups.create({ parentIdx: ROOT, name: '곧 사라질 부서' })
  await server.admin.users.create({
    id: 'catalogue.first',
    name: '먼저 온 사람',
    email: 'catalogue.first@example.com',
    groupIdx: ROOT,
    isMortal: 0,
    key: 'catalogue-key',
  })
  await enterAt(page, 'users')
  await page.getByRole('main').getByRole('button', { name: '사용자 생성' }).click()
  const dialog = page.getByRole('dialog', { name: '사용자 생성' })
  const field = (name: string) => dialog.getByRole('textbox', { name })
  const create = dialog.getByRole('button', { name: '생성' })
  await field('아이디').fill('catalogue.second')
  await field('이름').fill('나중에 온 사람')
  await field('이메일').fill('Catalogue.First@example.com')
  await dialog.getByRole('button', { name: '그룹' }).click()
  await (await findGroup(dialog, '곧 사라질 부서')).click()
  await create.click()
  await expect(dialog.getByText('이미 사용 중인 이메일입니다.')).toBeVisible()
  await field('이메일').fill('catalogue.second@example.com')
  await field('키').fill('catalogue-key')
  await create.click()
  await expect(dialog.getByText('이미 사용 중인 키입니다.')).toBeVisible()
  await field('키').fill('')
  await server.admin.groups.remove({ idx })
  await create.click()
  const message = page.getByRole('dialog', { name: '그룹을 찾을 수 없습니다' })
  await expect(message).toContainText('선택한 그룹이 존재하지 않습니다. 다른 그룹을 선택해 주세요.')
  await expect(message).not.toContainText('122')
  await message.getByRole('button', { name: '확인' }).click()
  await expect(field('아이디')).toHaveValue('catalogue.second')
  expect((await server.admin.users.search({ id: 'catalogue.second' })).items).toEqual([])
})

test('a deleted group is reported at the name of its new subgroup (122)', async ({ page, server }) => {
  const { idx } = await server.admin.groups.create({ parentIdx: ROOT, name: '곧 사라질 그룹' })
  await enterAt(page, 'policies')
  await chooseGroupAction(page, '곧 사라질 그룹', '하위 그룹 생성')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('그룹 이름').fill('아래 그룹')
  await server.admin.groups.remove({ idx })
  await dialog.getByRole('button', { name: '생성' }).click()
  await expect(dialog.getByText('선택한 그룹이 존재하지 않습니다. 다른 그룹을 선택해 주세요.')).toBeVisible()
})

test('an ended session, one that ran out, and an account of single sign-on only are said, and the page starts anew (962, 961, 180)', async ({
  page,
  server,
}) => {
  const person = await addPerson(server, 'catalogue.ended', '세션이 끝난 사람')
  await enter(page, person)
  await expect(page.getByRole('button', { name: '내 로그인 세션' })).toBeVisible()
  await server.admin.users.setDisabled({ idx: person.idx, state: 2 })
  await server.admin.users.setDisabled({ idx: person.idx, state: 0 })
  await page.getByRole('button', { name: '내 로그인 세션' }).click()
  const dialog = page.getByRole('dialog').filter({
    hasText: '권한, 비밀번호, 계정 상태가 변경되었거나 다른 곳에서 종료하여 세션이 종료되었습니다.',
  })
  await dialog.getByRole('button', { name: '확인' }).click()
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()

  await signIn(page, person)
  await expect(page.getByRole('button', { name: '내 로그인 세션' })).toBeVisible()
  await withDatabase(server, (db) =>
    db.write
      .updateTable('sessions')
      .set({ expireDT: new Date(0) })
      .where('userIdx', '=', person.idx)
      .execute(),
  )
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: '내 로그인 세션' }).click()
  await expect(page.getByRole('dialog', { name: '세션 종료' })).toContainText(
    '오랫동안 사용하지 않아 로그아웃되었습니다. 다시 로그인해 주세요.',
  )
  await answerDialog(page, '세션 종료', '확인')
  await reloaded
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()

  await server.admin.sso.setUserPolicy({ userIdxes: [person.idx], loginType: 2 })
  await signIn(page, person)
  await expect(page.getByText('아이디와 비밀번호로 로그인할 수 없는 계정입니다.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: '아이디', exact: true })).toBeVisible()
})

test('the groups are loaded again where a read shows that they are out of date (982)', async ({ page, server }) => {
  const person = await addPerson(server, 'catalogue.rights', '권한이 바뀌는 사람')
  const levels = { policy: 1, user: 0, fileExportApprove: 0, fileImportApprove: 0, log: 0 } as const
  const { idx: kept } = await server.admin.groups.create({ parentIdx: ROOT, name: '남는 그룹' })
  const { idx } = await server.admin.groups.create({ parentIdx: ROOT, name: '잃는 그룹' })
  const holds = { groupIdxes: [kept, idx], userIdxes: [person.idx] }
  await server.admin.authorities.create({ name: '두 그룹', ...holds, ...levels })
  // Without events the page keeps its groups.
  await page.route('**/Events*', () => undefined)
  await enterAt(page, 'policies', person)
  const lost = page.getByRole('treeitem', { name: '잃는 그룹' })
  await expect(lost).toBeVisible()
  await server.admin.groups.remove({ idx })
  await lost.click()
  await expect(lost).toBeHidden()
  await expect(page.getByRole('treeitem', { name: '남는 그룹' })).toBeVisible()
})
