// The first steps on the dashboard: each leads to its place, is done when the data says so, and they can be hidden.
import { addUser, ROOT } from './arrange.ts'
import { enter, openScreen } from './screens.ts'
import { expect, testOnOwnServer } from './test.ts'

const test = testOnOwnServer()

test('each step opens its place by the keyboard, is done by itself, and all can be hidden', async ({
  page,
  server,
  anotherPage,
}) => {
  await enter(page)
  const panel = page.getByRole('region', { name: '시작하기' })
  await expect(panel).toContainText('0/6')
  for (const [action, place] of [
    ['메일 서버 등록', page.getByRole('textbox', { name: '서버 주소' })],
    ['그룹 생성', page.getByRole('treeitem', { selected: true })],
    ['정책 설정', page.getByRole('button', { name: '저장', exact: true })],
    ['사용자 가져오기', page.getByRole('button', { name: '예제 파일 다운로드' })],
    ['권한 생성', page.getByRole('textbox', { name: '이름' })],
    ['클라이언트 업로드', page.getByRole('heading', { level: 1, name: '클라이언트' })],
  ] as const) {
    await panel.getByRole('button', { name: action }).focus()
    await page.keyboard.press('Enter')
    await expect(place.first()).toBeVisible()
    await openScreen(page, '대시보드')
  }

  await test.step('another administrator creates a group and a user: both steps are done at once', async () => {
    const { idx } = await server.admin.groups.create({ parentIdx: ROOT, name: '첫 그룹' })
    await expect(panel).toContainText('1/6')
    await addUser(server, 'first.person', '첫 사람', idx)
    await expect(panel).toContainText('2/6')
    await expect(panel.getByRole('list', { name: '완료한 단계' }).getByRole('listitem')).toHaveText(['그룹', '사용자'])
    await expect(panel.getByRole('button', { name: '그룹 생성' })).toHaveCount(0)
  })

  await test.step('who hides them no longer sees them in this browser; others still do', async () => {
    await panel.getByRole('button', { name: '시작하기 숨기기' }).click()
    await expect(panel).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('region', { name: '사용자 현황' })).toBeVisible()
    await expect(panel).toHaveCount(0)
    const other = await anotherPage()
    await enter(other)
    await expect(other.getByRole('region', { name: '시작하기' })).toContainText('2/6')
  })
})
