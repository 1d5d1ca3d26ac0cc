// Which test asks for which mutants: collected by a run of all test files without one, and kept while a file's text is the same.
import type { Mutant } from './mutants.ts'
import type { MutationRecord } from './record.ts'
import type { Result, Trials } from './trial.ts'

/** A test that passed without a mutant: the seconds from the file's begin to its end, the keys of the mutants it asks for. */
type CoveredTest = { name: string; until: number; asked: string[] }
/** The tests of a file in their order. */
export type FileCoverage = { hash: string; tests: CoveredTest[] }
export type Coverage = ReadonlyMap<string, FileCoverage>

/** Test files between two savings. */
const BATCH = 15

function coveredTests({ seconds, tests }: Result, mutants: readonly Mutant[]): CoveredTest[] {
  let until = seconds - tests.reduce((sum, test) => sum + test.seconds, 0)
  return tests.map((test) => {
    until += test.seconds
    return { name: test.name, until, asked: test.asked.map((id) => mutants[id]?.key ?? '') }
  })
}

/** Collects what the record does not have. A file that fails as it is proves nothing, and is left out. */
export async function collectCoverage(
  trials: Trials,
  mutants: readonly Mutant[],
  { record, isOver }: { record: MutationRecord; isOver: () => boolean },
): Promise<Coverage> {
  const missing = trials.files.filter((file) => record.coverage[file]?.hash !== record.hashOf(file))
  for (let from = 0; from < missing.length && !isOver(); from += BATCH) {
    const files = missing.slice(from, from + BATCH)
    // The first one also asks for all that modules evaluate when they are loaded: it runs twice, and counts the second time.
    const [, ...results] = await trials.run([...files.slice(0, 1), ...files].map((file) => ({ file, isStatic: false })))
    for (const [place, file] of files.entries()) {
      const result = results[place]
      delete record.coverage[file]
      if (result && !result.failure)
        record.coverage[file] = { hash: record.hashOf(file), tests: coveredTests(result, mutants) }
      else console.log(`${file} fails without a mutant: ${result?.failure?.test}`)
    }
    record.save()
  }
  return new Map(Object.entries(record.coverage).filter(([file]) => trials.files.includes(file)))
}
