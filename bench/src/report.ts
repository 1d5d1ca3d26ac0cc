// The figures as they are shown, and the file that keeps them.
import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { GENERATOR } from './load.ts'
import { SIZES } from './sizes.ts'

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

const EARLIER = `## Earlier figures

Until 2026-11-22 the limit ran the product's own statements, unprepared, and the load came from a node:http client that cost more than the server
it measured. Those tables said 93 to 163 %: both sides paid for the same plans and waited for the same client. Against a limit with the best statement
known, measured with wrk, the same code reached 26 % (reading one's session), 29 % (empty call), 22 % (user search sorted by e-mail, with addresses made from
names) and 23 % (CSV).
`

const machine = () =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${(totalmem() / 1024 ** 3).toFixed(0)} GiB, Node ${process.version}`

export async function writeResults(rows: readonly Row[]): Promise<void> {
  const lines = rows.map(
    ({ work, product, limit = '', reached = '', wanted, cost = '' }) =>
      `| ${[work, product, limit, reached, wanted, cost].join(' | ')} |`,
  )
  const text = `# Figures

${new Date().toISOString().slice(0, 10)}, ${machine()}; ${SIZES.users} users, ${SIZES.groups} groups, ${SIZES.history} sign-ins, ${SIZES.requests} requests; load from ${GENERATOR}.
The limit is node:http and pg with the best statement known (\`src/limit.ts\`), measured in the same run on the same database. How to read the table: [README](README.md).

| work | product | limit | reached | wanted | processor time per call, server + database: product / limit |
|---|---|---|---|---|---|
${lines.join('\n')}

${EARLIER}`
  await writeFile(join(import.meta.dirname, '../RESULTS.md'), text)
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
