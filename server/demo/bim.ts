// BIM servers of the sample organization: three of them run beside the server and report who comes and goes, each from a loopback
// address of its own; the fourth is offline.
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { later, minutes } from '../src/clock.ts'
import type { Services } from '../src/core/services.ts'
import { hashToken } from '../src/crypto/token.ts'
import { createException, removeExceptions, updateException } from '../src/domains/bim/bim.exceptions.ts'
import { createServer, syncServers } from '../src/domains/bim/bim.servers.ts'
import { addGroups, addUsers } from '../src/domains/bim/bim.targets.ts'
import { findCaller } from '../src/domains/bimServer/bimServer.queries.ts'
import { openBimServer } from './bimServer.ts'
import type { Calendar } from './days.ts'
import type { Groups } from './groups.ts'
import { contextOf, type DemoActor, type Moment, type Step } from './past.ts'
import type { People } from './people.ts'
import { type Random, seeded } from './random.ts'

/** The ids are known, like the password of the sample's people: the demo runs on loopback alone. */
const SERVERS = [
  {
    id: 'sample-bim-seoul-0001',
    pcName: 'BIM-SEOUL-01',
    ip: '127.0.0.1',
    description: '본사 설계 협업 서버',
    people: 16,
  },
  { id: 'sample-bim-pyeongtaek', pcName: 'BIM-PYEONGTAEK', ip: '127.0.0.2', description: '평택공장', people: 9 },
  { id: 'sample-bim-berlin-001', pcName: 'BIM-BERLIN', ip: '127.0.0.3', description: 'Berlin office', people: 6 },
  { id: 'sample-bim-standby-01', pcName: 'BIM-STANDBY', ip: '127.0.0.4', description: '예비 서버, 점검 중', people: 0 },
]
const ADDRESSES = [
  ['10.20.0.10', '본사 대회의실'],
  ['10.20.0.11', '본사 교육장'],
  ['10.30.4.2', '평택공장 현장 단말'],
  ['10.40.1.8', 'Berlin showroom'],
] as const
const GROUPS = ['설계센터', '연구개발본부', 'Global Operations']
const USERS = [
  ['생산본부', 0],
  ['품질팀', 0],
  ['대성정밀', 0],
  ['국내영업1팀', 0],
] as const

async function changeAddresses(moment: Moment): Promise<void> {
  const ctx = contextOf<'bimManage'>(moment)
  const { idx } = await createException(ctx, { ip: '10.20.0.99', description: '임시 회의실' })
  await updateException(ctx, { idx, ip: '10.20.0.98', description: '임시 회의실 (3층)' })
  await removeExceptions(ctx, { idxes: [idx] })
}

export function bimSteps({ at }: Calendar, by: DemoActor, groups: Groups, people: People): Step[] {
  const groupIdxes = () => GROUPS.flatMap((name) => groups.get(name)?.idx ?? [])
  const userIdxes = () => USERS.map(([group, place]) => people.at(group, place).idx)
  return [
    ...SERVERS.map(({ people: _, ...server }, index) => ({
      at: at(3 + index * 6, 10, 12),
      by,
      run: (moment: Moment) => createServer(contextOf(moment), server),
    })),
    ...ADDRESSES.map(([ip, description], index) => ({
      at: at(4 + index * 9, 11, 40),
      by,
      run: (moment: Moment) => createException(contextOf(moment), { ip, description }),
    })),
    { at: at(4, 14, 5), by, run: (moment) => addGroups(contextOf(moment), { groupIdxes: groupIdxes() }) },
    { at: at(24, 9, 30), by, run: (moment) => addUsers(contextOf(moment), { userIdxes: userIdxes() }) },
    { at: at(25, 9, 45), by, run: changeAddresses },
    { at: at(48, 15, 20), by, run: (moment) => syncServers(contextOf(moment)) },
  ]
}

/** A fetch whose calls come from a loopback address, as those of another machine would. */
const fetchFrom =
  (localAddress: string): typeof fetch =>
  (input, { method = 'GET', headers, body } = {}) =>
    new Promise((resolve, reject) => {
      const options = { method, localAddress, headers: Object.fromEntries(new Headers(headers)) }
      const call = request(String(input), options, (response) => {
        text(response).then((content) => resolve(new Response(content)), reject)
      })
      call.on('error', reject).end(typeof body === 'string' ? body : undefined)
    })

/** Seconds between the reports of the sample's servers; a real one reports every 30. */
const SECONDS = 6
type Server = ReturnType<typeof openBimServer>

const addressIn = (random: Random) => `10.${random.int(20, 40)}.${random.int(1, 6)}.${random.int(10, 240)}`

/** Lets a user come or go. At the start many are connected already. */
function move(random: Random, server: Server, people: number): void {
  const users = server.rules()?.users ?? []
  if (users.length === 0) return
  const present = server.connections()
  const isStart = present.length === 0
  if (!isStart && (present.length > people || random.chance(0.4))) {
    const { userId, ip } = random.pick(present)
    server.disconnect(userId, ip)
    return
  }
  for (let missing = isStart ? people : 1; missing > 0; missing--) {
    const at = later(new Date(), isStart ? -minutes(random.int(2, 180)) : 0)
    server.connect(random.pick(users), addressIn(random), at)
  }
}

/** Runs the sample's BIM servers against the server on this machine, and returns what stops them. */
export async function startBimServers({ db }: Pick<Services, 'db'>, port: number): Promise<() => void> {
  const stop = new AbortController()
  const random = seeded(Date.now())
  for (const { id, ip, people } of SERVERS) {
    // In a database with other data there are none, and a call of one would be logged as an attack.
    if (people === 0 || (await findCaller(db.sessions, hashToken(id))) === undefined) continue
    const server = openBimServer({ url: `http://127.0.0.1:${port}`, id, fetch: fetchFrom(ip) })
    const report = () => server.report().then(() => move(random, server, people))
    const timer = setInterval(() => move(random, server, people), SECONDS * 1000)
    stop.signal.addEventListener('abort', () => clearInterval(timer))
    // Some systems have no other loopback address than the first: there the other servers stay offline.
    void report()
      .then(() => server.run(stop.signal, { seconds: SECONDS }))
      .catch(() => clearInterval(timer))
  }
  return () => stop.abort()
}
