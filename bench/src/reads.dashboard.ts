// What the dashboard shows, of the last month and of a year: for the administrator, whose figures are of the whole organization,
// and for the manager of one group. Each call is measured alone; the dashboard makes them at the same time.
import { later } from '@acc/server/src/clock.ts'
import { type Read, web } from './read.ts'
import type { Sessions } from './sessions.ts'

const DAY = 86_400_000

const PERIODS = [
  { days: 30, text: '30 days' },
  { days: 365, text: 'a year' },
]
const OF_PERIOD: readonly { work: string; path: string; query: Record<string, string> }[] = [
  { work: 'sign-ins by hour', path: '/HourlyUserLogins', query: {} },
  { work: 'exports by month', path: '/ApproveRequests', query: { type: '1' } },
  { work: 'exports by state', path: '/FileExportStates', query: {} },
]

function readOf(work: string, path: string, query: Record<string, string>, token: string): Read {
  return {
    name: `dashboard${path}`,
    work: `dashboard: ${work}`,
    path: `${path}?${new URLSearchParams(query)}`,
    headers: { ...web(token), 'x-time-zone': 'Asia/Seoul' },
    values: [],
    connections: 2,
    rate: 5,
    wanted: 'p99 < 200 ms',
    isOfRows: true,
  }
}

export const dashboardReads = ({ admin, groupManager }: Sessions, now: Date): Read[] => [
  ...OF_PERIOD.flatMap(({ work, path, query }) =>
    PERIODS.flatMap(({ days, text }) => {
      const period = { ...query, logSDT: later(now, -days * DAY).toISOString(), logEDT: now.toISOString() }
      return [
        readOf(`${work}, ${text}`, path, period, admin),
        readOf(`${work}, ${text}, for the manager of one group`, path, period, groupManager),
      ]
    }),
  ),
  readOf('users by state', '/UserStates', {}, admin),
]
