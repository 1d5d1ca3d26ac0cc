// The table of figures, on the terminal and in RESULTS.md.
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { SECONDS, SIZES } from './sizes.ts'

export type Row = {
  work: string
  product: string
  limit?: string
  reached?: string
  /** Empty if a row before names the target of all. */
  target: string
  /** Processor time of a call: server + database, of the product and of the limit. */
  cost?: string
}

export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
export const median = (values: readonly number[]) => quantile(values, 0.5)
export const ms = (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`
export const perSecond = (rps: number) => `${rps < 100 ? rps.toFixed(1) : rps.toFixed(0)}/s`
export const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(0)} %`
export const failures = (count: number) => (count > 0 ? `; ${count} FAILED` : '')

/** Returns the row of a question that could not be measured. */
export const failedRow = (work: string, error: unknown): Row => ({
  work,
  product: `FAILED: ${(error instanceof Error ? error.message : String(error)).replaceAll(/[|\r\n]+/g, ' ').slice(0, 200)}`,
  target: '',
})

const reachedOf = ({ reached = '', target }: Row) => `${reached} ${target && `(${target})`}`.trim()
const lineOf = (row: Row) =>
  `| ${[row.work, row.product, row.limit ?? '', reachedOf(row), row.cost ?? ''].join(' | ')} |`

const number = (value: number) => value.toLocaleString('en')
function tableOf(rows: readonly Row[]): string {
  const { users, groups, signIns, history, requests } = SIZES
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${(totalmem() / 1024 ** 3).toFixed(0)} GiB`
  return `
${new Date().toISOString().slice(0, 10)}, ${machine}, Node ${process.version}; ${number(users)} users and PCs, ${number(groups)} groups,
${number(signIns)} sign-ins, ${number(history)} rows of history, ${number(requests)} requests; loads of ${SECONDS} s.

| work | product | limit | reached (target) | processor time of a call: server + database, product / limit |
|---|---|---|---|---|
${rows.map(lineOf).join('\n')}

`
}

/** Replaces the text between the first title of level 2 and the next one. */
export async function writeTable(file: string, rows: readonly Row[]): Promise<void> {
  const text = await readFile(file, 'utf8')
  const [head, section, ...others] = text.split(/^(?=## )/m)
  const title = section?.split('\n')[0] ?? '## Last run'
  await writeFile(file, `${head}${[`${title}\n${tableOf(rows)}`, ...others].join('').trimEnd()}\n`)
}

export function printRow(row: Row): void {
  const { work, product, limit, cost } = row
  console.log(`${work}\n  product ${product}${limit ? `\n  limit   ${limit}` : ''}\n  reached ${reachedOf(row)}`)
  if (cost) console.log(`  cost    ${cost}`)
}
