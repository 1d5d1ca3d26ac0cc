// A history of a million rows as CSV, beside the same rows as PostgreSQL's own COPY hands them over HTTP.
import type { Running } from './processes.ts'
import { type Row, share } from './reads.ts'
import { SIZES } from './sizes.ts'
import { growthOf, median, send } from './transfers.ts'

const ROUNDS = 3
const WANTED_ROWS = 1_000_000
const YEAR = 365 * 86_400_000

/** The newest million rows: the seeded ones lie evenly over a year. */
const begin = (now: Date) => new Date(now.getTime() - YEAR * Math.min(1, WANTED_ROWS / SIZES.history))

/** What the bare server copies. */
export const copyOf = (now: Date) => `copy (
  select "loginDT", "logoutDT", "userId", "userName", "userGroupName", ip, "userRole", type, "logoutType", "clientVersion", "deviceName"
  from "signIns" where kind = 'client' and "loginDT" >= '${begin(now).toISOString()}' order by "loginDT" desc, idx desc
) to stdout with (format csv, header)`

export async function measureCsv(server: Running, bare: Running, token: string, now: Date): Promise<Row> {
  const query = new URLSearchParams({ logSDT: begin(now).toISOString(), sort: 'loginDT', rowsCount: '2147483646' })
  const headers = { cookie: `acc=${token}`, accept: 'text/csv' }
  const took = { product: [] as number[], bare: [] as number[] }
  const growths: number[] = []
  let bytes = 0
  for (let round = 0; round < ROUNDS; round++) {
    took.bare.push((await send(`${bare.url}/copy`, 'GET', {})).seconds)
    const [answer, growth] = await growthOf(server.pid, () =>
      send(`${server.url}/Logs/ClientLogin?${query}`, 'GET', headers),
    )
    took.product.push(answer.seconds)
    growths.push(growth)
    bytes = answer.bytes
  }
  const [product, limit] = [median(took.product), median(took.bare)]
  const rows = Math.min(WANTED_ROWS, SIZES.history)
  return {
    work: `CSV of ${rows.toLocaleString('en')} history rows, ${(bytes / 1024 ** 2).toFixed(0)} MiB (median of ${ROUNDS})`,
    product: `${product.toFixed(1)} s, memory +${Math.max(...growths).toFixed(0)} MiB`,
    bare: `${limit.toFixed(1)} s (COPY)`,
    reached: share(limit, product),
    wanted: '>= 50 %, < 64 MiB',
  }
}
