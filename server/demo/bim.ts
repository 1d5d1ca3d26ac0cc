// BIM servers of the sample organization: three run next to the server and report connections, each from a loopback
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
import { type Cast, type Random, seeded } from './past.ts'

/** The ids are public, like the password of the sample's people: the demo runs on loopback only. */
const SERVERS = [
  { id: 'sample-bim-seoul-0001', pcName: 'BIM-SEOUL-01', ip: '127.0.0.1', description: '본사 설계 협업', people: 16 },
  { id: 'sample-bim-pyeongtaek', pcName: 'BIM-PYEONGTAEK', ip: '127.0.0.2', description: '평택공장', people: 9 },
  { id: 'sample-bim-berlin-001', pcName: 'BIM-BERLIN', ip: '127.0.0.3', description: 'Berlin office', people: 6 },
  { id: 'sample-bim-standby-01', pcName: 'BIM-STANDBY', ip: '127.0.0.4', description: '예비 서버, 점검 중', people: 0 },
]
export function addBimSteps({ at, ago, on, admin, groups, people }: Cast): void {
  for (const [index, { people: _, ...server }] of SERVERS.entries())
    on(at(2 + 7 * index, 10, 12), admin, (past) => createServer(past, server))
  const addException = (when: Date, ip: string, description: string) => {
    const made = { idx: 0 }
    on(when, admin, async (past) => Object.assign(made, await createException(past, { ip, description })))
    return made
  }
  addException(at(3, 11, 40), '10.20.0.10', '본사 대회의실')
  addException(at(9, 11, 40), '10.30.4.2', '평택공장 현장 단말')
  addException(at(21, 11, 40), '10.40.1.8', 'Berlin showroom')
  const groupIdxes = ['설계센터', '연구개발본부', 'Global Operations'].map((name) => groups.of(name).idx)
  on(at(3, 14, 5), admin, (past) => addGroups(past, { groupIdxes }))
  on(at(15, 9, 30), admin, (past) =>
    addUsers(past, { userIdxes: [people.at('생산본부/0').idx, people.at('품질팀/0').idx] }),
  )
  const guests = addException(at(16, 9, 45), '10.20.0.99', '임시 회의실')
  on(at(24, 15, 20), admin, (past) => removeExceptions(past, { idxes: [guests.idx] }))
  const meeting = addException(at(28, 16, 5), '10.20.0.12', '본사 화상 회의실')
  const moved = { ip: '10.20.0.14', description: '본사 화상 회의실 (7층)' }
  on(ago(274), admin, (past) => updateException(past, { ...meeting, ...moved }))
  on(ago(273), admin, syncServers)
}

/** Returns a fetch whose calls come from a loopback address, like those of another machine. */
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

/** Connects or disconnects a user. At the start many are connected. */
function move(random: Random, server: ReturnType<typeof openBimServer>, people: number): void {
  const [users, present] = [server.rules()?.users ?? [], server.connections()]
  if (users.length === 0) return
  const isStart = present.length === 0
  if (!isStart && (present.length > people || random.chance(0.4))) {
    const { userId, ip } = random.pick(present)
    server.disconnect(userId, ip)
    return
  }
  for (let missing = isStart ? people : 1; missing > 0; missing--) {
    const at = later(new Date(), isStart ? -minutes(random.int(2, 180)) : 0)
    server.connect(random.pick(users), `10.30.${random.int(1, 6)}.${random.int(10, 240)}`, at)
  }
}

/** Runs the sample's BIM servers against the server on this machine. The result stops them. */
export async function startBimServers({ db }: Pick<Services, 'db'>, port: number): Promise<() => void> {
  const stop = new AbortController()
  const random = seeded(Date.now())
  for (const { id, ip, people } of SERVERS) {
    // A database with other data has none of them, and would log their calls as an attack.
    if (people === 0 || (await findCaller(db.sessions, hashToken(id))) === undefined) continue
    const server = openBimServer({ url: `http://127.0.0.1:${port}`, id, fetch: fetchFrom(ip) })
    const report = () => server.report().then(() => move(random, server, people))
    const timer = setInterval(() => move(random, server, people), SECONDS * 1000)
    stop.signal.addEventListener('abort', () => clearInterval(timer))
    // On systems with one loopback address, the other servers are offline.
    void report()
      .then(() => server.run(stop.signal, SECONDS))
      .catch(() => clearInterval(timer))
  }
  return () => stop.abort()
}
