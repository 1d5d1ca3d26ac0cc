// Visits every screen of the menu, so that tests cover screens that are added later.
import { expect, type Locator, type Page } from '@playwright/test'
import { menuOf } from './screens.ts'

/** Waits until loading has finished. */
export async function settle(page: Page): Promise<void> {
  await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('status', { name: /불러오는 중|Loading/ })).toHaveCount(0)
}

/**
 * Opens the first row, group or choice of the screen and its pane; returns whether there is one. Buttons in notices
 * lead to other screens.
 */
export async function openFirst(page: Page): Promise<boolean> {
  const main = page.getByRole('main')
  const first = main
    .getByRole('treeitem')
    .or(main.locator('tbody tr[tabindex]'))
    .or(main.locator('li:not(.notice) > button'))
    .first()
  if (!(await first.isVisible())) return false
  await first.click()
  const pane = main.getByRole('heading', { level: 2 })
  // The plan of an import takes the place of its list.
  const plan = main.getByRole('tablist', { name: '계획 보기' })
  await expect(pane.or(plan).or(page.getByRole('dialog')).last()).toBeVisible()
  await closeDialog(page)
  await settle(page)
  return true
}

const backOf = (page: Page) => page.getByRole('main').getByRole('button', { name: '목록으로' })

/** In a narrow window the detail covers the list. */
export async function backToList(page: Page): Promise<void> {
  if (await backOf(page).isVisible()) await backOf(page).click()
}

/** Clicks a menu or a tab, and discards unsaved values, such as an opened former configuration. */
async function go(page: Page, to: Locator): Promise<void> {
  await to.click()
  const question = page.getByRole('dialog', { name: '변경사항 저장' })
  const arrived = to.and(page.locator('[aria-current="page"], [aria-selected="true"]'))
  // In a narrow window the new pane covers its tab.
  const shown = arrived.or(backOf(page))
  await expect(shown.or(question).first()).toBeVisible()
  if (await question.isVisible()) await question.getByRole('button', { name: '저장하지 않고 계속' }).click()
  await expect(shown.first()).toBeVisible()
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
export async function eachScreen(page: Page, visit: (title: string) => Promise<void>): Promise<void> {
  const items = menuOf(page).locator('button:not([aria-disabled])')
  await expect(items.first()).toBeVisible()
  for (const item of await items.all()) {
    const title = (await item.getAttribute('aria-label'))?.split(',')[0] ?? ''
    await go(page, item)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await settle(page)
    await visit(title)
    await visitOwnPart(page, item, (part) => visit(`${title} ${part}`))
  }
}

/** Opens a part that takes the place of the screen, from a menu in its head. */
async function visitOwnPart(page: Page, item: Locator, visit: (part: string) => Promise<void>): Promise<void> {
  const ways = page.getByRole('main').getByRole('button', { name: '생성 방법' })
  if (!(await ways.isVisible())) return
  await go(page, item)
  await ways.click()
  await page.getByRole('menuitem', { name: '파일로 가져오기' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '사용자 가져오기' })).toBeVisible()
  await settle(page)
  await visit('사용자 가져오기')
}

type Visit = (part: string) => Promise<void>

/** Visits a detail that covers the list, and shows the list again. */
async function visitCover(page: Page, visit: Visit): Promise<void> {
  const back = backOf(page)
  if (!(await back.isVisible())) return
  await visit('')
  await back.click()
}

/** The tabs of a screen or pane, and those that a tab holds. */
async function eachTab(page: Page, depth: number, isOpened: boolean, visit: Visit): Promise<void> {
  const list = page.getByRole('main').getByRole('tablist').nth(depth)
  if (isOpened && depth === 0) await visitCover(page, visit)
  if (!(await list.isVisible())) {
    if (!isOpened) await openFirst(page)
    return visit('')
  }
  for (const tab of await list.getByRole('tab').all()) {
    if (!(await tab.isVisible())) await backToList(page)
    const name = (await tab.textContent()) ?? ''
    await go(page, tab)
    await eachTab(page, depth + 1, isOpened, (inner) => visit(`${name} ${inner}`))
  }
}

/** The parts of a screen, by its own menus and tabs, each with its first row, group or choice opened. */
export async function eachPart(page: Page, visit: Visit): Promise<void> {
  const menus = await page.getByRole('main').locator('nav button:not([aria-disabled])').all()
  if (menus.length === 0) return eachTab(page, 0, await openFirst(page), visit)
  for (const menu of menus) {
    const name = (await menu.textContent()) ?? ''
    if (!(await menu.isVisible())) await backToList(page)
    await go(page, menu)
    await eachTab(page, 0, await openFirst(page), (inner) => visit(`${name} ${inner}`))
  }
}

/** Tables that have to be scrolled sideways to be read. */
export const tablesTooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('table')]
      .filter((table) => table.parentElement !== null && table.scrollWidth > table.parentElement.clientWidth + 1)
      .map((table) => `${table.ariaLabel}: ${table.scrollWidth} > ${table.parentElement?.clientWidth}`),
  )

/** Returns the texts of truncated heads, buttons and placeholders. */
const cutWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const contents = document.createRange()
    const probe = document.body.appendChild(document.createElement('span'))
    Object.assign(probe.style, { position: 'absolute', visibility: 'hidden', whiteSpace: 'pre' })
    /** Rounded widths of elements hide a fraction of a pixel, which is enough for dots. */
    const isCut = (element: Element) => {
      contents.selectNodeContents(element)
      const isRow = contents.getClientRects().length === 1
      return (
        element.scrollWidth > element.clientWidth + 1 ||
        (isRow &&
          getComputedStyle(element).textOverflow === 'ellipsis' &&
          contents.getBoundingClientRect().width > element.getBoundingClientRect().width + 0.2)
      )
    }
    const hidesPlaceholder = (field: HTMLInputElement | HTMLTextAreaElement) => {
      const { fontFamily, fontSize, fontWeight, letterSpacing, paddingLeft, paddingRight } = getComputedStyle(field)
      Object.assign(probe.style, { fontFamily, fontSize, fontWeight, letterSpacing })
      probe.textContent = field.placeholder
      const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      return field.value === '' && probe.getBoundingClientRect().width > room
    }
    const cut = [...document.querySelectorAll('th, th *, main .mantine-Button-label')]
      .filter((element) => element.clientWidth > 0 && isCut(element))
      .map((element) => element.textContent)
    const hidden = [...document.querySelectorAll<HTMLInputElement>('main input[placeholder]')]
      .filter((field) => field.clientWidth > 0 && hidesPlaceholder(field))
      .map(({ placeholder }) => placeholder)
    probe.remove()
    return [...cut, ...hidden]
  })

/** The `/` that search boxes of the screen show: only one of them is focused by it. */
const slashes = (page: Page): Promise<number> =>
  page.getByRole('main').locator('kbd:visible').getByText('/', { exact: true }).count()

/** Points at every cut cell; returns those without dots or without a tooltip. */
const unexplained = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const missing: string[] = []
    for (const element of document.querySelectorAll('td, td *')) {
      if (element.scrollWidth <= element.clientWidth || getComputedStyle(element).textOverflow !== 'ellipsis') continue
      element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
      const hasDots = [...element.children].every((child) => !/^inline-/.test(getComputedStyle(child).display))
      if (!hasDots || element.closest('[title]:not([title=""])') === null) missing.push(element.textContent ?? '')
    }
    return missing
  })

/** Returns cut names that are no longer than "Oliver Bennett", on Korean pages "남궁서연". */
const cutNames = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isEnglish = document.documentElement.lang === 'en'
    const ordinary = isEnglish ? /^(?=.{0,14}$)[A-Z][a-z]+ [A-Z][a-z]+$/ : /^[가-힣]{2,4}$/
    const contents = document.createRange()
    const isCut = (text: Node) => {
      let box = text.parentElement
      while (box !== null && getComputedStyle(box).textOverflow !== 'ellipsis') box = box.parentElement
      if (box === null) return false
      contents.selectNodeContents(text)
      const end = box.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(box).paddingRight)
      return contents.getBoundingClientRect().right > end + 1
    }
    const names: string[] = []
    for (const cell of document.querySelectorAll('tbody td')) {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const name = texts.currentNode.textContent?.trim() ?? ''
        if (ordinary.test(name) && isCut(texts.currentNode)) names.push(name)
      }
    }
    return names
  })

const softly = expect.configure({ soft: true })

/** Opens the detailed search of the screen, if it has one, and closes it again. */
export async function expectReadableFilters(page: Page, where: string): Promise<void> {
  const more = page.getByRole('search').getByRole('button', { name: /^(상세 검색|More filters)$/ })
  if (!(await more.isVisible())) return
  await more.click()
  await softly.poll(() => cutWords(page), { timeout: 3_000, message: `filters of ${where}` }).toEqual([])
  await page.getByRole('button', { name: /^(기본 검색|Simple search)$/ }).click()
}

/** Expects readable heads, buttons and placeholders, tooltips on cut cells, and tables that fit. */
export async function expectReadable(page: Page, where: string, mayBeWide = false): Promise<void> {
  // Panes take their widths after the window.
  const soon = { timeout: 3_000 }
  await softly
    .poll(() => cutWords(page), { ...soon, message: `heads, buttons and placeholders of ${where}` })
    .toEqual([])
  expect.soft(await slashes(page), `search boxes that / focuses on ${where}`).toBeLessThanOrEqual(1)
  if (!mayBeWide) await softly.poll(() => tablesTooWide(page), { ...soon, message: `tables of ${where}` }).toEqual([])
  // The cell under the pointer shows its buttons.
  await page.mouse.move(0, 0)
  if (!mayBeWide) await softly.poll(() => cutNames(page), { ...soon, message: `names of ${where}` }).toEqual([])
  expect.soft(await unexplained(page), `cells of ${where}`).toEqual([])
}

/**
 * What is wider than its place: the page itself, and everything that may scroll but only up and down. Tables and
 * menus scroll sideways by themselves, and text that is cut says so by three dots.
 */
export const overflowing = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const sides = [
      document.documentElement,
      document.body,
      ...document.querySelectorAll('main, main *:not(hr), [role="dialog"], [role="dialog"] *'),
    ]
    const isTooWide = (element: Element) => {
      if (element.scrollWidth <= element.clientWidth + 1 || element.clientWidth <= 1) return false
      const style = getComputedStyle(element)
      const isCut = style.textOverflow === 'ellipsis'
      const scrolls = element.matches('nav, :has(table)') && /auto|scroll/.test(style.overflowX)
      return style.display !== 'inline' && !isCut && !scrolls && /auto|scroll|hidden/.test(style.overflowX)
    }
    return sides
      .filter(
        (element) =>
          element instanceof HTMLElement &&
          isTooWide(element) &&
          !element.closest(
            '[data-visually-hidden], .mantine-VisuallyHidden-root, .mantine-Switch-root, .mantine-ScrollArea-thumb, input',
          ),
      )
      .map((element) => `${element.tagName}.${element.className} ${element.scrollWidth} > ${element.clientWidth}`)
  })

/** Expects that no button is squeezed or outside the window. One evaluation, since lists may change. */
export async function expectReachable(scope: Locator, where: string): Promise<void> {
  const faults = await scope.evaluate((root) =>
    [...root.querySelectorAll('button, [role="button"]')].flatMap((button) => {
      const { left, right } = button.getBoundingClientRect()
      const isInside = (left >= 0 && right <= window.innerWidth + 1) || button.closest('table, nav') !== null
      const label = button.querySelector('.mantine-Button-label')
      const isSqueezed = label !== null && label.scrollHeight > label.clientHeight + 1
      return (isInside && !isSqueezed) || !button.checkVisibility() ? [] : [button.ariaLabel ?? button.textContent]
    }),
  )
  expect.soft(faults, where).toEqual([])
}
