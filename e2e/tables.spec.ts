// The tables on a small screen, 1280 pixels wide, with the sample organisation: every head can be read, and every cell that
// is cut explains itself; no button is squeezed.
import type { Page } from '@playwright/test'
import { tablesTooWide } from './eachScreen.ts'
import { enter, type Language, menuOf } from './screens.ts'
import { expect, test } from './test.ts'

test.use({ beginning: 'demo', viewport: { width: 1280, height: 800 } })

/** The texts of heads and buttons that do not stand there whole. */
const cutWords = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('th, th *, main .mantine-Button-label')]
      .filter((element) => element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1)
      .map((element) => element.textContent ?? ''),
  )

/** Has more columns than a small screen holds beside what stands there; it can be moved sideways. */
const WIDE = /^(사용자|Users|이력|History)$/

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

for (const [language, locale] of [
  ['ko', 'ko-KR'],
  ['en', 'en-GB'],
] as const satisfies [Language, string][])
  test.describe(language, () => {
    test.use({ locale })

    test('heads can be read, and cut cells explain themselves', async ({ page }) => {
      test.setTimeout(120_000)
      await enter(page)
      await expect(menuOf(page, language)).toBeVisible()
      for (const item of await menuOf(page, language).getByRole('button').all()) {
        await item.click()
        await expect(item).toHaveAttribute('aria-current', 'page')
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        const main = page.getByRole('main')
        const first = main.getByRole('treeitem').or(main.locator('tbody tr[tabindex]')).or(main.locator('li > button'))
        await expect(main.locator('[aria-busy="true"]')).toHaveCount(0)
        if ((await first.count()) > 0) await first.first().click()
        await expect(main.locator('[aria-busy="true"]')).toHaveCount(0)
        const where = (await item.textContent()) ?? ''
        expect.soft(await cutWords(page), `heads and buttons of ${where}`).toEqual([])
        const isWide = WIDE.test(where)
        if (!isWide) expect.soft(await tablesTooWide(page), `tables of ${where}`).toEqual([])
        expect.soft(await unexplained(page), `cells of ${where}`).toEqual([])
      }
    })
  })
