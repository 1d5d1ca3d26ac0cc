// Groups whose exports need approval, with people in them, for tests of approvals and histories.
import { RequestState } from '@acc/contract/labels/requests'
import type { AccServer } from './accServer.ts'
import { addPerson, type Person, ROOT } from './arrange.ts'
import { type DesktopClient, signInPc } from './requests.ts'
import { test as base } from './test.ts'

type People = {
  groupIdx: number
  employee: Person
  /** May decide the team's exports and read its history. */
  manager: Person
}
export type Team = People & {
  /** The employee's PC. */
  pc: DesktopClient
}

async function addPeople(server: AccServer, name: string, groupName: string): Promise<People> {
  const { admin } = server
  const { idx: groupIdx } = await admin.groups.create({ parentIdx: ROOT, name: groupName })
  await admin.groups.setIsMyPolicy({ idx: groupIdx, isMyPolicy: 1 })
  const { idx: policyIdx } = await admin.policies.find({ ownerIdx: groupIdx, ownerType: 0 })
  await admin.policies.update({ idx: policyIdx, fileExport: 2 })
  const [employee, manager] = await Promise.all([
    addPerson(server, `${name}.employee`, `${groupName} 직원`, groupIdx),
    addPerson(server, `${name}.manager`, `${groupName} 부장`, groupIdx),
  ])
  const levels = { policy: 0, user: 0, fileExportApprove: 2, fileImportApprove: 0, log: 1 } as const
  await admin.authorities.create({ name: groupName, groupIdxes: [groupIdx], userIdxes: [manager.idx], ...levels })
  return { groupIdx, employee, manager }
}

async function openTeam({ baseUrl }: AccServer, name: string, people: People): Promise<Team> {
  return { ...people, pc: await signInPc(baseUrl, people.employee, `${name} 노트북`) }
}

/** Licenses are few, and other tests need them as well. */
async function resetLicenses({ admin }: AccServer, { employee, manager }: People): Promise<void> {
  for (const { idx } of [employee, manager]) await admin.users.resetLicense({ idx })
}

type Fixtures = {
  /** Adds a team. Everything's name begins with the ones given, so that several teams can coexist. */
  addTeam: (name: string, groupName: string) => Promise<Team>
  /** The team that tests on one server share. Requests that a test leaves waiting are withdrawn. */
  team: Team
}

export const test = base.extend<Fixtures, { shared: People }>({
  addTeam: async ({ server }, use) => {
    const teams: Team[] = []
    await use(async (name, groupName) => {
      const team = await openTeam(server, name, await addPeople(server, name, groupName))
      teams.push(team)
      return team
    })
    for (const team of teams) await resetLicenses(server, team)
  },
  shared: [({ server }, use) => addPeople(server, 'shared', '공유팀').then(use), { scope: 'worker' }],
  team: async ({ page, server, shared }, use) => {
    const team = await openTeam(server, 'shared', shared)
    await use(team)
    // The page still shows the requests that are withdrawn.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const { items } = await team.pc.requests.searchOwn({ sort: 'idx', rowsCount: 100 })
    for (const { idx, state } of items) if (state === RequestState.REQUESTED) await team.pc.requests.cancel({ idx })
    await resetLicenses(server, shared)
  },
})
