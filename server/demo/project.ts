// A project of six weeks: its group, contractors, policy and authority come and go, so that the histories have removals too.
import { AccountAction, AccountResult, UserManage } from '@acc/contract/labels/history'
import { OwnerType } from '@acc/contract/labels/policies'
import { userLog } from '../src/core/userLog.ts'
import { newKey } from '../src/db/keys.ts'
import { createAuthority, removeAuthority } from '../src/domains/authorities/authorities.service.ts'
import { createGroup, removeGroup, setIsMyPolicy } from '../src/domains/groups/groups.service.ts'
import { removeUsers } from '../src/domains/users/users.service.ts'
import type { Calendar } from './days.ts'
import { type Groups, setValues } from './groups.ts'
import { contextOf, type DemoActor, log, type Moment, type Step } from './past.ts'
import type { People, Person } from './people.ts'
import { logAction } from './upkeep.ts'

const NAME = '차세대 전환 프로젝트'
const CONTRACTORS = [
  { id: 'ext.jaehyun.go', name: '고재현', email: 'jaehyun.go@partner.example' },
  { id: 'ext.lucas.meyer', name: 'Lucas Meyer', email: 'lucas.meyer@partner.example' },
]

type Project = { groupIdx: number; userIdxes: number[]; authorityIdx: number }

async function hire({ tx, at, ...moment }: Moment, project: Project): Promise<void> {
  const rows = CONTRACTORS.map((person) => ({
    ...{ ...person, groupIdx: project.groupIdx, key: newKey(), createDT: at },
    ...{ isMortal: 1 as const, expireDT: '2099-12-31' },
  }))
  const users = await tx.insertInto('users').values(rows).returningAll().execute()
  project.userIdxes = users.map(({ idx }) => idx)
  const entries = users.map((user) => userLog(UserManage.CREATE, { ...user, groupName: NAME }, null))
  await log({ tx, at, ...moment }, entries)
}

const LEVELS = { policy: 1, user: 2, fileImportApprove: 0, fileExportApprove: 2, log: 1 } as const

/** The steps of the project, led by a person of the organization. */
function stepsOf(at: Calendar['at'], by: DemoActor, groups: Groups, leader: Person): Step[] {
  const project: Project = { groupIdx: 0, userIdxes: [], authorityIdx: 0 }
  const begin = async (moment: Moment) => {
    const parentIdx = groups.get('연구개발본부')?.idx ?? 0
    const description = '사내 시스템을 새 가상 환경으로 옮깁니다.'
    project.groupIdx = (await createGroup(contextOf(moment), { parentIdx, name: NAME, description })).idx
  }
  const share = async (moment: Moment) => {
    const authority = { name: '프로젝트 관리', description: '', userIdxes: [leader.idx], ...LEVELS }
    const { idx } = await createAuthority(contextOf(moment), { ...authority, groupIdxes: [project.groupIdx] })
    project.authorityIdx = idx
  }
  const own = (isMyPolicy: 0 | 1) => (moment: Moment) =>
    setIsMyPolicy(contextOf(moment), { idx: project.groupIdx, isMyPolicy })
  const loosen = (moment: Moment) =>
    setValues(moment, project.groupIdx, OwnerType.GROUP, { clipboard: 3, rdpExecution: 1, localNetwork: 1 })
  return [
    { at: at(8, 9, 15), by, run: begin },
    { at: at(8, 9, 40), by, run: (moment) => hire(moment, project) },
    { at: at(8, 10, 5), by, run: share },
    { at: at(9, 14, 20), by, run: own(1) },
    { at: at(9, 14, 35), by, run: loosen },
    { at: at(50, 15, 10), by, run: own(0) },
    { at: at(50, 15, 30), by, run: (moment) => removeAuthority(contextOf(moment), { idx: project.authorityIdx }) },
    { at: at(50, 16, 0), by, run: (moment) => removeUsers(contextOf(moment), { idxes: project.userIdxes }) },
    { at: at(50, 16, 5), by, run: (moment) => removeGroup(contextOf(moment), { idx: project.groupIdx }) },
  ]
}

/** People who looked for their ID or password, one of them with wrong codes. */
function forgottenSteps(at: Calendar['at'], people: People): Step[] {
  const { FIND_ID, FIND_PW } = AccountAction
  const { OTP_FAILED, SUCCESS } = AccountResult
  return (
    [
      [11, '총무팀', 2, FIND_ID, SUCCESS],
      [26, '백엔드팀', 3, FIND_PW, OTP_FAILED],
      [26, '백엔드팀', 3, FIND_PW, SUCCESS],
      [43, '품질팀', 1, FIND_ID, SUCCESS],
      [55, '국내영업1팀', 2, FIND_PW, SUCCESS],
    ] as const
  ).map(([day, group, place, action, result], index) => {
    const person = people.at(group, place)
    return { at: at(day, 8, 30 + index), by: person, run: (moment) => logAction(moment, person, action, result) }
  })
}

export const projectSteps = ({ at }: Calendar, admin: DemoActor, groups: Groups, people: People): Step[] => [
  ...stepsOf(at, admin, groups, people.at('연구개발본부', 0)),
  ...forgottenSteps(at, people),
]
