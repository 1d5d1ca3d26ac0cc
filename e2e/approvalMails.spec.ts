// Mails to approvers, from the choice of each person to the record behind the link, for imports (spec S2 §2.3), which
// the operator of this server has switched on.
import { NoticeChoice } from '@acc/contract/labels/notices'
import type { Page } from '@playwright/test'
import type { AccServer } from './accServer.ts'
import { addPerson, type Person } from './arrange.ts'
import { requestFiles } from './requests.ts'
import { answerDialog, enter, enterAt, enterSettings, expectNotice, openScreen, saveOf, signIn } from './screens.ts'
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

/** Signs in by a call and sets the choice of a person. */
async function choose(page: Page, person: Person, choice: NoticeChoice): Promise<void> {
  await enter(page, person)
  const headers = { 'X-Requested-With': 'XMLHttpRequest' }
  const answer = await page.request.post('/Account/Notice', { data: { choice }, headers })
  expect(await answer.json()).toMatchObject({ errorCode: 0 })
}

test('an approver is mailed a link that leads through the sign-in to the import, which is then decided', async ({
  page,
  anotherPage,
  addTeam,
  server,
}) => {
  const { pc, groupIdx } = await addTeam('mailed', '알림팀')
  const importer = await addImporter(server, 'mailed.importer', groupIdx)
  await choose(page, importer, NoticeChoice.AT_ONCE)
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
  expect(text).not.toMatch(/도면/)
  const [link = ''] = /http\S+\?go=imports\/\d+/.exec(text) ?? []
  const visitor = await anotherPage()
  await visitor.goto(link)
  await signIn(visitor, importer)
  await expect(titleOf(visitor, idx)).toBeVisible()
  await expect(visitor.getByText('파일 반입 요청을 승인합니다')).toBeVisible()
  const steps = visitor.getByRole('list', { name: '처리 과정' }).getByRole('listitem')
  await expect(steps).toHaveText([/^요청알림팀 직원/, /^업로드 완료알림팀 직원/])
  const [download] = await Promise.all([
    visitor.waitForEvent('download'),
    visitor.getByRole('button', { name: '선택 파일 다운로드 (ZIP)' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^Imports_\d{14}\.zip$/)
  const [csv] = await Promise.all([
    visitor.waitForEvent('download'),
    visitor.getByRole('button', { name: 'CSV' }).click(),
  ])
  expect(csv.suggestedFilename()).toMatch(/^imports_\d{14}\.csv$/)
  await visitor.getByRole('main').getByRole('button', { name: '승인' }).click()
  await expectNotice(visitor, `#${idx} 요청을 승인했습니다.`)
  const { items } = await pc.requests.searchOwn({ idx })
  expect(items).toMatchObject([{ type: 0, state: 1 }])
})

test('a link to a request that one may not see is refused', async ({ page, anotherPage, addTeam, server }) => {
  const one = await addTeam('hidden', '남의팀')
  const other = await addTeam('outside', '다른팀')
  const idx = await requestFiles(one.pc, 0, '반입', { 'a.txt': 'a' })
  const importer = await addImporter(server, 'outside.importer', other.groupIdx)
  for (const link of [`imports/${idx}`, 'imports/999999']) {
    await enterAt(page, link, importer)
    await expect(page.getByRole('alert').getByText('권한이 없습니다.')).toBeVisible()
  }
  const visitor = await anotherPage()
  await enterAt(visitor, `imports/${idx}`, other.manager)
  await answerDialog(visitor, '오류', '확인')
  await expect(visitor.getByRole('heading', { level: 1, name: '반출 승인' })).toBeVisible()
})

test('an approver chooses how often mails come, and the choice stays', async ({ page, addTeam }) => {
  const { manager } = await addTeam('choice', '선택팀')
  await enter(page, manager)
  await page.getByRole('button', { name: '승인 알림' }).click()
  const dialog = page.getByRole('dialog', { name: '승인 알림' })
  await expect(dialog.getByText('choice.manager@example.com')).toBeVisible()
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

test('an administrator says when a request is overdue and when it expires, in the menu of the mail server', async ({
  page,
  server,
}) => {
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
  await openScreen(page, '반입 승인')
  await expect(page.getByRole('table', { name: '반출·반입 요청 목록' })).toBeVisible()
})
