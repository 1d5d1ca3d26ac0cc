// The groups of the sample organization: a Korean company with branches abroad and partners under a DMS root, with the
// number of people in each, and their policies with exceptions.
import { ROOT_GROUP } from '@acc/contract/groups'
import { ExceptionType, OwnerType } from '@acc/contract/labels/policies'
import type { PolicyChange } from '@acc/contract/policies'
import type { LoopbackException, NetworkException } from '@acc/contract/policyExceptions'
import {
  createGroup,
  reorderGroups,
  setIsDmsParent,
  setIsMyPolicy,
  updateGroup,
} from '../src/domains/groups/groups.service.ts'
import { findOwner, findPoliciesUp } from '../src/domains/policies/policies.queries.ts'
import { updatePolicy } from '../src/domains/policies/policies.service.ts'
import { type Cast, type Past, required } from './past.ts'

export type Language = 'ko' | 'en'
type Plan = { name: string; language: Language; people: number; below?: Plan[] }

const ko = (name: string, people: number, below: Plan[] = []): Plan => ({ name, people, below, language: 'ko' })
const en = (name: string, people: number, below: Plan[] = []): Plan => ({ name, people, below, language: 'en' })

export const DMS_ROOT = '협력사'

const PLAN: Plan[] = [
  ko('경영지원본부', 2, [ko('인사팀', 8), ko('재무팀', 9), ko('법무팀', 5), ko('총무팀', 6)]),
  ko('연구개발본부', 3, [
    ko('플랫폼실', 2, [ko('백엔드팀', 18), ko('프런트엔드팀', 14)]),
    ko('모바일실', 2, [ko('Android팀', 11), ko('iOS팀', 9)]),
    ko('데이터실', 12),
    ko('보안기술팀', 9),
  ]),
  ko('설계센터', 2, [ko('기구설계팀', 14), ko('회로설계팀', 12), ko('금형팀', 8)]),
  ko('영업본부', 2, [ko('국내영업1팀', 12), ko('국내영업2팀', 11), ko('해외영업팀', 9)]),
  ko('생산본부', 2, [ko('평택공장', 3, [ko('생산1팀', 16), ko('생산2팀', 14), ko('품질팀', 10)])]),
  en('Global Operations', 2, [
    en('Europe', 1, [en('Berlin Office', 12), en('Paris Office', 8)]),
    en('Americas', 1, [en('San Jose Office', 13)]),
    en('Singapore Office', 9),
  ]),
  ko(DMS_ROOT, 0, [
    ...[ko('한빛소프트', 8), ko('대성정밀', 6), ko('미래설계', 5)],
    ...[en('Northwind Components', 6), en('Contoso Design', 4)],
  ]),
]

const { DOMAIN, IP_RANGE, SUBNET } = ExceptionType
type Rule = readonly [type: NetworkException['type'], description: string, ip1: string, ip2: string, port: number]
const rules = (access: 0 | 1, ...rows: Rule[]): NetworkException[] =>
  rows.map(([type, description, ip1, ip2, port], at) => ({ idx: -1 - at, type, description, ip1, ip2, port, access }))
const programs = (names: Record<string, string>): LoopbackException[] =>
  Object.entries(names).map(([description, processName], at) => ({ idx: -1 - at, description, processName }))

const OFFICE = rules(
  1,
  [SUBNET, '파일 서버', '10.20.0.0', '255.255.255.0', 445],
  [IP_RANGE, '사내 프린터', '10.20.5.10', '10.20.5.30', 9100],
  [DOMAIN, '소스 저장소', 'git.hanbit.example', '', 443],
)
const PARTNERS = rules(
  1,
  [DOMAIN, '도면 서버', 'drawings.hanbit.example', '', 443],
  [IP_RANGE, '원격 지원', '203.0.113.20', '203.0.113.24', 8443],
)
const PROGRAMS = { '전자 결재': 'approval.exe', '보안 모듈': 'securekey.exe' }

type Values = Omit<PolicyChange, 'idx'>
const OF_ALL: Values = {
  ...{ clipboard: 1, print: 0, offlineDays: 3 },
  policyNetworkExceptions: rules(0, [DOMAIN, '개인 메일', '*.webmail.example', '', 0]),
  policyLocalNetworkExceptions: OFFICE,
  policyLoopbackExceptions: programs(PROGRAMS),
}
/** Groups with an own policy, and the values that differ from the one above. */
const POLICIES: Record<string, Values> = {
  연구개발본부: {
    ...{ clipboard: 3, fileExport: 2, offline: 1, encryptionDefaultCapacity: 50, encryptionMaxCapacity: 200 },
    ...{ urgentExport: 1, urgentReviewHours: 8 },
    policyLoopbackExceptions: programs({ ...PROGRAMS, '개발 도구': 'code.exe', '로컬 데이터베이스': 'postgres.exe' }),
  },
  데이터실: { vmExecution: 1, encryptionDefaultCapacity: 100, encryptionMaxCapacity: 500 },
  설계센터: { clipboard: 1, fileExport: 2, print: 1 },
  영업본부: { clipboard: 3, fileExport: 1, print: 1, offline: 1, offlineDays: 14 },
  'Global Operations': { clipboard: 3, fileExport: 2, rdpExecution: 1, downloadCount: 5, downloadDays: 30 },
  [DMS_ROOT]: { fileExport: 2, network: 0, offline: 0, policyNetworkExceptions: PARTNERS },
}

export type DemoGroup = Omit<Plan, 'below'> & { idx: number; isPartner: boolean; top: string }
export type Groups = { all: readonly DemoGroup[]; of(name: string): DemoGroup }

/** Creates the tree of groups. */
export async function createGroups(past: Past): Promise<Groups> {
  const made = new Map<string, DemoGroup>()
  const create = async (plans: readonly Plan[], parentIdx: number, above?: string) => {
    for (const { name, language, people, below = [] } of plans) {
      const { idx } = await createGroup(past, { parentIdx, name, description: '' })
      made.set(name, { idx, name, language, people, top: above ?? name, isPartner: above === DMS_ROOT })
      await create(below, idx, above ?? name)
    }
  }
  await create(PLAN, ROOT_GROUP)
  return { all: [...made.values()], of: (name) => required(made, name) }
}

/** Changes some values of the own policy of a group or a user. */
export async function setValues(past: Past, ownerIdx: number, ownerType: OwnerType, values: Values): Promise<void> {
  const owner = await findOwner(past.tx, { ownerIdx, ownerType })
  const [policy] = owner ? await findPoliciesUp(past.tx, owner) : []
  if (policy === undefined) throw new Error(`owner ${ownerIdx} has no policy`)
  await updatePolicy(past, { idx: policy.idx, ...values })
}

export function addGroupSteps({ at, ago, on, admin, groups }: Cast): void {
  const set = (when: Date, name: string, values: Values) =>
    on(when, admin, (past) => setValues(past, groups.of(name).idx, OwnerType.GROUP, values))
  on(at(0, 9, 40), admin, (past) => setIsDmsParent(past, { idx: groups.of(DMS_ROOT).idx }))
  on(at(0, 14), admin, (past) => setValues(past, ROOT_GROUP, OwnerType.GROUP, OF_ALL))
  for (const [index, [name, values]] of Object.entries(POLICIES).entries()) {
    on(at(0, 14, 5 + 6 * index), admin, (past) => setIsMyPolicy(past, { idx: groups.of(name).idx, isMyPolicy: 1 }))
    set(at(0, 14, 6 + 6 * index), name, values)
  }
  set(at(9, 13, 20), '연구개발본부', { screenCapture: 1, vmExecution: 1 })
  set(at(21, 11, 35), 'Global Operations', { localNetwork: 1, loopback: 0 })
  set(ago(296), '설계센터', { screenCapture: 0, print: 0 })
  set(ago(64), '영업본부', { offlineDays: 7, clipboard: 1 })
  const orderedIdxes = ['해외영업팀', '국내영업1팀', '국내영업2팀'].map((name) => groups.of(name).idx)
  const described = { idx: groups.of('해외영업팀').idx, description: '북미와 동남아시아 고객을 담당합니다.' }
  on(ago(342), admin, (past) => updateGroup(past, described))
  on(at(14, 15), admin, (past) => reorderGroups(past, { orderedIdxes }))
}
