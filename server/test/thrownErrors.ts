// Finds errors that a route lists and no test throws. Each worker appends the errors of its calls to one file.
import { appendFileSync, readFileSync } from 'node:fs'
import { api } from '@acc/contract'
import type { ErrorName } from '@acc/contract/core/errors'
import type { Route } from '@acc/contract/core/route'
import type { TestProject } from 'vitest/node'
import { thrownErrors } from '../src/http/conformance.ts'

type Thrown = { route: Pick<Route, 'method' | 'path'>; name: ErrorName }

const lineOf = ({ route, name }: Thrown): string => `${route.method} ${route.path} ${name}`

/** Appends each error of a call to the file once. */
export function recordThrownErrors(file: string): void {
  const recorded = new Set<string>()
  thrownErrors.subscribe((message) => {
    const line = lineOf(message as Thrown)
    if (recorded.has(line)) return
    recorded.add(line)
    appendFileSync(file, `${line}\n`)
  })
}

/** Returns the listed errors that are missing in the file. */
function findUnthrownErrors(file: string): string[] {
  const thrown = new Set(readFileSync(file, 'utf8').split('\n'))
  return (
    Object.values(api)
      .flatMap((group): Route[] => Object.values(group))
      // Redirects throw none: they carry the code in their address.
      .filter(({ kind }) => kind !== 'redirect')
      .flatMap((route) => route.errors.map((name) => lineOf({ route, name })))
      .filter((line) => !thrown.has(line))
  )
}

/** Returns whether all tests of the project ran and passed. */
async function isComplete(project: TestProject): Promise<boolean> {
  const { state } = project.vitest
  if (project.config.testNamePattern !== undefined || state.getCountOfFailedTests() > 0) return false
  const { testFiles } = await project.globTestFiles()
  const passed = state.getTestModules().filter((module) => module.project === project && module.state() === 'passed')
  return passed.length === testFiles.length
}

/** Fails a complete run of the project after which a listed error was never thrown. */
export async function requireThrownErrors(project: TestProject, file: string): Promise<void> {
  if (!(await isComplete(project))) return
  const unthrown = findUnthrownErrors(file)
  if (unthrown.length > 0) throw new Error(`No test throws these errors that a route lists:\n${unthrown.join('\n')}`)
}
