// The people of the sample organization: 300, most of them usable, some suspended, expired or with a temporary password.
import { Role } from '@acc/contract/labels/access'
import { localDayOf } from '@acc/contract/labels/formats'
import { UserManage } from '@acc/contract/labels/history'
import { UserState } from '@acc/contract/labels/users'
import type { Insertable } from 'kysely'
import { days, hours, later } from '../src/clock.ts'
import { userLog } from '../src/core/userLog.ts'
import { newKey } from '../src/db/keys.ts'
import type { Users } from '../src/db/schema.gen.ts'
import { TEMPORARY_HOURS } from '../src/domains/credentials/temporaryPasswords.ts'
import { mailTemporaryPassword } from '../src/domains/users/users.passwords.ts'
import { type Calendar, DAYS } from './days.ts'
import type { DemoGroup, Groups } from './groups.ts'
import { FIRST_NAMES, GIVEN_NAMES, LAST_NAMES, SURNAMES } from './names.ts'
import { contextOf, type DemoActor, log, type Moment, type Step } from './past.ts'
import type { Random } from './random.ts'

/** The common password: it satisfies the default rules, and the start prints it. */
export const DEMO_PASSWORD = 'Sample!Desk26'

export type Person = DemoActor & {
  group: DemoGroup
  hiredAt: Date
  /** Has a temporary password, which was mailed. */
  isNew: boolean
  isExpired: boolean
  /** Is suspended or locked out at some time: nothing else happens to them. */
  isBarred: boolean
}

export type People = {
  all: Person[]
  /** The one in a place of a group, from 0: those in front were there from the first day. */
  at(group: string, place: number): Person
}

/** Accounts that the start lists for signing in. */
const NAMED: Record<string, readonly [name: string, id: string]> = {
  연구개발본부: ['김서연', 'seoyeon.kim'],
  설계센터: ['이도윤', 'doyun.lee'],
  영업본부: ['최지우', 'jiwoo.choi'],
  총무팀: ['정하은', 'haeun.jung'],
  법무팀: ['한지민', 'jimin.han'],
  생산본부: ['강현우', 'hyunwoo.kang'],
  'Global Operations': ['Emma Fischer', 'emma.fischer'],
  백엔드팀: ['박민준', 'minjun.park'],
  'Berlin Office': ['Lukas Weber', 'lukas.weber'],
}

type Place = readonly [group: string, place: number]
/** People who are suspended by administrators, or locked by wrong passwords. */
export const SUSPENDED = {
  quality: ['품질팀', 2],
  designer: ['금형팀', 3],
  partner: ['미래설계', 2],
  abroad: ['San Jose Office', 6],
} as const satisfies Record<string, Place>
export const LOCKED_OUT: readonly Place[] = [
  ['재무팀', 4],
  ['생산2팀', 6],
]
const BARRED: readonly Place[] = [...Object.values(SUSPENDED), ...LOCKED_OUT]

/** How many came after the first day, and how many of them have not signed in yet. */
const JOINED_LATER = 16
const NEWCOMERS = 6
const EXPIRED = 5

function drawName(random: Random, group: DemoGroup): readonly [string, string] {
  if (group.language === 'en') {
    const [first, last] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)]
    return [`${first} ${last}`, `${first}.${last}`.toLowerCase()]
  }
  const [[surname, surnameId], [given, givenId]] = [random.pick(SURNAMES), random.pick(GIVEN_NAMES)]
  return [surname + given, `${givenId}.${surnameId}`]
}

/** Returns a unique sign-in name: the second person of the same name gets a number. */
function unique(id: string, taken: Set<string>): string {
  for (let number = 1; ; number++) {
    const wanted = number === 1 ? id : `${id}${number}`
    if (taken.has(wanted)) continue
    taken.add(wanted)
    return wanted
  }
}

export function planPeople(random: Random, calendar: Calendar, groups: Groups): People {
  const taken = new Set(Object.values(NAMED).map(([, id]) => id))
  const byGroup = new Map<string, Person[]>()
  for (const [at, group] of [...groups.values()].entries()) {
    const people = Array.from({ length: group.people }, (_, place): Person => {
      const known = place === 0 ? NAMED[group.name] : undefined
      const [name, idWanted] = known ?? drawName(random, group)
      const id = known ? known[1] : unique(idWanted, taken)
      return {
        idx: 0,
        id,
        name,
        email: `${id}@${group.isPartner ? 'partner.example' : 'acme.example'}`,
        groupIdx: group.idx,
        groupName: group.name,
        role: Role.USER,
        ip: `10.${20 + at}.${random.int(0, 3)}.${random.int(10, 250)}`,
        group,
        hiredAt: calendar.at(calendar.firstDay, 15, 10),
        isNew: false,
        isExpired: false,
        isBarred: BARRED.some((barred) => barred[0] === group.name && barred[1] === place),
      }
    })
    byGroup.set(group.name, people)
  }
  const all = [...byGroup.values()].flat()
  setLatecomers(random, calendar, [...byGroup.values()])
  return {
    all,
    at: (group, place) => {
      const person = byGroup.get(group)?.[place]
      if (person === undefined) throw new RangeError(`there is no person at ${place} in ${group}`)
      return person
    },
  }
}

/** People who came later are last in a group that is not small. */
function setLatecomers(random: Random, calendar: Calendar, groups: Person[][]): void {
  const last = groups.filter((people) => people.length >= 6).flatMap((people) => people.slice(-1))
  const late = random.some(last, JOINED_LATER)
  for (const [index, person] of late.entries()) {
    person.isNew = index < NEWCOMERS
    person.hiredAt = person.isNew
      ? later(calendar.now, -hours(2 * index + 1))
      : calendar.at(4 + 5 * (index - NEWCOMERS), 10, random.int(0, 59))
  }
  const others = groups.filter((people) => people.length >= 6).flatMap((people) => people.slice(-2, -1))
  for (const person of random.some(others, EXPIRED)) person.isExpired = true
}

type Secret = { pwHash: string }

function rowOf(person: Person, calendar: Calendar, { pwHash }: Secret): Insertable<Users> {
  const { id, name, email, groupIdx, hiredAt, isNew, isExpired, group } = person
  const end = isExpired ? calendar.at(DAYS - 9, 12) : later(calendar.now, days(120))
  // Recent enough that the login policy does not recommend a new password.
  const pwSetDT = new Date(Math.max(later(hiredAt, hours(1)).getTime(), calendar.at(0, 16, 10).getTime()))
  const isMortal = isExpired || group.isPartner ? 1 : 0
  return {
    id,
    name,
    email,
    groupIdx,
    key: newKey(),
    createDT: hiredAt,
    isMortal,
    expireDT: isMortal === 1 ? localDayOf(end) : null,
    ...(isNew
      ? { state: UserState.NEW, tmpPwHash: pwHash, tmpPwExpireDT: later(hiredAt, hours(TEMPORARY_HOURS)) }
      : { pwHash, pwSetDT }),
  }
}

async function hire(moment: Moment, people: readonly Person[], calendar: Calendar, secret: Secret): Promise<void> {
  const { tx } = moment
  const rows = await tx
    .insertInto('users')
    .values(people.map((person) => rowOf(person, calendar, secret)))
    .returningAll()
    .execute()
  const byId = new Map(people.map((person) => [person.id, person]))
  const entries = rows.map((row) => {
    const person = byId.get(row.id)
    if (person !== undefined) person.idx = row.idx
    const user = { ...row, groupName: person?.groupName ?? '' }
    return userLog(UserManage.CREATE, user, null)
  })
  await log(moment, entries)
  const { services } = contextOf(moment)
  for (const person of people)
    if (person.isNew) await mailTemporaryPassword(tx, services, person, DEMO_PASSWORD, 'created')
}

/** Creates the people: most on the first day, some later, one after the other. */
export function peopleSteps(calendar: Calendar, admin: DemoActor, { all }: People, secret: Secret): Step[] {
  const byMoment = Map.groupBy(all, ({ hiredAt }) => hiredAt.getTime())
  return [...byMoment].map(([at, people]) => ({
    at: new Date(at),
    by: admin,
    run: (moment) => hire(moment, people, calendar, secret),
  }))
}
