// The sign-in page in a browser with an empty cache and a slowed processor: compressed scripts, largest paint.
import { existsSync } from 'node:fs'
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import type { Bench } from './bench.ts'
import { median, ms, type Row } from './report.ts'

const SYSTEM_CHROMIUM = '/usr/bin/chromium-headless-shell'
const TIMES = 5
const SLOWED = 4

type Paint = { scriptBytes: number; largestPaint: number }

/** Counts transferred bytes of scripts; the returned function returns the sum. */
function countScripts(cdp: CDPSession): () => number {
  const scripts = new Set<string>()
  let bytes = 0
  cdp.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  return () => bytes
}

/** Returns the time of the last entry, which is the largest. */
const largestPaintOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
      }),
  )

async function paintOnce(browser: Browser, baseUrl: string): Promise<Paint> {
  const context = await browser.newContext({ locale: 'ko-KR', viewport: { width: 1440, height: 860 } })
  try {
    const page = await context.newPage()
    // Files that an idle page fetches ahead do not count.
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0
    })
    const cdp = await context.newCDPSession(page)
    await cdp.send('Network.enable')
    await cdp.send('Network.setCacheDisabled', { cacheDisabled: true })
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
    const scriptBytes = countScripts(cdp)
    await page.goto(`${baseUrl}/acc`)
    // Without locators: their script costs the page 50 ms.
    await page.waitForLoadState('networkidle')
    return { scriptBytes: scriptBytes(), largestPaint: await largestPaintOf(page) }
  } finally {
    await context.close()
  }
}

export async function measureFirstPaint({ product }: Bench): Promise<Row[]> {
  const browser = await chromium.launch({
    ...(existsSync(SYSTEM_CHROMIUM) ? { executablePath: SYSTEM_CHROMIUM } : {}),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const paints: Paint[] = []
    for (let time = 0; time < TIMES; time++) paints.push(await paintOnce(browser, product.url))
    const bytes = median(paints.map(({ scriptBytes }) => scriptBytes))
    if (bytes === 0) throw new Error('there is no console: npm run build makes it')
    const paint = median(paints.map(({ largestPaint }) => largestPaint))
    return [
      { work: 'sign-in page: script, compressed', product: `${(bytes / 1000).toFixed(0)} kB`, target: '<= 120 kB' },
      { work: `sign-in page: largest paint, processor slowed ${SLOWED} times`, product: ms(paint), target: '< 1 s' },
    ]
  } finally {
    await browser.close()
  }
}
