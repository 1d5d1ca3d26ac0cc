// The headless Chromium of the end-to-end tests: the system's, which root installs if it is missing, or Playwright's.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run } from './run.mjs'

const SYSTEM_CHROMIUM = '/usr/bin/chromium-headless-shell'

/** Installs Chromium if it is missing. Failures are printed; the tests then fail. */
export async function getChromium(node) {
  if (existsSync(SYSTEM_CHROMIUM)) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && (await installFromSystem())) return
  console.log("Installing Playwright's Chromium ...")
  const playwright = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')
  const { status } = await run(node, [playwright, 'install', '--only-shell', 'chromium'])
  if (status !== 0) console.log('Chromium could not be installed: the end-to-end tests will say so.')
}

/** Installs Chromium and Korean fonts from the system's packages. */
async function installFromSystem() {
  console.log('Installing Chromium from the system packages ...')
  const options = { quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } }
  const update = await run('apt-get', ['update'], options)
  const packages = ['chromium-headless-shell', 'fonts-noto-cjk']
  const { status, output } = await run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], options)
  if (status === 0 && existsSync(SYSTEM_CHROMIUM)) return true
  console.log(`${update.status === 0 ? '' : update.output}${output}`.trim())
  return false
}
