// One pass over mutants: each is tried with its likeliest test file first, and with the others where that one passes.
import type { Coverage } from './coverage.ts'
import type { Mutant } from './mutants.ts'
import type { MutationRecord } from './record.ts'
import type { Result, Trial, Trials } from './trial.ts'

/** Test files that one worker runs: with more, a pass that is stopped loses more; with fewer, the code is loaded more often. */
const BATCH = 100
/** Test files that are tried at once where the likeliest one did not find a mutant out. */
const AT_ONCE = 4

/** A mutant with the test files that are still to be tried, and what was strange with those that were. */
export type Candidate = { mutant: Mutant; left: string[]; isTried: boolean; notes: string[] }

const testsOf = (coverage: Coverage, { file }: Trial) => coverage.get(file)?.tests ?? []

function trialOf({ isStatic, id, key }: Mutant, file: string, coverage: Coverage): Trial {
  const last = testsOf(coverage, { file, isStatic }).findLast(({ asked }) => asked.includes(key))?.name
  return { file, mutant: id, isStatic, ...(!isStatic && last !== undefined && { last }) }
}

/** Why a failure is not the mutant's doing, if it is not. */
function doubt(
  { key, isStatic }: Mutant,
  trial: Trial,
  { test, isTimeout }: NonNullable<Result['failure']>,
  coverage: Coverage,
) {
  const tests = testsOf(coverage, trial)
  const failed = tests.findIndex(({ name }) => name === test)
  const first = tests.findIndex(({ asked }) => asked.includes(key))
  if (isTimeout) return `only too slow: ${trial.file}: ${test}`
  return !isStatic && failed !== -1 && failed < first
    ? `failed before it was asked for: ${trial.file}: ${test}`
    : undefined
}

/** Tries mutants until each is killed or has no tests left; returns the survivors. `tell` hears of each verdict. */
export async function pass(
  candidates: readonly Candidate[],
  { trials, coverage, record }: { trials: Trials; coverage: Coverage; record: MutationRecord },
  report: (candidate: Candidate, killer: string | undefined) => void,
): Promise<Candidate[]> {
  const queue = [...candidates]
  const survivors: Candidate[] = []
  while (queue.length > 0) {
    const batch: { candidate: Candidate; trial: Trial }[] = []
    const taken: Candidate[] = []
    for (let next = queue.shift(); next !== undefined; next = batch.length < BATCH ? queue.shift() : undefined) {
      const candidate = next
      const files = candidate.left.splice(0, candidate.isTried ? AT_ONCE : 1)
      taken.push(candidate)
      candidate.isTried = true
      batch.push(...files.map((file) => ({ candidate, trial: trialOf(candidate.mutant, file, coverage) })))
    }
    const results = await trials.run(batch.map(({ trial }) => trial))
    const killed = new Set<Candidate>()
    for (const [place, { candidate, trial }] of batch.entries()) {
      const failure = results[place]?.failure
      if (failure === undefined || killed.has(candidate)) continue
      const note = doubt(candidate.mutant, trial, failure, coverage)
      if (note !== undefined) candidate.notes.push(note)
      else {
        killed.add(candidate)
        record.kills[candidate.mutant.key] = { file: trial.file, test: failure.test, hash: record.hashOf(trial.file) }
        report(candidate, `${trial.file}: ${failure.test}`)
      }
    }
    record.save()
    for (const candidate of taken.filter((one) => !killed.has(one))) {
      if (candidate.left.length > 0) queue.push(candidate)
      else {
        survivors.push(candidate)
        report(candidate, undefined)
      }
    }
  }
  return survivors
}
