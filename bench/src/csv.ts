// Histories as CSV, beside the same rows as PostgreSQL's own COPY sends them over HTTP.
import type { Limit, Product } from './processes.ts'
import { median, type Row, share } from './report.ts'
import { ROUNDS, SIZES } from './sizes.ts'
import type { CopyName } from './statements.ts'
import { growthOf, send } from './transfers.ts'

const WANTED_ROWS = 1_000_000
const YEAR = 365 * 86_400_000

type Csv = { copy: CopyName; work: string; path: string; sort: string; rows: number }
const FILES: readonly Csv[] = [
  { copy: 'copySignIns', work: 'sign-ins', path: '/Logs/ClientLogin', sort: 'loginDT', rows: SIZES.signIns },
  // Four of ten rows are of this kind.
  {
    copy: 'copyEntries',
    work: 'blocked connections',
    path: '/Logs/NetworkAccess',
    sort: 'logDT',
    rows: SIZES.history * 0.4,
  },
]

/** The first moment of the newest million rows: the seeded ones are spread evenly over a year. */
const sinceOf = (now: Date, rows: number) =>
  new Date(now.getTime() - YEAR * Math.min(1, WANTED_ROWS / rows)).toISOString()
export const csvSince = (now: Date): Record<CopyName, string> => ({
  copySignIns: sinceOf(now, SIZES.signIns),
  copyEntries: sinceOf(now, SIZES.history * 0.4),
})

async function measureFile(file: Csv, server: Product, limit: Limit, token: string, since: string): Promise<Row> {
  const query = new URLSearchParams({ logSDT: since, sort: file.sort, rowsCount: '2147483646' })
  const headers = { cookie: `acc=${token}`, accept: 'text/csv' }
  const seconds = { product: [] as number[], limit: [] as number[] }
  const growths: number[] = []
  let bytes = 0
  for (let round = 0; round < ROUNDS; round++) {
    seconds.limit.push((await send(`${limit.url}/${file.copy}`, 'GET', {})).seconds)
    const [response, growth] = await growthOf(server.pid, () =>
      send(`${server.url}${file.path}?${query}`, 'GET', headers),
    )
    if (response.bytes < 10_000) throw new Error(response.body)
    seconds.product.push(response.seconds)
    growths.push(growth)
    bytes = response.bytes
  }
  const [product, least] = [median(seconds.product), median(seconds.limit)]
  const rows = Math.min(WANTED_ROWS, file.rows)
  return {
    work: `CSV of ${rows.toLocaleString('en')} ${file.work}, ${(bytes / 1024 ** 2).toFixed(0)} MiB (median of ${ROUNDS})`,
    product: `${product.toFixed(1)} s, memory +${Math.max(...growths).toFixed(0)} MiB`,
    limit: `${least.toFixed(1)} s (COPY)`,
    reached: share(least, product),
    wanted: '>= 50 %, < 64 MiB',
  }
}

export async function measureCsv(server: Product, limit: Limit, token: string, now: Date): Promise<Row[]> {
  const since = csvSince(now)
  const rows: Row[] = []
  for (const file of FILES) rows.push(await measureFile(file, server, limit, token, since[file.copy]))
  return rows
}
