// Calls of approvers: the waiting requests, and searches in all of them.
import { GROUP } from './people.ts'
import { LOAD, pathOf, type Read, web } from './read.ts'
import type { Sessions } from './sessions.ts'

export function approvalReads({ admin, groupManager }: Sessions): Read[] {
  const requests = (query: Record<string, string | number>) => pathOf('/FileEximports/Search', { type: 1, ...query })
  const common = { headers: web(admin), ...LOAD, isOfRows: true } as const
  const named = { filterType: 0, idx: '지민', requesterId: '지민', requesterName: '지민', sort: 'requestDT' }
  return [
    {
      ...common,
      name: 'approvalsWaiting',
      limit: 'approvalsWaiting',
      work: 'waiting requests, counted',
      path: requests({ state: 0 }),
      values: [],
    },
    {
      ...common,
      name: 'approvalsOverdue',
      work: 'waiting requests as the console asks for them, overdue first',
      path: requests({ state: 0, isFileUploaded: 1, overdueFirst: 1 }),
      values: [],
      wanted: 'p99 < 30 ms',
    },
    {
      ...common,
      name: 'approvalsGroup',
      limit: 'approvalsGroup',
      work: 'waiting requests, for the manager of one group',
      path: requests({ state: 0 }),
      headers: web(groupManager),
      values: [GROUP],
    },
    {
      ...common,
      name: 'approvalsName',
      limit: 'approvalsName',
      work: 'requests by name, counted',
      path: requests(named),
      values: ['지민'],
    },
    {
      ...common,
      name: 'approvalsNumber',
      limit: 'approvalsNumber',
      work: 'requests by the first digits of their number, counted',
      path: requests({ filterType: 0, idx: '123', requesterId: '123', requesterName: '123' }),
      values: ['123'],
    },
  ]
}
