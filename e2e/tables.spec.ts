// Tables at other sizes than the 1280 pixels of accessibility.spec.ts, with the sample organization: they fit, every head is
// readable, every truncated cell has a tooltip, and no button is squeezed. New screens of the menu are included automatically.
import { eachScreen, expectReadable, openFirst, settle } from './eachScreen.ts'
import { enter } from './screens.ts'
import { test } from './test.ts'

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
