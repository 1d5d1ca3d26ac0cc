// Measures the product beside the limit in the same run and writes bench/RESULTS.md: `npm run bench`. `npm run bench -- session csv`
// measures some scenarios alone and writes nothing. A scenario that fails says so in its row, and the others go on.
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { dataDirOf, fillDataDir } from './dataDir.ts'
import { GENERATOR } from './load.ts'
import { failedRow, printRow, type Row, tableOf, writeTable } from './report.ts'
import { openBench } from './run.ts'
import { type Scenario, scenariosOf } from './scenarios.ts'
import { IS_LARGE, SECONDS, SIZES } from './sizes.ts'
import { measureStarts } from './starts.ts'

const PORT = 18_990
/** Milliseconds that a scenario may take. */
const LONGEST = 600_000
const root = join(import.meta.dirname, '..')
const data = join(root, 'data')
const only = process.argv.slice(2).map((name) => name.toLowerCase())

const isWanted = ({ name, isOfRows = false }: Pick<Scenario, 'name'> & { isOfRows?: boolean }) =>
  only.length > 0 ? only.some((wanted) => name.toLowerCase().includes(wanted)) : isOfRows || !IS_LARGE

const rows: Row[] = []
/** Measures, shows and keeps the rows of a scenario; returns whether it was measured. */
async function note(name: string, measure: Promise<Row[]>): Promise<boolean> {
  const timeout = setTimeout(LONGEST, undefined, { ref: false }).then(() => Promise.reject(new Error('no end')))
  let isMeasured = true
  const measured = await Promise.race([measure, timeout]).catch((error: unknown) => {
    isMeasured = false
    return [failedRow(name, error)]
  })
  rows.push(...measured)
  measured.forEach(printRow)
  const taken = { at: new Date(), sizes: SIZES, generator: GENERATOR, seconds: SECONDS }
  if (only.length === 0) await writeTable(join(root, 'RESULTS.md'), tableOf(rows, taken))
  return isMeasured
}

async function measureAll(dataDir: string): Promise<void> {
  let bench = await openBench(dataDir, PORT)
  let isUsable = true
  try {
    for (const scenario of scenariosOf(bench).filter(isWanted)) {
      if (scenario.isFresh || !isUsable) {
        await bench.close()
        bench = await openBench(dataDir, PORT)
      }
      // What failed may still be running, or have ended a process.
      isUsable = await note(scenario.name, scenario.run(bench))
    }
  } finally {
    await bench.close()
  }
}

if (isWanted({ name: 'start' })) await note('start', measureStarts(join(data, 'fresh'), PORT))
const dataDir = dataDirOf(data, SIZES)
await fillDataDir(dataDir, SIZES, PORT)
await measureAll(dataDir)
if (rows.some(({ product }) => product.startsWith('FAILED'))) process.exitCode = 1
