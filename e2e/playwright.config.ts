// The end-to-end tests: Debian's Chromium or else Playwright's own, against the real server (server.ts).
// Korean is what people see first, so it is what tests see unless they ask for English.
import { defineConfig } from '@playwright/test'
import { CHROMIUM, VIEWPORT } from './chromium.ts'

export default defineConfig({
  testMatch: '*.spec.ts',
  globalSetup: './dataDirs.ts',
  // One more than a small machine has cores: tests also wait for timers, mail servers and restarts.
  workers: 3,
  // Browsers, servers and databases share what may be two cores: a test that fails is tried once more, on a
  // fresh server, and the report lists it as flaky.
  retries: 1,
  forbidOnly: true,
  reporter: 'line',
  // The longest take half a minute, and four times as long on a slow machine with other work.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    browserName: 'chromium',
    launchOptions: CHROMIUM,
    locale: 'ko-KR',
    timezoneId: 'Asia/Seoul',
    viewport: VIEWPORT,
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
  },
})
