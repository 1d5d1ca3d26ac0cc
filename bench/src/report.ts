// The figures as they are shown, and the file that keeps them: a table for each size of the organization, and what people write
// below the tables.
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import type { Sizes } from './sizes.ts'

export type Row = {
  work: string
  product: string
  limit?: string
  reached?: string
  wanted: string
  /** Processor time of a call, server + database, of the product and of the limit. */
  cost?: string
}

export const ms = (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`
export const perSecond = (rps: number) => `${rps < 100 ? rps.toFixed(1) : rps.toFixed(0)}/s`
export const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(0)} %`
export const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
export const failures = (count: number) => (count > 0 ? ` — ${count} FAILED` : '')

/** The row of a scenario that could not be measured. */
export const failedRow = (work: string, error: unknown): Row => ({
  work,
  product: `FAILED: ${(error instanceof Error ? error.message : String(error)).replaceAll(/[|\r\n]+/g, ' ').slice(0, 200)}`,
  wanted: '',
})

const number = (value: number) => value.toLocaleString('en')
const machine = () =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${(totalmem() / 1024 ** 3).toFixed(0)} GiB, Node ${process.version}`

const lineOf = ({ work, product, limit = '', reached = '', wanted, cost = '' }: Row) =>
  `| ${[work, product, limit, [reached, wanted && `(wanted ${wanted})`].filter(Boolean).join(' '), cost].join(' | ')} |`

const titleOf = ({ signIns, history }: Sizes) => `## ${number(signIns + history)} rows`

type RunFacts = { at: Date; sizes: Sizes; generator: string; seconds: number }

/** A table with its title, and the machine and the moment that it was taken at. */
export function tableOf(rows: readonly Row[], { at, sizes, generator, seconds }: RunFacts): string {
  return `${titleOf(sizes)}

${at.toISOString().slice(0, 10)}, ${machine()}; ${number(sizes.users)} users and PCs, ${number(sizes.groups)} groups, ${number(sizes.signIns)} sign-ins,
${number(sizes.history)} rows of history, ${number(sizes.requests)} requests; loads of ${seconds} s by \`${generator}\`.

| work | product | limit | reached (wanted) | processor time per call: server + database, product / limit |
|---|---|---|---|---|
${rows.map(lineOf).join('\n')}
`
}

const HEAD = `# Figures

Beside the limit: node:http and pg with the best statement known, measured in the same run on the same database. How to read the figures: [README](README.md).
`

/** Puts a table in the place of the one of the same title; the others and the text below them stay. */
export function withTable(text: string, table: string): string {
  const title = table.split('\n')[0]
  const [head, ...parts] = (text === '' ? HEAD : text).split(/^(?=## )/m)
  const at = parts.findIndex((part) => part.split('\n')[0] === title)
  const isTable = (part: string) => /^## [\d,]+ rows$/m.test(part)
  const place = at >= 0 ? at : parts.findLastIndex(isTable) + 1
  parts.splice(place, at >= 0 ? 1 : 0, `${table}\n`)
  return `${[head?.trimEnd(), ...parts.map((part) => part.trimEnd())].join('\n\n')}\n`
}

export async function writeTable(file: string, table: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => '')
  await writeFile(file, withTable(text, table))
}

export function printRow({ work, product, limit, reached, wanted, cost }: Row): void {
  const parts = [
    `  product ${product}`,
    limit && `  limit   ${limit}`,
    `  reached ${reached ?? ''} (wanted ${wanted})`,
    cost && `  cost    ${cost}`,
  ]
  console.log([work, ...parts.filter(Boolean)].join('\n'))
}
