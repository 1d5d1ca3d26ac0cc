// BIM settings (spec S2 §2.2): servers that report, always-allowed addresses, allowed groups and users, live
// connections. The example server (server/demo/bimServer.ts) reports from this machine.
import type { Page } from '@playwright/test'
import { openBimServer } from '../server/demo/bimServer.ts'
import type { AccServer } from './accServer.ts'
import { addUser } from './arrange.ts'
import { answerDialog, enterAt, expectNotice, findGroup } from './screens.ts'
import { expect, testOnOwnServer } from './test.ts'

const test = testOnOwnServer()

const save = (page: Page) => page.getByRole('button', { name: '저장', exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })

async function openTab(page: Page, tab: string): Promise<void> {
  await enterAt(page, 'bim')
  await page.getByRole('tab', { name: tab }).click()
}

async function expectNoSave(page: Page, why: string): Promise<void> {
  await save(page).hover()
  await expect(page.getByRole('tooltip', { name: why })).toBeVisible()
}

const serverOf = async ({ admin }: AccServer, name: string) => {
  const { servers } = await admin.bim.searchServers({})
  return servers.find(({ pcName }) => pcName === name)
}

test('before there is a server or an address the pane says how to begin; an address is added and changed', async ({
  page,
  server,
}) => {
  await openTab(page, 'BIM 서버')
  await expect(page.getByText('첫 서버를 추가해 주세요')).toBeVisible()
  await expect(page.getByText('서버를 선택해 주세요')).toBeHidden()
  await page.getByRole('region', { name: '등록 정보' }).getByRole('button', { name: '서버 추가' }).click()
  await expect(field(page, 'PC 이름')).toBeVisible()
  await page.getByRole('tab', { name: '항상 허용 IP' }).click()
  await page.getByRole('region', { name: '등록 정보' }).getByRole('button', { name: 'IP 추가' }).click()
  await expect(field(page, 'IP')).toBeVisible()
  await field(page, '설명').fill('별관')
  await field(page, 'IP').fill('10.62.0.2')
  await save(page).click()
  await expectNotice(page, 'IP를 추가했습니다.')
  await expect(row(page, /10\.62\.0\.2/)).toHaveAttribute('aria-current')
  await field(page, '설명').fill('신관')
  await save(page).click()
  await expectNotice(page, '저장했습니다.')
  const { exceptions } = await server.admin.bim.searchExceptions({})
  expect(exceptions).toMatchObject(expect.arrayContaining([expect.objectContaining({ description: '신관' })]))
})

test('a server is created with the generated id, refused as a duplicate, updated and deleted', async ({
  page,
  server,
}) => {
  await server.admin.bim.createServer({ pcName: '이미 있는 서버', ip: '10.61.0.1' })
  await openTab(page, 'BIM 서버')
  await page.getByRole('button', { name: / 추가$/ }).click()
  await field(page, '설명').fill('1공장')
  await expectNoSave(page, 'PC 이름을 입력해 주세요.')
  await field(page, 'PC 이름').fill('이미 있는 서버')
  await expectNoSave(page, 'IP를 입력해 주세요.')
  await field(page, 'IP').fill('a10.61.0.999 b')
  await expect(field(page, 'IP')).toHaveValue('10.61.0.999')
  await save(page).click()
  await expect(page.getByText('형식에 맞지 않습니다.')).toBeVisible()
  await field(page, 'IP').fill('10.61.0.1')
  await save(page).click()
  await expect(page.getByText('이미 등록된 PC 이름입니다.')).toBeVisible()
  await field(page, 'PC 이름').fill('공장 서버')
  await save(page).click()
  await expect(page.getByText('이미 등록된 IP입니다.')).toBeVisible()
  await field(page, 'IP').fill('10.61.0.2')
  const generated = await field(page, 'ID').getAttribute('placeholder')
  await save(page).click()
  await expectNotice(page, '서버를 추가했습니다.')
  expect(await serverOf(server, '공장 서버')).toMatchObject({ id: generated, ip: '10.61.0.2', description: '1공장' })

  // The form continues as an update, with the id masked.
  await expect(page.getByRole('heading', { level: 2, name: '공장 서버' })).toBeVisible()
  const id = page.getByLabel('ID', { exact: true })
  await expect(id).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'ID 보기' }).click()
  await expect(id).toHaveValue(generated ?? '')
  await page.getByRole('button', { name: '새 ID 생성' }).click()
  await save(page).click()
  await expectNotice(page, '저장했습니다.')
  expect((await serverOf(server, '공장 서버'))?.id).not.toBe(generated)

  // Unsaved changes are asked about, at another row and at another menu.
  await field(page, '설명').fill('2공장')
  for (const leave of [row(page, /이미 있는 서버/), page.getByRole('tab', { name: '항상 허용 IP' })]) {
    await leave.click()
    await answerDialog(page, '변경사항 저장', '취소')
    await expect(field(page, '설명')).toHaveValue('2공장')
  }
  await save(page).click()
  await expectNotice(page, '저장했습니다.')

  await page.getByRole('searchbox').fill('2공장')
  await expect(row(page, /이미 있는 서버/)).toBeHidden()
  await page.getByRole('button', { name: '여러 개 선택' }).click()
  await page.getByRole('checkbox', { name: '공장 서버 선택' }).check()
  await page.getByRole('button', { name: / 삭제$/ }).click()
  await answerDialog(page, '서버 삭제', '삭제')
  await expect(page.getByText('서버를 선택해 주세요')).toBeVisible()
  expect(await serverOf(server, '공장 서버')).toBeUndefined()
})

test('groups and users are allowed and removed; those already there cannot be chosen', async ({ page, server }) => {
  const { idx } = await server.admin.groups.create({ parentIdx: 1, name: 'BIM 허용 그룹' })
  const known = await addUser(server, 'bim.known', '이미 허용됨')
  await addUser(server, 'bim.new', '새로 허용됨')
  await server.admin.bim.addUsers({ userIdxes: [known.idx] })
  await openTab(page, '허용 그룹과 사용자')
  await page.getByRole('button', { name: '그룹 추가' }).click()
  await (await findGroup(page.getByRole('dialog'), 'BIM 허용 그룹')).click()
  await answerDialog(page, '그룹 추가', '추가')
  await expect(row(page, /전체 조직 > BIM 허용 그룹/)).toBeVisible()
  expect((await server.admin.bim.searchGroups({})).groups).toMatchObject([{ groupIdx: idx }])

  await page.getByRole('button', { name: '사용자 추가' }).click()
  const dialog = page.getByRole('dialog', { name: '사용자 추가' })
  await dialog.getByRole('searchbox').fill('bim.')
  await expect(dialog.getByRole('checkbox', { name: '이미 허용됨 선택' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: '새로 허용됨 선택' }).check()
  await answerDialog(page, '사용자 추가', '추가')
  const users = page.getByRole('table', { name: '허용 사용자' })
  await expect(users.getByRole('row', { name: /새로 허용됨/ })).toBeVisible()
  await page.getByRole('button', { name: '여러 개 선택' }).nth(1).click()
  await users.getByRole('checkbox', { name: '새로 허용됨 선택' }).check()
  await page.getByRole('button', { name: / 제외$/ }).click()
  await answerDialog(page, '허용 사용자 제외', '제외')
  await expect(users.getByRole('row', { name: /새로 허용됨/ })).toBeHidden()
  expect((await server.admin.bim.searchUsers({})).users.map(({ id }) => id)).toEqual([known.id])
  await server.admin.bim.removeGroups({ groupIdxes: [idx] })
  await server.admin.bim.removeUsers({ userIdxes: [known.idx] })
})

test('state and connections move on the screen as a server reports, and Sync makes it read the rules again', async ({
  page,
  server,
}) => {
  const { admin, baseUrl } = server
  const person = await addUser(server, 'bim.live', '실시간 사용자')
  const { idx, id } = await admin.bim.createServer({ pcName: '보고하는 서버', ip: '127.0.0.1' })
  await admin.bim.addUsers({ userIdxes: [person.idx] })
  const bim = openBimServer({ url: baseUrl, id })
  await openTab(page, 'BIM 서버')
  await expect(row(page, /보고하는 서버/)).toContainText('오프라인')
  await bim.report()
  await expect(row(page, /보고하는 서버/)).toContainText('온라인')
  const before = bim.rules()?.revision
  await page.getByRole('button', { name: '동기화' }).click()
  await expectNotice(page, /동기화를 요청했습니다/)
  await bim.report()
  expect(bim.rules()?.revision).not.toBe(before)

  await page.getByRole('tab', { name: '실시간 접속' }).click()
  await expect(page.getByText('접속 중인 사용자가 없습니다.')).toBeVisible()
  expect(bim.connect(person.id, '10.63.0.9')).toBe(true)
  await bim.report()
  await expect(row(page, /실시간 사용자 bim\.live.*10\.63\.0\.9.*보고하는 서버/)).toBeVisible()
  await admin.users.setDisabled({ idx: person.idx, state: 2 })
  await bim.report()
  expect(bim.connections()).toEqual([])
  await bim.report()
  await expect(row(page, /실시간 사용자/)).toBeHidden()
  await admin.bim.removeServers({ idxes: [idx] })
})
