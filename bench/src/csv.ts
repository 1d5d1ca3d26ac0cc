// A million sign-ins as CSV, compared with PostgreSQL's own COPY over HTTP.
import type { Bench } from './bench.ts'
import { median, type Row, share } from './report.ts'
import { daysBefore, ROUNDS, SIZES } from './sizes.ts'
import { growthOf, send } from './transfers.ts'

const ROWS = Math.min(1_000_000, SIZES.signIns)

export async function measureCsv({ product, limit, sessions, now }: Bench): Promise<Row[]> {
  // The seeded rows are spread evenly over a year.
  const since = daysBefore(now, (365 * ROWS) / SIZES.signIns)
  const query = new URLSearchParams({ logSDT: since, sort: 'loginDT', rowsCount: '2147483646' })
  const rounds = { ours: [] as number[], theirs: [] as number[], growth: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    rounds.theirs.push((await send(`${limit.url}/csv`, 'GET', { 'x-since': since })).seconds)
    const headers = { ...sessions.admin, accept: 'text/csv' }
    const [response, growth] = await growthOf(product.pid, () =>
      send(`${product.url}/Logs/ClientLogin?${query}`, 'GET', headers),
    )
    if (response.bytes < ROWS * 20) throw new Error(response.body.slice(0, 200))
    rounds.ours.push(response.seconds)
    rounds.growth.push(growth)
  }
  const [ours, theirs] = [median(rounds.ours), median(rounds.theirs)]
  return [
    {
      work: `CSV of ${ROWS.toLocaleString('en')} sign-ins`,
      product: `${ours.toFixed(1)} s, memory +${Math.max(...rounds.growth).toFixed(0)} MiB`,
      limit: `${theirs.toFixed(1)} s (COPY)`,
      reached: share(theirs, ours),
      target: '>= 30 %, < 64 MiB',
    },
  ]
}
