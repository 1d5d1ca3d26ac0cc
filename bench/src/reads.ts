// Calls that read, each under load beside the limit's statement for the same question.
import type { StatementName, Value } from './limit.ts'
import { type Load, pace, saturate } from './load.ts'
import { databaseTime, type Limit, type Product, processorTime } from './processes.ts'
import { failures, median, ms, perSecond, type Row, share } from './report.ts'
import { MANAGER } from './seed.ts'
import type { Sessions } from './sessions.ts'
import { ROUNDS, SECONDS } from './sizes.ts'

export type Read = {
  name: StatementName | 'empty'
  work: string
  path: string
  headers: Record<string, string>
  /** The values of the limit's statement. */
  values: Value[]
  connections: number
  /** Calls a second at which the times are taken: more than an organisation of this size makes, far below saturation. */
  rate: number
  wanted: string
}

const DAY = 86_400_000
const LIST = '>= 60 %, p99 < 30 ms'
const web = (token: string) => ({ cookie: `acc=${token}` })

const ownReads = ({ admin, adminHash, manager, client, clientIdx }: Sessions): Read[] => [
  {
    name: 'empty',
    work: 'empty call',
    path: '/Health/Live',
    headers: {},
    values: [],
    connections: 32,
    rate: 200,
    wanted: '>= 50 %',
  },
  {
    name: 'session',
    work: "read one's session",
    path: '/Account/Session',
    headers: web(admin),
    values: [{ base64: adminHash }],
    connections: 32,
    rate: 200,
    wanted: '>= 50 %',
  },
  {
    name: 'groupTree',
    work: 'whole group tree for a manager',
    path: '/AuthGroups',
    headers: web(manager),
    values: [MANAGER],
    connections: 1,
    rate: 2,
    wanted: '< 150 ms',
  },
  {
    name: 'agentPolicy',
    work: 'effective policy for the desktop client',
    path: '/Agent/Policy',
    headers: { authorization: `Bearer ${client}` },
    values: [clientIdx],
    connections: 8,
    rate: 100,
    wanted: 'p99 < 10 ms',
  },
]

const pathOf = (path: string, query: Record<string, string | number>) =>
  `${path}?${new URLSearchParams(Object.entries({ ...query, rowsCount: 25 }).map(([name, value]) => [name, String(value)]))}`

function searches({ admin, manager }: Sessions, now: Date): Read[] {
  const read = (name: StatementName, work: string, path: string, values: Value[]): Read => {
    return { name, work, path, headers: web(admin), values, connections: 8, rate: 20, wanted: LIST }
  }
  const users = (query: Record<string, string>) => pathOf('/Users/Search', { filterType: 0, ...query })
  const devices = (query: Record<string, string | number>) => pathOf('/License/Uses/Search', query)
  const since = (days: number) => new Date(now.getTime() - days * DAY).toISOString()
  const signIns = (query: Record<string, string>) => pathOf('/Logs/ClientLogin', { sort: 'loginDT', ...query })
  const few = 'users by name, some thousand matches, sorted by e-mail, counted'
  return [
    read('userSearch', few, users({ id: '지민', name: '지민', sort: 'email' }), ['지민']),
    read('userSearchMany', 'the same, a fifth of all match', users({ id: '김', name: '김', sort: 'email' }), ['김']),
    {
      ...read('userSearchManager', 'users by ID, for a manager of all groups', users({ id: 'jimin', sort: 'id' }), [
        'jimin',
        MANAGER,
      ]),
      headers: web(manager),
    },
    read('userList', 'users without a search, sorted by e-mail, counted', users({ sort: 'email' }), []),
    read('deviceList', 'registered PCs by their last use, counted', devices({ sort: 'useDT' }), []),
    read(
      'deviceSearch',
      'registered PCs by the name of their users, some thousand matches, counted',
      devices({ filterType: 0, userId: '지민', userName: '지민', sort: 'useDT' }),
      ['지민'],
    ),
    read(
      'requestSearch',
      'requests by name, counted',
      pathOf('/FileEximports/Search', { type: 1, filterType: 1, requesterName: '지민', sort: 'requestDT' }),
      ['지민'],
    ),
    read(
      'historyDay',
      'sign-ins of one day by a part of the ID',
      signIns({ logSDT: since(100), logEDT: since(99), userId: 'jimin' }),
      [since(100), since(99), 'jimin'],
    ),
    read(
      'historyWeeks',
      'sign-ins of 14 days by a part of the ID',
      signIns({ logSDT: since(114), logEDT: since(100), userId: 'jimin' }),
      [since(114), since(100), 'jimin'],
    ),
    {
      ...read('historyAll', 'sign-ins of all time by name, capped count', signIns({ userName: '지민' }), ['지민']),
      connections: 1,
      rate: 5,
      wanted: '< 1 s',
    },
  ]
}

/** The reads that are measured, for the sessions of an administrator, a manager and a desktop client. */
export const readsOf = (sessions: Sessions, now: Date): Read[] => [...ownReads(sessions), ...searches(sessions, now)]

type Measured = { rps: number; failed: number; server: number; database: number }

/** Calls a second of one side, and the processor time that each of them took. */
async function measure(pid: number, dataDir: string, load: Load): Promise<Measured> {
  await saturate({ ...load, seconds: Math.max(1, Math.round(load.seconds / 4)) })
  const [serverBefore, databaseBefore] = [processorTime(pid), databaseTime(dataDir)]
  const { rps, count, failed } = await saturate(load)
  const of = (spent: number) => spent / Math.max(1, count)
  return {
    rps,
    failed,
    server: of(processorTime(pid) - serverBefore),
    database: of(databaseTime(dataDir) - databaseBefore),
  }
}

const medianOf = (rounds: Measured[]): Measured => ({
  rps: median(rounds.map(({ rps }) => rps)),
  failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
  server: median(rounds.map(({ server }) => server)),
  database: median(rounds.map(({ database }) => database)),
})

const costOf = ({ server, database }: Measured) => `${server.toFixed(2)} + ${database.toFixed(2)} ms`

/** Rates where the connections saturate product and limit in turn, and times of calls that come at the read's own rate. */
export async function measureRead(read: Read, product: Product, limit: Limit, dataDir: string): Promise<Row[]> {
  const { connections } = read
  const common = { connections, seconds: SECONDS }
  const sides = {
    limit: { pid: limit.pid, load: { url: `${limit.url}/${read.name}`, ...common } },
    product: { pid: product.pid, load: { url: product.url + read.path, headers: read.headers, ...common } },
    fastify: { pid: limit.pid, load: { url: `${limit.fastifyUrl}/empty`, ...common } },
  }
  const rounds = { limit: [] as Measured[], product: [] as Measured[], fastify: [] as Measured[] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of ['limit', 'product', 'fastify'] as const) {
      if (side === 'fastify' && read.name !== 'empty') continue
      rounds[side].push(await measure(sides[side].pid, dataDir, sides[side].load))
    }
  }
  const [ours, theirs] = [medianOf(rounds.product), medianOf(rounds.limit)]
  const times = await pace(sides.product.load, read.rate)
  const least = await pace(sides.limit.load, read.rate)
  const failed = ours.failed + theirs.failed + times.failed + least.failed
  const row: Row = {
    work: `${read.work} (${connections} connections; times at ${read.rate}/s)${failures(failed)}`,
    product: `${perSecond(ours.rps)}; p50 ${ms(times.p50)}, p99 ${ms(times.p99)}`,
    limit: `${perSecond(theirs.rps)}; p50 ${ms(least.p50)}, p99 ${ms(least.p99)}`,
    reached: share(ours.rps, theirs.rps),
    wanted: read.wanted,
    cost: `${costOf(ours)} / ${costOf(theirs)}`,
  }
  if (read.name !== 'empty') return [row]
  const fastify = medianOf(rounds.fastify)
  return [
    row,
    {
      work: 'the same, beside Fastify alone',
      product: perSecond(ours.rps),
      limit: perSecond(fastify.rps),
      reached: share(ours.rps, fastify.rps),
      wanted: '>= 50 %',
      cost: `${costOf(ours)} / ${costOf(fastify)}`,
    },
  ]
}
