// Chromium for the end-to-end tests: that of the system, which root installs if it is missing, or Playwright's own.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run } from './run.mjs'
import { installPackages } from './systemPackages.mjs'

const SYSTEM_CHROMIUM = '/usr/bin/chromium'

/** Installs Chromium if it is missing. Failures are printed; the tests then fail. */
export async function getChromium(node) {
  if (existsSync(SYSTEM_CHROMIUM)) return
  if (await installPackages(SYSTEM_CHROMIUM, ['chromium', 'fonts-noto-cjk'])) return
  console.log("Installing Playwright's Chromium ...")
  const playwright = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')
  const { status } = await run(node, [playwright, 'install', 'chromium'])
  if (status !== 0) console.log('Chromium could not be installed: the end-to-end tests will say so.')
}
