// Changes of accounts, groups and policies by administrators, so that no history is empty.

import { localDayOf } from '@acc/contract/labels/formats'
import { AccountAction, AccountResult } from '@acc/contract/labels/history'
import { OwnerType } from '@acc/contract/labels/policies'
import { UserState } from '@acc/contract/labels/users'
import { days, later } from '../src/clock.ts'
import { updatePassword } from '../src/domains/credentials/credentials.queries.ts'
import { reorderGroups, updateGroup } from '../src/domains/groups/groups.service.ts'
import { chooseEvaluation } from '../src/domains/licenses/licenses.registration.ts'
import { chooseOutbox } from '../src/domains/mails/mails.service.ts'
import { updateFactor } from '../src/domains/otp/otp.queries.ts'
import { sealSecret } from '../src/domains/otp/otp.secrets.ts'
import { newSecret } from '../src/domains/otp/totp.ts'
import { setIsSinglePC } from '../src/domains/users/users.devices.ts'
import { setIsMyPolicy } from '../src/domains/users/users.policies.ts'
import { moveUsers, updateUser } from '../src/domains/users/users.service.ts'
import { setDisabled } from '../src/domains/users/users.suspension.ts'
import { managersOf } from './authorities.ts'
import { type Calendar, DAYS } from './days.ts'
import { type Groups, setValues } from './groups.ts'
import { contextOf, type DemoActor, log, type Moment, type Step } from './past.ts'
import { type People, type Person, SUSPENDED } from './people.ts'
import type { Random } from './random.ts'

type Cast = { random: Random; calendar: Calendar; admin: DemoActor; groups: Groups; people: People }

type Action = (typeof AccountAction.values)[number]
type Result = (typeof AccountResult.values)[number]

/** Records what a person did about their own account. */
export function logAction(
  moment: Moment,
  person: Person,
  type: Action,
  result: Result = AccountResult.SUCCESS,
): Promise<void> {
  const entry = {
    kind: 'account',
    type,
    result,
    subject: person.id,
    subjectIdx: person.idx,
    groupIdx: person.groupIdx,
    detail: {
      userId: person.id,
      userName: person.name,
      userGroupName: person.groupName,
      targetNotice: null,
      targetOldNotice: null,
    },
  } as const
  return log(moment, [entry])
}

/** A person replaces the password. */
async function changePassword(moment: Moment, person: Person, pwHash: string): Promise<void> {
  await updatePassword(moment.tx, person.idx, pwHash, moment.at)
  await logAction(moment, person, AccountAction.CHANGE_PW)
}

/** A person registers an authenticator. The login policy of the sample does not ask for its codes. */
async function registerAuthenticator(moment: Moment, person: Person): Promise<void> {
  const otpSecret = sealSecret(moment.services.key, person.idx, 'otpSecret', newSecret())
  await updateFactor(moment.tx, person.idx, { otpSecret })
  await logAction(moment, person, AccountAction.REGISTER_OTP)
}

const WITH_AUTHENTICATOR = 12

function authenticatorSteps({ calendar, people }: Cast): Step[] {
  return people.all
    .filter((person) => !person.isNew && !person.isExpired && person.hiredAt < calendar.at(2, 0))
    .slice(0, WITH_AUTHENTICATOR)
    .map((person, index) => ({
      at: calendar.at(DAYS - WITH_AUTHENTICATOR + index, 10, index),
      by: person,
      run: (moment) => registerAuthenticator(moment, person),
    }))
}

/** New passwords of today, by their age in minutes. */
const CHANGED_TODAY = [305, 142, 58] as const

function passwordSteps({ random, calendar, people }: Cast, pwHash: string): Step[] {
  const isUsable = (person: Person) => !person.isNew && !person.isExpired && !person.isBarred && !person.group.isPartner
  const latecomers = people.all.filter((person) => isUsable(person) && person.hiredAt > calendar.at(1, 0))
  const others = random.some(people.all.filter(isUsable), 18)
  const firsts = latecomers.map((person) => ({ person, at: later(person.hiredAt, 55 * 60_000) }))
  const later60 = others.map((person) => ({
    person,
    at: calendar.at(random.int(3, DAYS - 1), random.int(9, 17), random.int(0, 59)),
  }))
  const today = CHANGED_TODAY.map((count, index) => ({
    person: people.at('백엔드팀', 4 + index),
    at: calendar.ago(count),
  }))
  return [...firsts, ...later60, ...today]
    .filter(({ person, at }) => at >= person.hiredAt)
    .map(({ person, at }) => ({ at, by: person, run: (moment) => changePassword(moment, person, pwHash) }))
}

const suspend =
  (person: Person, isSuspended = true) =>
  (moment: Moment) =>
    setDisabled(contextOf(moment), { idx: person.idx, state: isSuspended ? UserState.DISABLED : UserState.NORMAL })

function userSteps({ calendar: { at, now }, admin, people, groups }: Cast): Step[] {
  const [designer, seller] = [people.at(...SUSPENDED.designer), people.at('국내영업2팀', 4)]
  const [worker, guest] = [people.at('생산1팀', 5), people.at('대성정밀', 1)]
  const scientist = people.at('데이터실', 1)
  const design = people.at('설계센터', 0)
  const partners = people.at('총무팀', 0)
  const move = async (moment: Moment) => {
    const target = groups.get('생산2팀')
    if (target === undefined) return
    await moveUsers(contextOf(moment), { idxes: [worker.idx], groupIdx: target.idx })
    Object.assign(worker, { group: target, groupIdx: target.idx, groupName: target.name })
  }
  const rename = async (moment: Moment) => {
    seller.name = '최보람'
    await updateUser(contextOf(moment), { idx: seller.idx, name: seller.name })
  }
  const extend = (moment: Moment) =>
    updateUser(contextOf(moment), { idx: guest.idx, isMortal: 1, expireDT: localDayOf(later(now, days(200))) })
  const policy = async (moment: Moment) => {
    await setIsMyPolicy(contextOf(moment), { idx: scientist.idx, isMyPolicy: 1 })
    await setValues(moment, scientist.idx, OwnerType.USER, { externalStorage: 1, offline: 1, offlineDays: 5 })
  }
  const single = (person: Person) => (moment: Moment) =>
    setIsSinglePC(contextOf(moment), { idx: person.idx, isSinglePC: 1 })
  return [
    { at: at(5, 10, 20), by: admin, run: single(people.at('한빛소프트', 0)) },
    { at: at(5, 10, 22), by: admin, run: single(people.at('대성정밀', 0)) },
    { at: at(6, 16, 40), by: admin, run: policy },
    { at: at(15, 9, 5), by: admin, run: suspend(people.at(...SUSPENDED.quality)) },
    { at: at(22, 14, 10), by: people.at('생산본부', 0), run: move },
    { at: at(29, 11, 30), by: admin, run: rename },
    { at: at(33, 13, 45), by: partners, run: extend },
    { at: at(38, 17, 10), by: design, run: suspend(designer) },
    { at: at(44, 9, 25), by: design, run: suspend(designer, false) },
    { at: at(47, 15, 55), by: partners, run: suspend(people.at(...SUSPENDED.partner)) },
    { at: at(52, 10, 0), by: admin, run: suspend(people.at(...SUSPENDED.abroad)) },
  ]
}

function groupAndPolicySteps({ calendar: { at, firstDay }, admin, groups }: Cast): Step[] {
  const idxOf = (name: string) => groups.get(name)?.idx ?? 0
  const describe = (name: string, description: string) => (moment: Moment) =>
    updateGroup(contextOf(moment), { idx: idxOf(name), description })
  const orderedIdxes = () => ['해외영업팀', '국내영업1팀', '국내영업2팀'].map(idxOf)
  const set = (name: string, values: Parameters<typeof setValues>[3]) => (moment: Moment) =>
    setValues(moment, idxOf(name), OwnerType.GROUP, values)
  return [
    { at: at(firstDay, 16, 0), by: admin, run: (moment) => chooseEvaluation(contextOf(moment)) },
    { at: at(firstDay, 16, 5), by: admin, run: (moment) => chooseOutbox(contextOf(moment)) },
    { at: at(12, 10, 15), by: admin, run: describe('데이터실', '분석 서버와 원본 데이터를 다룹니다.') },
    { at: at(18, 13, 20), by: admin, run: set('연구개발본부', { screenCapture: 1, vmExecution: 1 }) },
    { at: at(19, 9, 50), by: admin, run: set('연구개발본부', { screenCapture: 0 }) },
    {
      at: at(27, 15, 0),
      by: admin,
      run: (moment) => reorderGroups(contextOf(moment), { orderedIdxes: orderedIdxes() }),
    },
    { at: at(40, 11, 35), by: admin, run: set('Global Operations', { localNetwork: 1, loopback: 0 }) },
    { at: at(51, 16, 20), by: admin, run: describe('Singapore Office', 'Support for the region') },
  ]
}

export const upkeepSteps = (cast: Cast, pwHash: string): Step[] => [
  ...passwordSteps(cast, pwHash),
  ...authenticatorSteps(cast),
  ...userSteps(cast),
  ...groupAndPolicySteps(cast),
]

/** Accounts that the start lists, with their rights. */
export const listKeyPeople = (people: People): { person: Person; isManager: boolean }[] => {
  const managers = managersOf(people)
  const shown = [...managers.slice(0, 1), people.at('Global Operations', 0), people.at('백엔드팀', 0)]
  return shown.map((person) => ({ person, isManager: managers.includes(person) }))
}
