// The work of administrators in the last weeks and today, so that every history opens with rows of the running day.
import { localDayOf } from '@acc/contract/labels/formats'
import { OwnerType } from '@acc/contract/labels/policies'
import type { PolicyValues } from '@acc/contract/policies'
import { days, later } from '../src/clock.ts'
import { createException, updateException } from '../src/domains/bim/bim.exceptions.ts'
import { syncServers } from '../src/domains/bim/bim.servers.ts'
import { updateGroup } from '../src/domains/groups/groups.service.ts'
import { ShortcutKind } from '../src/domains/shortcuts/shortcuts.queries.ts'
import { createShortcut, updateShortcut } from '../src/domains/shortcuts/shortcuts.service.ts'
import { resetLicense } from '../src/domains/users/users.devices.ts'
import { updateUser } from '../src/domains/users/users.service.ts'
import { type Client, useClient } from './clients.ts'
import { type Calendar, DAYS } from './days.ts'
import { type Groups, setValues } from './groups.ts'
import { contextOf, type DemoActor, type Moment, type Step } from './past.ts'
import type { People } from './people.ts'

type Cast = { calendar: Calendar; admin: DemoActor; groups: Groups; people: People; clients: readonly Client[] }

const DESCRIPTIONS = [
  [54, '보안기술팀', '보안 정책과 암호화 모듈을 담당합니다.'],
  [57, 'Paris Office', 'Sales and support for France'],
  [59, '품질팀', '입고 검사와 출하 검사를 담당합니다.'],
] as const
const POLICIES: readonly (readonly [day: number, group: string, values: Partial<PolicyValues>])[] = [
  [49, '영업본부', { offlineDays: 10 }],
  [56, '데이터실', { encryptionMaxCapacity: 400 }],
  [59, 'Global Operations', { rdpExecution: 0 }],
]

function groupSteps({ calendar: { at, ago }, admin: by, groups }: Cast): Step[] {
  const idxOf = (name: string) => groups.get(name)?.idx ?? 0
  const describe = (name: string, description: string) => (moment: Moment) =>
    updateGroup(contextOf(moment), { idx: idxOf(name), description })
  const set = (name: string, values: Partial<PolicyValues>) => (moment: Moment) =>
    setValues(moment, idxOf(name), OwnerType.GROUP, values)
  return [
    ...DESCRIPTIONS.map(([day, name, text]) => ({ at: at(day, 10, 25), by, run: describe(name, text) })),
    ...POLICIES.map(([day, name, values]) => ({ at: at(day, 15, 40), by, run: set(name, values) })),
    { at: ago(342), by, run: describe('해외영업팀', '북미와 동남아시아 고객을 담당합니다.') },
    { at: ago(88), by, run: describe('Berlin Office', 'Engineering and sales for central Europe') },
    { at: ago(296), by, run: set('설계센터', { screenCapture: 0, print: 0 }) },
    { at: ago(64), by, run: set('영업본부', { offlineDays: 7, clipboard: 1 }) },
  ]
}

function shortcutSteps({ calendar: { at, ago }, admin: by }: Cast): Step[] {
  const made = { idx: 0 }
  const name = '안전 교육'
  const create = async (moment: Moment) => {
    const safety = { name, target: 'https://safety.example.com/' }
    Object.assign(made, await createShortcut(contextOf(moment), ShortcutKind.WEB, safety))
  }
  const change = (path: string) => (moment: Moment) => {
    const target = `https://safety.example.com/${path}`
    return updateShortcut(contextOf(moment), ShortcutKind.WEB, { ...made, name, target })
  }
  return [
    { at: at(53, 13, 35), by, run: create },
    { at: at(58, 11, 15), by, run: change('courses') },
    { at: ago(233), by, run: change('courses/2nd-half') },
  ]
}

/** PCs that were set up again: an administrator takes the license back, and the client takes it at its next sign-in. */
function licenseSteps({ calendar: { at, ago }, admin, clients }: Cast): Step[] {
  const using = clients.filter(({ to }) => to > DAYS)
  const moments = [
    { from: at(51, 9, 10), to: at(51, 10, 45), day: 51 },
    { from: at(58, 13, 20), to: at(58, 14, 5), day: 58 },
    { from: ago(186), to: ago(149), day: DAYS },
  ]
  return moments.flatMap(({ from, to, day }, index): Step[] => {
    const client = using.at(-1 - index)
    if (client === undefined) return []
    const { person } = client
    return [
      { at: from, by: admin, run: (moment) => resetLicense(contextOf(moment), { idx: person.idx }) },
      { at: to, by: person, run: (moment) => useClient(moment, client, day) },
    ]
  })
}

function otherSteps({ calendar: { at, ago, now }, admin: by, people }: Cast): Step[] {
  const partner = people.at('대성정밀', 2)
  const seller = people.at('해외영업팀', 3)
  const meeting = { idx: 0 }
  const add = async (moment: Moment) => {
    const columns = { ip: '10.20.0.12', description: '본사 화상 회의실' }
    Object.assign(meeting, await createException(contextOf(moment), columns))
  }
  const move = (moment: Moment) =>
    updateException(contextOf(moment), { ...meeting, ip: '10.20.0.14', description: '본사 화상 회의실 (7층)' })
  const extend = (moment: Moment) =>
    updateUser(contextOf(moment), { idx: partner.idx, isMortal: 1, expireDT: localDayOf(later(now, days(240))) })
  const correct = (moment: Moment) =>
    updateUser(contextOf(moment), { idx: seller.idx, email: `${seller.id}@sales.acme.example` })
  return [
    { at: at(56, 16, 5), by, run: add },
    { at: ago(274), by, run: move },
    { at: ago(273), by, run: (moment) => syncServers(contextOf(moment)) },
    { at: ago(318), by: people.at('총무팀', 0), run: extend },
    { at: ago(107), by, run: correct },
  ]
}

export const recentSteps = (cast: Cast): Step[] => [
  ...groupSteps(cast),
  ...shortcutSteps(cast),
  ...licenseSteps(cast),
  ...otherSteps(cast),
]
