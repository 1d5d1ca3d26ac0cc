// The people of the sample organization: 300, some of them suspended, expired or with a temporary password.
import { randomUUID } from 'node:crypto'
import { Role } from '@acc/contract/labels/access'
import { localDayOf } from '@acc/contract/labels/formats'
import { UserManage } from '@acc/contract/labels/history'
import { UserState } from '@acc/contract/labels/users'
import { days, hours, later } from '../src/clock.ts'
import { insertHistory } from '../src/core/change.ts'
import { userLog } from '../src/core/userLog.ts'
import { TEMPORARY_HOURS } from '../src/domains/credentials/passwordRules.ts'
import { mailTemporaryPassword } from '../src/domains/users/users.signIn.ts'
import type { DemoGroup, Groups } from './groups.ts'
import { type Calendar, type Cast, type DemoActor, type Past, type Random, required } from './past.ts'

/** The common password, which the start prints. It satisfies the default rules. */
export const DEMO_PASSWORD = 'Sample!Desk26'

/** New: with a temporary password. Barred: suspended or locked at some time, without other steps. */
export type Person = DemoActor & {
  group: DemoGroup
  hiredAt: Date
  isNew: boolean
  isExpired: boolean
  isBarred: boolean
}
/** A group and the number of a person in it, as in `백엔드팀/0`; the first ones exist from the first day. */
export type Place = `${string}/${number}`
export type People = { all: Person[]; at(place: Place): Person }

/** Names of people, in Korean and as used in sign-in names. */
const namesOf = (text: string) => text.split(', ').map((name) => name.split(' ') as [written: string, inId: string])
const SURNAMES = namesOf(
  '김 kim, 이 lee, 박 park, 최 choi, 정 jung, 강 kang, 조 cho, 윤 yoon, 장 jang, 임 lim, 한 han, 오 oh, 서 seo, 신 shin, 남궁 namgung',
)
const GIVEN_NAMES = namesOf(
  '서연 seoyeon, 민준 minjun, 하늘 haneul, 도윤 doyun, 지우 jiwoo, 하은 haeun, 지민 jimin, 예준 yejun, 수아 sua, 현우 hyunwoo, ' +
    '은지 eunji, 태양 taeyang, 소희 sohee, 재현 jaehyun, 나라 nara, 성민 sungmin, 유진 yujin, 동욱 dongwook, 길동 gildong, ' +
    '보람 boram, 시우 siwoo, 가을 gaeul, 준호 junho, 다인 dain, 우진 woojin, 채원 chaewon, 혜진 hyejin',
)
const FIRST_NAMES = 'Emma Oliver Sofia Noah Amelie Hugo Mei Daniel Priya Jonas Clara Arjun Grace Felix Nina'.split(' ')
const LAST_NAMES = 'Fischer Grant Weber Rossi Bennett Moreau Tan Novak Iyer Larsen Keller Okafor Reyes Lim'.split(' ')

/** The first people of some groups. */
const NAMED: Record<string, readonly [name: string, id: string]> = {
  연구개발본부: ['김서연', 'seoyeon.kim'],
  설계센터: ['이도윤', 'doyun.lee'],
  'Global Operations': ['Emma Fischer', 'emma.fischer'],
  백엔드팀: ['박민준', 'minjun.park'],
  'Berlin Office': ['Lukas Weber', 'lukas.weber'],
}

/** People who are suspended by administrators, or locked by wrong passwords. */
export const SUSPENDED = { tester: '품질팀/2', designer: '금형팀/3', partner: '미래설계/2' } as const
export const LOCKED_OUT = ['재무팀/4', '생산2팀/6'] as const
const BARRED: readonly string[] = [...Object.values(SUSPENDED), ...LOCKED_OUT]

/** Numbers of people who came later, of those who have not signed in yet, and of expired accounts. */
const [JOINED_LATER, NEWCOMERS, EXPIRED] = [16, 6, 5]

function drawName(random: Random, { language }: DemoGroup): readonly [name: string, id: string] {
  if (language === 'en') {
    const name = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`
    return [name, name.toLowerCase().replace(' ', '.')]
  }
  const [[surname, surnameId], [given, givenId]] = [random.pick(SURNAMES), random.pick(GIVEN_NAMES)]
  return [surname + given, `${givenId}.${surnameId}`]
}

export function planPeople(random: Random, calendar: Calendar, groups: Groups): People {
  const uses = new Map<string, number>(Object.values(NAMED).map(([, id]) => [id, 1]))
  const places = new Map<string, Person>()
  for (const [at, group] of groups.all.entries())
    for (let position = 0; position < group.people; position++) {
      const known = position === 0 ? NAMED[group.name] : undefined
      const [name, wanted] = known ?? drawName(random, group)
      const number = known ? 1 : (uses.get(wanted) ?? 0) + 1
      if (!known) uses.set(wanted, number)
      // The second person of the same name gets a number.
      const id = number === 1 ? wanted : `${wanted}${number}`
      const place = `${group.name}/${position}`
      places.set(place, {
        ...{ idx: 0, id, name, email: `${id}@${group.isPartner ? 'partner' : 'acme'}.example` },
        ...{ group, groupIdx: group.idx, groupName: group.name, role: Role.USER },
        ip: `10.${20 + at}.${random.int(0, 3)}.${random.int(10, 250)}`,
        hiredAt: calendar.at(0, 15, 10),
        ...{ isNew: false, isExpired: false, isBarred: BARRED.includes(place) },
      })
    }
  const at = (place: string) => required(places, place)
  // The last two people of larger groups.
  const large = groups.all.filter(({ people }) => people >= 6)
  const late = random.some(large, JOINED_LATER).map(({ name, people }) => at(`${name}/${people - 1}`))
  for (const [index, person] of late.entries()) {
    person.isNew = index < NEWCOMERS
    person.hiredAt = person.isNew
      ? later(calendar.now, -hours(2 * index + 1))
      : calendar.at(7 * Math.floor((index - NEWCOMERS) / 3) + 1 + (index % 3), 10, random.int(0, 59))
  }
  for (const { name, people } of random.some(large, EXPIRED)) at(`${name}/${people - 2}`).isExpired = true
  return { all: [...places.values()], at }
}

function rowOf({ id, name, email, groupIdx, ...person }: Person, { at, now, today, pwHash }: Cast) {
  const { hiredAt: createDT, group, isNew, isExpired } = person
  const isMortal: 0 | 1 = isExpired || group.isPartner ? 1 : 0
  const lastDay = localDayOf(isExpired ? at(today - 9, 12) : later(now, days(120)))
  const temporary = { state: UserState.NEW, tmpPwHash: pwHash, tmpPwExpireDT: later(createDT, hours(TEMPORARY_HOURS)) }
  return {
    ...{ id, name, email, groupIdx, createDT, isMortal, key: randomUUID(), expireDT: isMortal === 1 ? lastDay : null },
    ...(isNew ? temporary : { pwHash, pwSetDT: later(createDT, hours(1)) }),
  }
}

async function insertPeople({ tx, at, by, services }: Past, people: readonly Person[], cast: Cast) {
  const values = people.map((person) => rowOf(person, cast))
  const rows = await tx.insertInto('users').values(values).returningAll().execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const entries = people.flatMap((person) => {
    const row = byId.get(person.id)
    if (row === undefined) return []
    person.idx = row.idx
    return [userLog(UserManage.CREATE, { ...row, groupName: person.groupName }, null)]
  })
  await insertHistory(tx, by, at, entries)
  for (const person of people)
    if (person.isNew) await mailTemporaryPassword(tx, services, person, DEMO_PASSWORD, 'created')
}

/** Creates the people: most on the first day, some later. */
export function addPeopleSteps(cast: Cast): void {
  for (const [at, people] of Map.groupBy(cast.people.all, ({ hiredAt }) => hiredAt.getTime()))
    cast.on(new Date(at), cast.admin, (past) => insertPeople(past, people, cast))
}
