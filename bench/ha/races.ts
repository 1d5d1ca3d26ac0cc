// Fifty callers at once on two nodes, again and again, for what may happen once only (`npm run drill:races`, or with so many rounds
// of each, `npm run drill:races -- 1000`). Prints the figures; its exit status says whether they are as promised.
import { type Api, api } from '@acc/contract'
import { ApiError, type Client, createClient } from '@acc/contract/core/client'
import { Decision } from '@acc/contract/labels/requests'
import { systemClock } from '@acc/server/src/clock.ts'
import { makeSecretKey } from '@acc/server/src/crypto/secretKey.ts'
import type { Database } from '@acc/server/src/db/open.ts'
import { EVALUATION_DEVICES } from '@acc/server/src/domains/licenses/licenses.status.ts'
import { buildGroups } from '@acc/server/test/build/groups.ts'
import { insertWaiting } from '@acc/server/test/build/requests.ts'
import { buildUser } from '@acc/server/test/build/users.ts'
import { registered, SECRET, totpOf } from '@acc/server/test/otp.ts'
import { TEMPLATE } from '@acc/server/test/postgres.ts'
import { PASSWORD } from '../src/people.ts'
import { openDrillDatabase } from './database.ts'
import { openDrill } from './drill.ts'
import { demand, requireAll } from './judge.ts'
import { type Node, openNode, SECRET_KEY, signIn } from './site.ts'

const ROUNDS = Number(process.argv[2] ?? 200)
const AT_ONCE = 50

type World = { db: Database; nodes: readonly Node[]; cookie: string; round: number }
type Calls = Client<Api>
/** One round: returns the codes of the calls, and what they left that must not be. */
type Round = (world: World) => Promise<{ codes: number[]; faults: string[] }>

const key = makeSecretKey(SECRET_KEY)
const codeOf = (attempt: Promise<unknown>): Promise<number> =>
  attempt.then(
    () => 0,
    (error: unknown) => (error instanceof ApiError ? error.code : -1),
  )

/** Calls on the nodes in turns, all begun at once. Without a session each comes from a network of its own, others in each round. */
function atOnce(
  { nodes, cookie, round }: World,
  attempt: (calls: Calls, at: number) => Promise<unknown>,
): Promise<number[]> {
  const attempts = Array.from({ length: AT_ONCE }, (_, at) => {
    const headers: Record<string, string> =
      cookie === '' ? { 'X-Forwarded-For': `10.${round % 256}.${at}.1` } : { cookie }
    return codeOf(attempt(createClient(api, { baseUrl: nodes[at % 2]?.url ?? '', headers: () => headers }), at))
  })
  return Promise.all(attempts)
}
const publicly = (world: World): World => ({ ...world, cookie: '' })

/** The number of rows with a value. */
async function countOf({ db }: World, rows: { table: 'users' | 'sessions' | 'history' | 'devices'; where: object }) {
  const query = db.read.selectFrom(rows.table).select(({ fn }) => fn.countAll<number>().as('count'))
  const { count } = await query.where(({ and }) => and(rows.where)).executeTakeFirstOrThrow()
  return count
}
/** What is wrong unless a number is as it must be. */
const unless = (is: number, wanted: number, what: string) => (is === wanted ? [] : [`${is} ${what} (wanted ${wanted})`])

/** One of all calls succeeds. */
const once = (codes: readonly number[]) => unless(codes.filter((code) => code === 0).length, 1, 'successes')

const RACES: Record<string, Round> = {
  'a request is approved or rejected': async (world) => {
    const requester = await buildUser(world.db)
    const idx = await insertWaiting(world.db, requester)
    const states = [Decision.APPROVE, Decision.REJECT]
    const codes = await atOnce(world, (calls, at) =>
      calls.requests.decide({ idx, state: states[at % 3 === 0 ? 0 : 1] ?? Decision.REJECT, purpose: '' }),
    )
    const steps = await countOf(world, { table: 'history', where: { kind: 'fileExport', subjectIdx: idx } })
    return { codes, faults: [...once(codes), ...unless(steps, 1, 'rows of history')] }
  },
  'a temporary token is used': async (world) => {
    const baseUrl = world.nodes[0]?.url ?? ''
    const person = await buildUser(world.db, { password: PASSWORD })
    const cookie = await signIn(baseUrl, person.id)
    const { tmpToken } = await createClient(api, { baseUrl, headers: () => ({ cookie }) }).session.createTmpToken({})
    const codes = await atOnce(publicly(world), (calls) => calls.session.consumeTmpToken({ tmpToken }))
    return { codes, faults: once(codes) }
  },
  'a code is used': async (world) => {
    const person = await buildUser(world.db)
    await registered({ db: world.db, key }, person)
    const asked = { name: person.name, email: person.email, otp: await totpOf(SECRET, systemClock) }
    const codes = await atOnce(publicly(world), (calls) => calls.account.findId(asked))
    return { codes, faults: once(codes) }
  },
  'an ID is given to a user': async (world) => {
    const { round } = world
    const id = `race-${round}`
    const user = { id, name: id, groupIdx: 1, isMortal: 0 } as const
    const codes = await atOnce(world, (calls, at) => calls.users.create({ ...user, email: `${id}-${at}@example.com` }))
    const users = await countOf(world, { table: 'users', where: { id } })
    return { codes, faults: [...once(codes), ...unless(users, 1, 'users')] }
  },
  'the last device is registered': async (world) => {
    const { round } = world
    const person = await buildUser(world.db, { password: PASSWORD })
    const other = await buildUser(world.db)
    const taken = { userIdx: other.idx, deviceName: 'PC', ip: '', clientVersion: '1.0', useDT: new Date() }
    await world.db.write.deleteFrom('devices').execute()
    const rows = Array.from({ length: EVALUATION_DEVICES - 1 }, (_, at) => ({ ...taken, deviceId: `taken-${at}` }))
    await world.db.write.insertInto('devices').values(rows).execute()
    const codes = await atOnce(publicly(world), (calls, at) =>
      calls.agent.login({
        id: person.id,
        pw: PASSWORD,
        deviceId: `${round}-${at}`,
        deviceName: 'PC',
        clientVersion: '1.0',
      }),
    )
    const devices = await countOf(world, { table: 'devices', where: {} })
    return { codes, faults: [...once(codes), ...unless(devices, EVALUATION_DEVICES, 'devices')] }
  },
  'a password is changed': async (world) => {
    const { id, idx } = await buildUser(world.db, { password: PASSWORD })
    const codes = await atOnce(publicly(world), (calls, at) =>
      calls.account.changePw({ id, pw: PASSWORD, newPw: `Nb7#violet-${at}-Kp` }),
    )
    const sessions = await countOf(world, { table: 'sessions', where: { userIdx: idx } })
    return { codes, faults: [...once(codes), ...unless(sessions, 0, 'sessions')] }
  },
  'a group is deleted while users are created in it': async (world) => {
    const { round } = world
    const name = `race ${round}`
    const { [name]: group } = await buildGroups(world.db, name)
    const groupIdx = group?.idx ?? 0
    const codes = await atOnce(world, (calls, at) => {
      if (at === AT_ONCE / 2) return calls.groups.remove({ idx: groupIdx })
      const id = `left-${round}-${at}`
      return calls.users.create({ id, name: id, email: `${id}@example.com`, groupIdx, isMortal: 0 })
    })
    const left = await countOf(world, { table: 'users', where: { groupIdx } })
    const created = await world.db.read
      .selectFrom('users')
      .select('groupIdx')
      .where('id', 'like', `left-${round}-%`)
      .execute()
    const acknowledged = codes.filter((code, at) => code === 0 && at !== AT_ONCE / 2).length
    return {
      codes,
      faults: [
        ...unless(codes[AT_ONCE / 2] ?? -1, 0, 'as the code of the deletion'),
        ...unless(left, 0, 'users in a group that is gone'),
        ...unless(created.length, acknowledged, 'users'),
      ],
    }
  },
}

await openDrill(async (drill) => {
  const { db, databaseUrl } = await openDrillDatabase(drill, TEMPLATE)
  const nodes = [await openNode(drill, 1, { databaseUrl }), await openNode(drill, 2, { databaseUrl })]
  const world = { db, nodes, cookie: await signIn(nodes[0]?.url ?? '') }
  for (const [name, run] of Object.entries(RACES)) {
    const begun = performance.now()
    const codes = new Map<number, number>()
    const faults = new Map<string, number>()
    for (let round = 0; round < ROUNDS; round++) {
      const outcome = await run({ ...world, round })
      for (const code of outcome.codes) codes.set(code, (codes.get(code) ?? 0) + 1)
      for (const fault of outcome.faults) faults.set(fault, (faults.get(fault) ?? 0) + 1)
    }
    const seconds = ((performance.now() - begun) / 1000).toFixed(0)
    const seen = [...codes].map(([code, count]) => `${code}: ${count}`).join(', ')
    demand(faults.size === 0, `${name}: ${ROUNDS} rounds of ${AT_ONCE} in ${seconds} s; codes ${seen}`)
    for (const [fault, count] of faults) console.log(`     ${count} rounds: ${fault}`)
  }
  requireAll()
})
