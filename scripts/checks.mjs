// Runs all parts of `npm test`, also after failures. Then prints the failures, and in the last line the sum.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getChromium } from './chromium.mjs'
import { buildConsole } from './console.mjs'
import { playwrightFailures, printFailures, vitestFailures } from './failures.mjs'
import { ROOT, run, SetupError } from './run.mjs'
import { getSamba, getSlapd } from './systemPackages.mjs'

const bin = (...path) => join(ROOT, 'node_modules', ...path)
const E2E_CONFIG = 'e2e/playwright.config.ts'

/** Runs all parts, prints their results, and returns the exit status. */
export async function runChecks(node) {
  const reports = mkdtempSync(join(tmpdir(), 'acc-reports-'))
  const tsc = bin('typescript', 'bin', 'tsc')
  const parts = [
    ['types', () => check(node, [tsc, '-p', 'tsconfig.json'])],
    ['types of the console', () => check(node, [tsc, '-p', 'console/tsconfig.json'])],
    ['lint and format', () => check(node, [bin('@biomejs', 'biome', 'bin', 'biome'), 'check', '.'])],
    ['unused code', () => check(node, [bin('knip', 'bin', 'knip.js')])],
    ['language', () => check(node, [join(ROOT, 'scripts', 'language.mjs')])],
    ['dependencies', () => check(node, [join(ROOT, 'scripts', 'dependencies.mjs')])],
    ['unit tests', () => vitest(node, 'unit', join(reports, 'unit.json'))],
    ['API tests', () => apiTests(node, join(reports, 'api.json'))],
    ['tests of processes', () => processes(node, reports)],
    ['build of the console', () => build(node)],
    ['end-to-end tests', () => playwright(node, join(reports, 'e2e.json'))],
  ]
  const results = []
  for (const [name, part] of parts) {
    console.log(`\n--- ${name}`)
    const start = Date.now()
    const counts = await part()
    results.push({ name, ...counts, seconds: (Date.now() - start) / 1000 })
  }
  rmSync(reports, { recursive: true, force: true })
  printFailures(results.flatMap(({ failures = [] }) => failures))
  return print(results)
}

function print(results) {
  const sum = (of) => sumOf(results, (result) => result[of])
  const widest = Math.max(...results.map(({ name }) => name.length))
  console.log(`\n${''.padEnd(widest)}  passed  failed    time`)
  for (const { name, passed, failed, seconds } of results) {
    const cells = [String(passed).padStart(6), String(failed).padStart(6), `${seconds.toFixed(1)} s`.padStart(7)]
    console.log(`${name.padEnd(widest)}  ${cells.join('  ')}`)
  }
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
  return sum('failed') === 0 ? 0 : 1
}

const sumOf = (list, of) => list.reduce((total, one) => total + of(one), 0)
const one = (status) => (status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })

async function check(node, args) {
  const { status } = await run(node, args)
  return one(status)
}

async function build(node) {
  try {
    await buildConsole(node)
    return one(0)
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    console.log(error.message)
    return one(1)
  }
}

/** Counts a part that failed without a failed test, such as a file that does not load, as one failure. */
const counted = (status, passed, failed) => ({ passed, failed: status !== 0 && failed === 0 ? 1 : failed })

async function vitest(node, project, report, files = []) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const args = ['run', '--project', project, '--passWithNoTests', ...reporters, ...files]
  const { status } = await run(node, [bin('vitest', 'vitest.mjs'), ...args])
  const { testResults = [] } = read(report)
  const failed = testResults.filter((file) => file.status === 'failed')
  const count = (file, result) => file.assertionResults.filter((test) => test.status === result).length
  const passed = sumOf(testResults, (file) => count(file, 'passed'))
  // A file that does not load has no failed tests.
  const failures = sumOf(failed, (file) => Math.max(1, count(file, 'failed')))
  // An error that a route lists and no test throws ends the run without a test that fails.
  const ofRun = status !== 0 && failures === 0 ? [{ test: project, hasPassed: false, message: 'see its output' }] : []
  return {
    ...counted(status, passed, failures),
    failures: [...vitestFailures({ testResults }), ...ofRun],
    failedFiles: failed.map((file) => ({ name: file.name, passed: count(file, 'passed') })),
  }
}

/** Directories are searched in a real OpenLDAP. */
async function apiTests(node, report) {
  await getSlapd()
  return vitest(node, 'api', report)
}

/**
 * Runs files of process tests with a failure once more, each alone, since they depend on the machine. The second result
 * counts; the first failures are printed.
 */
async function processes(node, reports) {
  await getSamba()
  const first = await vitest(node, 'process', join(reports, 'process.json'))
  const names = first.failedFiles.map(({ name }) => name)
  if (names.length === 0) return first
  console.log('\n--- once more what failed')
  const again = await vitest(node, 'process', join(reports, 'again.json'), [...names, '--maxWorkers=1'])
  const passed = first.passed - sumOf(first.failedFiles, ({ passed }) => passed) + again.passed
  const failsAgain = new Set(again.failures.map(({ test }) => test))
  const flaky = first.failures.filter(({ test }) => !failsAgain.has(test)).map((one) => ({ ...one, hasPassed: true }))
  return { passed, failed: again.failed, failures: [...again.failures, ...flaky] }
}

async function playwright(node, report) {
  await getChromium(node)
  const args = [
    bin('@playwright', 'test', 'cli.js'),
    'test',
    '-c',
    E2E_CONFIG,
    '--pass-with-no-tests',
    '--reporter=list,json',
  ]
  const { status } = await run(node, args, { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } })
  const results = read(report)
  const { stats = {}, errors = [] } = results
  const { expected = 0, flaky = 0, unexpected = 0 } = stats
  const counts = counted(status, expected + flaky, unexpected + errors.length)
  return { ...counts, failures: playwrightFailures(results) }
}

const read = (report) => (existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {})
