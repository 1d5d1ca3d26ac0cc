// The synchronization of users with a real directory: defaults, test, save, run, and what a refused source says; and
// the folder of a server.
import { mkdtemp, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { directoryOf, syncOf } from '../server/src/domains/userSync/userSync.fixture.ts'
import { COUNT, openSlapd, PEOPLE, READER, type Slapd } from '../server/test/slapd.ts'
import { overflowing } from './eachScreen.ts'
import { enterSettings, expectNotice, openSettings, saveOf } from './screens.ts'
import { test as base, expect } from './test.ts'

/** A server of its own with a directory and a folder. */
const test = base.extend<object, { slapd: Slapd; folder: string }>({
  slapd: [
    async ({ beginning: _ }, use) => {
      const slapd = await openSlapd()
      await use(slapd)
      await slapd.stop()
    },
    { scope: 'worker' },
  ],
  folder: [async ({ beginning: _ }, use) => use(await mkdtemp(join(tmpdir(), 'acc-people-'))), { scope: 'worker' }],
  operator: [async ({ folder }, use) => use({ env: { ACC_PEOPLE_DIR: folder } }), { scope: 'worker' }],
})

const FOUND = COUNT.toLocaleString('ko')

const main = (page: Page): Locator => page.getByRole('main')
const field = (page: Page, name: string): Locator => main(page).getByRole('textbox', { name, exact: true })
const card = (page: Page): Locator => page.getByRole('region', { name: '동기화 상태' })
const testPart = (page: Page): Locator => page.getByRole('region', { name: '테스트' })

async function openSync(page: Page): Promise<void> {
  await enterSettings(page, '사용자 동기화')
}

test('a directory is tested and saved, and its password is not shown', async ({ page, slapd }) => {
  await openSync(page)
  await expect(card(page)).toContainText('설정된 사용자 동기화가 없습니다')
  await page.getByRole('radio', { name: 'LDAP 또는 Active Directory' }).check()
  await page.getByRole('button', { name: 'OpenLDAP' }).click()
  await field(page, '서버 주소').fill('localhost')
  await field(page, '포트').fill(String(slapd.tlsPort))
  await field(page, '검색 계정').fill(READER.dn)
  await main(page).getByLabel('비밀번호', { exact: true }).fill(READER.password)
  await field(page, '검색 기준(DN)').fill(PEOPLE)
  await testPart(page).getByRole('button').click()
  await expect(testPart(page).getByRole('alert')).toContainText('디렉터리의 인증서를 신뢰할 수 없습니다.')
  await page.locator('input[type=file]').setInputFiles({ name: 'a.pem', mimeType: '', buffer: Buffer.from('text') })
  await page.getByRole('dialog').getByRole('button', { name: '확인' }).click()
  const buffer = Buffer.from(`a comment\n${slapd.authority.pem}`)
  await page.locator('input[type=file]').setInputFiles({ name: 'ca.pem', mimeType: '', buffer })
  await expect(page.getByText('인증서 1개')).toBeVisible()
  await testPart(page).getByRole('button').click()
  await expect(testPart(page).getByRole('status').last()).toContainText(`사용자 ${FOUND}명을 찾았습니다`)
  await expect(testPart(page).getByRole('row')).toHaveCount(11)
  expect(await overflowing(page)).toEqual([])
  await expect(saveOf(page)).toBeEnabled()
  await saveOf(page).click()
  await expectNotice(page, '저장했습니다.')
  await expect(card(page)).toContainText('매일 03:00')
  // The password is stored and not shown, and what it belongs to asks for it again.
  await page.reload()
  await expect(main(page).getByLabel('비밀번호', { exact: true })).toHaveValue('')
  await expect(page.getByText('비워 두면 저장된 비밀번호를 그대로 사용합니다.')).toBeVisible()
  await field(page, '포트').fill('1')
  await saveOf(page).click()
  await expect(main(page).getByLabel('비밀번호', { exact: true })).toHaveAccessibleDescription(/다시 입력해야 합니다/)
  await main(page).getByRole('button', { name: '되돌리기' }).click()
})

test('a run whose source is empty changes nobody and says why; the next one creates those who are found', async ({
  page,
  server,
  slapd,
}) => {
  test.setTimeout(120_000)
  const { userSync, users } = server.admin
  await userSync.set(syncOf(1, { directory: directoryOf(slapd, { filter: '(uid=nobody)' }) }))
  await openSync(page)
  await testPart(page).getByRole('button').click()
  await expect(testPart(page)).toContainText(/사용자를 찾지 못했습니다|사용자가 한 명도 없습니다/)
  await card(page).getByRole('button', { name: '지금 실행' }).click()
  await expect(testPart(page)).toBeHidden()
  await expect(page.getByRole('alert')).toContainText('사용자가 한 명도 없습니다.', { timeout: 60_000 })
  await openSettings(page, '사용자 동기화')
  await expect(card(page)).toContainText('거부')
  expect((await users.search({ id: 'person1' })).totalCount).toBe(0)

  await userSync.set(syncOf(1, { directory: directoryOf(slapd) }))
  await card(page).getByRole('button', { name: '지금 실행' }).click()
  await expect(main(page).getByText('완료', { exact: true })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByLabel('적용 결과').locator('dd').first()).toHaveText(FOUND)
  expect((await users.search({ id: 'person1', rowsCount: 1 })).items).toHaveLength(1)
  await openSettings(page, '사용자 동기화')
  await expect(card(page)).toContainText(`생성 ${FOUND}`)
  await page.getByRole('tab', { name: '실행 내역' }).click()
  await page.getByRole('row').filter({ hasText: '디렉터리' }).first().click()
  await expect(main(page).getByText('완료', { exact: true }).first()).toBeVisible()
})

test('a folder is read instead', async ({ page, folder }) => {
  const file = join(folder, 'people.csv')
  await writeFile(file, 'ID,Name,Email\nfolder.person,From a folder,folder.person@example.com\n')
  // A file that has just changed waits for the next look.
  const before = new Date(Date.now() - 600_000)
  await utimes(file, before, before)
  await openSync(page)
  await page.getByRole('radio', { name: '폴더의 CSV 파일' }).check()
  await expect(page.getByText(folder, { exact: true })).toBeVisible()
  await expect(page.getByLabel('서버 주소')).toBeHidden()
  await testPart(page).getByRole('button').click()
  await expect(testPart(page).getByRole('row').last()).toContainText('folder.person')
  await page.getByLabel('실행 주기').selectOption('직접 실행할 때만')
  await saveOf(page).click()
  await expectNotice(page, '저장했습니다.')
  await expect(card(page)).toContainText('직접 실행할 때만')
})
