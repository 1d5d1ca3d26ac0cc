// Changes of accounts in the sample organization: passwords, authenticators, changes by administrators, and a project
// with a temporary group, contractor and authority.
import { NO_PAGE_AUTH } from '@acc/contract/core/access'
import { localDayOf } from '@acc/contract/labels/formats'
import { AccountAction, AccountResult } from '@acc/contract/labels/history'
import { OwnerType } from '@acc/contract/labels/policies'
import { UserState } from '@acc/contract/labels/users'
import type { UserChange } from '@acc/contract/userInputs'
import { days, hours, later } from '../src/clock.ts'
import { insertHistory } from '../src/core/change.ts'
import { createAuthority, removeAuthority } from '../src/domains/authorities/authorities.service.ts'
import { updatePassword } from '../src/domains/credentials/credentials.queries.ts'
import { createGroup, removeGroup } from '../src/domains/groups/groups.service.ts'
import { updateFactor } from '../src/domains/otp/otp.queries.ts'
import { newSecret, sealSecret } from '../src/domains/otp/totp.ts'
import { setIsMyPolicy, setIsSinglePC } from '../src/domains/users/users.devices.ts'
import { createUser, moveUsers, removeUsers, updateUser } from '../src/domains/users/users.service.ts'
import { setDisabled } from '../src/domains/users/users.suspension.ts'
import { LONE_DECIDER } from './authorities.ts'
import { setValues } from './groups.ts'
import type { Cast, DemoActor, Past, Run } from './past.ts'
import { type Person, SUSPENDED } from './people.ts'

type ActionType = (typeof AccountAction.values)[number]
const { CHANGE_PW, FIND_ID, FIND_PW, REGISTER_OTP } = AccountAction

/** Adds a change of a person's own account: the work, and its row of the history. */
function addAction({ on }: Cast, at: Date, person: Person, type: ActionType, work?: Run, isFailed = false): void {
  on(at, person, async (past) => {
    await work?.(past)
    const { idx: subjectIdx, id: subject, name: userName, groupName: userGroupName, groupIdx } = person
    const detail = { userId: subject, userName, userGroupName, targetNotice: null, targetOldNotice: null }
    const result = isFailed ? AccountResult.OTP_FAILED : AccountResult.SUCCESS
    await insertHistory(past.tx, person, at, [{ kind: 'account', type, result, subject, subjectIdx, groupIdx, detail }])
  })
}

/** New passwords of today, by their age in minutes. */
const CHANGED_TODAY = [305, 142, 58]
const [CHANGED_BEFORE, WITH_AUTHENTICATOR] = [18, 12]

function addOwnActions(cast: Cast): void {
  const { random, people, at, ago, pwHash } = cast
  const change = (person: Person, when: Date) =>
    addAction(cast, when, person, CHANGE_PW, ({ tx }) => updatePassword(tx, person.idx, pwHash, when))
  const usable = people.all.filter((one) => !one.isNew && !one.isExpired && !one.isBarred && !one.group.isPartner)
  const present = usable.filter(({ hiredAt }) => hiredAt < at(1, 0))
  for (const person of usable) if (!present.includes(person)) change(person, later(person.hiredAt, hours(1)))
  for (const person of random.some(present, CHANGED_BEFORE))
    change(person, at(7 * random.int(0, 3) + random.int(1, 4), random.int(9, 17), random.int(0, 59)))
  for (const [index, count] of CHANGED_TODAY.entries()) change(people.at(`백엔드팀/${4 + index}`), ago(count))
  // The login policy of the sample does not require their codes.
  for (const [index, person] of present.slice(0, WITH_AUTHENTICATOR).entries()) {
    const secretOf = ({ services }: Past) => sealSecret(services.key, person.idx, 'otpSecret', newSecret())
    const register = (past: Past) => updateFactor(past.tx, person.idx, { otpSecret: secretOf(past) })
    addAction(cast, at(14 + 7 * (index % 2) + (index % 5), 10, 3 * index), person, REGISTER_OTP, register)
  }
  addAction(cast, at(4, 8, 30), people.at('총무팀/2'), FIND_ID)
  addAction(cast, at(16, 8, 41), people.at('백엔드팀/3'), FIND_PW, undefined, true)
  addAction(cast, at(16, 8, 43), people.at('백엔드팀/3'), FIND_PW)
  addAction(cast, at(28, 8, 35), people.at('국내영업1팀/2'), FIND_PW)
}

function addAdministration({ at, ago, on, now, admin, people, groups }: Cast): void {
  const [designHead, partnerHead] = [people.at('설계센터/0'), people.at('총무팀/0')]
  const suspend = (when: Date, by: DemoActor, person: Person, state: number = UserState.DISABLED) =>
    on(when, by, (past) => setDisabled(past, { idx: person.idx, state }))
  suspend(at(8, 9, 5), admin, people.at(SUSPENDED.tester))
  suspend(at(21, 17, 10), designHead, people.at(SUSPENDED.designer))
  suspend(at(24, 9, 25), designHead, people.at(SUSPENDED.designer), UserState.NORMAL)
  suspend(at(25, 15, 55), partnerHead, people.at(SUSPENDED.partner))
  suspend(ago(4), admin, people.at(LONE_DECIDER))
  const update = (when: Date, by: DemoActor, person: Person, change: Omit<UserChange, 'idx'>) =>
    on(when, by, (past) => updateUser(past, { idx: person.idx, ...change }))
  const expireDT = localDayOf(later(now, days(200)))
  update(at(17, 13, 45), partnerHead, people.at('대성정밀/1'), { isMortal: 1, expireDT })
  update(ago(318), partnerHead, people.at('대성정밀/2'), { isMortal: 1, expireDT })
  update(ago(107), admin, people.at('해외영업팀/3'), { email: 'sales.asia@acme.example' })
  on(at(3, 10, 20), admin, (past) => setIsSinglePC(past, { idx: people.at('대성정밀/0').idx, isSinglePC: 1 }))
  const scientist = people.at('데이터실/1')
  on(at(3, 16, 40), admin, async (past) => {
    // The database's clock decides which ends are in the future.
    const endDT = later(new Date(), days(20)).toISOString()
    await setIsMyPolicy(past, { idx: scientist.idx, isMyPolicy: 1, endDT })
    await setValues(past, scientist.idx, OwnerType.USER, { externalStorage: 1, offline: 1, offlineDays: 5 })
  })
  const [worker, line] = [people.at('생산1팀/5'), groups.of('생산2팀')]
  on(at(11, 14, 10), people.at('생산본부/0'), (past) => {
    Object.assign(worker, { groupIdx: line.idx, groupName: line.name })
    return moveUsers(past, { idxes: [worker.idx], groupIdx: line.idx })
  })
}

/** A project of three weeks, so that the histories also have removals. */
function addProject({ at, on, admin, people, groups }: Cast): void {
  const made = { group: 0, user: 0, authority: 0 }
  on(at(4, 9, 15), admin, async (past) => {
    const parentIdx = groups.of('연구개발본부').idx
    made.group = (await createGroup(past, { parentIdx, name: '차세대 전환 프로젝트', description: '' })).idx
    const contractor = { id: 'ext.lucas.meyer', name: 'Lucas Meyer', email: 'lucas.meyer@partner.example' }
    made.user = (await createUser(past, { ...contractor, groupIdx: made.group, isMortal: 1 })).idx
    const levels = { ...NO_PAGE_AUTH, policy: 1, user: 2, fileExportApprove: 2, log: 1 } as const
    const [userIdxes, groupIdxes] = [[people.at('연구개발본부/0').idx], [made.group]]
    const authority = { name: '프로젝트 관리', description: '', ...levels, userIdxes, groupIdxes }
    made.authority = (await createAuthority(past, authority)).idx
  })
  on(at(25, 15, 30), admin, (past) => removeAuthority(past, { idx: made.authority }))
  on(at(25, 16), admin, (past) => removeUsers(past, { idxes: [made.user] }))
  on(at(25, 16, 5), admin, (past) => removeGroup(past, { idx: made.group }))
}

export function addAccountSteps(cast: Cast): void {
  addOwnActions(cast)
  addAdministration(cast)
  addProject(cast)
}
