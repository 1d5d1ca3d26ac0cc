// The end-to-end walkthrough: from the first start to the first approved export, with the real acc-client. The
// administrator, the manager and the employee each have a browser of their own; nothing is arranged behind the screens.
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Download, Page } from '@playwright/test'
import { unzip } from '../server/test/unzip.ts'
import { openPc } from './accClient.ts'
import { ADMIN } from './accServer.ts'
import { temporaryPasswordIn } from './arrange.ts'
import {
  answerDialog,
  chooseGroupAction,
  expectNotice,
  groupOf,
  menuOf,
  openGroup,
  openScreen,
  openSentMail,
  signIn,
} from './screens.ts'
import { expect, test } from './test.ts'

test.use({ beginning: 'bare' })

const MANAGER = { id: 'park.lead', name: '박부장', email: 'park.lead@example.com', password: 'Mn7#otter-Kp' }
const EMPLOYEE = { id: 'hong.gildong', name: '홍길동', email: 'hong@example.com', password: 'Hg4$walrus-Tz' }
type Newcomer = typeof MANAGER

const FILES = {
  '설계 도면 (최종).dwg': randomBytes(3 * 1024 * 1024 + 17),
  'empty.txt': Buffer.alloc(0),
  'notes.md': Buffer.from('# 회의록\n\n검토 완료\n'),
}

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })

async function createGroup(page: Page, parent: string, name: string): Promise<void> {
  await chooseGroupAction(page, parent, '하위 그룹 생성')
  await dialogOf(page, `${parent}의 하위 그룹 생성`).getByLabel('그룹 이름').fill(name)
  await answerDialog(page, `${parent}의 하위 그룹 생성`, '생성')
  await expect(await groupOf(page, name)).toHaveAttribute('aria-selected', 'true')
}

async function createUser(page: Page, { id, name, email }: Newcomer, group: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: '사용자 생성' }).click()
  const dialog = dialogOf(page, '사용자 생성')
  await dialog.getByLabel('아이디').fill(id)
  await dialog.getByRole('textbox', { name: '이름' }).fill(name)
  await dialog.getByLabel('이메일').fill(email)
  await dialog.getByRole('button', { name: '그룹' }).click()
  await dialog.getByRole('treeitem', { name: group, exact: true }).click()
  await answerDialog(page, '사용자 생성', '생성')
  await expect(page.getByRole('heading', { level: 2, name })).toBeVisible()
}

/** The temporary password as the administrator reads it on the mail screen. */
async function readTemporaryPassword(page: Page, { email }: Newcomer): Promise<string> {
  const row = page.getByRole('table', { name: '메일 목록' }).getByRole('row').filter({ hasText: email })
  await expect(row).toContainText('보관함')
  await row.click()
  await expect(page.getByRole('definition').filter({ hasText: email })).toBeVisible()
  return temporaryPasswordIn((await page.getByText(/^임시 비밀번호: /).textContent()) ?? '')
}

/** Replaces the temporary password in the portal. */
async function settlePassword(page: Page, person: Newcomer, temporary: string): Promise<void> {
  await signIn(page, { id: person.id, password: temporary })
  await expect(page.getByText('임시 비밀번호를 새 비밀번호로 변경해야 합니다.')).toBeVisible()
  await page.getByLabel('새 비밀번호', { exact: true }).fill(person.password)
  await page.getByLabel('새 비밀번호 확인').fill(person.password)
  await page.getByRole('button', { name: '변경' }).click()
  await expect(page.getByRole('status').filter({ hasText: '비밀번호를 변경했습니다' })).toBeVisible()
  await signIn(page, person)
}

async function bytesOf(download: Download): Promise<Buffer> {
  return readFile(await download.path())
}

async function downloadCsv(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ])
  return (await bytesOf(download)).toString('utf8')
}

test('from the first start to the first approved export', async ({ page: admin, anotherPage, server }, testInfo) => {
  test.setTimeout(180_000)
  const folder = testInfo.outputPath('pc')
  await mkdir(folder)
  const paths = await Promise.all(
    Object.entries(FILES).map(async ([name, bytes]) => {
      await writeFile(join(folder, name), bytes)
      return join(folder, name)
    }),
  )
  const pc = openPc(server.baseUrl, folder)

  await test.step('the administrator starts with the evaluation license and outbox', async () => {
    await signIn(admin, ADMIN)
    await admin.getByRole('button', { name: '평가용 라이선스로 시작' }).click()
    await expect(admin.getByRole('heading', { name: '메일 설정' })).toBeVisible()
    await admin.getByRole('button', { name: '평가용 보관함으로 시작' }).click()
    await expect(menuOf(admin)).toBeVisible()
  })

  await test.step('makes groups, and the policy of one', async () => {
    await openScreen(admin, '정책')
    await createGroup(admin, '전체 조직', '개발본부')
    await createGroup(admin, '개발본부', '설계팀')
    await openGroup(admin, '개발본부')
    await admin.getByRole('radiogroup', { name: '정책 방식' }).getByText('개별 정책').click()
    await answerDialog(admin, '개별 정책으로 전환', '개별 정책으로 전환')
    await admin.getByRole('combobox', { name: '파일 반출' }).click()
    await admin.getByRole('option', { name: '승인 필요' }).click()
    await admin.getByRole('button', { name: '저장' }).click()
    await answerDialog(admin, '정책 완화', '저장')
    await expectNotice(admin, '저장했습니다.')
    await openGroup(admin, '설계팀')
    await expect(admin.getByText('개발본부를 상속')).toBeVisible()
    await expect(admin.getByText('승인 필요')).toBeVisible()
  })

  const temporary = await test.step('adds people and reads their temporary passwords', async () => {
    await openScreen(admin, '사용자')
    await createUser(admin, MANAGER, '전체 조직')
    await createUser(admin, EMPLOYEE, '설계팀')
    await openSentMail(admin)
    const manager = await readTemporaryPassword(admin, MANAGER)
    return { manager, employee: await readTemporaryPassword(admin, EMPLOYEE) }
  })

  await test.step('gives an authority over the group', async () => {
    await openScreen(admin, '관리 권한')
    await admin.getByRole('tab', { name: '생성' }).click()
    await admin.getByRole('textbox', { name: '권한 이름' }).fill('개발본부 반출 승인')
    await admin.getByRole('radiogroup', { name: '반출 승인' }).getByText('읽기/편집').click()
    await admin.getByRole('radiogroup', { name: '이력' }).getByText('읽기').click()
    await admin.getByRole('region', { name: '관리자' }).getByRole('button', { name: '추가' }).click()
    const people = dialogOf(admin, '관리자 추가')
    await people.getByRole('searchbox').fill('박부장')
    // The dialog adds nobody until the search is answered: one row, and the checkbox of all.
    await expect(people.getByRole('checkbox')).toHaveCount(2)
    await people.getByRole('checkbox', { name: '박부장 선택' }).check()
    await people.getByRole('button', { name: '추가', exact: true }).click()
    await answerDialog(admin, '종료일', '추가')
    await admin.getByRole('button', { name: '추가' }).last().click()
    await dialogOf(admin, '관리 그룹 추가').getByRole('treeitem', { name: '개발본부' }).click()
    await answerDialog(admin, '관리 그룹 추가', '추가')
    await admin.getByRole('button', { name: '생성', exact: true }).click()
    await expectNotice(admin, '권한을 생성했습니다.')
  })

  const manager = await anotherPage()
  await test.step('who sees exactly what the authority allows', async () => {
    await settlePassword(manager, MANAGER, temporary.manager)
    await expect(menuOf(manager).getByRole('button')).toHaveText(['대시보드', '반출 승인', '이력'])
    await openScreen(manager, '반출 승인')
    await expect(manager.getByText('대기 중인 요청이 없습니다')).toBeVisible()
  })

  const employee = await anotherPage()
  await test.step('the employee takes a password of their own', async () => {
    await settlePassword(employee, EMPLOYEE, temporary.employee)
    await expect(employee.getByRole('heading', { name: '홍길동님, 안녕하세요' })).toBeVisible()
  })

  const idx = await test.step('and asks for an export from the PC', async () => {
    expect(await pc.login(EMPLOYEE.id, EMPLOYEE.password)).toMatchObject({ status: 0 })
    expect((await pc.json(['policy'])).document).toMatchObject({ ownerName: '개발본부', policy: { fileExport: 2 } })
    const { status, document } = await pc.json(['request', '--purpose', '고객사 검토용 도면', ...paths])
    expect(status).toBe(0)
    expect(document).toMatchObject({ state: 0, isFileUploaded: 1 })
    const { idx } = document as { idx: number }
    expect(await pc.json(['download', String(idx), '--to', folder])).toMatchObject({ document: { errorCode: 170 } })
    return idx
  })

  const queue = manager.getByRole('table', { name: '반출·반입 요청 목록' })
  await test.step('the manager sees it arrive, reads and approves it', async () => {
    const row = queue.getByRole('row').filter({ hasText: '홍길동' })
    await expect(row).toContainText('설계팀')
    await row.click()
    await expect(manager.getByRole('heading', { level: 2, name: `#${idx} · 홍길동` })).toBeVisible()
    const pane = manager.getByRole('region', { name: '선택한 요청' })
    await expect(pane.getByText('고객사 검토용 도면')).toBeVisible()
    await expect(manager.getByRole('definition').filter({ hasText: '개발본부 › 설계팀' })).toBeVisible()
    for (const name of Object.keys(FILES)) await expect(manager.getByRole('checkbox', { name })).toBeChecked()
    const [zip] = await Promise.all([
      manager.waitForEvent('download'),
      manager.getByRole('button', { name: '선택 파일 다운로드 (ZIP)' }).click(),
    ])
    expect(zip.suggestedFilename()).toMatch(/^Exports_\d{14}\.zip$/)
    const entries = unzip(await bytesOf(zip)).map(({ name, bytes }) => [name, bytes.toString('base64')])
    expect(Object.fromEntries(entries)).toEqual(
      Object.fromEntries(Object.entries(FILES).map(([name, bytes]) => [name, bytes.toString('base64')])),
    )
    await row.click()
    await manager.keyboard.press('a')
    await expect(manager.getByRole('textbox', { name: '처리 사유' })).toBeFocused()
    await manager.keyboard.type('확인했습니다')
    await manager.keyboard.press('Control+Enter')
    await expectNotice(manager, `#${idx} 요청을 승인했습니다.`)
    await expect(manager.getByText('대기 중인 요청이 없습니다')).toBeVisible()
  })

  await test.step('acc-client brings the files back byte for byte', async () => {
    const saved = join(folder, 'approved')
    expect(await pc.json(['download', String(idx), '--to', saved])).toMatchObject({ status: 0 })
    for (const [name, bytes] of Object.entries(FILES))
      expect((await readFile(join(saved, name))).equals(bytes), name).toBe(true)
  })

  await test.step('the history shows all of it, with CSV', async () => {
    await openScreen(manager, '이력')
    const signIns = manager.getByRole('table', { name: '로그인 이력', exact: true })
    await expect(signIns.getByRole('row').filter({ hasText: 'hong.gildong' })).toContainText('접속 중')
    await manager.getByRole('navigation', { name: '이력 종류' }).getByRole('button', { name: '파일 반출' }).click()
    const exports = manager.getByRole('table', { name: '파일 반출 이력' })
    await exports.getByRole('row').filter({ hasText: '승인' }).getByText(String(idx), { exact: true }).click()
    await expect(manager.getByText('확인했습니다')).toBeVisible()
    await expect(manager.getByText('설계 도면 (최종).dwg')).toBeVisible()
    const csv = await downloadCsv(manager)
    expect(csv.startsWith('\uFEFF')).toBe(true)
    expect(csv.trim().split('\r\n')).toHaveLength(2)
    expect(csv).toContain('고객사 검토용 도면')
  })
})
