// Histories: sign-ins and changes of users, of a day and of all time, as the administrator and as the manager of one group.
import { GROUP } from './people.ts'
import { LOAD, pathOf, type Read, web } from './reads.ts'
import type { Sessions } from './sessions.ts'
import type { StatementName, Value } from './statements.ts'

const DAY = 86_400_000
/** Everything that ever happened, searched by a part of a name: one person at a time does that. */
const EVERYTHING = { connections: 1, rate: 5, wanted: '< 1 s' }

export function historyReads({ admin, groupManager }: Sessions, now: Date): Read[] {
  const since = (days: number) => new Date(now.getTime() - days * DAY).toISOString()
  const signIns = (query: Record<string, string>) => pathOf('/Logs/ClientLogin', { sort: 'loginDT', ...query })
  const entries = (query: Record<string, string>) => pathOf('/Logs/UserManage', { sort: 'logDT', ...query })
  const period = (from: number, to: number) => ({ logSDT: since(from), logEDT: since(to) })
  const read = (name: StatementName, work: string, path: string, values: Value[], load = LOAD): Read => {
    const token = name.endsWith('Group') ? groupManager : admin
    return { name, limit: name, work, path, headers: web(token), values, ...load, isOfRows: true }
  }
  const [day, days] = [
    [since(100), since(99), 'jimin'],
    [since(114), since(100), 'jimin'],
  ]
  return [
    read(
      'historyDay',
      'sign-ins of one day by a part of the ID',
      signIns({ ...period(100, 99), userId: 'jimin' }),
      day,
    ),
    read(
      'historyWeeks',
      'sign-ins of 14 days by a part of the ID',
      signIns({ ...period(114, 100), userId: 'jimin' }),
      days,
    ),
    read(
      'historyAll',
      'sign-ins of all time by name, capped count',
      signIns({ userName: '지민' }),
      ['지민'],
      EVERYTHING,
    ),
    read(
      'historyDayGroup',
      'sign-ins of one day by a part of the ID, for the manager of one group',
      signIns({ ...period(100, 99), userId: 'jimin' }),
      [GROUP, ...day],
    ),
    read(
      'historyAllGroup',
      'sign-ins of all time by name, for the manager of one group',
      signIns({ userName: '지민' }),
      [GROUP, '지민'],
      EVERYTHING,
    ),
    read(
      'entryDay',
      'changes of users of one day by a part of the ID',
      entries({ ...period(100, 99), targetId: 'jimin' }),
      day,
    ),
    read(
      'entryAll',
      'changes of users of all time by name, capped count',
      entries({ targetName: '지민' }),
      ['지민'],
      EVERYTHING,
    ),
    read(
      'entryDayGroup',
      'changes of users of one day by a part of the ID, for the manager of one group',
      entries({ ...period(100, 99), targetId: 'jimin' }),
      [GROUP, ...day],
    ),
    read(
      'entryAllGroup',
      'changes of users of all time by name, for the manager of one group',
      entries({ targetName: '지민' }),
      [GROUP, '지민'],
      EVERYTHING,
    ),
  ]
}
