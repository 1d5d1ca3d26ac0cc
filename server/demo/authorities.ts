// The authorities of the sample organization and their members.
import { NO_PAGE_AUTH, type PageAuth } from '@acc/contract/core/access'
import { ROOT_GROUP } from '@acc/contract/groups'
import { Role } from '@acc/contract/labels/access'
import { OwnerType } from '@acc/contract/labels/policies'
import { Transfer } from '@acc/contract/labels/requests'
import { sql } from 'kysely'
import { dayOf, days, later } from '../src/clock.ts'
import { createAbsence } from '../src/domains/absences/absences.service.ts'
import { createAuthority, setMembers, updateAuthority } from '../src/domains/authorities/authorities.service.ts'
import { DMS_ROOT, setValues } from './groups.ts'
import { type Cast, type Run, required } from './past.ts'
import type { People, Person, Place } from './people.ts'

/** An authority without groups covers the root, and so everything. */
type Plan = { name: string; description: string; levels: Partial<PageAuth>; group?: string; holders: Place[] }

const MANAGE: Partial<PageAuth> = { policy: 2, user: 2, fileExportApprove: 2, fileImportApprove: 2, log: 1 }
const VIEW: Partial<PageAuth> = { policy: 1, user: 1, fileExportApprove: 1, log: 1 }
const DEVELOPMENT: Plan = {
  name: '연구개발 반출 승인',
  description: '연구개발본부의 파일 반출 요청을 승인합니다.\n사용자와 정책은 조회만 할 수 있습니다.',
  levels: { policy: 1, user: 1, fileExportApprove: 2, fileImportApprove: 2, log: 1 },
  ...{ group: '연구개발본부', holders: ['연구개발본부/0', '연구개발본부/1'] },
}
/** Decides the second step of some exports, and the first one of its own group. */
const SECOND: Plan = {
  ...{ name: '반출 2단계 승인', description: '중요 부서의 반출을 한 번 더 승인합니다.' },
  ...{ levels: { fileExportApprove: 2 }, group: '법무팀', holders: ['법무팀/0'] },
}
/** The only person of a step, who is suspended today: nobody can decide the request that waits there. */
export const LONE_DECIDER = '회로설계팀/0'
const DRAWINGS: Plan = {
  ...{ name: '도면 반출 2단계 승인', description: '설계센터의 반출을 한 번 더 승인합니다.' },
  ...{ levels: { fileExportApprove: 2 }, group: '회로설계팀', holders: [LONE_DECIDER] },
}
const PLANS: Plan[] = [
  DEVELOPMENT,
  { name: '설계센터 관리', description: '', levels: MANAGE, group: '설계센터', holders: ['설계센터/0'] },
  { name: '영업 조회', description: '', levels: VIEW, group: '영업본부', holders: ['영업본부/0'] },
  { name: '생산 사용자 관리', description: '', levels: { user: 2 }, group: '생산본부', holders: ['생산본부/0'] },
  {
    ...{ name: 'Global operations admin', description: 'Everything for the branches abroad.', levels: MANAGE },
    ...{ group: 'Global Operations', holders: ['Global Operations/0', 'Europe/0'] },
  },
  {
    ...{ name: '협력사 관리', description: '협력사 인력의 계정과 반출을 관리합니다.', levels: MANAGE },
    ...{ group: DMS_ROOT, holders: ['총무팀/0', '설계센터/0'] },
  },
  { name: '감사', description: '전체 이력을 조회합니다.', levels: { log: 1 }, holders: ['법무팀/0'] },
  ...[SECOND, DRAWINGS],
]

export const managersOf = (people: People): Person[] => [
  ...new Set(PLANS.flatMap(({ holders }) => holders.map((place) => people.at(place)))),
]

/** Returns the approver of a person's requests; undefined if the policy allows them without approval. */
export function approverOf(people: People, { group }: Person): Person | undefined {
  const plan = PLANS.find(({ levels, ...one }) => one.group === group.top && levels.fileExportApprove === 2)
  return plan?.holders.slice(0, 1).map(people.at)[0]
}

/** Creates the authorities on the second day. Later one gets another level, and two another member. */
export function addAuthoritySteps({ at, ago, on, admin, groups, people }: Cast): void {
  const made = new Map<string, number>()
  const inputOf = ({ holders: _, levels, group, ...texts }: Plan) => {
    const groupIdxes = [group === undefined ? ROOT_GROUP : groups.of(group).idx]
    return { ...texts, ...NO_PAGE_AUTH, ...levels, groupIdxes }
  }
  const appoint = (places: readonly Place[]) =>
    places.map((place) => Object.assign(people.at(place), { role: Role.MANAGER }).idx)
  for (const [index, plan] of PLANS.entries())
    on(at(1, 9, 20 + 7 * index), admin, async (past) => {
      const userIdxes = appoint(plan.holders)
      made.set(plan.name, (await createAuthority(past, { ...inputOf(plan), userIdxes })).idx)
    })
  on(at(11, 11, 5), admin, (past) =>
    updateAuthority(past, {
      ...inputOf(DEVELOPMENT),
      ...{ idx: required(made, DEVELOPMENT.name), policy: 2 },
      description: '연구개발본부의 파일 반출 요청을 승인하고 정책을 수정합니다.\n사용자는 조회만 할 수 있습니다.',
    }),
  )
  const setHolders = (when: Date, name: string, ...places: Place[]) =>
    on(when, admin, (past) => setMembers(past, { idx: required(made, name), userIdxes: appoint(places) }))
  setHolders(at(18, 16, 30), '생산 사용자 관리', '생산본부/0', '평택공장/0')
  setHolders(ago(205), '감사', '법무팀/0', '법무팀/1')
  const addStep = (when: Date, group: string, { name }: Plan) =>
    on(when, admin, (past) => {
      const approvalSteps = [{ type: Transfer.EXPORT, step: 2 as const, authorityIdx: required(made, name) }]
      return setValues(past, groups.of(group).idx, OwnerType.GROUP, { approvalSteps })
    })
  addStep(ago(80), '연구개발본부', SECOND)
  addStep(ago(38), '설계센터', DRAWINGS)
  on(ago(120), people.at('설계센터/0'), takeLeave(people.at('연구개발본부/0')))
}

/** Sets an absence of some days from today on, by the clock of the database. */
const takeLeave =
  (substitute: Person): Run =>
  async (past) => {
    const { now } = await past.tx.selectNoFrom(sql<Date>`now()`.as('now')).executeTakeFirstOrThrow()
    const [startDay, endDay] = [dayOf(now), dayOf(later(now, days(4)))]
    await createAbsence(past, { substituteIdx: substitute.idx, startDay, endDay, reason: '연차 휴가' })
  }
