// What the browser is made to fetch and to refuse (docs/decisions/0008): the sign-in page stays light, and nothing that any
// screen does violates the content security policy.
import { gzipSync } from 'node:zlib'
import { ADMIN } from './accServer.ts'
import { menuOf, signIn } from './screens.ts'
import { expect, test } from './test.ts'

/** Bytes of compressed script that the sign-in page may need. */
const BUDGET = 120_000

test('the sign-in page needs no more script than its budget', async ({ page }) => {
  await page.goto('/acc')
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  // What is fetched later, ahead of being needed, does not count.
  const scripts = await page.evaluate(async () => {
    const painted = new Promise<number>((resolve) => {
      const read = (list: PerformanceObserverEntryList) => resolve(list.getEntries().at(-1)?.startTime ?? 0)
      new PerformanceObserver(read).observe({ type: 'largest-contentful-paint', buffered: true })
    })
    const end = await painted
    const fetched = performance.getEntriesByType('resource')
    return fetched.filter(({ name, startTime }) => name.endsWith('.js') && startTime < end).map(({ name }) => name)
  })
  const bodies = await Promise.all(scripts.map(async (url) => (await page.request.get(url)).body()))
  const sizes = bodies.map((body) => gzipSync(body, { level: 9 }).length)
  expect(sizes.length).toBeGreaterThan(0)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET)
})

test('from signing in to every screen, nothing violates the content security policy', async ({ page, faults }) => {
  await signIn(page, ADMIN)
  await expect(menuOf(page)).toBeVisible()
  for (const item of await menuOf(page).getByRole('button').all()) {
    await item.click()
    await expect(item).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  expect(faults).toEqual([])
})
