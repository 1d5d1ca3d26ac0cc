// Sign-ins from clients and browsers over the sixty days, and failed attempts.
import { LogoutType, SignInType } from '@acc/contract/labels/history'
import type { Insertable } from 'kysely'
import { later, minutes } from '../src/clock.ts'
import type { Tx } from '../src/db/open.ts'
import type { SignIns } from '../src/db/schema.gen.ts'
import { updateUsers } from '../src/domains/users/users.queries.ts'
import { managersOf } from './authorities.ts'
import { type Client, deviceNameOf, useClient, versionAt } from './clients.ts'
import { type Calendar, DAYS } from './days.ts'
import type { Step } from './past.ts'
import { LOCKED_OUT, type People, type Person } from './people.ts'
import type { Random } from './random.ts'

/** A sign-in that has ended, or a failed attempt. */
export type Visit = {
  person: Person
  kind: 'web' | 'client'
  at: Date
  until: Date | null
  type: SignInType
  day: number
  client?: Client
}

const FIRST_DAY = 2
const MAX_FAILS = 5

/** The hours at which people come back to the client within a day, and how likely: after lunch, a meeting, at home. */
const RETURNS = [
  [10, 0.12],
  [11, 0.08],
  [13, 0.45],
  [14, 0.12],
  [15, 0.15],
  [16, 0.1],
  [20, 0.06],
] as const

/** A day at the client: most come between eight and ten, and some sign in again after a break. */
export function clientDay(random: Random, { at }: Calendar, person: Person, day: number, client?: Client): Visit[] {
  const start = at(day, 7, random.int(35, 95) + random.int(0, 70))
  const returns = RETURNS.filter(([, chance]) => random.chance(chance)).map(([hour]) =>
    at(day, hour, random.int(1, 50)),
  )
  const starts = [start, ...returns.filter((moment) => moment > later(start, minutes(30)))]
  const end = at(day, 17, random.int(20, 130))
  return starts.map((from, index) => {
    const next = starts[index + 1]
    const until = next ? later(next, -minutes(random.int(5, 25))) : from < end ? end : later(from, minutes(40))
    return { person, kind: 'client', type: SignInType.LOGIN, day, at: from, until, ...(client && { client }) }
  })
}

function clientVisits(random: Random, calendar: Calendar, clients: readonly Client[]): Visit[] {
  return clients.flatMap((client) => {
    const own = Array.from({ length: Math.min(client.to, DAYS) - client.from }, (_, index) => client.from + index)
    const present = own.filter((day) => random.chance(calendar.isWorkday(day) ? 0.9 : 0.12))
    return present.flatMap((day) => clientDay(random, calendar, client.person, day, client))
  })
}

/** A visit to the console or the portal, perhaps after a wrong password. */
function webVisit(random: Random, { at }: Calendar, person: Person, day: number): Visit[] {
  const start = at(day, random.int(8, 18), random.int(0, 59), random.int(0, 59))
  const base = { person, kind: 'web', day } as const
  const visit: Visit = { ...base, at: start, until: later(start, minutes(random.int(4, 55))), type: SignInType.LOGIN }
  const failed: Visit = { ...base, at: later(start, -minutes(1)), until: null, type: SignInType.PW_FAILED }
  return random.chance(0.06) ? [failed, visit] : [visit]
}

function webVisits(random: Random, calendar: Calendar, people: People): Visit[] {
  const managers = managersOf(people)
  // Supplier staff sign in with the client only; people with a temporary password have not signed in yet.
  const comes = ({ group, isNew, isExpired, isBarred }: Person) => !group.isPartner && !isNew && !isExpired && !isBarred
  const others = people.all.filter((person) => comes(person) && !managers.includes(person))
  return Array.from({ length: DAYS - FIRST_DAY + 1 }, (_, index) => index + FIRST_DAY).flatMap((day) => {
    const share = calendar.isWorkday(day) ? 1 : 0.1
    const present = [
      ...managers.filter(() => random.chance(0.75 * share)),
      ...random
        .some(others, Math.round(random.int(8, 14) * share))
        .filter(({ hiredAt }) => hiredAt < calendar.at(day, 0)),
    ]
    return present.flatMap((person) => webVisit(random, calendar, person, day))
  })
}

/** Short ones of the last hours, whatever the time and the day: the history opens with the running day. */
function recentVisits(random: Random, { ago }: Calendar, people: People, clients: readonly Client[]): Visit[] {
  const using = clients.filter(({ to }) => to > DAYS)
  const visit = (person: Person, client?: Client): Visit => {
    const begun = random.int(45, 400)
    const [start, until] = [ago(begun), ago(begun - random.int(15, 40))]
    const kind = client ? 'client' : 'web'
    return { person, kind, day: DAYS, at: start, until, type: SignInType.LOGIN, ...(client && { client }) }
  }
  return [...using.map((client) => visit(client.person, client)), ...managersOf(people).map((person) => visit(person))]
}

/** Wrong passwords until the account is disabled. */
function lockouts(random: Random, calendar: Calendar, people: People): Visit[] {
  const locked = LOCKED_OUT.map(([group, place]) => people.at(group, place))
  return locked.flatMap((person, index) => {
    const day = DAYS - 3 - 12 * index
    const start = calendar.at(day, 9, random.int(0, 50))
    return Array.from({ length: MAX_FAILS }, (_, fail): Visit => {
      const type = fail === MAX_FAILS - 1 ? SignInType.PW_DISABLED : SignInType.PW_FAILED
      return { person, kind: 'web', day, at: later(start, 20_000 * fail), until: null, type }
    })
  })
}

/** Returns all visits that have ended by now, in order of time. */
export function planVisits(random: Random, calendar: Calendar, people: People, clients: readonly Client[]): Visit[] {
  return [
    ...clientVisits(random, calendar, clients),
    ...recentVisits(random, calendar, people, clients),
    ...webVisits(random, calendar, people),
    ...lockouts(random, calendar, people),
  ]
    .filter(({ at, until }) => (until ?? at) < calendar.now)
    .sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** Effects of the visits besides their rows: licenses, last uses, disabled accounts. */
export function visitSteps(visits: readonly Visit[]): Step[] {
  const byClient = Map.groupBy(
    visits.filter(({ client }) => client !== undefined),
    ({ client }) => client,
  )
  const uses = [...byClient].flatMap(([client, own]) => {
    const [first, last] = [own[0], own.at(-1)]
    if (client === undefined || first === undefined || last === undefined) return []
    return [...new Set([first, last])].map(
      ({ at, day, person }): Step => ({ at, by: person, run: (moment) => useClient(moment, client, day) }),
    )
  })
  const locks = visits
    .filter(({ type }) => type === SignInType.PW_DISABLED)
    .map(
      ({ at, person }): Step => ({
        at,
        by: person,
        run: ({ tx }) => updateUsers(tx, [person.idx], { state: 2, loginFails: MAX_FAILS }),
      }),
    )
  return [...uses, ...locks]
}

function rowOf({ person, kind, at, until, type, day, client }: Visit, random: Random): Insertable<SignIns> {
  return {
    kind,
    type,
    loginDT: at,
    logoutDT: until,
    logoutType: until === null ? null : random.chance(0.8) ? LogoutType.LOGOUT : LogoutType.SESSION_EXPIRED,
    userIdx: person.idx,
    userId: person.id,
    userName: person.name,
    userGroupName: person.groupName,
    groupIdx: person.groupIdx,
    ip: person.ip,
    userRole: person.role,
    clientVersion: kind === 'client' ? versionAt(day) : '',
    deviceName: kind === 'client' ? (client?.deviceName ?? deviceNameOf(person)) : '',
  }
}

const CHUNK = 1_000

export async function insertVisits(tx: Tx, random: Random, visits: readonly Visit[]): Promise<void> {
  const rows = visits.map((visit) => rowOf(visit, random))
  for (let from = 0; from < rows.length; from += CHUNK)
    await tx
      .insertInto('signIns')
      .values(rows.slice(from, from + CHUNK))
      .execute()
}
