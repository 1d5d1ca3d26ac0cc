// Every list, page and pane: all reads of the contract for people, and searches.
import { api } from '@acc/contract'
import type { Route } from '@acc/contract/core/route'
import type { Bench } from './bench.ts'
import { type Paced, pace } from './load.ts'
import { ACCOUNT, GROUP, idOf, MANAGER } from './people.ts'
import { databaseTime, processorTime } from './processes.ts'
import { failures, ms, type Row } from './report.ts'
import { daysBefore, SECONDS } from './sizes.ts'

const RATE = 20
const TARGET = 50

type Query = Record<string, string | number | number[]>
const pathOf = (path: string, query: Query) =>
  `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`

/** Queries of reads that need one. */
const QUERIES: Record<string, Query> = {
  '/User': { idx: ACCOUNT },
  '/Users/Removal': { idxes: [ACCOUNT] },
  '/Group/Removal': { idx: GROUP },
  '/Auth': { idx: 1 },
  '/Auths/Users/Search': { idx: 3 },
  '/Policy': { ownerType: 0, ownerIdx: 1 },
  '/Policy/Origins': { ownerType: 1, ownerIdx: MANAGER },
  '/Group/Managers': { idx: GROUP },
  '/Policy/OwnerName': { ownerType: 1, ownerIdx: MANAGER },
  '/FileEximport': { idx: 1 },
  '/FileEximports/Search': { type: 1, state: 0, isFileUploaded: 1, overdueFirst: 1 },
  '/Policy/Users': { groupIdx: GROUP },
  '/RequestNotice': { type: 1 },
  '/TopGroups': { kind: 'clientLogin' },
}

/** Returns the measured searches, of which some are compared with the limit. */
export const lists = (now: Date) => {
  const day = { logSDT: daysBefore(now, 100), logEDT: daysBefore(now, 99) }
  return {
    userList: pathOf('/Users/Search', { sort: 'email' }),
    userSearch: pathOf('/Users/Search', { id: '지민', name: '지민', sort: 'email' }),
    waiting: pathOf('/FileEximports/Search', { type: 1, state: 0 }),
    requestSearch: pathOf('/FileEximports/Search', { type: 1, requesterName: '지민', sort: 'requestDT' }),
    deviceSearch: pathOf('/License/Uses/Search', { userName: '지민', sort: 'useDT' }),
    historyDay: pathOf('/Logs/ClientLogin', { ...day, userId: 'jimin', sort: 'loginDT' }),
    countsDay: pathOf('/Logs/ClientLogin/Counts', day),
    countsMonth: pathOf('/Logs/ClientLogin/Counts', { logSDT: daysBefore(now, 130), logEDT: daysBefore(now, 100) }),
    countsQuarter: pathOf('/Logs/ClientLogin/Counts', { logSDT: daysBefore(now, 130), logEDT: daysBefore(now, 40) }),
    policyMap: '/Policy/Map?',
    policyOrigins: pathOf('/Policy/Origins', { ownerType: 0, ownerIdx: GROUP }),
    changesOfUser: pathOf('/Logs/UserManage', { targetIdx: ACCOUNT, sort: 'logDT' }),
    changesDay: pathOf('/Logs/UserManage', { ...day, targetId: 'jimin', sort: 'logDT' }),
  }
}
/** What people of approval steps read, and the requests that nobody can decide. */
const OF_STEPS = [
  pathOf('/FileEximports/Search', { type: 1, isDecidable: 1, overdueFirst: 1 }),
  pathOf('/FileEximports/Search', { type: 1, sort: 'requestDT' }),
  '/Absences?',
  pathOf('/Absence/Substitutes', { text: '지민' }),
]
const UNDECIDABLE = pathOf('/FileEximports/Search', { type: 1, isUndecidable: 1 })
const TO_REVIEW = pathOf('/Exceptions/Search', { sort: 'name' })

const SEARCHES_OF_ALL_TIME = [
  pathOf('/Logs/ClientLogin', { userName: '지민', sort: 'loginDT' }),
  pathOf('/Logs/UserManage', { targetName: '지민', sort: 'logDT' }),
  pathOf('/Logs/UserManage', { changed: 'targetName', sort: 'logDT' }),
  pathOf('/Logs/UserManage', { changed: 'targetState', sort: 'logDT' }),
  pathOf('/Logs/PolicyManage', { appliesTo: idOf(ACCOUNT), sort: 'logDT' }),
  pathOf('/Logs/ClientLogin/Counts', {}),
  pathOf('/Logs/ClientLogin/Counts', { userName: '지민' }),
  pathOf('/Logs/UserManage/Counts', { targetName: '지민' }),
]

/** Figures of the dashboard, which shows at most 30 days of them. */
const OF_A_MONTH = ['/HourlyUserLogins', '/FileExportStates', '/FileImportStates', '/RequestDecisions', '/TopGroups']

/** Returns the reads of the console, and the paths of reads without a known query. */
function readsOf(now: Date): { paths: string[]; unknown: string[] } {
  const since = (days: number) => ({ logSDT: daysBefore(now, days), logEDT: now.toISOString(), type: 1 })
  const routes = Object.values(api).flatMap((domain): Route[] => Object.values(domain))
  const reads = routes.filter(
    (route) =>
      route.method === 'GET' &&
      ['json', 'list'].includes(route.kind) &&
      route.shows.length > 0 &&
      !['public', 'agent', 'bimServer'].includes(String(route.access)),
  )
  const queryOf = ({ path, input }: Route) =>
    [QUERIES[path] ?? {}, { ...QUERIES[path], ...since(OF_A_MONTH.includes(path) ? 30 : 365) }].find(
      (query) => input.safeParse(query).success,
    )
  const found = reads.map((route) => ({ path: route.path, query: queryOf(route) }))
  return {
    paths: found.flatMap(({ path, query }) => (query === undefined ? [] : [pathOf(path, query)])),
    unknown: found.flatMap(({ path, query }) => (query === undefined ? [path] : [])),
  }
}

type Timed = Paced & { path: string; cost: string }

async function time({ product, dataDir }: Bench, path: string, headers: Record<string, string>): Promise<Timed> {
  const stream = {
    rate: RATE,
    calls: [{ url: product.url + path, headers: { ...headers, 'x-time-zone': 'Asia/Seoul' } }],
  }
  for (let at = 0; at < 3; at++) await fetch(product.url + path, { headers })
  const [server, database] = [processorTime(product.pid), databaseTime(dataDir)]
  const [paced] = await pace([stream], SECONDS)
  if (paced === undefined) throw new Error('nothing was measured')
  const of = (spent: number) => (spent / paced.count).toFixed(1)
  return {
    ...paced,
    path,
    cost: `${of(processorTime(product.pid) - server)} + ${of(databaseTime(dataDir) - database)} ms`,
  }
}

const rowOf = ({ path, p50, p99, refused, failed, cost }: Timed, suffix = '', target = ''): Row => ({
  work: `${decodeURIComponent(path).replace(/&log.DT=[^&]*|log.DT=[^&]*&/g, '')}${suffix}`,
  product: `p50 ${ms(p50)}, p99 ${ms(p99)}${failures(refused + failed)}`,
  target,
  cost,
})

export async function measureLists(bench: Bench): Promise<Row[]> {
  const { sessions, now } = bench
  const { paths: usualPaths, unknown } = readsOf(now)
  const usual: Timed[] = []
  for (const path of usualPaths) usual.push(await time(bench, path, sessions.admin))
  const slowest = usual.toSorted((one, other) => other.p99 - one.p99)
  const isMissed = ({ p99, failed, refused }: Timed) => p99 >= TARGET || failed + refused > 0
  const rows: Row[] = [
    {
      work: `${usualPaths.length} lists, pages and panes (${RATE}/s); without ${unknown.join(', ')}`,
      product: `p99 at most ${ms(slowest[0]?.p99 ?? 0)}; ${usual.filter(isMissed).length} above the target`,
      target: `p99 < ${TARGET} ms, also of calls below that have no target`,
    },
    ...slowest
      .filter(isMissed)
      .slice(0, 10)
      .map((timed) => rowOf(timed)),
  ]
  const { deviceSearch, ...others } = lists(now)
  const searches = [
    { headers: sessions.admin, suffix: '', paths: [...Object.values(others), deviceSearch] },
    // PCs are listed for administrators only.
    { headers: sessions.groupManager, suffix: ', manager', paths: Object.values(others) },
  ]
  for (const { headers, suffix, paths } of searches) {
    for (const path of paths) rows.push(rowOf(await time(bench, path, headers), suffix))
    for (const path of SEARCHES_OF_ALL_TIME) rows.push(rowOf(await time(bench, path, headers), suffix, 'p99 < 1 s'))
  }
  const approvals = [
    { headers: sessions.admin, suffix: '', paths: [UNDECIDABLE, TO_REVIEW] },
    { headers: sessions.groupManager, suffix: ', manager', paths: [UNDECIDABLE, TO_REVIEW, ...OF_STEPS] },
    { headers: sessions.member, suffix: ', member of a step', paths: OF_STEPS },
    { headers: sessions.substitute, suffix: ', substitute', paths: OF_STEPS },
  ]
  for (const { headers, suffix, paths } of approvals)
    for (const path of paths) rows.push(rowOf(await time(bench, path, headers), suffix))
  return rows
}
