// The groups of the sample organization: a Korean company with branches abroad and partners under a DMS root, the own
// policies of some of them, and the number of people in each.
import { ROOT_GROUP } from '@acc/contract/groups'
import { OwnerType } from '@acc/contract/labels/policies'
import type { PolicyChange, PolicyValues } from '@acc/contract/policies'
import { createGroup, setIsDmsParent, setIsMyPolicy } from '../src/domains/groups/groups.service.ts'
import { findOwner, findPoliciesUp } from '../src/domains/policies/policies.queries.ts'
import { updatePolicy } from '../src/domains/policies/policies.service.ts'
import type { Calendar } from './days.ts'
import { EXCEPTIONS } from './exceptions.ts'
import { contextOf, type DemoActor, type Moment, type Step } from './past.ts'

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
    ko('한빛소프트', 8),
    ko('대성정밀', 6),
    ko('미래설계', 5),
    en('Northwind Components', 6),
    en('Contoso Design', 4),
  ]),
]

/** Groups with an own policy, and the values that differ from the one above. */
const POLICIES: Record<string, Partial<PolicyValues>> = {
  연구개발본부: { clipboard: 3, fileExport: 2, offline: 1, encryptionDefaultCapacity: 50, encryptionMaxCapacity: 200 },
  데이터실: { vmExecution: 1, encryptionDefaultCapacity: 100, encryptionMaxCapacity: 500 },
  설계센터: { clipboard: 1, fileExport: 2, print: 1 },
  영업본부: { clipboard: 3, fileExport: 1, print: 1, offline: 1, offlineDays: 14 },
  'Global Operations': { clipboard: 3, fileExport: 2, rdpExecution: 1 },
  [DMS_ROOT]: { fileExport: 2, network: 0, offline: 0 },
}

export type DemoGroup = {
  idx: number
  name: string
  language: Language
  people: number
  isPartner: boolean
  top: string
}
export type Groups = Map<string, DemoGroup>

async function makeGroups(moment: Moment, plans: readonly Plan[], parent: { idx: number; top?: string }, made: Groups) {
  for (const { name, language, people, below = [] } of plans) {
    const wanted = { parentIdx: parent.idx, name, description: '' }
    const { idx } = await createGroup(contextOf(moment), wanted)
    const top = parent.top ?? name
    made.set(name, { idx, name, language, people, top, isPartner: top === DMS_ROOT && name !== DMS_ROOT })
    await makeGroups(moment, below, { idx, top }, made)
  }
}

/** Gives a group or a user an own policy that differs in some values from the one above. */
export async function setValues(
  moment: Moment,
  ownerIdx: number,
  ownerType: OwnerType,
  values: Omit<PolicyChange, 'idx'>,
) {
  const owner = await findOwner(moment.tx, { ownerIdx, ownerType })
  const [policy] = owner ? await findPoliciesUp(moment.tx, owner) : []
  if (policy === undefined) throw new Error(`owner ${ownerIdx} has no policy`)
  await updatePolicy(contextOf(moment), { idx: policy.idx, ...values })
}

const setGroupPolicy = async (moment: Moment, idx: number, values: Omit<PolicyChange, 'idx'>) => {
  await setIsMyPolicy(contextOf(moment), { idx, isMyPolicy: 1 })
  await setValues(moment, idx, OwnerType.GROUP, values)
}

/** Creates the tree, the DMS root and the policies on the first day. Fills `groups`. */
export function groupSteps({ at, firstDay }: Calendar, admin: DemoActor, groups: Groups): Step[] {
  const idxOf = (name: string) => groups.get(name)?.idx ?? ROOT_GROUP
  return [
    { at: at(firstDay, 9), by: admin, run: (moment) => makeGroups(moment, PLAN, { idx: ROOT_GROUP }, groups) },
    {
      at: at(firstDay, 9, 40),
      by: admin,
      run: (moment) => setIsDmsParent(contextOf(moment), { idx: idxOf(DMS_ROOT) }),
    },
    {
      at: at(firstDay, 14),
      by: admin,
      run: (moment) =>
        setValues(moment, ROOT_GROUP, OwnerType.GROUP, { clipboard: 1, print: 0, offlineDays: 3, ...EXCEPTIONS.root }),
    },
    ...Object.entries(POLICIES).map(([name, values], index) => ({
      at: at(firstDay, 14, 5 + 6 * index),
      by: admin,
      run: (moment: Moment) => setGroupPolicy(moment, idxOf(name), { ...values, ...EXCEPTIONS[name] }),
    })),
  ]
}
