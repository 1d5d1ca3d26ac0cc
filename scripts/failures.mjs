// Reads the failures from the reports of Vitest and Playwright, for the last lines of `npm test`.
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from './run.mjs'

const MOST = 30
const LINES_OF_ONE = 6

/** @typedef {{ test: string, hasPassed: boolean, message: string }} Failure  `hasPassed`: at another attempt */

/** @returns {Failure[]} the failed attempts in a report of Vitest */
export const vitestFailures = ({ testResults = [] }) =>
  testResults.flatMap(({ name, message, assertionResults }) => {
    const file = relative(ROOT, name)
    const failures = assertionResults
      .filter(({ status, failureMessages }) => status === 'failed' || failureMessages.length > 0)
      .map(({ fullName, status, failureMessages: [first = ''] }) => ({
        test: `${file} › ${fullName}`,
        hasPassed: status === 'passed',
        message: first,
      }))
    // A file that does not load has no tests.
    return message ? [{ test: file, hasPassed: false, message }, ...failures] : failures
  })

/** @returns {Failure[]} the failed attempts in a report of Playwright */
export function playwrightFailures({ suites = [], errors = [] }) {
  const specsOf = ({ specs = [], suites: inner = [] }) => [...specs, ...inner.flatMap(specsOf)]
  const failed = suites.flatMap(specsOf).flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ status, results }) => ({
        test: `e2e/${file}:${line} › ${title}`,
        hasPassed: status === 'flaky',
        message: results.find(({ error }) => error)?.error.message ?? '',
      })),
  )
  return [...failed, ...errors.map(({ message = '' }) => ({ test: 'e2e', hasPassed: false, message }))]
}

/** Leaves out frames of libraries. */
const isOurs = (line) => !/^\s+at /.test(line) || (line.includes(ROOT) && !line.includes('node_modules'))

/** Prints each failure with the first lines of its message, those that passed at another attempt last. */
export function printFailures(failures) {
  const sorted = failures.toSorted((one, other) => Number(one.hasPassed) - Number(other.hasPassed))
  for (const { test, hasPassed, message } of sorted.slice(0, MOST)) {
    console.log(`\n${hasPassed ? 'FLAKY ' : 'FAILED'}  ${test}`)
    const lines = stripVTControlCharacters(message).split('\n').filter(isOurs)
    for (const line of lines.slice(0, LINES_OF_ONE)) console.log(`        ${line.slice(0, 300)}`)
  }
  if (sorted.length > MOST) console.log(`\nand ${sorted.length - MOST} more`)
}
