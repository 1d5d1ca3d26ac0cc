// `npm run bench` asks all questions and writes RESULTS.md; `npm run bench -- NAME` asks one and prints its figures.
import { join } from 'node:path'
import { type Bench, openBench } from './bench.ts'
import { measureCsv } from './csv.ts'
import { measureEvents } from './events.ts'
import { measureFirstPaint } from './firstPaint.ts'
import { measureImports } from './imports.ts'
import { measureAgainstLimit } from './limits.ts'
import { measureLists } from './lists.ts'
import { measureMorning, measureOverload } from './morning.ts'
import { failedRow, printRow, type Row, writeTable } from './report.ts'
import { fillDataDir } from './seedDataDir.ts'
import { measureStarts } from './starts.ts'
import { measureTransfers } from './transfers.ts'

const PORT = 18_990
const ROOT = join(import.meta.dirname, '..')

type Question = (bench: Bench) => Promise<Row[]>
const QUESTIONS: Record<string, Question> = {
  limit: measureAgainstLimit,
  csv: measureCsv,
  lists: measureLists,
  events: measureEvents,
  morning: measureMorning,
  overload: measureOverload,
  import: measureImports,
  transfer: measureTransfers,
  paint: measureFirstPaint,
}

const [only] = process.argv.slice(2)
const names = ['start', ...Object.keys(QUESTIONS)]
if (only !== undefined && !names.includes(only)) {
  console.error(`There is no question ${only}: ${names.join(', ')}`)
  process.exit(2)
}

const rows: Row[] = []
/** Measures, prints and stores the rows of a question. A question that throws is a row, too. */
async function answer(name: string, measure: () => Promise<Row[]>): Promise<void> {
  const measured = await measure().catch((error: unknown) => [failedRow(name, error)])
  measured.forEach(printRow)
  rows.push(...measured)
  if (only === undefined) await writeTable(join(ROOT, 'RESULTS.md'), rows)
}

const isSelected = (name: string) => only === undefined || only === name
if (isSelected('start')) await answer('start', () => measureStarts(join(ROOT, 'data/fresh'), PORT))
const selected = Object.entries(QUESTIONS).filter(([name]) => isSelected(name))
const dataDir = selected.length > 0 ? await fillDataDir(join(ROOT, 'data'), PORT) : ''
for (const [name, measure] of selected)
  await answer(name, async () => {
    // Each on a new server, without memory of the previous question.
    const bench = await openBench(dataDir, PORT)
    return measure(bench).finally(bench.close)
  })
if (rows.some(({ product }) => product.includes('FAILED'))) process.exitCode = 1
