// What the browser fetches and refuses (docs/decisions/17-console.md): the sign-in page remains light.
import { gzipSync } from 'node:zlib'
import { expect, test } from './test.ts'

/** Bytes of compressed script that the sign-in page may need. */
const BUDGET = 120_000

test('the sign-in page needs no more script than its budget, hinders developer tools, and says what it needs', async ({
  page,
}) => {
  // Prefetching once the page is idle does not count.
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  await page.goto('/acc')
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const scripts = await page.evaluate(() => {
    const fetched = performance.getEntriesByType('resource').map(({ name }) => name)
    return fetched.filter((name) => name.endsWith('.js'))
  })
  // One script and the texts of one language.
  expect(scripts.filter((name) => !name.includes('.ko-'))).toHaveLength(1)
  const bodies = await Promise.all(scripts.map(async (url) => (await page.request.get(url)).body()))
  const sizes = bodies.map((body) => gzipSync(body, { level: 9 }).length)
  expect(sizes.length).toBeGreaterThan(0)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET)

  // Developer tools are hindered in the built console where the operator disables them.
  const own = await page.evaluate(() => [...document.scripts].map(({ src }) => src))
  const texts = await Promise.all(own.map(async (url) => (await page.request.get(url)).text()))
  expect(texts.filter((body) => /setInterval\(\(\) ?=> ?\{\s*debugger/.test(body))).toHaveLength(1)

  // Without scripts the page is in both languages.
  const html = await (await page.request.get('/acc')).text()
  const [, text = ''] = /<noscript>(.*)<\/noscript>/s.exec(html) ?? []
  expect(text).toContain('JavaScript를 켜 주세요')
  expect(text).toContain('Turn on JavaScript')
})

test('until its script is there the page shows a sign of it', async ({ page }) => {
  const held = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/acc', { waitUntil: 'commit' })
  await expect(page.locator('.starting')).toHaveCSS('animation-name', 'starting')
  held.resolve()
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await expect(page.locator('.starting')).toHaveCount(0)
})
