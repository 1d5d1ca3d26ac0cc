// How the browser is started, for the tests and for the pictures.
import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'

/** Without the parts that a window needs, which takes a third less processor time. */
const SYSTEM_CHROMIUM = '/usr/bin/chromium-headless-shell'

export const CHROMIUM: LaunchOptions = {
  ...(existsSync(SYSTEM_CHROMIUM) ? { executablePath: SYSTEM_CHROMIUM } : {}),
  // Without an encoding Chromium names every download in Korean "download".
  env: { ...process.env, LANG: 'C.UTF-8' },
  args: [
    ...['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-quic'],
    // A page of a test ends before optimized code pays: a fifth less processor time.
    '--js-flags=--no-opt,--no-maglev',
  ],
}

export const VIEWPORT = { width: 1440, height: 860 }
