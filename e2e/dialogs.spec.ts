// Layers above a screen: Escape closes one at a time, notices do not cover the next button, and data that is shown
// stays when it cannot be reloaded.
import type { Locator } from '@playwright/test'
import { addUser } from './arrange.ts'
import { answerDialog, enterAt, expectNotice, groupOf } from './screens.ts'
import { expect, test } from './test.ts'

test('Escape closes an open list in a dialog, then the dialog; of two dialogs the upper one', async ({ page }) => {
  await enterAt(page, 'users')
  const create = page.getByRole('main').getByRole('button', { name: '사용자 생성' })
  await create.click()
  const dialog = page.getByRole('dialog', { name: '사용자 생성' })
  const group = dialog.getByRole('button', { name: '그룹' })
  await group.click()
  await dialog.getByRole('treeitem', { name: '전체 조직' }).focus()
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('tree')).toBeHidden()
  await expect(group).toBeFocused()
  await expect(dialog).toBeVisible()

  await dialog.getByRole('switch', { name: '사용 기간 제한' }).click({ force: true })
  const day = dialog.getByRole('textbox', { name: '만료일' })
  await day.click()
  const calendar = page.locator('[data-dates-dropdown]')
  await expect(calendar).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(calendar).toBeHidden()
  await expect(dialog).toBeVisible()
  await expect(page.getByRole('dialog', { name: '변경사항 저장' })).toBeHidden()
  await dialog.getByRole('switch', { name: '사용 기간 제한' }).click({ force: true })
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await create.click()
  const name = dialog.getByRole('textbox', { name: '이름' })
  await name.fill('그만둘 사람')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: '변경사항 저장' })
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(dialog).toBeVisible()
  await expect(name).toHaveValue('그만둘 사람')
  await page.keyboard.press('Escape')
  await answerDialog(page, '변경사항 저장', '저장하지 않고 계속')
  await expect(dialog).toBeHidden()
})

/** The visible buttons of the screen that an element lies on. */
const coveredBy = (notice: Locator): Promise<string[]> =>
  notice.evaluate((element) => {
    const own = element.getBoundingClientRect()
    return [...document.querySelectorAll<HTMLElement>('main button')]
      .filter((button) => {
        const box = button.getBoundingClientRect()
        const isBeside =
          box.right <= own.left || own.right <= box.left || box.bottom <= own.top || own.bottom <= box.top
        return button.checkVisibility() && !isBeside
      })
      .map((button) => button.ariaLabel ?? button.textContent)
  })

test('the notice of a save covers no button; a save over a newer version is refused once, then succeeds', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 1024, height: 800 })
  const { idx } = await addUser(server, 'conflict.one', '알림을 볼 사람')
  await enterAt(page, `users/${idx}`)
  const name = page.getByRole('textbox', { name: '이름' })
  const save = page.getByRole('button', { name: '저장', exact: true })
  await name.fill('처음 이름')
  await save.click()
  const saved = page.getByRole('status').filter({ hasText: '저장했습니다' }).locator('> *')
  await expect(saved).toBeVisible()
  expect(await coveredBy(saved)).toEqual([])

  await page.setViewportSize({ width: 1280, height: 720 })
  await name.fill('늦은 이름')
  const { revision } = await server.admin.users.find({ idx })
  // The page does not learn of the newer version before the save.
  await page.route('**/User?*', (route) => route.abort())
  await server.admin.users.update({ idx, revision, name: '먼저 바뀐 이름' })
  await page.unroute('**/User?*')
  await save.click()
  const notice = page
    .getByRole('status')
    .filter({ has: page.getByRole('row', { name: '이름 처음 이름 먼저 바뀐 이름' }) })
  await expect(notice.getByRole('button', { name: '변경된 이름 사용' })).toBeVisible()
  await expect(name).toHaveValue('늦은 이름')
  await save.click()
  // The notice of the first save may still be shown, so the test waits for the record.
  const stored = { name: '늦은 이름', revision: revision + 2 }
  await expect.poll(() => server.admin.users.find({ idx })).toMatchObject(stored)
  await expectNotice(page, '사용자 정보를 저장했습니다.')
  await expect(notice).toBeHidden()
})

test('data that cannot be refetched remain on the screen, with a notice', async ({ page, server, faults }) => {
  const { idx } = await server.admin.groups.create({ parentIdx: 1, name: '남아 있을 그룹' })
  await enterAt(page, 'policies')
  await expect(await groupOf(page, '남아 있을 그룹')).toBeVisible()
  await page.route('**/AuthGroups*', (route) => route.fulfill({ status: 500, json: { errorCode: 500, message: 'no' } }))
  // The server notifies open screens of the change, and they reload.
  await server.admin.groups.update({ idx, name: '이름이 바뀐 그룹' })
  const stale = page.getByRole('status').filter({ hasText: '새로 고치지 못했습니다' })
  await expect(stale).toBeVisible()
  await expect(await groupOf(page, '남아 있을 그룹')).toBeVisible()
  await page.unroute('**/AuthGroups*')
  await stale.getByRole('button', { name: '다시 시도' }).click()
  await expect(await groupOf(page, '이름이 바뀐 그룹')).toBeVisible()
  await expect(stale).toBeHidden()
  expect(faults.filter((fault) => !fault.includes('AuthGroups'))).toEqual([])
  faults.length = 0
})
