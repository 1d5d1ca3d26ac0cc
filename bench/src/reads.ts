// Calls that read: sessions, groups, policies, people and PCs.
import { MANAGER } from './people.ts'
import { LOAD, pathOf, type Read, web } from './read.ts'
import { approvalReads } from './reads.approvals.ts'
import { dashboardReads } from './reads.dashboard.ts'
import { historyReads } from './reads.history.ts'
import type { Sessions } from './sessions.ts'
import type { StatementName, Value } from './statements.ts'

const ownReads = ({ admin, adminHash, manager, client, clientIdx }: Sessions): Read[] => [
  {
    name: 'empty',
    limit: 'empty',
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
    limit: 'session',
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
    limit: 'groupTree',
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
    limit: 'agentPolicy',
    work: 'effective policy for the desktop client',
    path: '/Agent/Policy',
    headers: { authorization: `Bearer ${client}` },
    values: [clientIdx],
    connections: 8,
    rate: 100,
    wanted: 'p99 < 10 ms',
  },
]

function searches({ admin, manager }: Sessions): Read[] {
  const read = (name: StatementName, work: string, path: string, values: Value[], token = admin): Read => ({
    name,
    limit: name,
    work,
    path,
    headers: web(token),
    values,
    ...LOAD,
  })
  const users = (query: Record<string, string>) => pathOf('/Users/Search', { filterType: 0, ...query })
  const devices = (query: Record<string, string | number>) => pathOf('/License/Uses/Search', query)
  const few = 'users by name, some thousand matches, sorted by email, counted'
  return [
    read('userSearch', few, users({ id: '지민', name: '지민', sort: 'email' }), ['지민']),
    read('userSearchMany', 'the same, a fifth of all match', users({ id: '김', name: '김', sort: 'email' }), ['김']),
    read(
      'userSearchManager',
      'users by ID, for a manager of all groups',
      users({ id: 'jimin', sort: 'id' }),
      ['jimin', MANAGER],
      manager,
    ),
    read('userList', 'users without a search, sorted by email, counted', users({ sort: 'email' }), []),
    read('deviceList', 'registered PCs by their last use, counted', devices({ sort: 'useDT' }), []),
    read(
      'deviceSearch',
      'registered PCs by the name of their users, some thousand matches, counted',
      devices({ filterType: 0, userId: '지민', userName: '지민', sort: 'useDT' }),
      ['지민'],
    ),
  ]
}

/** The reads that are measured, for the sessions of an administrator, two managers and a desktop client. */
export const readsOf = (sessions: Sessions, now: Date): Read[] => [
  ...ownReads(sessions),
  ...searches(sessions),
  ...approvalReads(sessions),
  ...historyReads(sessions, now),
  ...dashboardReads(sessions, now),
]
