// `npm start -- --demo`: loads a sample organization with a month of history into an empty database, in one
// transaction.
import { Role } from '@acc/contract/labels/access'
import { sql } from 'kysely'
import type { Services } from '../src/core/services.ts'
import type { Reader, Tx } from '../src/db/open.ts'
import { hashPassword } from '../src/domains/credentials/hashing.ts'
import { removeOldFiles } from '../src/domains/requests/requests.retention.ts'
import type { Env } from '../src/env.ts'
import { addAccountSteps } from './accounts.ts'
import { addAuthoritySteps, managersOf } from './authorities.ts'
import { addBimSteps } from './bim.ts'
import { addClientSteps, planClients } from './clients.ts'
import { addGroupSteps, createGroups } from './groups.ts'
import { addImports } from './imports.ts'
import { type Cast, calendarOf, type DemoActor, pastOf, replay, type Step, seeded } from './past.ts'
import { addPeopleSteps, DEMO_PASSWORD, type People, planPeople } from './people.ts'
import { addRequestSteps } from './requests.ts'
import { addSettingSteps } from './settings.ts'
import { addVisitSteps } from './signIns.ts'

const PARTS = [
  ...[addGroupSteps, addPeopleSteps, addAuthoritySteps, addClientSteps, addVisitSteps],
  ...[addSettingSteps, addBimSteps, addRequestSteps, addAccountSteps],
]

/** Whether the database holds only what the first start created: the root and the administrator. */
async function isEmpty(db: Reader): Promise<boolean> {
  const countOf = (table: 'groups' | 'users') => sql<number>`(select count(*) from ${sql.table(table)})`.as(table)
  const { groups, users } = await db.selectNoFrom([countOf('groups'), countOf('users')]).executeTakeFirstOrThrow()
  return groups === 1 && users === 1
}

async function findAdmin(tx: Reader): Promise<DemoActor> {
  const row = await tx
    .selectFrom('users')
    .innerJoin('groups', 'groups.idx', 'users.groupIdx')
    .select(['users.idx', 'users.id', 'users.name', 'users.email', 'users.groupIdx', 'groups.name as groupName'])
    .where('users.isAdmin', '=', 1)
    .executeTakeFirstOrThrow()
  return { ...row, role: Role.ADMIN, ip: '10.10.0.10' }
}

async function load(given: Services, tx: Tx, pwHash: string): Promise<People> {
  const services = { ...given, env: demoEnv(given.env) }
  const random = seeded(20_260_101)
  const calendar = calendarOf(services.clock.now())
  const admin = await findAdmin(tx)
  const groups = await createGroups(pastOf(services, tx, calendar.at(0, 9), admin))
  const people = planPeople(random, calendar, groups)
  const clients = planClients(people, calendar)
  const steps: Step[] = []
  const on: Cast['on'] = (at, by, run) => void steps.push({ at, by, run })
  const cast: Cast = { ...calendar, random, admin, groups, people, clients, pwHash, on }
  for (const add of PARTS) add(cast)
  await replay(services, tx, steps, calendar.now)
  return people
}

/** Returns the message for the operator, with accounts for trying. */
function linesOf(people: People): string[] {
  const managers = managersOf(people)
  const shown = [people.at('연구개발본부/0'), people.at('Global Operations/0'), people.at('백엔드팀/0')]
  return [
    `  The sample organization was loaded: ${people.all.length} people, a month of history.`,
    `  Everybody in it has the password ${DEMO_PASSWORD}, for example`,
    ...shown.map((person) => {
      const right = managers.includes(person) ? ' (group manager)' : ''
      return `    ${person.id.padEnd(14)} ${person.name}, ${person.groupName}${right}`
    }),
  ]
}

/** Turns the approval of imports on, which is off by default. */
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
    // Of several nodes that start at once, the first one loads the sample.
    await sql`lock table groups in exclusive mode`.execute(tx)
    return (await isEmpty(tx)) ? linesOf(await load(services, tx, pwHash)) : refused
  })
  if (lines !== refused) await addImports(services, await findAdmin(services.db.read))
  // As the hourly job does, so that the first screens are correct.
  await removeOldFiles(services)
  return lines
}
