// Previews of a request's files: by the keyboard, in a narrow window, and with files that try to do something.
import { deflateSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { requestExport } from './requests.ts'
import { enterAt } from './screens.ts'
import { test } from './teams.ts'
import { expect } from './test.ts'

const RED_DOT = Buffer.from('R0lGODlhAQABAIAAAP8AAP///ywAAAAAAQABAAACAkQBADs=', 'base64')

/** `가똠`, whose second character only the encoding of Windows has. */
const CP949 = Buffer.from([0xb0, 0xa1, 0x8c, 0x63])

/** A PDF of one page with a script, a form that sends itself and a link. */
function activePdf(content: Buffer, filter = ''): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >>
      /Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 200 100] /A << /S /URI /URI (http://127.0.0.2/) >> >>]
      /AA << /O << /S /SubmitForm /F (http://127.0.0.2/) >> >> >>`,
    Buffer.concat([
      Buffer.from(`<< ${filter} /Length ${content.length} >>\nstream\n`),
      content,
      Buffer.from('\nendstream'),
    ]),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  const parts = objects.map((object, at) =>
    Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]),
  )
  return Buffer.concat([Buffer.from('%PDF-1.7\n'), ...parts, Buffer.from('trailer\n<< /Root 1 0 R >>\n%%EOF\n')])
}
const PAGE = activePdf(Buffer.from('BT /F1 20 Tf 10 40 Td (Hello page) Tj ET'))

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })
const contentOf = (page: Page, name: string) => page.getByRole('region', { name: `${name} 내용` })

/** Whether a picture has drawn pixels. */
const isDrawn = (page: Page) =>
  page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { width, height } = canvas
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
    return pixels.some((value) => value !== 0)
  })

test('files are seen one after the other by the keyboard, and the history says so; on a phone nothing is cut', async ({
  page,
  addTeam,
  server,
}) => {
  const { pc, manager } = await addTeam('preview', '미리보기팀')
  const idx = await requestExport(pc, '자료', {
    '메모.txt': '안녕하세요\n둘째 줄',
    '표.csv': '이름,금액\n"갑, 을",3',
    '점.gif': RED_DOT,
    '문서.pdf': PAGE,
  })
  await enterAt(page, 'approvals', manager)
  const row = page.getByRole('main').locator(`tr[data-idx="${idx}"]`)
  await expect(row).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.getByRole('button', { name: '메모.txt 미리보기' })).toBeVisible()
  await page.keyboard.press('p')
  await expect(contentOf(page, '메모.txt')).toHaveText(/안녕하세요/)
  await expect(contentOf(page, '메모.txt')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(contentOf(page, '표.csv').getByRole('row', { name: '갑, 을 3' })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('img', { name: '점.gif' })).toBeVisible()
  await expect.poll(() => isDrawn(page)).toBe(true)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('img', { name: '문서.pdf' })).toBeVisible()
  await expect(contentOf(page, '문서.pdf')).toContainText('Hello page')
  await expect(dialogOf(page, '문서.pdf').getByText('파일 4/4 · PDF')).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('img', { name: '점.gif' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialogOf(page, '점.gif')).toBeHidden()
  await expect(row).toBeFocused()
  const { items } = await server.admin.history.fileDownload({ requestIdx: String(idx) })
  expect(items.map(({ accessType, actorId }) => [accessType, actorId])).toEqual(Array(5).fill([1, manager.id]))

  const files = { [`${'도면 '.repeat(40)}.txt`]: 'a', 'b.txt': CP949 }
  const long = await requestExport(pc, '긴 사유입니다. '.repeat(10), files)
  await page.setViewportSize({ width: 360, height: 740 })
  await enterAt(page, 'approvals', manager)
  await page.getByRole('main').locator(`tr[data-idx="${long}"]`).click()
  await page.getByRole('button', { name: 'b.txt 미리보기' }).click()
  await expect(contentOf(page, 'b.txt')).toHaveText('가똠')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await page.getByRole('button', { name: '이전 파일' }).click()
  await expect(page.getByText('파일 1/2')).toBeVisible()
  await page.keyboard.press('Escape')
  const approve = page.getByRole('main').getByRole('button', { name: '승인', exact: true })
  await expect(approve).toBeInViewport({ ratio: 1 })
  await approve.click()
  await expect.poll(async () => (await server.admin.requests.find({ idx: long })).state).toBe(1)
})

test('nothing in a file runs, content counts instead of names, and a file that expands endlessly is stopped', async ({
  page,
  addTeam,
}) => {
  const { pc, manager } = await addTeam('hostile', '수상한팀')
  const script = '<html><script>alert(1)</script><svg onload="alert(2)"></svg></html>'
  const bomb = activePdf(deflateSync(Buffer.alloc(200_000_000, 'q ')), '/Filter /FlateDecode')
  const idx = await requestExport(pc, '자료', {
    '사진.png': script,
    '보고서.txt': PAGE,
    '계산기.pdf': 'MZ\x90\0\0\0',
    '반쪽.gif': RED_DOT.subarray(0, 27),
    '폭탄.pdf': bomb,
  })
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).hostname))
  page.on('dialog', (dialog) => calls.push(dialog.message()))
  await enterAt(page, `approvals/${idx}`, manager)
  await page.getByRole('button', { name: '사진.png 미리보기' }).click()
  await expect(contentOf(page, '사진.png')).toHaveText(script)
  await expect(page.getByText('이름의 확장자와 내용이 다릅니다. 실제 내용: 텍스트')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('이름의 확장자와 내용이 다릅니다. 실제 내용: PDF')).toBeVisible()
  await expect(contentOf(page, '보고서.txt')).toContainText('Hello page')
  await expect(contentOf(page, '보고서.txt').getByRole('link')).toHaveCount(0)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('미리 볼 수 없는 형식입니다')).toBeVisible()
  await expect(page.getByText('실제 내용: 실행 파일')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('내용을 읽을 수 없습니다')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText(/시간이 오래 걸려 중단했습니다|내용을 읽을 수 없습니다/)).toBeVisible({ timeout: 30_000 })
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(new Set(calls)).toEqual(new Set(['127.0.0.1']))
})
