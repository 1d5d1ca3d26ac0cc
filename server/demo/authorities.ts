// The authorities of the sample organization and their members.
import { NO_PAGE_AUTH, type PageAuth } from '@acc/contract/core/access'
import { ROOT_GROUP } from '@acc/contract/groups'
import { Role } from '@acc/contract/labels/access'
import { createAuthority, setMembers, updateAuthority } from '../src/domains/authorities/authorities.service.ts'
import type { Calendar } from './days.ts'
import { DMS_ROOT, type Groups } from './groups.ts'
import { contextOf, type DemoActor, type Moment, type Step } from './past.ts'
import type { People, Person } from './people.ts'

type Place = readonly [group: string, place: number]
type Plan = {
  name: string
  description: string
  levels: Partial<PageAuth>
  /** Empty: the root, which covers everything. */
  groups: string[]
  holders: Place[]
}

const MANAGE: Partial<PageAuth> = { policy: 2, user: 2, fileExportApprove: 2, fileImportApprove: 2, log: 1 }

const PLANS: Plan[] = [
  {
    name: '연구개발 반출 승인',
    description: '연구개발본부의 파일 반출 요청을 승인합니다.\n사용자와 정책은 조회만 할 수 있습니다.',
    levels: { policy: 1, user: 1, fileExportApprove: 2, fileImportApprove: 2, log: 1 },
    groups: ['연구개발본부'],
    holders: [
      ['연구개발본부', 0],
      ['연구개발본부', 1],
    ],
  },
  {
    name: '설계센터 관리',
    description: '설계센터의 사용자, 정책, 반출을 관리합니다.',
    levels: MANAGE,
    groups: ['설계센터'],
    holders: [['설계센터', 0]],
  },
  {
    name: '영업 조회',
    description: '영업본부의 반출 현황과 이력을 조회합니다.',
    levels: { policy: 1, user: 1, fileExportApprove: 1, log: 1 },
    groups: ['영업본부'],
    holders: [['영업본부', 0]],
  },
  {
    name: '생산 사용자 관리',
    description: '',
    levels: { user: 2 },
    groups: ['생산본부'],
    holders: [['생산본부', 0]],
  },
  {
    name: 'Global operations admin',
    description: 'Everything for the branches abroad.',
    levels: MANAGE,
    groups: ['Global Operations'],
    holders: [
      ['Global Operations', 0],
      ['Europe', 0],
    ],
  },
  {
    name: '협력사 관리',
    description: '협력사 인력의 계정과 반출을 관리합니다.',
    levels: MANAGE,
    groups: [DMS_ROOT],
    holders: [
      ['총무팀', 0],
      ['설계센터', 0],
    ],
  },
  { name: '감사', description: '전체 이력을 조회합니다.', levels: { log: 1 }, groups: [], holders: [['법무팀', 0]] },
]

/** Approvers of each part of the organization, by the top of its branch. */
export const APPROVERS: Record<string, Place> = {
  연구개발본부: ['연구개발본부', 0],
  설계센터: ['설계센터', 0],
  'Global Operations': ['Global Operations', 0],
  [DMS_ROOT]: ['총무팀', 0],
}

export const managersOf = (people: People): Person[] => {
  const places = PLANS.flatMap(({ holders }) => holders)
  return [...new Set(places.map(([group, place]) => people.at(group, place)))]
}

const inputOf = ({ name, description, levels, groups }: Plan, known: Groups) => ({
  name,
  description,
  ...NO_PAGE_AUTH,
  ...levels,
  groupIdxes: groups.length === 0 ? [ROOT_GROUP] : groups.flatMap((group) => known.get(group)?.idx ?? []),
})

async function give(moment: Moment, plan: Plan, groups: Groups, holders: readonly Person[], made: Map<string, number>) {
  const userIdxes = holders.map(({ idx }) => idx)
  const { idx } = await createAuthority(contextOf(moment), { ...inputOf(plan, groups), userIdxes })
  for (const holder of holders) holder.role = Role.MANAGER
  made.set(plan.name, idx)
}

/** Creates the authorities on the day after the groups. Later one gets another level, and one another member. */
export function authoritySteps(
  { at, ago, firstDay }: Calendar,
  admin: DemoActor,
  groups: Groups,
  people: People,
): Step[] {
  const made = new Map<string, number>()
  const idxOf = (name: string) => made.get(name) ?? 0
  const creations = PLANS.map((plan, index) => ({
    at: at(firstDay + 1, 9, 20 + 7 * index),
    by: admin,
    run: (moment: Moment) => {
      const holders = plan.holders.map(([group, place]) => people.at(group, place))
      return give(moment, plan, groups, holders, made)
    },
  }))
  const [first] = PLANS
  const production = people.at('생산본부', 0)
  const foreman = people.at('평택공장', 0)
  const [auditor, deputy] = [people.at('법무팀', 0), people.at('법무팀', 1)]
  return [
    ...creations,
    {
      at: at(20, 11, 5),
      by: admin,
      run: async (moment) => {
        if (first === undefined) return
        const idx = idxOf(first.name)
        await updateAuthority(contextOf(moment), {
          ...inputOf(first, groups),
          idx,
          policy: 2,
          description: '연구개발본부의 파일 반출 요청을 승인합니다.\n정책을 편집하고, 사용자는 조회만 합니다.',
        })
      },
    },
    {
      at: at(34, 16, 30),
      by: admin,
      run: async (moment) => {
        foreman.role = Role.MANAGER
        const userIdxes = [production.idx, foreman.idx]
        await setMembers(contextOf(moment), { idx: idxOf('생산 사용자 관리'), userIdxes })
      },
    },
    {
      at: ago(205),
      by: admin,
      run: async (moment) => {
        deputy.role = Role.MANAGER
        await setMembers(contextOf(moment), { idx: idxOf('감사'), userIdxes: [auditor.idx, deputy.idx] })
      },
    },
  ]
}
