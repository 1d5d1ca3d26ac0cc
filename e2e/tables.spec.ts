// Tables on small screens, with the sample organisation: they fit, every head is readable, every truncated cell has a
// tooltip, and no button is squeezed. New screens of the menu are included automatically.
import type { Page } from '@playwright/test'
import { eachScreen, openFirst, settle, tablesTooWide } from './eachScreen.ts'
import { enter, type Language } from './screens.ts'
import { expect, test } from './test.ts'

test.use({ beginning: 'demo' })

/** Returns the texts of truncated heads and buttons. */
const cutWords = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('th, th *, main .mantine-Button-label')]
      .filter((element) => element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1)
      .map((element) => element.textContent ?? ''),
  )

/** Screens with more columns than fit: the history up to 1440 pixels, and below 1280 all but the users. */
const isWide = (title: string, width: number) =>
  /^(이력|History)$/.test(title) || (width < 1280 && !/^(사용자|Users)$/.test(title))

/** Points at every cell that is cut, in each place where one can be; what has no tooltip then. */
async function unexplained(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const missing: string[] = []
    for (const element of document.querySelectorAll('td, td *')) {
      if (element.scrollWidth <= element.clientWidth || getComputedStyle(element).textOverflow !== 'ellipsis') continue
      element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
      if (element.closest('[title]:not([title=""])') === null) missing.push(element.textContent ?? '')
    }
    return missing
  })
}

type Size = { width: number; height: number }
const LANGUAGES: readonly { language: Language; locale: string; sizes: readonly Size[] }[] = [
  {
    language: 'ko',
    locale: 'ko-KR',
    sizes: [
      { width: 1024, height: 768 },
      { width: 1280, height: 800 },
      { width: 1440, height: 900 },
    ],
  },
  { language: 'en', locale: 'en-GB', sizes: [{ width: 1280, height: 800 }] },
]

for (const { language, locale, sizes } of LANGUAGES)
  test.describe(language, () => {
    test.use({ locale })

    test('heads can be read, tables fit, and cut cells explain themselves', async ({ page }) => {
      test.setTimeout(120_000)
      await enter(page)
      const visit = async (title: string) => {
        await openFirst(page)
        for (const size of sizes) {
          await page.setViewportSize(size)
          await settle(page)
          const where = `${title} at ${size.width}`
          expect.soft(await cutWords(page), `heads and buttons of ${where}`).toEqual([])
          if (!isWide(title, size.width)) expect.soft(await tablesTooWide(page), `tables of ${where}`).toEqual([])
          expect.soft(await unexplained(page), `cells of ${where}`).toEqual([])
        }
      }
      await eachScreen(page, visit, language)
    })
  })
