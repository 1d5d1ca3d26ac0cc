// `npm start -- --demo`: a sample organization in an empty database, with twelve months of history. Loaded once, in one
// transaction.
import { Role } from '@acc/contract/labels/access'
import { sql } from 'kysely'
import type { Services } from '../src/core/services.ts'
import type { Reader, Tx } from '../src/db/open.ts'
import { hashPassword } from '../src/domains/credentials/hashing.ts'
import { removeOldFiles } from '../src/domains/requests/requests.retention.ts'
import type { Env } from '../src/env.ts'
import { authoritySteps } from './authorities.ts'
import { bimSteps } from './bim.ts'
import { blockSteps, clientSteps, planClients } from './clients.ts'
import { type Calendar, calendarOf } from './days.ts'
import { earlierSteps } from './earlier.ts'
import { type Groups, groupSteps } from './groups.ts'
import { type DemoActor, replay } from './past.ts'
import { DEMO_PASSWORD, type People, peopleSteps, planPeople } from './people.ts'
import { projectSteps } from './project.ts'
import { seeded } from './random.ts'
import { recentSteps } from './recent.ts'
import { requestSteps } from './requests.ts'
import { settingSteps } from './settings.ts'
import { shortcutSteps } from './shortcuts.ts'
import { insertVisits, planVisits, visitSteps } from './signIns.ts'
import { listKeyPeople, upkeepSteps } from './upkeep.ts'
import { versionSteps } from './versions.ts'

const SEED = 20_260_101
/** Whether the database holds only what the first start created: the root and the administrator. */
async function isEmpty(db: Reader): Promise<boolean> {
  const { groups, users } = await db
    .selectNoFrom([
      sql<number>`(select count(*) from groups)`.as('groups'),
      sql<number>`(select count(*) from users)`.as('users'),
    ])
    .executeTakeFirstOrThrow()
  return groups === 1 && users === 1
}

async function findAdmin(tx: Tx): Promise<DemoActor> {
  const row = await tx
    .selectFrom('users')
    .innerJoin('groups', 'groups.idx', 'users.groupIdx')
    .select(['users.idx', 'users.id', 'users.name', 'users.email', 'users.groupIdx', 'groups.name as groupName'])
    .where('users.isAdmin', '=', 1)
    .executeTakeFirstOrThrow()
  return { ...row, role: Role.ADMIN, ip: '10.10.0.10' }
}

/** Creates the groups of the organization. */
async function createOrganization(services: Services, tx: Tx, calendar: Calendar, admin: DemoActor): Promise<Groups> {
  const groups: Groups = new Map()
  await replay(services, tx, groupSteps(calendar, admin, groups), calendar.now)
  return groups
}

async function load(given: Services, tx: Tx, pwHash: string): Promise<People> {
  const services = { ...given, env: demoEnv(given.env) }
  const random = seeded(SEED)
  const calendar = calendarOf(services.clock.now())
  const admin = await findAdmin(tx)
  const groups = await createOrganization(services, tx, calendar, admin)
  const people = planPeople(random, calendar, groups)
  const clients = planClients(people)
  const visits = planVisits(random, calendar, people, clients)
  const steps = [
    ...peopleSteps(calendar, admin, people, { pwHash }),
    ...authoritySteps(calendar, admin, groups, people),
    ...earlierSteps({ random, calendar, people }, admin),
    ...clientSteps(calendar, admin, clients),
    ...visitSteps(visits),
    ...settingSteps(calendar, admin, people),
    ...shortcutSteps(calendar, admin),
    ...bimSteps(calendar, admin, groups, people),
    ...versionSteps(calendar, admin),
    ...blockSteps(random, calendar, clients),
    ...requestSteps({ random, calendar, people, clients }),
    ...projectSteps(calendar, admin, groups, people),
    ...upkeepSteps({ random, calendar, admin, groups, people }, pwHash),
    ...recentSteps({ calendar, admin, groups, people, clients }),
  ]
  await replay(services, tx, steps, calendar.now)
  await insertVisits(tx, random, visits)
  return people
}

function linesOf(people: People): string[] {
  const named = listKeyPeople(people).map(
    ({ person, isManager }) =>
      `    ${person.id.padEnd(14)} ${person.name}, ${person.groupName}${isManager ? ' (group manager)' : ''}`,
  )
  return [
    `  The sample organization was loaded: ${people.all.length} people, twelve months of history.`,
    `  Everybody in it has the password ${DEMO_PASSWORD}, for example`,
    ...named,
  ]
}

/** Switches on what the demo shows although it is off by default: the approval of imports. */
export const demoEnv = (env: Env): Env => {
  const { show } = env.runtime
  return { ...env, runtime: { ...env.runtime, show: { ...show, approve: { ...show.approve, import: true } } } }
}

/** Loads the sample organization and returns the message for the operator. A database with data is left unchanged. */
export async function loadDemo(services: Services): Promise<string[]> {
  const refused = ['  --demo: the database holds data already, so the sample organization was not loaded.']
  if (!(await isEmpty(services.db.read))) return refused
  const pwHash = await hashPassword(DEMO_PASSWORD)
  const lines = await services.db.write.transaction().execute(async (tx) => {
    // Nodes that start at once: the first loads, the others find it loaded.
    await sql`lock table groups in exclusive mode`.execute(tx)
    return (await isEmpty(tx)) ? linesOf(await load(services, tx, pwHash)) : refused
  })
  // As the hourly job would: the first screens already show what it removes.
  await removeOldFiles(services)
  return lines
}
