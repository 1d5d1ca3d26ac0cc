// A year of an organization, hour by hour: requests and decisions, holidays with and without substitutes, people who
// leave, are suspended or lose an authority, and an administrator who repairs what nobody can decide.
import { Level } from '@acc/contract/labels/access'
import { FileExport } from '@acc/contract/labels/policies'
import { Decision, Transfer } from '@acc/contract/labels/requests'
import { type Authority, at, decidersOf, isUsable, isWaiting, type Person, undecidable, type World } from './model.ts'
import { OPERATOR, type Operation } from './operations.ts'

/** Returns numbers from 0 to 1, the same ones for each seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const TEAM = 25
const { EXPORT, IMPORT } = Transfer
const both = { [EXPORT]: Level.EDIT, [IMPORT]: Level.EDIT }

/** Teams of 25 people with two approvers each, ten teams a division; reviewers of each division, and two boards. */
export function organization(count: number): World {
  const person = (group: string, isAdmin = false): Person => {
    return { group, isAdmin, isSuspended: false, lastDay: null, session: 0 }
  }
  const teams = Array.from({ length: Math.ceil(count / TEAM) }, (_, no) => `team ${no}`)
  const divisionOf = (no: number) => `division ${Math.floor(no / 10)}`
  const divisions = [...new Set(teams.map((_, no) => divisionOf(no)))]
  const staff = Array.from(
    { length: count },
    (_, no) => [`person ${no}`, person(`team ${Math.floor(no / TEAM)}`)] as const,
  )
  const members = (from: number, length: number) =>
    Object.fromEntries(Array.from({ length }, (_, no) => [`person ${(from + no) % count}`, { lastDay: null }]))
  const over = (group: string, people: Authority['members']): Authority => {
    return { levels: { ...both }, groups: [group], members: people }
  }
  const reviewed = (division: string) => ({
    fileExport: FileExport.APPROVAL,
    setBy: null,
    steps: { [EXPORT]: [`review of ${division}`, 'security'], [IMPORT]: [`review of ${division}`] },
  })
  return {
    day: 0,
    groups: {
      ...{ company: null },
      ...Object.fromEntries(divisions.map((name) => [name, 'company'])),
      ...Object.fromEntries(teams.map((name, no) => [name, divisionOf(no)])),
    },
    people: { [OPERATOR]: person('company', true), chief: person('company', true), ...Object.fromEntries(staff) },
    authorities: {
      ...{ security: over('company', members(3, 3)), board: over('company', members(10, 2)) },
      ...Object.fromEntries(divisions.map((name, no) => [`review of ${name}`, over(name, members(no * 250 + 5, 2))])),
      ...Object.fromEntries(teams.map((name, no) => [`leads of ${name}`, over(name, members(no * TEAM, 2))])),
    },
    policies: {
      company: {
        fileExport: FileExport.APPROVAL,
        setBy: null,
        steps: { [EXPORT]: ['security', 'board'], [IMPORT]: [] },
      },
      ...Object.fromEntries(divisions.filter((_, no) => no % 2 === 0).map((name) => [name, reviewed(name)])),
    },
    absences: {},
    requests: {},
  }
}

/** Does an operation and returns its answer. */
type Run = (operation: Operation) => Promise<string>

/** An organization that lives: `w` is the world as `run` changes it. */
export function settle(w: World, run: Run, seed: number) {
  const random = randomOf(seed)
  /** The last day on which people are away, with or without a substitute. */
  const away = new Map<string, number>()
  const isThere = (name: string) => isUsable(w, name) && (away.get(name) ?? -1) < w.day
  let made = 0
  return {
    ...{ w, run, away, isThere, random },
    /** The last day of suspensions. */
    suspended: new Map<string, number>(),
    happens: (chance: number) => random() < chance,
    pick: <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)],
    by: (name: string) => ({ by: name, session: at(w.people, name).session }),
    newId: () => `n${made++}`,
    staff: () => Object.keys(w.people).filter((name) => !at(w.people, name).isAdmin && isThere(name)),
    approvers: () => [...new Set(Object.values(w.authorities).flatMap(({ members }) => Object.keys(members)))],
  }
}
export type Life = ReturnType<typeof settle>

async function request({ run, by, pick, happens, newId, staff, isThere }: Life) {
  const name = pick(happens(0.02) ? ['chief'] : staff())
  if (name === undefined || !isThere(name)) return
  const id = newId()
  await run({ do: 'create', ...by(name), id, type: happens(0.2) ? IMPORT : EXPORT })
  await run({ do: 'upload', ...by(name), id })
}

async function decide({ w, run, by, pick, happens, isThere }: Life) {
  for (const [id, one] of Object.entries(w.requests)) {
    if (!isWaiting(one) || happens(0.6)) continue
    const decider = pick(decidersOf(w, one).filter(({ person }) => isThere(person)))?.person
    const decision = happens(0.1) ? Decision.REJECT : Decision.APPROVE
    if (decider !== undefined) await run({ do: 'decide', ...by(decider), id, step: one.step, decision })
  }
}

/** Seven of ten name a substitute, without knowing who may be one. */
async function goOnHoliday({ w, run, away, by, pick, happens, random, newId, approvers }: Life, person: string) {
  const length = 3 + Math.floor(random() * 8)
  away.set(person, w.day + length - 1)
  const substitute = pick(person === 'chief' ? [OPERATOR] : approvers())
  if (substitute !== undefined && happens(0.7))
    await run({ do: 'leave', ...by(person), id: newId(), person, substitute, begin: 0, length })
}

async function leaveCompany({ run, pick, happens, approvers, staff }: Life) {
  const person = pick(happens(0.3) ? approvers() : staff())
  const way = pick(['suspend', 'remove', 'expire'] as const) ?? 'suspend'
  if (person !== undefined) await run(way === 'expire' ? { do: way, person, days: 1 } : { do: way, person })
}

async function leaveAuthority({ w, run, pick, happens, random }: Life, authority: string) {
  const all = Object.keys(at(w.authorities, authority).members)
  const name = pick(all)
  if (name === undefined) return
  if (happens(0.5)) await run({ do: 'members', authority, members: all.filter((one) => one !== name), ends: {} })
  else await run({ do: 'members', authority, members: all, ends: { [name]: Math.floor(random() * 3) } })
}

async function addMember({ w, run, pick, staff }: Life, authority: string) {
  const name = pick(staff())
  const members = Object.keys(w.authorities[authority]?.members ?? {})
  if (name !== undefined && !members.includes(name))
    await run({ do: 'members', authority, members: [...members, name], ends: {} })
}

/** An administrator repairs a request that nobody can decide. */
async function repair(life: Life) {
  const { w, run, by, pick } = life
  const request = w.requests[pick(undecidable(w)) ?? '']
  if (request === undefined) return
  const absence = Object.keys(w.absences).find((id) => at(w.absences, id).person === request.requester)
  const authority = request.later[request.step - 2]
  if (authority) await addMember(life, authority)
  else if (absence) await run({ do: 'return', ...by(OPERATOR), id: absence })
}

/** Begins a day: somebody is on holiday, suspended, released or in another team. */
export async function beginDay(life: Life): Promise<void> {
  const { w, run, suspended, pick, happens, random, isThere, staff, approvers } = life
  await run({ do: 'jobs' })
  const chance = Object.keys(w.people).length / 4000
  for (const name of [...approvers(), 'chief']) if (isThere(name) && happens(4 / 365)) await goOnHoliday(life, name)
  for (const [person, day] of suspended)
    if (day <= w.day && suspended.delete(person)) await run({ do: 'release', person })
  const unlucky = pick(happens(chance) ? approvers() : [])
  if (unlucky !== undefined && isThere(unlucky)) {
    suspended.set(unlucky, w.day + 1 + Math.floor(random() * 5))
    await run({ do: 'suspend', person: unlucky })
  }
  const [person, group] = [pick(staff()), pick(Object.keys(w.groups))]
  if (person !== undefined && group !== undefined && happens(chance)) await run({ do: 'move', person, group })
  for (const [name, { members }] of Object.entries(w.authorities)) {
    const isSmall = Object.keys(members).filter((one) => isUsable(w, one)).length < 2
    if (happens(isSmall ? 0.2 : 0.002)) await addMember(life, name)
  }
}

/** An hour in the office, from 8 to 20. `rate`: new requests. */
export async function liveHour(life: Life, hour: number, rate: number): Promise<void> {
  const { w, happens } = life
  if (hour < 8 || hour > 19) return
  for (let left = rate; left > 0; left--) if (happens(left)) await request(life)
  await decide(life)
  if (happens(Object.keys(w.people).length / 100_000)) await leaveCompany(life)
  for (const name of Object.keys(w.authorities)) if (happens(1 / 2000)) await leaveAuthority(life, name)
  if (happens(0.15)) await repair(life)
}
