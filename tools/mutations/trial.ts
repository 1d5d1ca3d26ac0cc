// Runs tests against mutants, without a change on the disk: Vite loads a mutated file with its mutation in it.
import { join, resolve } from 'node:path'
import { createVitest, type TestModule } from 'vitest/node'
import type { Mutant } from './mutants.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const pathOf = (path: string) => join(ROOT, path)

/** The first test that failed, or the module that could not be loaded. */
function failureOf(module: TestModule): string | undefined {
  if (module.state() !== 'failed') return undefined
  for (const test of module.children.allTests('failed')) return `${module.relativeModuleId}: ${test.fullName}`
  return `${module.relativeModuleId} does not load`
}

/** Opens the tests of the calls, with one database for all of the trials. */
export async function openTrials() {
  let mutant: Mutant | undefined
  const mutation = {
    name: 'mutation',
    enforce: 'pre' as const,
    transform(code: string, id: string) {
      if (mutant === undefined || id.split('?')[0] !== pathOf(mutant.path)) return undefined
      return code.slice(0, mutant.start) + mutant.replacement + code.slice(mutant.end)
    },
  }
  const vitest = await createVitest('test', {
    root: ROOT,
    config: false,
    watch: false,
    bail: 1,
    reporters: [{}],
    projects: [
      {
        root: ROOT,
        plugins: [mutation],
        test: {
          name: 'calls',
          globalSetup: ['server/test/globalSetup.ts'],
          isolate: false,
          // Its key is the text on the disk, which is not what a mutant runs.
          fsModuleCache: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 3_000 } },
          include: ['{contract,server}/**/*.test.ts'],
        },
      },
    ],
  })
  await vitest.standalone()
  const specifications = new Map((await vitest.globTestSpecifications()).map((one) => [one.moduleId, one]))

  /** Runs test files against a mutant; returns what failed first. */
  async function findKiller(next: Mutant, files: readonly string[]): Promise<string | undefined> {
    mutant = next
    vitest.invalidateFile(pathOf(next.path))
    try {
      const chosen = files.map((file) => specifications.get(pathOf(file))).filter((one) => one !== undefined)
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen)
      // The result has the modules of earlier trials as well.
      const tried = new Set(chosen.map(({ moduleId }) => moduleId))
      const failures = testModules
        .filter(({ moduleId }) => tried.has(moduleId))
        .map(failureOf)
        .filter((one) => one !== undefined)
      return failures[0] ?? (unhandledErrors.length > 0 ? String(unhandledErrors[0]) : undefined)
    } finally {
      mutant = undefined
      vitest.invalidateFile(pathOf(next.path))
    }
  }

  const files = [...specifications.keys()].map((id) => id.slice(ROOT.length + 1)).sort()
  return { files, findKiller, close: () => vitest.close() }
}
