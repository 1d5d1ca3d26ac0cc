// Sign-ins from clients and browsers, and failed attempts.
import { LogoutType, SignInType } from '@acc/contract/labels/history'
import { UserState } from '@acc/contract/labels/users'
import { later, minutes } from '../src/clock.ts'
import { updateUsers } from '../src/domains/users/users.queries.ts'
import { managersOf } from './authorities.ts'
import { type Client, clientsOfToday, useClient, versionAt } from './clients.ts'
import type { Cast } from './past.ts'
import { LOCKED_OUT, type Person } from './people.ts'

/** A sign-in that has ended, or a failed attempt; from a browser if there is no client. */
type Visit = { person: Person; day: number; at: Date; until: Date | null; type: SignInType; client?: Client }

const LOGIN = { type: SignInType.LOGIN }
const MAX_FAILS = 5

/** A day at the client: most sign in between eight and ten, many again in the afternoon or evening. */
function clientDay({ random, at }: Cast, client: Client, day: number): Visit[] {
  const visit = (from: Date, until: Date): Visit => ({ ...LOGIN, person: client.person, client, day, at: from, until })
  const [start, end] = [at(day, 7, random.int(35, 165)), at(day, 17, random.int(20, 130))]
  const back = at(day, random.pick([10, 11, 13, 13, 13, 14, 15, 16, 20]), random.int(1, 50))
  if (random.chance(0.3) || back < later(start, minutes(60))) return [visit(start, end)]
  const left = later(back, -minutes(random.int(5, 45)))
  return [visit(start, left), visit(back, back < end ? end : later(back, minutes(40)))]
}

const clientVisits = (cast: Cast): Visit[] =>
  cast.clients.flatMap((client) => {
    const days = cast.daysFrom(client.from).filter((day) => day < client.to)
    const present = days.filter((day) => cast.random.chance(cast.isWorkday(day) ? 0.9 : 0.12))
    return present.flatMap((day) => clientDay(cast, client, day))
  })

/** A visit to the console or the portal, perhaps after a wrong password. */
function webVisit({ random, at }: Cast, person: Person, day: number): Visit[] {
  const start = at(day, random.int(8, 18), random.int(0, 59), random.int(0, 59))
  const failed = { person, day, at: later(start, -minutes(1)), until: null, type: SignInType.PW_FAILED }
  const visit = { ...LOGIN, person, day, at: start, until: later(start, minutes(random.int(4, 55))) }
  return random.chance(0.06) ? [failed, visit] : [visit]
}

function webVisits(cast: Cast): Visit[] {
  const { random, people, at, isWorkday } = cast
  const managers = managersOf(people)
  // Supplier staff sign in with the client only; people with a temporary password have not signed in yet.
  const comes = ({ group, isNew, isExpired, isBarred }: Person) => !group.isPartner && !isNew && !isExpired && !isBarred
  const others = people.all.filter((person) => comes(person) && !managers.includes(person))
  return cast.daysFrom(1).flatMap((day) => {
    const share = isWorkday(day) ? 1 : 0.1
    const drawn = random.some(others, Math.round(random.int(8, 14) * share))
    const present = [...managers.filter(() => random.chance(0.75 * share)), ...drawn]
    return present.filter(({ hiredAt }) => hiredAt < at(day, 0)).flatMap((person) => webVisit(cast, person, day))
  })
}

/** Adds short visits of the last hours, so that the history begins with today. */
function recentVisits(cast: Cast): Visit[] {
  const managers = managersOf(cast.people).map((person) => ({ person }))
  return [...clientsOfToday(cast).map((client) => ({ client, person: client.person })), ...managers].map((who) => {
    const begun = cast.random.int(45, 400)
    return { ...LOGIN, ...who, day: cast.today, at: cast.ago(begun), until: cast.ago(begun - cast.random.int(15, 40)) }
  })
}

/** Wrong passwords until the account is locked. */
const lockouts = ({ random, at, people }: Cast): Visit[] =>
  LOCKED_OUT.flatMap((place, index) => {
    const [person, day] = [people.at(place), 17 + 4 * index]
    const start = at(day, 9, random.int(0, 50))
    return Array.from({ length: MAX_FAILS }, (_, fail): Visit => {
      const type = fail === MAX_FAILS - 1 ? SignInType.PW_DISABLED : SignInType.PW_FAILED
      return { person, day, at: later(start, 20_000 * fail), until: null, type }
    })
  })

const rowOf = ({ random }: Cast, { person, day, at, until, type, client }: Visit) => ({
  ...{ kind: client ? ('client' as const) : ('web' as const), type, loginDT: at, logoutDT: until },
  logoutType: until === null ? null : random.chance(0.8) ? LogoutType.LOGOUT : LogoutType.SESSION_EXPIRED,
  ...{ userIdx: person.idx, userId: person.id, userName: person.name, userRole: person.role, ip: person.ip },
  ...{ userGroupName: person.groupName, groupIdx: person.groupIdx },
  ...{ clientVersion: client ? versionAt(day) : '', deviceName: client?.deviceName ?? '' },
})

/** Adds all visits that have ended by now, with their effects: licenses, last uses, locked accounts. */
export function addVisitSteps(cast: Cast): void {
  const { on, clients, now, admin } = cast
  const visits = [...clientVisits(cast), ...recentVisits(cast), ...webVisits(cast), ...lockouts(cast)]
    .filter(({ at, until }) => (until ?? at) < now)
    .sort((a, b) => a.at.getTime() - b.at.getTime())
  for (const client of clients) {
    const own = visits.filter((visit) => visit.client === client)
    for (const { at, day, person } of new Set([...own.slice(0, 1), ...own.slice(-1)]))
      on(at, person, (past) => useClient(past, client, day))
  }
  const values = { state: UserState.DISABLED, loginFails: MAX_FAILS }
  for (const { at, person, type } of visits)
    if (type === SignInType.PW_DISABLED) on(at, person, ({ tx }) => updateUsers(tx, [person.idx], values))
  on(later(now, -1), admin, ({ tx }) =>
    tx
      .insertInto('signIns')
      .values(visits.map((visit) => rowOf(cast, visit)))
      .execute(),
  )
}
