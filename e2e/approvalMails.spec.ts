// Imports (spec S2 §2.3), which the operator of this server has switched on, and mails to approvers, from the choice of
// each person to the record behind the link.
import { NoticeChoice } from '@acc/contract/notices'
import type { Page } from '@playwright/test'
import { type AccServer, signInByCall } from './accServer.ts'
import { addPerson, type Person, ROOT } from './arrange.ts'
import { requestFiles } from './requests.ts'
import { enter, enterAt, enterSettings, expectNotice, openScreen, saveOf, signIn } from './screens.ts'
import { runJob } from './serverDatabase.ts'
import { test } from './teams.ts'
import { expect } from './test.ts'

test.use({ operator: { consoleConfig: { show: { approve: { import: true } } } } })

const titleOf = (page: Page, idx: number) => page.getByRole('heading', { level: 2, name: new RegExp(`^#${idx} `) })

async function addImporter(server: AccServer, name: string, groupIdx: number): Promise<Person> {
  const person = await addPerson(server, name, `${name} 승인자`)
  const levels = { policy: 0, user: 0, fileExportApprove: 0, fileImportApprove: 2, log: 0 } as const
  await server.admin.authorities.create({ name, groupIdxes: [groupIdx], userIdxes: [person.idx], ...levels })
  return person
}

test('an approver is mailed a link that leads through the sign-in to the import, which is then decided; others are refused', async ({
  page,
  team: { pc, groupIdx },
  server,
}) => {
  const importer = await addImporter(server, 'mailed.importer', groupIdx)
  const calls = await signInByCall(server.baseUrl, importer)
  await calls.notices.setChoice({ choice: NoticeChoice.AT_ONCE })
  const idx = await requestFiles(pc, 0, '도면 반입', { '도면.dwg': 'bytes' })
  const findMail = async () =>
    (await server.admin.mails.search({ receiver: importer.email })).items.find(
      // Its text is there once it is sent.
      ({ subject, isInOutbox }) => isInOutbox === 1 && subject.includes('1 request to decide'),
    )
  await runJob(server, 'notifyApprovers')
  // A queue that did not hear of the run looks for it after 15 seconds.
  await expect.poll(findMail, { timeout: 30_000 }).toBeDefined()
  const text = (await server.admin.mails.find({ idx: (await findMail())?.idx ?? 0 })).text ?? ''
  const [link = ''] = /http\S+\?go=imports\/\d+/.exec(text) ?? []
  await page.goto(link)
  await signIn(page, importer)
  await expect(titleOf(page, idx)).toBeVisible()
  await expect(page.getByText('파일 반입 요청을 승인합니다')).toBeVisible()
  const steps = page.getByRole('list', { name: '처리 과정' }).getByRole('listitem')
  await expect(steps).toHaveText([/^요청공유팀 직원/, /^업로드 완료공유팀 직원/])
  const [csv] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()])
  expect(csv.suggestedFilename()).toMatch(/^imports_\d{14}\.csv$/)
  await page.getByRole('main').getByRole('button', { name: '승인' }).click()
  await expectNotice(page, `#${idx} 요청을 승인했습니다.`)
  const { items } = await pc.requests.searchOwn({ idx })
  expect(items).toMatchObject([{ type: 0, state: 1 }])
  await enterAt(page, 'imports/999999', importer)
  await expect(page.getByRole('alert').getByText('권한이 없습니다.')).toBeVisible()
})

test('an approver chooses how often mails come, and the choice stays', async ({ page, server }) => {
  await enter(page, await addImporter(server, 'choice.importer', ROOT))
  await page.getByRole('button', { name: '승인 알림' }).click()
  const dialog = page.getByRole('dialog', { name: '승인 알림' })
  await expect(dialog.getByText('choice.importer@example.com')).toBeVisible()
  await expect(dialog.getByRole('radio', { name: '매시간' })).toBeChecked()
  await expect(dialog.getByRole('button', { name: '저장' })).toBeDisabled()
  await dialog.getByText('매일', { exact: true }).click()
  await expect(dialog.getByText('매일 8시에 새 요청을 모아 한 통으로 보냅니다.')).toBeVisible()
  await dialog.getByRole('button', { name: '저장' }).click()
  await expect(dialog).toBeHidden()
  await page.reload()
  await page.getByRole('button', { name: '승인 알림' }).click()
  await expect(dialog.getByRole('radio', { name: '매일' })).toBeChecked()
})

test('an empty queue names the groups whose requests it would show', async ({ page, server }) => {
  const { admin } = server
  const groupIdxes: number[] = []
  for (const name of ['빈 가', '빈 나', '빈 다', '빈 라', '빈 마'])
    groupIdxes.push((await admin.groups.create({ parentIdx: ROOT, name })).idx)
  await admin.groups.create({ parentIdx: groupIdxes[0] ?? 0, name: '빈 가의 하위' })
  const manager = await addPerson(server, 'empty.manager', '빈 목록 부장')
  const levels = { policy: 0, user: 0, fileExportApprove: 2, fileImportApprove: 1, log: 0 } as const
  await admin.authorities.create({ name: '빈 목록', groupIdxes, userIdxes: [manager.idx], ...levels })
  await enterAt(page, 'approvals', manager)
  const hint = page.getByText('관리 그룹: 빈 가, 빈 나, 빈 다 외 2개 (하위 그룹 포함).', { exact: false })
  await expect(hint).toContainText('정책이 내 권한을 승인 단계로 지정한 요청도 표시됩니다.')
  await page.getByText('승인', { exact: true }).first().click()
  await expect(hint).not.toContainText('승인 단계')
  // A reader decides no step.
  await openScreen(page, '반입 승인')
  await expect(hint).toBeVisible()
  await expect(hint).not.toContainText('승인 단계')
  await page.getByRole('search').getByRole('searchbox').fill('없는 사람')
  await expect(page.getByText('조건에 맞는 요청이 없습니다')).toBeVisible()
  await expect(hint).toHaveCount(0)
})
test('an administrator says when requests are overdue and expire, and finds an import among the exports by its number', async ({
  page,
  team: { pc },
  server,
}) => {
  const idx = await requestFiles(pc, 0, '자료 반입', { 'a.txt': 'a' })
  await enterSettings(page, '메일 서버')
  await page.getByRole('tab', { name: '승인 알림' }).click()
  const field = page.getByRole('textbox', { name: '장기 대기 기준' })
  await expect(field).toHaveValue('24시간')
  await field.fill('48')
  await saveOf(page).click()
  await expectNotice(page, '저장')
  expect(await server.admin.notices.findOverdue({})).toEqual({ overdueHours: 48, requestExpiryDays: 0 })
  const expiry = page.getByRole('textbox', { name: '대기 요청 만료' })
  await expect(expiry).toHaveValue('0일')
  await expiry.fill('')
  await saveOf(page).click()
  await expect(page.getByText('필수 항목입니다.')).toBeVisible()
  await expiry.fill('14')
  await saveOf(page).click()
  await expect.poll(() => server.admin.notices.findOverdue({})).toEqual({ overdueHours: 48, requestExpiryDays: 14 })
  await openScreen(page, '반출 승인')
  await page.getByRole('search').getByRole('searchbox').fill(String(idx))
  await expect(page.getByText(`${idx}번은 반입 요청입니다`)).toBeVisible()
  await page.getByRole('button', { name: `#${idx} 열기` }).click()
  await expect(titleOf(page, idx)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: '반입 승인' })).toBeVisible()
  await expect(page.getByRole('table', { name: '반출·반입 요청 목록' })).toBeVisible()
})
