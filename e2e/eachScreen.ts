// Visits every screen of the menu, so that tests cover screens that are added later.
import { expect, type Page } from '@playwright/test'
import { type Language, menuOf } from './screens.ts'

/** Waits until loading has finished. */
export async function settle(page: Page): Promise<void> {
  await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('status', { name: /불러오는 중|Loading/ })).toHaveCount(0)
}

/** Opens the first row, group or choice of the screen, so that the pane beside it is filled. */
export async function openFirst(page: Page): Promise<void> {
  const main = page.getByRole('main')
  const first = main
    .getByRole('treeitem')
    .or(main.locator('tbody tr[tabindex]'))
    .or(main.locator('li > button'))
    .first()
  if (!(await first.isVisible())) return
  await first.click()
  const pane = main.getByRole('heading', { level: 2 })
  await expect(pane.or(page.getByRole('dialog')).last()).toBeVisible()
  await closeDialog(page)
  await settle(page)
}

/** Closes the dialog that a row opened instead of a pane. */
export async function closeDialog(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  if (!(await dialog.isVisible())) return
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

/** Opens the screens in the order of the menu and calls `visit` on each, once it has loaded. */
export async function eachScreen(
  page: Page,
  visit: (title: string) => Promise<void>,
  language: Language = 'ko',
): Promise<void> {
  const items = menuOf(page, language).locator('button:not([aria-disabled])')
  await expect(items.first()).toBeVisible()
  for (const item of await items.all()) {
    const title = (await item.getAttribute('aria-label'))?.split(',')[0] ?? ''
    await item.click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await settle(page)
    await visit(title)
  }
}

/** Tables that have to be scrolled sideways to be read. */
export const tablesTooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('table')]
      .filter((table) => table.parentElement !== null && table.scrollWidth > table.parentElement.clientWidth + 1)
      .map((table) => table.ariaLabel ?? ''),
  )
