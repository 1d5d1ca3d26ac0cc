// `npm run drill:mutations`: changes one promise of the house at a time and runs the tests that have to find it out.
// Ends with the mutants that survived (docs/decisions/0066). `--help` lists the options.
import { parseArgs } from 'node:util'
import { isTest, sources } from '../sources.ts'
import { findMutants, KINDS, type Mutant } from './mutants.ts'
import { relatedTests } from './related.ts'
import { openTrials } from './trial.ts'

const HELP = `npm run drill:mutations -- [options]
  --sample N   so many mutants, the same share of each kind (60); 0 tries them all
  --kind K     only ${KINDS.join(', ')}
  --of TEXT    only mutants of files whose path contains the text
  --skip N     begins further on in each kind, to try others than last time
  --wide       tries survivors with all tests of the calls
  --list       lists the mutants and tries none`

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '60' },
    kind: { type: 'string' },
    of: { type: 'string', default: '' },
    skip: { type: 'string', default: '0' },
    wide: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** Spreads a sample evenly over a kind's mutants, which are in the order of the files. */
function spread(mutants: readonly Mutant[], count: number, skip: number): Mutant[] {
  if (count >= mutants.length) return [...mutants]
  const step = mutants.length / count
  const chosen = Array.from(
    { length: count },
    (_, place) => mutants[(Math.floor(place * step) + skip) % mutants.length],
  )
  return chosen.filter((mutant) => mutant !== undefined)
}

function choose(): Mutant[] {
  const all = findMutants().filter(({ path }) => path.includes(values.of))
  const kinds = KINDS.filter((kind) => values.kind === undefined || values.kind === kind)
  const sample = Number(values.sample) || all.length
  return kinds.flatMap((kind) => {
    const ofKind = all.filter((mutant) => mutant.kind === kind)
    return spread(ofKind, Math.ceil(sample / kinds.length), Number(values.skip))
  })
}

const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 400)
const lineOf = ({ kind, path, line, before, replacement }: Mutant) =>
  `${kind} ${path}:${line}  ${short(before)}  ->  ${replacement === ';' ? 'left out' : short(replacement)}`

async function drill(chosen: readonly Mutant[]): Promise<Mutant[]> {
  const trials = await openTrials()
  const texts = new Map(
    sources()
      .filter(({ path }) => isTest(path))
      .map(({ path, text }) => [path, text]),
  )
  const tests = trials.files.map((path) => ({ path, text: texts.get(path) ?? '' }))
  const survivors: Mutant[] = []
  try {
    for (const [place, mutant] of chosen.entries()) {
      const begin = performance.now()
      const steps = relatedTests(mutant, tests)
      let killer: Awaited<ReturnType<typeof trials.findKiller>>
      for (const files of values.wide ? [...steps, trials.files] : steps)
        killer ??= await trials.findKiller(mutant, files)
      if (killer === undefined) survivors.push(mutant)
      const seconds = ((performance.now() - begin) / 1000).toFixed(1)
      const head = `${place + 1}/${chosen.length} ${killer === undefined ? 'SURVIVED' : 'killed'} ${seconds} s`
      console.log(`${head}  ${lineOf(mutant)}${killer === undefined ? '' : `\n    by ${killer.file}: ${killer.name}`}`)
    }
  } finally {
    await trials.close()
  }
  return survivors
}

const chosen = choose()
if (values.help) console.log(HELP)
else if (values.list) for (const mutant of chosen) console.log(lineOf(mutant))
else {
  const survivors = await drill(chosen)
  console.log(`\n${chosen.length} mutants, ${survivors.length} survived`)
  for (const mutant of survivors) console.log(`  ${lineOf(mutant)}`)
  process.exitCode = survivors.length === 0 ? 0 : 1
}
