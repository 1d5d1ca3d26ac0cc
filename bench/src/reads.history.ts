// Histories: sign-ins and changes of users, of a day and of all time, as the administrator and as the manager of one group.
import { GROUP } from './people.ts'
import { LOAD, pathOf, type Read, web } from './read.ts'
import type { Sessions } from './sessions.ts'
import type { StatementName, Value } from './statements.ts'

const DAY = 86_400_000
/** Everything that ever happened, searched by a part of a name: one person at a time does that. */
const EVERYTHING = { connections: 1, rate: 5, wanted: '< 1 s' }

/** Bounds of a day and of two weeks, some months ago, with a part of an ID. */
const daysOf = (now: Date) => {
  const since = (days: number) => new Date(now.getTime() - days * DAY).toISOString()
  return { day: [since(100), since(99), 'jimin'], weeks: [since(114), since(100), 'jimin'] } as const
}
const periodOf = ([logSDT, logEDT]: readonly string[]) => ({ logSDT: logSDT ?? '', logEDT: logEDT ?? '' })

type Load = Pick<Read, 'connections' | 'rate' | 'wanted'>
/** Statements of the manager of one group end with `Group` and begin with that group. */
const readFor =
  ({ admin, groupManager }: Sessions) =>
  (name: StatementName, work: string, path: string, values: readonly Value[], load: Load = LOAD): Read => {
    const isOfGroup = name.endsWith('Group')
    return {
      name,
      limit: name,
      work: isOfGroup ? `${work}, for the manager of one group` : work,
      path,
      headers: web(isOfGroup ? groupManager : admin),
      values: isOfGroup ? [GROUP, ...values] : [...values],
      ...load,
      isOfRows: true,
    }
  }

function signInReads(sessions: Sessions, now: Date): Read[] {
  const read = readFor(sessions)
  const { day, weeks } = daysOf(now)
  const path = (query: object) => pathOf('/Logs/ClientLogin', { sort: 'loginDT', ...query })
  const ofDay = path({ ...periodOf(day), userId: 'jimin' })
  const ofWeeks = path({ ...periodOf(weeks), userId: 'jimin' })
  const named = path({ userName: '지민' })
  return [
    read('historyDay', 'sign-ins of one day by a part of the ID', ofDay, day),
    read('historyWeeks', 'sign-ins of 14 days by a part of the ID', ofWeeks, weeks),
    read('historyAll', 'sign-ins of all time by name, capped count', named, ['지민'], EVERYTHING),
    read('historyDayGroup', 'sign-ins of one day by a part of the ID', ofDay, day),
    read('historyAllGroup', 'sign-ins of all time by name', named, ['지민'], EVERYTHING),
  ]
}

function entryReads(sessions: Sessions, now: Date): Read[] {
  const read = readFor(sessions)
  const { day } = daysOf(now)
  const path = (query: object) => pathOf('/Logs/UserManage', { sort: 'logDT', ...query })
  const ofDay = path({ ...periodOf(day), targetId: 'jimin' })
  const named = path({ targetName: '지민' })
  return [
    read('entryDay', 'changes of users of one day by a part of the ID', ofDay, day),
    read('entryAll', 'changes of users of all time by name, capped count', named, ['지민'], EVERYTHING),
    read('entryDayGroup', 'changes of users of one day by a part of the ID', ofDay, day),
    read('entryAllGroup', 'changes of users of all time by name', named, ['지민'], EVERYTHING),
  ]
}

export const historyReads = (sessions: Sessions, now: Date): Read[] => [
  ...signInReads(sessions, now),
  ...entryReads(sessions, now),
]
