// Every screen of the sample organization on a telephone: no part is wider than the window, and no button is squeezed
// or out of reach. Wider windows: accessibility.spec.ts.
import { eachPart, eachScreen, expectReachable, overflowing, tablesTooWide } from './eachScreen.ts'
import { enter } from './screens.ts'
import { expect, test } from './test.ts'

test.use({ beginning: 'demo' })

test('each part of each screen fits a telephone', async ({ page }) => {
  test.setTimeout(180_000)
  await page.setViewportSize({ width: 390, height: 844 })
  await enter(page)
  await eachScreen(page, async (title) => {
    await eachPart(page, async (part) => {
      const where = `${title} ${part}`
      expect.soft(await overflowing(page), where).toEqual([])
      expect.soft(await tablesTooWide(page), where).toEqual([])
      await expectReachable(page.getByRole('main'), where)
    })
  })
})
