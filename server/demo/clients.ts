// The desktop clients of the sample organization: three rounds of people with a PC each, so that the evaluation
// license always suffices and two PCs stay free for trying a client.
import { NetworkBlock } from '@acc/contract/labels/history'
import { updateClientLogin } from '../src/domains/agent/agent.queries.ts'
import { findAccount } from '../src/domains/credentials/credentials.queries.ts'
import { takeLicense } from '../src/domains/licenses/licenses.service.ts'
import { reportBlocks } from '../src/domains/networkBlocks/networkBlocks.service.ts'
import { resetLicense } from '../src/domains/users/users.devices.ts'
import { type Calendar, DAYS } from './days.ts'
import { contextOf, type DemoActor, log, type Moment, type Step } from './past.ts'
import type { People, Person } from './people.ts'
import type { Random } from './random.ts'

type Place = readonly [group: string, place: number]

/** People who keep their PC all the time. */
const ALWAYS: Place[] = [
  ['백엔드팀', 0],
  ['Berlin Office', 0],
  ['기구설계팀', 1],
]
const ROUNDS: Place[][] = [
  [
    ['프런트엔드팀', 1],
    ['데이터실', 1],
    ['국내영업1팀', 1],
    ['Paris Office', 1],
    ['대성정밀', 0],
  ],
  [
    ['Android팀', 1],
    ['회로설계팀', 1],
    ['해외영업팀', 1],
    ['San Jose Office', 1],
    ['미래설계', 0],
  ],
  [
    ['iOS팀', 1],
    ['데이터실', 2],
    ['국내영업1팀', 2],
    ['Singapore Office', 1],
    ['한빛소프트', 0],
  ],
]
const ROUND_DAYS = DAYS / ROUNDS.length

/** The day that the clients were updated. */
const UPDATE_DAY = 31
export const versionAt = (day: number): string => (day < 0 ? '4.1.1' : day < UPDATE_DAY ? '4.1.2' : '4.2.0')

export const deviceNameOf = ({ id }: Person): string => `PC-${id.replace(/[^a-z0-9]/g, '').toUpperCase()}`

/** A person with a PC, from one day to another, the last day excluded. */
export type Client = { person: Person; from: number; to: number; deviceName: string; deviceId: string }

const FIRST_DAY = 2

export function planClients(people: People): Client[] {
  const client = ([group, place]: Place, from: number, to: number): Client => {
    const person = people.at(group, place)
    return { person, from, to, deviceName: deviceNameOf(person), deviceId: `sample-${person.id}` }
  }
  const rounds = ROUNDS.flatMap((places, index) => {
    const from = Math.max(FIRST_DAY, index * ROUND_DAYS)
    return places.map((place) => client(place, from, index === ROUNDS.length - 1 ? DAYS + 1 : (index + 1) * ROUND_DAYS))
  })
  return [...ALWAYS.map((place) => client(place, FIRST_DAY, DAYS + 1)), ...rounds]
}

/** The client signs in: the PC takes a license, or is used again. */
export async function useClient(moment: Moment, { person, deviceId, deviceName }: Client, day: number): Promise<void> {
  const { tx, at } = moment
  const account = await findAccount(tx, { idx: person.idx })
  if (account === undefined) throw new Error(`there is no user ${person.id}`)
  const pc = { deviceId, deviceName, ip: person.ip, clientVersion: versionAt(day) }
  const { log: entries } = await takeLicense(tx, contextOf(moment).services, account, pc)
  await updateClientLogin(tx, person.idx, at)
  await log(moment, entries)
}

/** The PCs of a round that is over give their licenses back. */
export const clientSteps = ({ at }: Calendar, admin: DemoActor, clients: readonly Client[]): Step[] =>
  clients
    .filter(({ to }) => to <= DAYS)
    .map(({ person, to }, index) => ({
      at: at(to, 7, 30 + index),
      by: admin,
      run: (moment) => resetLicense(contextOf(moment), { idx: person.idx }),
    }))

const TARGETS = ['203.0.113.20', '203.0.113.77', '198.51.100.14', '192.0.2.9', 'files.sample.example'] as const
const LOCAL_TARGETS = ['192.168.0.12', '192.168.0.40', '10.0.0.5'] as const
const PROCESSES = ['chrome.exe', 'curl.exe', 'outlook.exe', 'update.exe'] as const
const BATCHES = 36
/** Batches of today, by their age in minutes. */
const BLOCKED_TODAY = [372, 251, 118, 37] as const

function drawId(random: Random): string {
  const digits = Array.from({ length: 32 }, () => random.int(0, 15).toString(16)).join('')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`
}

/** Connections that the clients blocked. */
export function blockSteps(random: Random, { at, ago, isWorkday }: Calendar, clients: readonly Client[]): Step[] {
  const report = (person: Person, blockedAt: Date): Step => {
    const batchId = drawId(random)
    const blocks = Array.from({ length: random.int(1, 4) }, () => {
      const isLocal = random.chance(0.3)
      return {
        type: isLocal ? NetworkBlock.BLOCK_LOCAL : NetworkBlock.BLOCK_VIRTUAL,
        targetIp: random.pick(isLocal ? LOCAL_TARGETS : TARGETS),
        blockDT: blockedAt.toISOString(),
        processName: random.pick(PROCESSES),
      }
    })
    return { at: blockedAt, by: person, run: (moment) => reportBlocks(contextOf(moment), { batchId, blocks }) }
  }
  const earlier = Array.from({ length: BATCHES }, (): Step[] => {
    const { person, from, to } = random.pick(clients)
    const day = random.int(from, Math.min(to, DAYS) - 1)
    return isWorkday(day) ? [report(person, at(day, random.int(9, 17), random.int(0, 59)))] : []
  })
  const using = clients.filter(({ to }) => to > DAYS)
  const today = BLOCKED_TODAY.map((count) => report(random.pick(using).person, ago(count)))
  return [...earlier.flat(), ...today]
}
