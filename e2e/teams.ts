// Groups whose exports need approval, with people in them, for tests of approvals and histories.
import type { AccServer } from './accServer.ts'
import { addPerson, type Person, ROOT } from './arrange.ts'
import { type DesktopClient, signInPc } from './requests.ts'
import { test as base } from './test.ts'

export type Team = {
  groupIdx: number
  employee: Person
  /** The employee's PC. */
  pc: DesktopClient
  /** May decide the team's exports and read its history. */
  manager: Person
}

async function addTeam(server: AccServer, name: string, groupName: string): Promise<Team> {
  const { admin, baseUrl } = server
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
  return { groupIdx, employee, manager, pc: await signInPc(baseUrl, employee, `${name} 노트북`) }
}

type Fixtures = {
  /** Adds a team. Everything's name begins with the ones given, so that several teams can coexist. */
  addTeam: (name: string, groupName: string) => Promise<Team>
}

export const test = base.extend<Fixtures>({
  addTeam: async ({ server }, use) => {
    const people: Person[] = []
    await use(async (name, groupName) => {
      const team = await addTeam(server, name, groupName)
      people.push(team.employee, team.manager)
      return team
    })
    // Licenses are few, and other tests need them as well.
    for (const { idx } of people) await server.admin.users.resetLicense({ idx })
  },
})
