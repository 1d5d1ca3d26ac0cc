// One pass over mutants: each is tried with its likeliest test file first, and with the others where that one passes.
import type { Coverage } from './coverage.ts'
import type { Mutant } from './mutants.ts'
import type { MutationRecord } from './record.ts'
import { NOT_LOADED, type Result, type Trial, type Trials } from './trial.ts'

/** Test files that one worker runs: with more, a pass that is stopped loses more; with fewer, the code is loaded more often. */
const BATCH = 50
/** Test files that are tried at once where the likeliest one did not find a mutant out. */
const AT_ONCE = 4

export type Verdict = 'killed' | 'survived' | 'undecided'
/** A mutant with the test files that are still to be tried, and what was strange with those that were. */
export type Candidate = { mutant: Mutant; left: string[]; isTried: boolean; notes: string[]; verdict?: Verdict }

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
  // Sources that change during a pass: the mutant itself is not asked for while a module is loaded.
  if (!isStatic && test === NOT_LOADED) return `did not load: ${trial.file}`
  return !isStatic && failed !== -1 && failed < first
    ? `failed before it was asked for: ${trial.file}: ${test}`
    : undefined
}

const noteOf = ({ mutant }: Candidate, trial: Trial, { failure }: Result, coverage: Coverage) =>
  failure && doubt(mutant, trial, failure, coverage)

type Tools = { trials: Trials; coverage: Coverage; record: MutationRecord; isOver: () => boolean }

/**
 * Tries mutants until each is killed or has no tests left, or the time is over. A mutant is undecided where a file failed and
 * the failure is not its doing.
 */
export async function pass(
  candidates: readonly Candidate[],
  { trials, coverage, record, isOver }: Tools,
  report: (candidate: Candidate, killer?: string) => void,
): Promise<void> {
  const queue = [...candidates]
  while (queue.length > 0 && !isOver()) {
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
      const result = results[place]
      if (killed.has(candidate)) continue
      const { key } = candidate.mutant
      const note = result === undefined ? `did not run: ${trial.file}` : noteOf(candidate, trial, result, coverage)
      if (note !== undefined) candidate.notes.push(note)
      else if (result?.failure === undefined) record.pass(key, trial.file)
      else {
        const { test } = result.failure
        killed.add(candidate)
        candidate.verdict = 'killed'
        record.kills[key] = { file: trial.file, test, hash: record.hashOf(trial.file) }
        report(candidate, `${trial.file}: ${test}`)
      }
    }
    record.save()
    for (const candidate of taken.filter((one) => !killed.has(one))) {
      if (candidate.left.length > 0) queue.push(candidate)
      else {
        candidate.verdict = candidate.notes.length === 0 ? 'survived' : 'undecided'
        report(candidate)
      }
    }
  }
}
