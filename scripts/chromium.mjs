// The headless Chromium of the end-to-end tests: the system's, which root installs if it is missing, or Playwright's.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run } from './run.mjs'
import { installPackages } from './systemPackages.mjs'

const SYSTEM_CHROMIUM = '/usr/bin/chromium-headless-shell'

/** Installs Chromium if it is missing. Failures are printed; the tests then fail. */
export async function getChromium(node) {
  if (existsSync(SYSTEM_CHROMIUM)) return
  if (await installPackages(SYSTEM_CHROMIUM, ['chromium-headless-shell', 'fonts-noto-cjk'])) return
  console.log("Installing Playwright's Chromium ...")
  const playwright = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')
  const { status } = await run(node, [playwright, 'install', '--only-shell', 'chromium'])
  if (status !== 0) console.log('Chromium could not be installed: the end-to-end tests will say so.')
}
