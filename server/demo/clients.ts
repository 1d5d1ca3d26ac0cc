// The desktop clients of the sample organization: at most eight PCs at a time, so that two PCs of the evaluation
// license remain for trying a client.
import { randomUUID } from 'node:crypto'
import { NetworkBlock } from '@acc/contract/labels/history'
import { insertHistory } from '../src/core/change.ts'
import { updateClientLogin } from '../src/domains/agent/agent.queries.ts'
import { findAccount } from '../src/domains/credentials/credentials.queries.ts'
import { takeLicense } from '../src/domains/licenses/licenses.service.ts'
import { reportBlocks } from '../src/domains/networkBlocks/networkBlocks.service.ts'
import { resetLicense } from '../src/domains/users/users.devices.ts'
import type { Calendar, Cast, Past } from './past.ts'
import type { People, Person, Place } from './people.ts'

/** People who keep their PC, people of the first two weeks, and those after them. */
const ALWAYS = ['백엔드팀/0', 'Berlin Office/0', '기구설계팀/1'] as const
const BEFORE = ['프런트엔드팀/1', '데이터실/2', '국내영업1팀/2', 'Paris Office/1', '한빛소프트/0'] as const
const AFTER = ['Android팀/1', '데이터실/1', '국내영업1팀/1', 'San Jose Office/1', '대성정밀/0'] as const
const [FIRST_DAY, CHANGE_DAY, UPDATE_DAY] = [2, 14, 16]
export const versionAt = (day: number): string => (day < UPDATE_DAY ? '4.1.2' : '4.2.0')

/** A person with a PC, from one day to another, the last day excluded. */
export type Client = { person: Person; from: number; to: number; deviceName: string; deviceId: string }

export function planClients(people: People, { today }: Calendar): Client[] {
  const client = (place: Place, from: number, to: number): Client => {
    const person = people.at(place)
    const deviceName = `PC-${person.id.replace(/[^a-z0-9]/g, '').toUpperCase()}`
    return { person, from, to, deviceName, deviceId: `sample-${person.id}` }
  }
  return [
    ...ALWAYS.map((place) => client(place, FIRST_DAY, today + 1)),
    ...BEFORE.map((place) => client(place, FIRST_DAY, CHANGE_DAY)),
    ...AFTER.map((place) => client(place, CHANGE_DAY, today + 1)),
  ]
}

/** Returns the clients of today. */
export const clientsOfToday = ({ clients, today }: Cast): Client[] => clients.filter(({ to }) => to > today)

/** Signs the client in: its PC takes a license, or is used again. */
export async function useClient(past: Past, { person, deviceId, deviceName }: Client, day: number): Promise<void> {
  const { tx, at, services } = past
  const account = await findAccount(tx, { idx: person.idx })
  if (account === undefined) throw new Error(`there is no user ${person.id}`)
  const pc = { deviceId, deviceName, ip: person.ip, clientVersion: versionAt(day) }
  const { log } = await takeLicense(tx, services, account, pc)
  await updateClientLogin(tx, person.idx, at)
  await insertHistory(tx, person, at, log)
}

const LOCAL_TARGETS = ['192.168.0.12', '10.0.0.5']
const TARGETS = ['203.0.113.20', '203.0.113.77', '198.51.100.14', 'files.sample.example', ...LOCAL_TARGETS]
/** Batches of the month, and those of today by their age in minutes. */
const [BATCHES, BLOCKED_TODAY] = [30, [372, 251, 118, 37]]

/** Reports connections that a client blocked. */
function addBlocks({ on, random }: Cast, person: Person, at: Date): void {
  const blocks = Array.from({ length: random.int(1, 4) }, () => {
    const targetIp = random.pick(TARGETS)
    const type = LOCAL_TARGETS.includes(targetIp) ? NetworkBlock.BLOCK_LOCAL : NetworkBlock.BLOCK_VIRTUAL
    const processName = random.pick(['chrome.exe', 'curl.exe', 'update.exe'])
    return { type, targetIp, blockDT: at.toISOString(), processName }
  })
  on(at, person, (past) => reportBlocks(past, { batchId: randomUUID(), blocks }))
}

/** Adds PCs that get another user or are set up again, and blocked connections. */
export function addClientSteps(cast: Cast): void {
  const { on, at, ago, random, admin, clients, today, isWorkday } = cast
  const reset = (when: Date, { person }: Client) => on(when, admin, (past) => resetLicense(past, { idx: person.idx }))
  for (const [index, client] of clients.entries()) if (client.to <= today) reset(at(client.to, 7, 30 + index), client)
  const using = clientsOfToday(cast)
  for (const client of using.slice(-1)) {
    reset(ago(186), client)
    on(ago(149), client.person, (past) => useClient(past, client, today))
  }
  for (let batch = 0; batch < BATCHES; batch++) {
    const { person, from, to } = random.pick(clients)
    const day = random.int(from, Math.min(to, today) - 1)
    if (isWorkday(day)) addBlocks(cast, person, at(day, random.int(9, 17), random.int(0, 59)))
  }
  for (const count of BLOCKED_TODAY) addBlocks(cast, random.pick(using).person, ago(count))
}
