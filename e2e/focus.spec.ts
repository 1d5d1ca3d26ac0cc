// Keyboard focus never falls to the page's body (WCAG 2.4.3): each kind of button of every screen is pressed by the
// keyboard, and what it opens is closed again.
import type { Page } from '@playwright/test'
import { addUser } from './arrange.ts'
import { eachScreen, openFirst, settle } from './eachScreen.ts'
import { enter, enterAt } from './screens.ts'
import { expect, test } from './test.ts'

test.use({ beginning: 'demo' })

/** Describes the focused element; null if the focus is on the body. */
const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return null
    return `${element.tagName} ${element.ariaLabel ?? element.textContent?.slice(0, 40)}`
  })

const expectFocus = (page: Page, after: string) =>
  expect.poll(() => focused(page), { message: `focus after ${after}`, timeout: 3_000 }).not.toBeNull()

/** Closes what a press has opened: menus, lists, dialogs and the question about unsaved changes. */
async function closeAll(page: Page): Promise<void> {
  const open = page.locator('[role="menu"], [role="dialog"]').filter({ visible: true })
  while ((await open.count()) > 0) {
    const top = (await open.all()).at(-1)
    // What has just appeared does not listen yet.
    await expect(async () => {
      await page.keyboard.press('Escape')
      if (top !== undefined) await expect(top).toBeHidden({ timeout: 1_000 })
    }).toPass()
  }
}

type Button = { key: string; name: string }

/**
 * Focuses the first button of the screen with another key than these and returns it. Buttons of one key are alike: the
 * heads of a table in one order, the items of a menu, the same action of other rows, pages and days.
 */
const focusNext = (page: Page, pressed: readonly string[]): Promise<Button | null> =>
  page.evaluate((keys) => {
    const LEFT_OUT = ':disabled, [aria-current], tbody tr ~ tr button, [role="treeitem"] ~ [role="treeitem"] button'
    const nameOf = (button: Element) => button.ariaLabel ?? button.textContent ?? ''
    const kindOf = (button: Element, name: string) => {
      if (button.closest('nav') !== null) return 'menu'
      if (button.closest('thead') !== null) return `head${/, [^,]+$/.exec(name)?.[0]}`
      return button.closest('tbody') === null ? name.replace(/\d+/g, '') : `row ${name.split(' ').at(-1)}`
    }
    for (const button of document.querySelectorAll<HTMLButtonElement>('main button')) {
      const name = nameOf(button)
      const place = button.closest('section, [role="region"]')
      const key = `${place && (place.ariaLabel ?? 'pane')} ${kindOf(button, name)}`
      if (!button.checkVisibility() || button.matches(LEFT_OUT) || keys.includes(key)) continue
      button.focus()
      return { key, name }
    }
    return null
  }, pressed)

/** What a press opens is on the page after two frames. */
const nextFrames = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))))

/** Presses the buttons with other keys than those pressed, and adds theirs. */
async function pressAll(page: Page, where: string, pressed: string[]): Promise<void> {
  for (let next = await focusNext(page, pressed); next !== null; next = await focusNext(page, pressed)) {
    pressed.push(next.key)
    await page.keyboard.press('Enter')
    await nextFrames(page)
    await settle(page)
    await closeAll(page)
    await expectFocus(page, `${where}: ${next.name}`)
  }
}

test('pressing each kind of button on every screen leaves the focus on the page', async ({ page }) => {
  test.setTimeout(240_000)
  await enter(page)
  // Filters, pages and other shared parts are pressed on the first screen that has them.
  const pressed: string[] = []
  await eachScreen(page, async (title) => {
    await pressAll(page, title, pressed)
    await openFirst(page)
    await pressAll(page, `${title}, one opened`, pressed)
  })
})

test('a closed dialog returns the focus to what opened it, also before the page was ever idle', async ({ page }) => {
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  await enterAt(page, 'users')
  for (const name of ['내 권한', '사용자 생성', '빠른 이동']) {
    const opener = page.getByRole('button', { name, exact: true })
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(opener).toBeFocused()
  }
})

test('Save keeps the focus while it saves and afterwards', async ({ page, server }) => {
  await addUser(server, 'focus.save', '저장할 사람')
  await enterAt(page, 'users')
  await page.getByRole('searchbox').fill('focus.save')
  await page.getByRole('row').filter({ hasText: 'focus.save' }).click()
  await page.getByRole('textbox', { name: '이름' }).fill('저장된 사람')
  await expect(page.getByRole('status').filter({ hasText: '변경 1건' })).toBeVisible()
  const save = page.getByRole('button', { name: '저장', exact: true })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/User', async (route) => {
    await held
    await route.continue()
  })
  await save.focus()
  await page.keyboard.press('Enter')
  await expect(save).toHaveAttribute('aria-busy', 'true')
  await expect(save).toBeFocused()
  release()
  await expect(save).not.toHaveAttribute('aria-busy')
  await expect(save).toBeFocused()

  const name = page.getByRole('textbox', { name: '이름' })
  await name.fill('다시 저장된 사람')
  await page.keyboard.press('Control+S')
  await expect(page.getByRole('heading', { level: 2, name: '다시 저장된 사람' })).toBeVisible()
  await expect(name).toBeFocused()
})

test('a refused form focuses its first wrong field, and marks only typed fields', async ({ page, server }) => {
  await addUser(server, 'focus.taken', '먼저 온 사람')
  await enterAt(page, 'users')
  await page.getByRole('button', { name: '사용자 생성' }).click()
  const dialog = page.getByRole('dialog')
  const id = dialog.getByRole('textbox', { name: '아이디' })
  const name = dialog.getByRole('textbox', { name: '이름' })
  await expect(id).toBeFocused()
  await dialog.getByRole('button', { name: /^그룹 / }).click()
  await expect(dialog.getByText('필수 항목입니다.')).toBeHidden()
  await dialog.getByRole('treeitem', { name: '전체 조직' }).click()
  await expect(dialog.getByRole('button', { name: /^그룹 / })).toBeFocused()
  await id.fill('focus.taken')
  await id.press('Enter')
  await expect(name).toBeFocused()
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await name.fill('나중에 온 사람')
  await dialog.getByRole('textbox', { name: '이메일' }).fill('focus.second@example.com')
  await dialog.locator('button[type="submit"]').press('Enter')
  await expect(id).toHaveAttribute('aria-invalid', 'true')
  await expect(id).toBeFocused()
})

test('Escape in an empty search moves to the first row', async ({ page }) => {
  await enterAt(page, 'users')
  const first = page.getByRole('table', { name: '사용자 목록' }).locator('tbody tr[data-idx]').first()
  await expect(first).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(first).toBeFocused()
})
