// A history as CSV, beside the same rows as PostgreSQL's own COPY sends them over HTTP.
import type { Limit, Product } from './processes.ts'
import { median, type Row, share } from './report.ts'
import { ROUNDS, SIZES } from './sizes.ts'
import { growthOf, send } from './transfers.ts'

const WANTED_ROWS = 1_000_000
const YEAR = 365 * 86_400_000

/** The first moment of the newest million rows: the seeded ones are spread evenly over a year. */
export const csvSince = (now: Date) =>
  new Date(now.getTime() - YEAR * Math.min(1, WANTED_ROWS / SIZES.history)).toISOString()

export async function measureCsv(server: Product, limit: Limit, token: string, now: Date): Promise<Row[]> {
  const query = new URLSearchParams({ logSDT: csvSince(now), sort: 'loginDT', rowsCount: '2147483646' })
  const headers = { cookie: `acc=${token}`, accept: 'text/csv' }
  const seconds = { product: [] as number[], limit: [] as number[] }
  const growths: number[] = []
  let bytes = 0
  for (let round = 0; round < ROUNDS; round++) {
    seconds.limit.push((await send(`${limit.url}/copy`, 'GET', {})).seconds)
    const [response, growth] = await growthOf(server.pid, () =>
      send(`${server.url}/Logs/ClientLogin?${query}`, 'GET', headers),
    )
    if (response.bytes < 10_000) throw new Error(response.body)
    seconds.product.push(response.seconds)
    growths.push(growth)
    bytes = response.bytes
  }
  const [product, least] = [median(seconds.product), median(seconds.limit)]
  const rows = Math.min(WANTED_ROWS, SIZES.history)
  return [
    {
      work: `CSV of ${rows.toLocaleString('en')} history rows, ${(bytes / 1024 ** 2).toFixed(0)} MiB (median of ${ROUNDS})`,
      product: `${product.toFixed(1)} s, memory +${Math.max(...growths).toFixed(0)} MiB`,
      limit: `${least.toFixed(1)} s (COPY)`,
      reached: share(least, product),
      wanted: '>= 50 %, < 64 MiB',
    },
  ]
}
