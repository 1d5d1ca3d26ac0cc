// The queue of requests (spec S2 §2.3): deciding one after the other by the keyboard, and what prevents it.
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Api } from '@acc/contract'
import type { Client } from '@acc/contract/core/client'
import type { Page } from '@playwright/test'
import { pathOf } from '../server/src/files/names.ts'
import { addPerson } from './arrange.ts'
import { requestExport, signInPc } from './requests.ts'
import { answerDialog, enterAt, expectNotice, menuOf, openScreen, paneOf, queueOf, rowOf } from './screens.ts'
import { withDatabase } from './serverDatabase.ts'
import { test } from './teams.ts'
import { expect } from './test.ts'

const titleOf = (page: Page, idx: number) => page.getByRole('heading', { level: 2, name: new RegExp(`^#${idx} `) })

const stateOf = async (server: { admin: Client<Api> }, idx: number) => (await server.admin.requests.find({ idx })).state
const switchOf = (page: Page) => page.getByRole('switch', { name: '처리 후 다음 요청 열기' })
const buttonOf = (page: Page, name: '승인' | '반려') => page.getByRole('main').getByRole('button', { name })

test('requests are decided one after the other by the keyboard, where the person wants it', async ({
  page,
  team: { pc, manager },
  server,
}) => {
  const first = await requestExport(pc, '첫째', { 'a.txt': 'a' })
  const second = await requestExport(pc, '둘째', { 'b.txt': 'b', 'c.txt': 'c' })
  const third = await requestExport(pc, '셋째', { 'd.txt': 'd' })
  await enterAt(page, 'approvals', manager)
  await expect(menuOf(page).getByRole('button', { name: '반출 승인, 처리할 요청 3건' })).toBeVisible()
  await rowOf(page, third).click()
  await expect(paneOf(page).getByText('셋째')).toBeVisible()
  await switchOf(page).check()
  await rowOf(page, third).click()
  await page.keyboard.press('r')
  await page.keyboard.type('사유가 모자랍니다')
  await page.keyboard.press('Control+Enter')
  await expectNotice(page, `#${third} 요청을 반려했습니다.`)
  await expect(titleOf(page, second)).toBeVisible()
  await expect(rowOf(page, second)).toBeFocused()
  await expect(page.getByRole('heading', { name: '파일 2개 · 2 B' })).toBeVisible()
  // A Korean layout reports another letter for the same key.
  await queueOf(page).dispatchEvent('keydown', { key: 'ㅁ', code: 'KeyA', bubbles: true })
  await expect(page.getByText('Ctrl Enter로 승인합니다.')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(titleOf(page, first)).toBeVisible()
  await expect(menuOf(page).getByRole('button', { name: '반출 승인, 처리할 요청 1건' })).toBeVisible()
  await page.reload()
  await expect(switchOf(page)).toBeChecked()
  await switchOf(page).uncheck()
  await buttonOf(page, '승인').click()
  await expect(page.getByText('대기 중인 요청이 없습니다')).toBeVisible()
  await expect(page.getByText('요청을 선택해 주세요')).toBeVisible()
  const { items } = await server.admin.requests.search({ type: 1, filterType: 1, requesterId: 'shared.employee' })
  expect(items.slice(0, 3).map(({ idx, state, approvePurpose }) => ({ idx, state, approvePurpose }))).toEqual([
    { idx: third, state: 2, approvePurpose: '사유가 모자랍니다' },
    { idx: second, state: 1, approvePurpose: '' },
    { idx: first, state: 1, approvePurpose: '' },
  ])
})

test('J and the arrow key open the row that a decision moved the focus to; one notice counts the decisions', async ({
  page,
  team: { pc, manager },
  server,
}) => {
  const requests: number[] = []
  for (const purpose of ['하나', '둘', '셋']) requests.push(await requestExport(pc, purpose, { 'a.txt': 'a' }))
  const [third = 0, second = 0, first = 0] = requests
  await page.setViewportSize({ width: 1280, height: 720 })
  await enterAt(page, 'approvals', manager)
  await expect(rowOf(page, third)).toBeVisible()
  const notices = page.getByRole('status').locator('[data-with-border]')
  for (const [idx, key] of [
    [first, 'j'],
    [second, 'ArrowDown'],
    [third, 'j'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(titleOf(page, idx)).toBeVisible()
    await expect(rowOf(page, idx)).toHaveAttribute('aria-current', 'true')
    await page.keyboard.press('a')
    await expect(page.getByText('Ctrl Enter로 승인합니다.')).toBeVisible()
    await page.keyboard.press('Control+Enter')
    await expectNotice(page, `#${idx} 요청을 승인했습니다.`)
    await expect(page.getByText('요청을 선택해 주세요')).toBeVisible()
    // The pointer on a notice keeps it, above every list and dialog.
    await notices.filter({ hasText: `#${idx}` }).hover()
  }
  await expect(notices).toHaveText([`#${third} 요청을 승인했습니다. (모두 3건)`])
  for (const idx of requests) expect(await stateOf(server, idx)).toBe(1)
})

test('two clicks decide one request: as a double click, and slowly on the next one that opens', async ({
  page,
  team: { pc, manager },
  server,
}) => {
  const idxes = []
  for (const purpose of ['하나', '둘', '셋']) idxes.push(await requestExport(pc, purpose, { 'a.txt': 'a' }))
  const [first = 0, second = 0, third = 0] = idxes
  const decisions: string[] = []
  page.on('request', (call) => call.url().endsWith('/FileEximport/Approval') && decisions.push(call.url()))
  await enterAt(page, 'approvals', manager)
  await rowOf(page, third).click()
  await switchOf(page).check()
  await buttonOf(page, '승인').click({ clickCount: 2, delay: 0 })
  await expect(titleOf(page, second)).toBeVisible()
  expect(await stateOf(server, second)).toBe(0)
  expect(decisions).toHaveLength(1)
  // Later than the pause that follows a decision.
  await expect(async () => {
    if (decisions.length < 2) await buttonOf(page, '승인').click({ clickCount: 2, delay: 250 })
    await expect(titleOf(page, first)).toBeVisible({ timeout: 500 })
  }).toPass()
  expect(await Promise.all([third, second, first].map((idx) => stateOf(server, idx)))).toEqual([1, 1, 0])
  expect(decisions).toHaveLength(2)
})

/** Letters decide and move while a switch, a checkbox or a choice has the focus, and are text in a text field. */
async function pressLetters(page: Page, first: number, second: number): Promise<void> {
  const hint = page.getByText('Ctrl Enter로 승인합니다.')
  await switchOf(page).click()
  await expect(switchOf(page)).toBeFocused()
  await page.keyboard.press('a')
  await expect(hint).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(hint).toBeHidden()
  const choice = page.getByRole('checkbox', { name: 'b.txt' })
  await choice.click()
  await expect(choice).toBeFocused()
  await page.keyboard.press('r')
  await expect(page.getByText('사유는 요청자에게 전달됩니다.')).toBeVisible()
  await page.keyboard.type('ar')
  await expect(page.getByRole('textbox', { name: '처리 사유' })).toHaveValue('ar')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await choice.click()
  await page.keyboard.press('j')
  await expect(titleOf(page, second)).toBeVisible()
  await page.getByRole('radio', { name: '전체' }).focus()
  await page.keyboard.press('k')
  await expect(titleOf(page, first)).toBeVisible()
}

test('letters arm a decision, which is the filled button; Escape disarms it', async ({
  page,
  team: { pc, manager },
  server,
}) => {
  const other = await requestExport(pc, '둘', { 'a.txt': 'a', 'b.txt': 'b' })
  const idx = await requestExport(pc, '하나', { 'a.txt': 'a', 'b.txt': 'b' })
  await enterAt(page, 'approvals', manager)
  await rowOf(page, idx).click()
  await expect(page.getByText('A 승인 · R 반려')).toBeVisible()
  await pressLetters(page, idx, other)
  // So low that the reason is cut by the foot of the pane.
  await page.setViewportSize({ width: 1280, height: 660 })
  await page.keyboard.press('r')
  await expect(buttonOf(page, '반려')).toHaveAttribute('data-variant', 'filled')
  await expect(page.getByText('사유는 요청자에게 전달됩니다.')).toBeInViewport({ ratio: 1 })
  await expect(buttonOf(page, '반려')).toContainText('Ctrl ↵')
  await expect(buttonOf(page, '승인')).toHaveAttribute('data-variant', 'default')
  await page.keyboard.press('Escape')
  await expect(rowOf(page, idx)).toBeFocused()
  await expect(buttonOf(page, '반려')).toHaveAttribute('data-variant', 'default')
  const reason = page.getByRole('textbox', { name: '처리 사유' })
  await reason.fill('아직')
  await expect(reason).toHaveAccessibleDescription('Esc를 누르면 목록으로 이동합니다.')
  await page.keyboard.press('Control+Enter')
  await expect(buttonOf(page, '승인')).toHaveAttribute('data-variant', 'filled')
  expect(await stateOf(server, idx)).toBe(0)

  // A rejection asks for a reason once, also where it is clicked twice at once.
  await reason.fill(' ')
  await buttonOf(page, '반려').click({ clickCount: 2, delay: 0 })
  await expect(page.getByText('사유는 요청자에게 전달됩니다.')).toBeInViewport({ ratio: 1 })
  await expect(reason).toBeFocused()
  expect(await stateOf(server, idx)).toBe(0)
  await page.keyboard.press('Control+Enter')
  await expectNotice(page, `#${idx} 요청을 반려했습니다.`)
  expect(await server.admin.requests.find({ idx })).toMatchObject({ state: 2, approvePurpose: '' })
})

test('the number of a decided request and what else waits of its requester are one press away; fields narrow together', async ({
  page,
  team: { pc, manager },
  server,
}) => {
  const decided = await requestExport(pc, '하나', { 'a.txt': 'a' })
  await server.admin.requests.decide({ idx: decided, state: 1, purpose: '' })
  const first = await requestExport(pc, '첫째 사유', { 'a.txt': 'a', 'b.txt': 'b' })
  const second = await requestExport(pc, '둘째 사유', { 'c.txt': 'c' })
  await enterAt(page, 'approvals', manager)
  await expect(rowOf(page, first)).toContainText('첫째 사유')
  await expect(rowOf(page, first)).toContainText('외 1개')
  await rowOf(page, second).click()
  await paneOf(page).getByRole('button', { name: '대기 1건' }).click()
  const filters = page.getByRole('search')
  const search = filters.getByRole('searchbox')
  await expect(search).toHaveValue('shared.employee')
  await expect(rowOf(page, first)).toBeVisible()
  await expect(titleOf(page, second)).toBeVisible()
  await search.fill(String(decided))
  await expect(page.getByText('조건에 맞는 요청이 없습니다')).toBeVisible()
  await page.getByRole('button', { name: /다른 요청 1건 보기/ }).click()
  await expect(rowOf(page, decided)).toContainText('승인')
  await filters.getByRole('button', { name: '상세 검색' }).click()
  await filters.getByRole('textbox', { name: '요청자 아이디' }).fill('shared.')
  await filters.getByRole('textbox', { name: '그룹' }).fill('공유')
  await expect(rowOf(page, second)).toBeVisible()
  await filters.getByRole('textbox', { name: '승인자' }).fill('Administrator')
  await expect(rowOf(page, second)).toHaveCount(0)
  await expect(rowOf(page, decided)).toBeVisible()
})

test('what others decide or cancel changes before the eyes, and a begun reason is not lost without a question', async ({
  page,
  team: { pc, manager },
  server,
}) => {
  const idxes = []
  for (const purpose of ['취소', '남는 것', '먼저', '쓰던 중'])
    idxes.push(await requestExport(pc, purpose, { 'a.txt': 'a' }))
  const [canceled = 0, open = 0, decided = 0, overtaken = 0] = idxes
  await enterAt(page, 'approvals', manager)
  await rowOf(page, overtaken).click()
  const reason = page.getByRole('textbox', { name: '처리 사유' })
  await reason.fill('쓰던 사유')
  await rowOf(page, decided).click()
  await answerDialog(page, '변경사항 저장', '취소')
  await expect(reason).toHaveValue('쓰던 사유')
  await test.step('another approver is faster: the reason is kept, and nothing asks about it', async () => {
    await server.admin.requests.decide({ idx: overtaken, state: 0, purpose: '관리자가 먼저' })
    await expect(page.getByRole('alert').getByText(/님이 반려했습니다/)).toBeVisible()
    await expect(page.getByText('쓰던 사유')).toBeVisible()
    await rowOf(page, open).click()
    await expect(titleOf(page, open)).toBeVisible()
  })
  await reason.fill('버릴 사유')
  await rowOf(page, decided).click()
  await answerDialog(page, '변경사항 저장', '저장하지 않고 계속')
  await expect(titleOf(page, decided)).toBeVisible()
  await expect(reason).toHaveValue('')
  await server.admin.requests.decide({ idx: decided, state: 1, purpose: '관리자가 승인' })
  await expect(page.getByText('관리자가 승인')).toBeVisible()
  await expect(reason).toBeHidden()
  await expect(rowOf(page, decided)).toBeHidden()
  await pc.requests.cancel({ idx: canceled })
  await expect(rowOf(page, canceled)).toBeHidden()
  await page.getByRole('radiogroup', { name: '처리 상태' }).getByText('전체').click()
  await expect(rowOf(page, canceled)).toContainText('취소')
  await expect(rowOf(page, decided)).toContainText('승인')
})

test('badge, tab and list count what waits for the viewer, and the dashboard opens all that it counts', async ({
  page,
  team: { pc, manager },
  server,
}) => {
  const ownPc = await signInPc(server.baseUrl, manager)
  const own = await requestExport(ownPc, '내 파일', { 'a.txt': 'a' })
  const other = await requestExport(pc, '팀원 파일', { 'b.txt': 'b' })
  await enterAt(page, 'approvals', manager)
  await expect(menuOf(page).getByRole('button', { name: '반출 승인, 처리할 요청 1건' })).toBeVisible()
  await expect(page.getByRole('radio', { name: '대기 1' })).toBeChecked()
  await expect(rowOf(page, other)).toBeVisible()
  await expect(rowOf(page, own)).toBeHidden()
  await page.getByRole('checkbox', { name: '처리할 수 없는 요청 포함' }).check()
  await rowOf(page, own).click()
  await expect(titleOf(page, own)).toBeVisible()
  await expect(page.getByText('본인의 요청은 처리할 수 없습니다.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: '처리 사유' })).toBeHidden()
  await openScreen(page, '대시보드')
  const counter = page
    .getByRole('region', { name: '파일 반출 현황' })
    .getByRole('button', { name: '파일 반출 현황: 대기 2' })
  await counter.click()
  await expect(rowOf(page, own)).toBeVisible()
  await expect(queueOf(page).getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('radio', { name: '대기 (처리할 요청 1)' })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: '처리할 수 없는 요청 포함' })).toBeChecked()
  await ownPc.requests.cancel({ idx: own })
})

test('a request leads to its history where the viewer may read it; a view level takes no files and decides nothing', async ({
  page,
  team: { pc, manager, groupIdx },
  server,
}) => {
  const idx = await requestExport(pc, '이력에 남는 것', { 'a.txt': 'a' })
  await server.admin.requests.decide({ idx, state: 1, purpose: '' })
  const [request] = (await pc.requests.searchOwn({ idx })).items
  await (await pc.requests.downloadOwn({ fileEximport: idx, file: request?.files[0]?.idx ?? 0 })).text()
  const waiting = await requestExport(pc, '보기만', { 'seen.txt': 'a' })
  await enterAt(page, `approvals/${idx}`, manager)
  await expect(page.getByText('Administrator (admin)')).toBeVisible()
  await expect(page.getByText('요청자 다운로드 1회')).toBeVisible()
  await page.getByRole('button', { name: '이력에서 보기' }).click()
  await expect(titleOf(page, idx)).toBeHidden()
  await expect(page.getByRole('heading', { level: 2, name: `#${idx}`, exact: true })).toBeVisible()
  const table = page.getByRole('table', { name: '파일 반출 이력' })
  await expect(table.locator('tr[aria-current=true]')).toContainText(String(idx))

  const viewer = await addPerson(server, 'logged.viewer', '보기만 하는 부장')
  const levels = { policy: 0, user: 0, fileExportApprove: 1, fileImportApprove: 0, log: 0 } as const
  const reach = { groupIdxes: [groupIdx], userIdxes: [viewer.idx] }
  await server.admin.authorities.create({ name: '이력 없는 조회', ...reach, ...levels })
  await page.context().clearCookies()
  await enterAt(page, `approvals/${idx}`, viewer)
  await expect(titleOf(page, idx)).toBeVisible()
  await expect(page.getByRole('button', { name: '이력에서 보기' })).toHaveCount(0)
  await expect(page.getByText('반출 요청을 조회합니다')).toBeVisible()
  await page.getByRole('radio', { name: /^대기/ }).press('Space')
  await rowOf(page, waiting).click()
  await expect(paneOf(page).getByText('seen.txt')).toBeVisible()
  await expect(page.getByText('읽기 권한만 있습니다.')).toBeVisible()
  await expect(page.getByRole('button', { name: /다운로드/ })).toBeHidden()
  await expect(page.getByRole('checkbox', { name: 'seen.txt' })).toBeHidden()
})

test('a large choice is written to the disk by the browser, and is in the history once', async ({
  page,
  team: { pc, manager },
  server,
}) => {
  const idx = await requestExport(pc, '큰 파일', { '큰.txt': '크다', '다음.txt': '크다' })
  await page.route(`**/FileEximport?idx=${idx}`, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    for (const file of body.data.files) file.fileSize = 2 ** 31
    await route.fulfill({ response, json: body })
  })
  await enterAt(page, `approvals/${idx}`, manager)
  const button = page.getByRole('button', { name: '선택 파일 다운로드 (ZIP)' })
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  expect(download.url()).toMatch(/^http.*\/FileEximport\/Download\?fileEximport=\d+&/)
  expect(download.suggestedFilename()).toMatch(/^Exports_\d{14}\.zip$/)
  expect(await download.failure()).toBeNull()
  const { items } = await server.admin.history.fileDownload({ actorId: manager.id })
  expect(items.filter(({ targetIdx }) => targetIdx === idx)).toHaveLength(1)
  // The second file is altered: what the browser has begun to write breaks off, and it alone receives it.
  await withDatabase(server, async (db) => {
    const query = db.read.selectFrom('requestFiles').select('storeName').where('fileEximportIdx', '=', idx)
    const { storeName } = await query.where('position', '=', 1).executeTakeFirstOrThrow()
    const path = pathOf(join(server.dataDir, 'files'), storeName)
    await writeFile(path, Buffer.alloc((await stat(path)).size))
  })
  const [broken] = await Promise.all([page.waitForEvent('download'), button.click()])
  expect(await broken.failure()).not.toBeNull()
  await answerDialog(page, '파일 다운로드에 실패했습니다', '확인')
  await page.route('**/FileEximport/Download?*', (route) => route.fulfill({ json: { errorCode: 989, message: '' } }))
  await button.click()
  await answerDialog(page, '파일 다운로드에 실패했습니다', '확인')
})

test('the ending of a file name stays in sight, and the name is copied exactly', async ({
  page,
  team: { pc, manager },
}) => {
  const names = [`plan${' '.repeat(120)}.exe`, `${'계획서 최종본 '.repeat(9)}.pdf.exe`, `note.${'x'.repeat(90)}`]
  const idx = await requestExport(pc, '긴 이름들', Object.fromEntries(names.map((name) => [name, 'x'])))
  await enterAt(page, 'approvals', manager)
  await rowOf(page, idx).click()
  const shown = paneOf(page).locator('span[data-tail]')
  await expect(shown).toHaveCount(names.length)
  for (const [at, ending] of ['.exe', '.pdf.exe', 'x'.repeat(14)].entries()) {
    const name = shown.nth(at)
    expect(await name.getAttribute('title')).toBe(names[at])
    const drawn = await name.evaluate((element) => ({
      tail: getComputedStyle(element, '::after').content,
      hidden: element.scrollWidth - element.clientWidth,
      gap: Math.round(element.querySelector('[aria-hidden] > span')?.getBoundingClientRect().width ?? 0),
    }))
    expect(drawn).toEqual({ tail: expect.stringContaining(`${ending}"`), hidden: 0, gap: 0 })
    await expect(name).toBeInViewport({ ratio: 1 })
    // What is copied is the name, in one piece.
    const copied = await name.evaluate((element) => {
      getSelection()?.selectAllChildren(element)
      return String(getSelection())
    })
    expect(copied).toBe(names[at])
    expect(await name.ariaSnapshot()).toBe(`- text: ${names[at]?.replace(/ +/g, ' ')}`)
  }
  const download = page.getByRole('button', { name: '선택 파일 다운로드 (ZIP)' })
  await expect(download).toBeEnabled()
  const boxOf = (name: string) => paneOf(page).getByRole('checkbox', { name: name.replace(/ +/g, ' ') })
  for (const name of names) await boxOf(name).uncheck()
  await expect(download).toBeDisabled()
})

/** Responds to the calls of requests as if time had passed; no test waits for an hour. */
const withPast = (page: Page, past: ReadonlyMap<number, Record<string, unknown>>) =>
  page.route(/FileEximport(s\/Search)?\?/, async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    for (const request of answer.data.items ?? [answer.data]) Object.assign(request, past.get(request.idx))
    await route.fulfill({ response, json: answer })
  })

test('an overdue request is marked; one whose files were removed says when, and offers no download', async ({
  page,
  team: { pc, manager },
}) => {
  const removed = await requestExport(pc, '지난 요청', { 'old.txt': 'a' })
  const overdue = await requestExport(pc, '오래된 요청', { 'a.txt': 'a' })
  const filesRemovedDT = '2026-03-02T00:26:00.000Z'
  await withPast(
    page,
    new Map<number, Record<string, unknown>>([
      [overdue, { isOverdue: 1 }],
      [removed, { state: 1, filesRemovedDT, isDownloadable: 0, isDecidable: 0 }],
    ]),
  )
  await enterAt(page, 'approvals', manager)
  await expect(rowOf(page, overdue).getByText('장기 대기')).toBeVisible()
  await rowOf(page, overdue).click()
  await expect(titleOf(page, overdue)).toBeVisible()
  await expect(page.getByRole('main').getByText('장기 대기', { exact: true })).toHaveCount(2)
  await expect(queueOf(page).getByRole('row', { name: '장기 대기 1건' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^번호, 장기 대기 먼저, 내림차순$/ })).toBeVisible()

  await expect(rowOf(page, removed).getByText('삭제됨')).toBeVisible()
  await rowOf(page, removed).click()
  await expect(page.getByText(/보관 기간이 지나 2026-03-0[12] .*에 파일이 삭제되었습니다/)).toBeVisible()
  await expect(paneOf(page).getByText('old.txt')).toBeVisible()
  await expect(page.getByRole('button', { name: /다운로드/ })).toBeHidden()
})
