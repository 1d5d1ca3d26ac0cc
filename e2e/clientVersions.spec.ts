// Client management (spec S2 §2.4) and the download page: a version is uploaded, deployed, downloaded and deleted.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { makeProgram } from '../server/demo/program.ts'
import { addPerson } from './arrange.ts'
import { answerDialog, enter, enterAt, expectNotice } from './screens.ts'
import { expect, testOnOwnServer } from './test.ts'

const test = testOnOwnServer()

const fileOf = (build: number, name = `client-${build}.exe`, payload?: Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: makeProgram([7, 0, 0, build], payload),
})
const upload = (page: Page) => page.getByRole('button', { name: '업로드', exact: true })
const box = (page: Page) => page.getByRole('button', { name: '클라이언트 파일 선택' })
const choose = (page: Page, file: ReturnType<typeof fileOf>) => page.locator('input[type=file]').setInputFiles(file)
const row = (page: Page, version: string) => page.getByRole('row').filter({ hasText: version })

test('a version is uploaded, deployed, offered to people, and the previous one is deleted', async ({
  page,
  server,
}) => {
  await enterAt(page, 'clientVersions')
  await expect(page.getByText('배포 중인 버전이 없습니다')).toBeVisible()
  await upload(page).hover()
  await expect(page.getByRole('tooltip')).toHaveText('업로드할 파일이 없습니다. 파일을 선택해 주세요.')
  for (const build of [1, 2]) {
    await choose(page, fileOf(build))
    await upload(page).click()
    await expectNotice(page, `7.0.0.${build} 버전을 업로드했습니다.`)
  }
  await row(page, '7.0.0.1').getByRole('button', { name: '배포' }).press('Enter')
  await answerDialog(page, '버전 배포', '배포')
  await expect(row(page, '7.0.0.1')).toContainText('배포 중')
  await expect(row(page, '7.0.0.1').locator(':focus')).toHaveCount(1)
  await expect(row(page, '7.0.0.1').getByRole('button', { name: '7.0.0.1 삭제' })).toHaveCount(0)
  await row(page, '7.0.0.2').getByRole('button', { name: '배포' }).click()
  await answerDialog(page, '버전 배포', '배포')
  await expect(page.getByRole('region', { name: '현재 배포 버전' })).toContainText('7.0.0.2')
  await row(page, '7.0.0.1').getByRole('button', { name: '7.0.0.1 삭제' }).click()
  await answerDialog(page, '버전 삭제', '삭제')
  await expect(row(page, '7.0.0.1')).toHaveCount(0)
  const saved = page.waitForEvent('download')
  await row(page, '7.0.0.2').getByRole('button', { name: '7.0.0.2 다운로드' }).click()
  expect(await readFile(await (await saved).path())).toEqual(fileOf(2).buffer)

  const person = await addPerson(server, 'downloads.client', '받는 사람')
  await page.context().clearCookies()
  await enter(page, person)
  await expect(page.getByText('버전 7.0.0.2')).toBeVisible()
  const downloaded = page.waitForEvent('download')
  await page.getByRole('button', { name: '다운로드', exact: true }).click()
  const file = await downloaded
  expect(file.suggestedFilename()).toBe('client-2.exe')
  expect(await readFile(await file.path())).toEqual(fileOf(2).buffer)
  const held = Promise.withResolvers<void>()
  await page.route('**/Client/Download/**', async (route) => {
    await held.promise
    await route.fulfill({ json: { errorCode: 170, message: '' } })
  })
  const repeated = page.getByRole('button', { name: '다운로드', exact: true })
  await repeated.press('Enter')
  await expect(repeated).toHaveAttribute('aria-busy', 'true')
  await expect(repeated).toBeFocused()
  held.resolve()
  await answerDialog(page, '파일을 다운로드하지 못했습니다', '확인')
})

/** Drops a file as a person does who drags it onto the page. */
async function drop(page: Page, { buffer, name }: ReturnType<typeof fileOf>): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([bytes, name]) => {
      const data = new DataTransfer()
      data.items.add(new File([Uint8Array.from(bytes)], name))
      return data
    },
    [[...buffer], name] as const,
  )
  await box(page).dispatchEvent('drop', { dataTransfer: transfer })
}

test('a dropped file is taken, one that is no client refused in words; an upload shows its progress and is canceled', async ({
  page,
  server,
}) => {
  await enterAt(page, 'clientVersions')
  await drop(page, fileOf(8))
  await expect(box(page)).toContainText('client-8.exe')
  const refused = async (reason: string) => {
    await expect(page.getByRole('dialog')).toContainText(reason)
    await answerDialog(page, '파일을 업로드하지 못했습니다', '확인')
  }
  await choose(page, fileOf(5, 'client.msi'))
  await refused('올바른 클라이언트 파일이 아닙니다. 다른 파일로 다시 시도해 주세요.')
  await choose(page, { ...fileOf(5), buffer: Buffer.from('MZ is no program'.repeat(20)) })
  await upload(page).click()
  await refused('Windows 실행 파일이 아닙니다.')
  await server.admin.clientVersions.upload({}, new File([new Uint8Array(makeProgram([7, 0, 0, 5]))], 'client-5.exe'))
  await choose(page, fileOf(5))
  await upload(page).click()
  await refused('같은 버전이 이미 있습니다. 먼저 삭제하거나 다른 버전을 업로드해 주세요.')

  // A slow network, so that the upload can be seen and canceled.
  const network = await page.context().newCDPSession(page)
  const slow = { offline: false, latency: 0, downloadThroughput: 1_000_000, uploadThroughput: 200_000 }
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', slow)
  await choose(page, fileOf(6, 'large.exe', Buffer.alloc(5_000_000)))
  await upload(page).click()
  await expect(page.getByRole('progressbar', { name: '업로드 진행률' })).toBeVisible()
  await page.getByRole('button', { name: '업로드 취소' }).click()
  await expect(upload(page)).toBeVisible()
  const { items } = await server.admin.clientVersions.search({ keyword: '7.0.0.6' })
  expect(items).toEqual([])
})
