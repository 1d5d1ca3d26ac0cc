// `npm run drill:mutations`: changes one promise of the house at a time and runs the tests that have to find it out.
// Ends with the mutants that survived (docs/decisions/0066). `--help` lists the options.
import { parseArgs } from 'node:util'
import { collectCoverage } from './coverage.ts'
import { findMutants, KINDS, type Mutant } from './mutants.ts'
import { type Candidate, pass } from './pass.ts'
import { openRecord } from './record.ts'
import { relatedTests } from './related.ts'
import { openTrials } from './trial.ts'

const HELP = `npm run drill:mutations -- [options]
  --record DIR  keeps what was found in a directory: a pass goes on where it ended, and tries only what is new
  --kind K      only ${KINDS.join(', ')}; several with commas, in this order
  --of TEXT     only mutants of files whose path contains the text
  --sample N    so many mutants of each kind, spread over the files
  --list        lists the mutants and tries none`

const { values } = parseArgs({
  options: {
    record: { type: 'string' },
    kind: { type: 'string', default: KINDS.join(',') },
    of: { type: 'string', default: '' },
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
    const coverage = await collectCoverage(trials, all, record)
    const isNew = ({ key }: Mutant) => {
      const kill = record.kills[key]
      return kill === undefined || !coverage.has(kill.file) || record.hashOf(kill.file) !== kill.hash
    }
    const candidates = chosen
      .filter(isNew)
      .map((mutant): Candidate => ({ mutant, left: relatedTests(mutant, coverage), isTried: false, notes: [] }))
    console.log(`${chosen.length} mutants, ${chosen.length - candidates.length} of them killed before`)
    const survivors: Candidate[] = []
    for (const ofKind of Map.groupBy(candidates, ({ mutant }) => mutant.kind).values())
      survivors.push(...(await pass(ofKind, { trials, coverage, record }, report)))
    return survivors
  } finally {
    await trials.close()
  }
}

function report({ mutant, notes }: Candidate, killer: string | undefined): void {
  const verdict = killer === undefined ? 'SURVIVED' : 'killed'
  const by = killer === undefined ? notes : [`by ${killer}`]
  console.log([`${verdict}  ${lineOf(mutant)}`, ...by].join('\n    '))
}

const all = findMutants()
const chosen = choose(all)
if (values.help) console.log(HELP)
else if (values.list) for (const mutant of chosen) console.log(lineOf(mutant))
else {
  const survivors = await drill(all, chosen)
  console.log(`\n${chosen.length} mutants, ${survivors.length} survived`)
  for (const { mutant } of survivors) console.log(`  ${lineOf(mutant)}`)
  process.exitCode = survivors.length === 0 ? 0 : 1
}
