// Screens at other sizes than the 1280 pixels of accessibility.spec.ts, with the sample organization: tables fit, every
// head is readable, every truncated cell has a tooltip, and no button is squeezed or out of reach.
import { eachPart, eachScreen, expectReachable, expectReadable, openFirst, overflowing, settle } from './eachScreen.ts'
import { enter } from './screens.ts'
import { expect, test } from './test.ts'

test.use({ beginning: 'demo' })

/** Below 1280 pixels the columns of all screens but the users do not fit. */
const mayBeWide = (title: string, width: number) => width < 1280 && title !== '사용자'

test('heads can be read, tables fit, and cut cells explain themselves', async ({ page }) => {
  test.setTimeout(120_000)
  await enter(page)
  await eachScreen(page, async (title) => {
    await openFirst(page)
    for (const size of [
      { width: 1024, height: 768 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(size)
      await settle(page)
      await expectReadable(page, `${title} at ${size.width}`, mayBeWide(title, size.width))
    }
  })
})

test('each part of each screen fits a telephone', async ({ page }) => {
  test.setTimeout(180_000)
  await page.setViewportSize({ width: 390, height: 844 })
  await enter(page)
  await eachScreen(page, async (title) => {
    await eachPart(page, async (part) => {
      const where = `${title} ${part}`
      expect.soft(await overflowing(page), where).toEqual([])
      await expectReachable(page.getByRole('main'), where)
    })
  })
})
