// Runs test files against mutants: each mutant in a run of its own, all in one worker that loads the code once.
import { join, resolve } from 'node:path'
import { createVitest, type TestCase, type TestModule, type Vitest } from 'vitest/node'
import { instrument } from './instrument.ts'
import type { Mutant } from './mutants.ts'
import type { Plan } from './setup.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** Vitest over the tests of the calls, with one database for all runs and a plugin that puts the mutants in. */
async function openVitest(mutants: readonly Mutant[]): Promise<Vitest> {
  const byPath = Map.groupBy(mutants, ({ path }) => join(ROOT, path))
  const vitest = await createVitest('test', {
    root: ROOT,
    config: false,
    watch: false,
    reporters: [{}],
    projects: [
      {
        root: ROOT,
        plugins: [
          {
            name: 'mutations',
            enforce: 'pre',
            transform: (code: string, id: string) => {
              const ofFile = byPath.get(id.split('?')[0] ?? '')
              return ofFile && instrument(code, ofFile)
            },
          },
        ],
        test: {
          name: 'calls',
          globalSetup: ['server/test/globalSetup.ts'],
          setupFiles: ['tools/mutations/setup.ts'],
          isolate: false,
          maxWorkers: 1,
          // Its key is the text on the disk, which is not what runs here.
          fsModuleCache: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 6_000 } },
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

export type Trial = Plan & { file: string }
export type Result = {
  seconds: number
  /** The tests that ran, in their order, and the mutants that each one asked for. */
  tests: { name: string; seconds: number; asked: readonly number[] }[]
  failure: { test: string; isTimeout: boolean } | undefined
}

/** Named as the failed test of a file whose modules cannot be loaded. */
export const NOT_LOADED = 'does not load'

function failureOf(module: TestModule, tests: readonly TestCase[]): Result['failure'] {
  if (module.state() !== 'failed') return undefined
  const failed = tests.find((test) => test.result().state === 'failed')
  const errors = failed?.result().errors ?? module.errors()
  const isTimeout = errors.some(({ message }) => /timed out/i.test(message))

  return { test: failed?.fullName ?? NOT_LOADED, isTimeout }
}

function resultOf(module: TestModule): Result {
  const tests = [...module.children.allTests()]
  const { collectDuration, setupDuration, duration } = module.diagnostic()
  const ran = tests.filter((test) => test.result().state !== 'skipped')
  return {
    seconds: (collectDuration + setupDuration + duration) / 1000,
    tests: ran.map((test) => ({
      name: test.fullName,
      seconds: (test.diagnostic()?.duration ?? 0) / 1000,
      asked: test.meta().asked ?? [],
    })),
    failure: failureOf(module, tests),
  }
}

export type Trials = Awaited<ReturnType<typeof openTrials>>

/** Opens the tests of the calls, with one database for all of the trials. */
export async function openTrials(mutants: readonly Mutant[]) {
  const vitest = await openVitest(mutants)
  const project = vitest.projects[0]
  if (project === undefined) throw new Error('there are no tests')
  const found = await vitest.globTestSpecifications()
  const files = found.map(({ moduleId }) => moduleId.slice(ROOT.length + 1)).sort()
  let made = 0

  /** Runs test files one after the other; returns the results in the same order. */
  async function run(trials: readonly Trial[]): Promise<(Result | undefined)[]> {
    if (trials.length === 0) return []
    const plans = trials.map((trial) => [`${made++}`, trial] as const)
    project?.provide('plans', Object.fromEntries(plans))
    const specifications = plans.map(([number, { file }]) =>
      project?.createSpecification(`${join(ROOT, file)}?trial=${number}`),
    )
    const { testModules } = await vitest.runTestSpecifications(specifications.filter((one) => one !== undefined))
    const byId = new Map(testModules.map((module) => [module.moduleId, module]))
    return plans.map(([number, { file }]) => {
      const module = byId.get(`${join(ROOT, file)}?trial=${number}`)
      return module && resultOf(module)
    })
  }

  return { files, run, close: () => vitest.close() }
}
