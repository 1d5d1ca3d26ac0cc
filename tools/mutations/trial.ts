// Runs tests against mutants, without a change on the disk: Vite loads a mutated file with its mutation in it.
import { join, resolve } from 'node:path'
import { createVitest, type TestModule, type UserWorkspaceConfig, type Vitest } from 'vitest/node'
import type { Mutant } from './mutants.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const pathOf = (path: string) => join(ROOT, path)

type Failure = { file: string; name: string }

/** The first test that failed, if any did. */
function failureOf(module: TestModule): Failure | undefined {
  if (module.state() !== 'failed') return undefined
  const file = module.relativeModuleId
  for (const test of module.children.allTests('failed')) return { file, name: test.fullName }
  return { file, name: 'does not load' }
}

/** Vitest over the tests of the calls, with one database for all runs and a plugin that loads mutants. */
async function openVitest(mutation: NonNullable<UserWorkspaceConfig['plugins']>[number]): Promise<Vitest> {
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
          // They start servers of their own, which would load the text on the disk, and outlive a drill that is stopped.
          exclude: ['**/node_modules/**', 'server/test/*.api.test.ts'],
        },
      },
    ],
  })
  await vitest.standalone()
  return vitest
}

/** Opens the tests of the calls, with one database for all of the trials. */
export async function openTrials() {
  let mutant: Mutant | undefined
  const vitest = await openVitest({
    name: 'mutation',
    enforce: 'pre',
    transform(code: string, id: string) {
      if (mutant === undefined || id.split('?')[0] !== pathOf(mutant.path)) return undefined
      return code.slice(0, mutant.start) + mutant.replacement + code.slice(mutant.end)
    },
  })
  const specifications = new Map((await vitest.globTestSpecifications()).map((one) => [one.moduleId, one]))

  /** Runs test files with a mutant, or as they are; returns what failed first. */
  async function run(next: Mutant | undefined, files: readonly string[]): Promise<Failure | undefined> {
    mutant = next
    if (next !== undefined) vitest.invalidateFile(pathOf(next.path))
    try {
      const chosen = files.map((file) => specifications.get(pathOf(file))).filter((one) => one !== undefined)
      const { testModules } = await vitest.runTestSpecifications(chosen)
      // The result has the modules of earlier trials as well.
      const ids = new Set(chosen.map(({ moduleId }) => moduleId))
      return testModules
        .filter(({ moduleId }) => ids.has(moduleId))
        .map(failureOf)
        .find((failure) => failure !== undefined)
    } finally {
      mutant = undefined
      if (next !== undefined) vitest.invalidateFile(pathOf(next.path))
    }
  }

  const isSound = new Map<string, boolean>()

  /** Returns the test that finds a mutant out. A file that fails without it, too, proves nothing and is left out. */
  async function findKiller(tried: Mutant, files: readonly string[]): Promise<Failure | undefined> {
    const failure = await run(
      tried,
      files.filter((file) => isSound.get(file) !== false),
    )
    if (failure === undefined) return undefined
    if (!isSound.has(failure.file)) isSound.set(failure.file, (await run(undefined, [failure.file])) === undefined)
    return isSound.get(failure.file) ? failure : findKiller(tried, files)
  }

  const files = [...specifications.keys()].map((id) => id.slice(ROOT.length + 1)).sort()
  return { files, findKiller, close: () => vitest.close() }
}
