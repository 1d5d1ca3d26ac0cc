// The detail of each kind of history (spec S2 §2.6): old and new values, added, removed and unchanged entries, pages of
// short tables, and links to what a row is about.
import type { Page } from '@playwright/test'
import type { Calls } from './accServer.ts'
import { ROOT } from './arrange.ts'
import { requestExport } from './requests.ts'
import { enterAt } from './screens.ts'
import { test } from './teams.ts'
import { expect } from './test.ts'

/** Opens a menu of the history and the newest entry that contains a text. */
async function openEntry(page: Page, menu: string, text: string): Promise<void> {
  await page.getByRole('navigation', { name: '이력 종류' }).getByRole('button', { name: menu, exact: true }).click()
  await expect(page.getByText(`${menu} 이력을 선택해 주세요`)).toBeVisible()
  const rows = page.getByRole('table', { name: `${menu} 이력`, exact: true }).getByRole('row')
  await rows.filter({ hasText: text }).first().click()
}
const changesIn = (page: Page) => page.getByRole('table').filter({ hasText: '이후' })
/** Opens the fold of the values that are the same. */
const unfold = (page: Page) => page.getByText(/^변경되지 않은 항목 \d+개$/).click()
const entriesIn = (page: Page, list: string) => page.getByRole('table', { name: list, exact: true }).getByRole('row')

const site = (number: number) =>
  ({ type: 1, ip1: `10.9.0.${number}`, ip2: `10.9.0.${number}`, port: 443, access: 1 }) as const

async function editPolicy(admin: Calls, groupIdx: number): Promise<void> {
  const { idx } = await admin.policies.find({ ownerIdx: groupIdx, ownerType: 0 })
  const added = (number: number) => ({ ...site(number), idx: -number, description: `현장 ${number}` })
  await admin.policies.update({
    idx,
    policyNetworkExceptions: [1, 2, 3, 4, 5, 6].map(added),
    policyLoopbackExceptions: [{ idx: -1, description: '브라우저', processName: 'browser.exe' }],
  })
  const { policyNetworkExceptions } = await admin.policies.find({ ownerIdx: groupIdx, ownerType: 0 })
  const { idx: shortcut } = await admin.shortcuts.createWeb({ name: '상세 포털', url: 'https://detail.example' })
  await admin.policies.update({
    idx,
    policyNetworkExceptions: [...policyNetworkExceptions.filter(({ ip1 }) => ip1 !== '10.9.0.1'), added(7)],
    shortcutWebIdxes: [shortcut],
  })
  await admin.shortcuts.updateWeb({ idx: shortcut, name: '상세 새 포털', url: 'https://detail.example' })
}

test('policies: exceptions and shortcuts that were added, removed and kept, five a page', async ({ page, server }) => {
  const { admin } = server
  const { idx: groupIdx } = await admin.groups.create({ parentIdx: ROOT, name: '상세팀' })
  await admin.groups.setIsMyPolicy({ idx: groupIdx, isMyPolicy: 1 })
  await editPolicy(admin, groupIdx)
  await enterAt(page, 'history')
  await openEntry(page, '정책 관리', '네트워크 변경')
  await expect(page.getByRole('heading', { level: 2, name: '정책 관리' })).toBeVisible()
  const exceptions = entriesIn(page, '가상 네트워크 예외')
  await expect(exceptions).toHaveCount(1 + 5)
  await expect(exceptions.nth(1)).toHaveText(/현장 1.*10\.9\.0\.1.*삭제됨/)
  await expect(exceptions.nth(2)).toHaveText(/현장 7.*10\.9\.0\.7.*추가됨/)
  await expect(exceptions.nth(3)).toHaveText(/현장 2.*변경된 정보 없음/)
  await page.getByLabel('가상 네트워크 예외 페이지').getByRole('button', { name: '다음 페이지' }).click()
  await expect(exceptions.last()).toHaveText(/현장 6.*변경된 정보 없음/)
  await expect(entriesIn(page, '루프백 예외').nth(1)).toHaveText(/browser\.exe.*변경된 정보 없음/)
  // The tables are what changed; the values, which are the same, follow them one by one.
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([/예외$/, /예외$/, '내용'])
  await expect(changesIn(page)).toHaveCount(0)
  await unfold(page)
  await expect(changesIn(page).getByRole('row', { name: /^가상 네트워크/ })).toHaveText(/변경된 정보 없음/)
  await openEntry(page, '바로가기 관리', '상세 새 포털')
  await expect(changesIn(page).getByRole('row', { name: /^이름/ })).toHaveText(/상세 포털상세 새 포털/)
  // The fold is as it was left.
  await expect(changesIn(page).getByRole('row', { name: /^URL/ })).toHaveText(/변경된 정보 없음/)
  await openEntry(page, '정책 관리', '바로가기 변경')
  await expect(entriesIn(page, '웹 바로가기').nth(1)).toHaveText(/상세 포털.*https:\/\/detail\.example.*추가됨/)
  await page.getByRole('button', { name: '대상 열기' }).click()
  await expect(page.getByRole('heading', { level: 2, name: '상세팀' })).toBeVisible()
})

test('groups, authorities and settings; a deleted target is plain text', async ({ page, server }) => {
  const { admin } = server
  const { idx } = await admin.groups.create({ parentIdx: ROOT, name: '상세 임시팀' })
  await admin.groups.update({ idx, description: '잠시 있는 팀', revision: 1 })
  const levels = { policy: 0, user: 1, fileExportApprove: 0, fileImportApprove: 0, log: 0 } as const
  const authority = { name: '상세 권한', userIdxes: [], ...levels }
  const { idx: authorityIdx } = await admin.authorities.create({ ...authority, groupIdxes: [idx, ROOT] })
  await admin.authorities.update({ ...authority, idx: authorityIdx, groupIdxes: [ROOT], user: 2 })
  const { pwRules } = await admin.loginPolicy.findPasswordRules({})
  const [first, ...others] = pwRules.negativeRules
  await admin.loginPolicy.setPasswordRules({ ...pwRules, negativeRules: others })
  await admin.loginPolicy.setPasswordRules(pwRules)
  await enterAt(page, 'history')
  await openEntry(page, '권한 관리', '권한 변경')
  await expect(changesIn(page).getByRole('row', { name: /^사용자/ })).toHaveText(/읽기읽기\/편집/)
  await unfold(page)
  await expect(changesIn(page).getByRole('row', { name: /^이력/ })).toHaveText(/차단변경된 정보 없음/)
  await expect(entriesIn(page, '관리 그룹').nth(1)).toHaveText(/상세 임시팀.*삭제됨/)
  await openEntry(page, '설정 관리', '비밀번호 규칙 변경')
  await expect(entriesIn(page, '비밀번호 규칙').nth(1)).toHaveText(new RegExp(`실패 규칙${first?.name}.*추가됨`))
  await page.getByRole('button', { name: '대상 열기' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '로그인 정책' })).toBeVisible()
  await expect(page.getByRole('tab', { name: '비밀번호 규칙', selected: true })).toBeVisible()
  await page.goBack()
  await openEntry(page, '그룹 관리', '수정')
  await expect(changesIn(page).getByRole('row', { name: /^설명/ })).toHaveText(/잠시 있는 팀/)
  await expect(page.getByRole('button', { name: '대상 열기' })).toBeVisible()
  await admin.authorities.remove({ idx: authorityIdx })
  await admin.groups.remove({ idx })
  await page.reload()
  await expect(changesIn(page).getByRole('row', { name: /^설명/ })).toHaveText(/잠시 있는 팀/)
  await expect(page.getByRole('button', { name: '작업자 열기' })).toBeVisible()
  await expect(page.getByRole('button', { name: '대상 열기' })).toHaveCount(0)
})

test('a request with its files, reasons and steps; a manager without the screen of users has no link to them', async ({
  page,
  addTeam,
  server,
}) => {
  const { pc, manager } = await addTeam('detail', '상세 반출팀')
  const files = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`${'도면 '.repeat(60)}${at}.txt`, `${at}`]))
  const idx = await requestExport(pc, '검토용 도면', files)
  await server.admin.requests.decide({ idx, state: 1, purpose: '승인합니다' })
  await (await server.admin.requests.download({ fileEximport: idx })).arrayBuffer()
  await enterAt(page, 'history', manager)
  await openEntry(page, '파일 반출', '상세 반출팀')
  await expect(page.getByRole('heading', { level: 2, name: `#${idx}` })).toBeVisible()
  await expect(entriesIn(page, '파일')).toHaveCount(1 + 5)
  // The longest names leave their sizes in view.
  await expect(entriesIn(page, '파일').last().getByRole('cell').last()).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('검토용 도면')).toBeVisible()
  await expect(page.getByText('승인합니다')).toBeVisible()
  await expect(entriesIn(page, '처리 과정').nth(1)).toHaveText(/요청/)
  await expect(entriesIn(page, '처리 과정').last()).toHaveText(/승인/)
  await openEntry(page, '파일 열람', '상세 반출팀')
  await expect(page.getByText('검토용 도면')).toBeVisible()
  const downloads = page.getByRole('table', { name: '파일 열람 이력', exact: true })
  await downloads.getByRole('row').nth(1).getByRole('cell').nth(3).hover()
  await page.getByRole('button', { name: `‘${idx}’만 보기` }).click()
  await expect(page.getByText(`요청 번호: ${idx}`)).toBeVisible()
  await expect(downloads.getByRole('row').filter({ hasText: String(idx) })).toHaveCount(1)
  await expect(page.getByRole('button', { name: '작업자 열기' })).toHaveCount(0)
  await page.getByRole('button', { name: '대상 열기' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '반출 승인' })).toBeVisible()
  await expect(page.getByText('검토용 도면').first()).toBeVisible()
})
