// `npm run drill:mutations`: changes one promise of the house at a time and runs the tests that have to find it out.
// Ends with the mutants that survived (docs/decisions/0066). `--help` lists the options.
import { parseArgs } from 'node:util'
import { collectCoverage } from './coverage.ts'
import { findMutants, KINDS, type Mutant } from './mutants.ts'
import { type Candidate, pass, type Verdict } from './pass.ts'
import { openRecord } from './record.ts'
import { relatedTests } from './related.ts'
import { openTrials } from './trial.ts'

const HELP = `npm run drill:mutations -- [options]
  --record DIR  keeps what was found in a directory: a pass goes on where it ended, and tries only what is new
  --kind K      only ${KINDS.join(', ')}; several with commas, in this order
  --of TEXT     only mutants of files whose path contains the text
  --again       tries survivors with the test files that passed before as well
  --minutes N   ends after about so many minutes, with what is found by then
  --sample N    so many mutants of each kind, spread over the files
  --list        lists the mutants and tries none`

const { values } = parseArgs({
  options: {
    record: { type: 'string' },
    kind: { type: 'string', default: KINDS.join(',') },
    of: { type: 'string', default: '' },
    again: { type: 'boolean', default: false },
    minutes: { type: 'string', default: 'Infinity' },
    sample: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

function choose(all: readonly Mutant[]): Mutant[] {
  return values.kind.split(',').flatMap((kind) => {
    const ofKind = all.filter((mutant) => mutant.kind === kind && mutant.path.includes(values.of))
    const step = Math.max(1, ofKind.length / Number(values.sample ?? ofKind.length))
    return ofKind.filter((_, place) => place % step < 1)
  })
}

const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 300)
const lineOf = ({ kind, path, line, before, replacement }: Mutant) =>
  `${kind} ${path}:${line}  ${short(before)}  ->  ${replacement === ';' ? 'left out' : short(replacement)}`

async function drill(all: readonly Mutant[], chosen: readonly Mutant[]): Promise<Candidate[]> {
  const record = openRecord(values.record)
  const trials = await openTrials(all)
  try {
    const end = performance.now() + Number(values.minutes) * 60_000
    const isOver = () => performance.now() > end
    const coverage = await collectCoverage(trials, all, { record, isOver })
    const isNew = ({ key }: Mutant) => {
      const kill = record.kills[key]
      return kill === undefined || !coverage.has(kill.file) || record.hashOf(kill.file) !== kill.hash
    }
    const candidates = chosen.filter(isNew).map((mutant): Candidate => {
      const left = relatedTests(mutant, coverage).filter((file) => values.again || !record.hasPassed(mutant.key, file))
      return { mutant, left, isTried: false, notes: [] }
    })
    console.log(`${chosen.length} mutants, ${chosen.length - candidates.length} of them killed before`)
    for (const ofKind of Map.groupBy(candidates, ({ mutant }) => mutant.kind).values())
      await pass(ofKind, { trials, coverage, record, isOver }, report)
    return candidates
  } finally {
    await trials.close()
  }
}

function report({ mutant, notes, verdict }: Candidate, killer?: string): void {
  const by = killer === undefined ? notes : [`by ${killer}`]
  console.log([`${verdict}  ${lineOf(mutant)}`, ...by].join('\n    '))
}

const all = findMutants()
const chosen = choose(all)
if (values.help) console.log(HELP)
else if (values.list) for (const mutant of chosen) console.log(lineOf(mutant))
else {
  const candidates = await drill(all, chosen)
  const those = (verdict?: Verdict) => candidates.filter((candidate) => candidate.verdict === verdict)
  const [survived, undecided, untried] = [those('survived'), those('undecided'), those()]
  console.log(
    `\n${chosen.length} mutants, ${survived.length} survived, ${undecided.length} undecided, ${untried.length} not tried`,
  )
  for (const { mutant, verdict } of [...survived, ...undecided]) console.log(`  ${verdict}  ${lineOf(mutant)}`)
  process.exitCode = survived.length + undecided.length + untried.length === 0 ? 0 : 1
}
