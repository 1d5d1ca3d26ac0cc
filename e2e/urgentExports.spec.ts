// Urgent exports from acc-client: downloaded at once, reviewed by the keyboard, and several confirmed together.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OwnRequest } from '@acc/contract/requests'
import type { Page, TestInfo } from '@playwright/test'
import { openPc, type Pc } from './accClient.ts'
import type { AccServer } from './accServer.ts'
import { enter, enterAt, expectNotice, menuOf, openScreen, paneOf, rowOf } from './screens.ts'
import { type Team, test } from './teams.ts'
import { expect } from './test.ts'

const REASON = '고객이 현장에서 도면을 기다리고 있어 승인을 기다릴 수 없습니다.'

/** Signs the employee of a team in on a PC, with a policy that has urgent exports. */
async function openUrgentPc({ admin, baseUrl }: AccServer, team: Team, testInfo: TestInfo) {
  const { idx } = await admin.policies.find({ ownerIdx: team.groupIdx, ownerType: 0 })
  await admin.policies.update({ idx, urgentExport: 1, urgentReviewHours: 8 })
  const folder = testInfo.outputPath('pc')
  await mkdir(folder)
  await writeFile(join(folder, 'a.txt'), 'a')
  const pc = openPc(baseUrl, folder)
  expect(await pc.login(team.employee.id, team.employee.password)).toMatchObject({ status: 0 })
  return { pc, folder }
}
async function exportUrgently(pc: Pc, folder: string) {
  const request = ['request', '--purpose', '고객 전달', '--urgent', REASON, join(folder, 'a.txt')]
  const { document } = await pc.json(request)
  expect(document).toMatchObject({ state: 4, urgentReason: REASON })
  return (document as OwnRequest).idx
}
const urgentTab = (page: Page) => page.getByRole('radio', { name: /^긴급 검토/ })

test('an approver objects to one urgent export and confirms another, by the keyboard', async ({
  page,
  addTeam,
  server,
}, testInfo) => {
  const team = await addTeam('urgent', '긴급팀')
  const { pc, folder } = await openUrgentPc(server, team, testInfo)
  const [first, second] = [await exportUrgently(pc, folder), await exportUrgently(pc, folder)]
  const download = (idx: number, to: string) => pc.json(['download', String(idx), '--to', join(folder, to)])
  expect(await download(first, 'before')).toMatchObject({ status: 0 })

  await enter(page, team.manager)
  await expect(menuOf(page).getByRole('button', { name: '반출 승인, 처리할 요청 2건' })).toBeVisible()
  await openScreen(page, '반출 승인')
  await expect(page.getByText('대기 중인 요청이 없습니다')).toBeVisible()
  await page.getByText('긴급 검토 2').click()
  await expect(rowOf(page, first)).toContainText('검토 대기')
  await rowOf(page, first).focus()
  await page.keyboard.press('Enter')
  const pane = paneOf(page)
  await expect(pane.getByText(REASON)).toBeVisible()
  await expect(pane.getByText('검토 기한')).toBeVisible()
  await expect(pane.getByText(team.manager.name)).toBeVisible()
  await page.keyboard.press('r')
  await expect(page.getByText('이의를 제기하는 사유를 입력해 주세요.')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(pane.getByText(REASON)).toBeVisible()
  await page.keyboard.type('긴급한 일이 아닙니다')
  await page.keyboard.press('Control+Enter')
  await expectNotice(page, `#${first} 긴급 반출에 이의를 제기했습니다.`)
  await expect(rowOf(page, first)).toBeHidden()
  await expect(rowOf(page, second)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 2, name: new RegExp(`^#${second} `) })).toBeVisible()
  await page.keyboard.press('a')
  await page.keyboard.press('Control+Enter')
  await expectNotice(page, `#${second} 긴급 반출을 확인했습니다.`)
  await expect(page.getByText('검토할 긴급 반출이 없습니다')).toBeVisible()
  await expect(menuOf(page).getByRole('button', { name: '반출 승인', exact: true })).toBeVisible()

  expect(await download(first, 'after')).toMatchObject({ status: 1, document: { errorCode: 170 } })
  expect(await download(second, 'after')).toMatchObject({ status: 0 })
  const { document } = await pc.json(['status', String(first)])
  expect(document).toMatchObject({ state: 2, approvePurpose: '긴급한 일이 아닙니다' })

  await openScreen(page, '이력')
  await page.getByRole('navigation', { name: '이력 종류' }).getByRole('button', { name: '파일 반출' }).click()
  await page.getByRole('table', { name: '파일 반출 이력' }).getByText(String(first), { exact: true }).click()
  await expect(page.getByRole('table', { name: '처리 과정' }).getByText('이의 제기')).toBeVisible()
  await expect(page.getByText(REASON)).toBeVisible()
})

test('several urgent exports of one person are confirmed together', async ({ page, addTeam, server }, testInfo) => {
  const team = await addTeam('together', '함께팀')
  const { pc, folder } = await openUrgentPc(server, team, testInfo)
  const idxes = [await exportUrgently(pc, folder), await exportUrgently(pc, folder), await exportUrgently(pc, folder)]
  await enterAt(page, 'approvals', team.manager)
  await page.getByText('긴급 검토 3').click()
  await page.getByRole('button', { name: '여러 건 선택' }).click()
  for (const idx of idxes.slice(1)) await rowOf(page, idx).getByRole('checkbox').check()
  // Another approver is faster with one of them.
  await server.admin.urgentExports.review({ idx: idxes[2] ?? 0, decision: 0, purpose: '불필요' })
  await expect(rowOf(page, idxes[2] ?? 0)).toBeHidden()
  await page.getByRole('button', { name: '확인', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '긴급 반출 1건 확인' })
  await dialog.getByRole('textbox', { name: '처리 사유' }).fill('함께 확인')
  await dialog.getByRole('button', { name: '확인' }).click()
  await expectNotice(page, '긴급 반출 1건을 확인했습니다.')
  await expect(rowOf(page, idxes[1] ?? 0)).toBeHidden()
  await expect(rowOf(page, idxes[0] ?? 0)).toBeVisible()
  await expect(urgentTab(page)).toBeChecked()
})
