// Calls of the product compared with the limit, in the same run on the same database.
import type { Bench } from './bench.ts'
import { lists } from './lists.ts'
import { type Call, type Saturation, saturate } from './load.ts'
import { POSTED, signInBody, signingIn } from './people.ts'
import { databaseTime, processorTime } from './processes.ts'
import { failures, median, perSecond, type Row, share } from './report.ts'
import { ROUNDS, SECONDS } from './sizes.ts'

type Measurement = Saturation & { server: number; database: number }
type Side = { pid: number; calls: Call[] }

/** Begins with another call each round: the sign-ins of one person a minute are limited. */
const rotate = (calls: Call[], round: number) => {
  const first = Math.floor((calls.length * round) / ROUNDS)
  return [...calls.slice(first), ...calls.slice(0, first)]
}

/** Measures the calls a second of one side, with the processor time that each takes. */
async function measure(
  { pid, calls }: Side,
  connections: number,
  dataDir: string,
  round: number,
): Promise<Measurement> {
  const [server, database] = [processorTime(pid), databaseTime(dataDir)]
  const figures = await saturate({ seconds: SECONDS, connections, calls: rotate(calls, round) })
  const of = (spent: number) => spent / Math.max(1, figures.count)
  return { ...figures, server: of(processorTime(pid) - server), database: of(databaseTime(dataDir) - database) }
}

const costOf = (rounds: readonly Measurement[]) =>
  `${median(rounds.map(({ server }) => server)).toFixed(2)} + ${median(rounds.map(({ database }) => database)).toFixed(2)} ms`

type Comparison = { work: string; limit: string; calls: Call[]; connections: number; target: string }

/** Measures limit and product in turn. Medians count. */
async function compare({ product, limit, dataDir }: Bench, comparison: Comparison): Promise<Row> {
  const { work, calls, connections, target } = comparison
  const [theirs, ours]: Measurement[][] = [[], []]
  const [leastSide, ourSide] = [
    { pid: limit.pid, calls: [{ url: limit.url + comparison.limit }] },
    { pid: product.pid, calls },
  ]
  for (const { calls } of [leastSide, ourSide]) await saturate({ seconds: 1, connections, calls: calls.toReversed() })
  for (let round = 0; round < ROUNDS; round++) {
    theirs?.push(await measure(leastSide, connections, dataDir, round))
    ours?.push(await measure(ourSide, connections, dataDir, round))
  }
  const all = [...(theirs ?? []), ...(ours ?? [])]
  const [least, rate] = [theirs, ours].map((rounds) => median((rounds ?? []).map(({ rps }) => rps))) as [number, number]
  return {
    work: `${work} (${connections} connections)`,
    product: `${perSecond(rate)}${failures(all.reduce((sum, { failed }) => sum + failed, 0))}`,
    limit: perSecond(least),
    reached: share(rate, least),
    target,
    cost: `${costOf(ours ?? [])} / ${costOf(theirs ?? [])}`,
  }
}

export async function measureAgainstLimit(bench: Bench): Promise<Row[]> {
  const { product, sessions, now } = bench
  const { admin } = sessions
  const get = (path: string, headers = {}): Call[] => [{ url: product.url + path, headers }]
  const list = { connections: 8, target: '>= 45 %' }
  const { userList, userSearch, historyDay, waiting } = lists(now)
  const signIns = signingIn.map((idx): Call => {
    return { url: `${product.url}/Account/Login`, method: 'POST', headers: POSTED, body: signInBody(idx) }
  })
  const comparisons: Comparison[] = [
    { work: 'empty call', limit: '/empty', calls: get('/Health/Live'), connections: 32, target: '>= 40 %' },
    {
      work: "one's session",
      limit: '/session',
      calls: get('/Account/Session', admin),
      connections: 32,
      target: '>= 45 %',
    },
    { work: 'users by email', limit: '/userList', calls: get(userList, admin), ...list },
    { work: 'users by name', limit: '/userSearch', calls: get(userSearch, admin), ...list },
    { work: 'sign-ins of a day', limit: '/historyDay', calls: get(historyDay, admin), ...list },
    { work: 'waiting requests', limit: '/waiting', calls: get(waiting, admin), ...list },
    { work: 'sign-in', limit: '/signIn', calls: signIns, connections: 16, target: '>= 60 %' },
  ]
  const rows: Row[] = []
  for (const comparison of comparisons) rows.push(await compare(bench, comparison))
  return rows
}
