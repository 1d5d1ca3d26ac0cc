// Random operations: numbers that fast-check draws and shortens, read against the world as it is.
import { Level } from '@acc/contract/labels/access'
import { FileExport } from '@acc/contract/labels/policies'
import { Decision, Transfer } from '@acc/contract/labels/requests'
import fc from 'fast-check'
import {
  at,
  decidersOf,
  isApprover,
  isOpen,
  isUsable,
  isWaiting,
  maySubstitute,
  type Request,
  type World,
} from './model.ts'
import { OPERATOR, type Operation } from './operations.ts'

/** How often each operation is drawn. */
const WEIGHTS: Record<Operation['do'], number> = {
  ...{ create: 14, upload: 18, download: 3, cancel: 2, decide: 48, leave: 12, return: 3 },
  ...{ steps: 5, exports: 2, members: 8, authority: 3, removeAuthority: 1, removeGroup: 1 },
  ...{ move: 3, suspend: 3, release: 4, remove: 1, expire: 2, jobs: 3, pass: 4 },
}
/** These are not one transaction, so they run alone. */
const ALONE = ['jobs', 'pass'] as const satisfies Operation['do'][]

const arbitraryOf = (kinds: readonly Operation['do'][]) =>
  fc.record({
    kind: fc.oneof(...kinds.map((kind) => ({ weight: WEIGHTS[kind], arbitrary: fc.constant(kind) }))),
    numbers: fc.array(fc.nat(999), { minLength: 6, maxLength: 6 }),
  })
const ALL = Object.keys(WEIGHTS) as Operation['do'][]
const one = arbitraryOf(ALL).map((draw) => [draw])
const several = fc.array(arbitraryOf(ALL.filter((kind) => !(ALONE as readonly string[]).includes(kind))), {
  minLength: 2,
  maxLength: 5,
})
/** Half of those at once are about one person and one request. */
const atOnce = fc.tuple(fc.boolean(), several).map(([isOfOne, draws]) => {
  const shared = draws[0]?.numbers.slice(0, 2) ?? []
  return isOfOne ? draws.map(({ kind, numbers }) => ({ kind, numbers: [...shared, ...numbers.slice(2)] })) : draws
})
/** An operation alone, or two to five at once. */
export const interleaving = fc.oneof({ weight: 7, arbitrary: one }, { weight: 3, arbitrary: atOnce })
export type Draw = { kind: Operation['do']; numbers: number[] }

const pick = <T>(list: readonly T[], number: number): T | undefined => list[number % Math.max(1, list.length)]

/** What the numbers of a draw mean in a world. */
function sceneOf(w: World, numbers: readonly number[]) {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers
  const people = Object.keys(w.people)
  const present = people.filter((name) => isUsable(w, name))
  const by = (name: string) => ({ by: name, session: at(w.people, name).session })
  const idsOf = (isOne: (request: Request) => boolean) =>
    Object.keys(w.requests).filter((id) => isOne(at(w.requests, id)))
  /** A request, called by its requester. */
  const ownOf = (isOne: (request: Request) => boolean = () => true) => {
    const found = pick(
      idsOf((request) => isOne(request) && present.includes(request.requester ?? '')),
      b,
    )
    return found && { id: found, ...by(at(w.requests, found).requester ?? '') }
  }
  const needed = idsOf(isWaiting).flatMap((id) => at(w.requests, id).later.filter((name) => name !== null))
  const named = {
    person: pick(people, a) ?? '',
    group: pick(Object.keys(w.groups), b) ?? '',
    owner: pick(Object.keys(w.policies), b) ?? '',
    authority: pick(c % 2 === 0 && needed.length > 0 ? needed : Object.keys(w.authorities), b) ?? '',
  }
  return { w, a, b, c, d, e, f, people, present, by, idsOf, ownOf, ...named }
}
type Scene = ReturnType<typeof sceneOf>
type Drawn = Operation | '' | undefined

const CALLS_OF_PEOPLE = {
  create: ({ a, c, by, present }: Scene, id: string): Drawn => {
    return { do: 'create', ...by(pick(present, a) ?? ''), id, type: c % 3 === 0 ? Transfer.IMPORT : Transfer.EXPORT }
  },
  upload({ ownOf }: Scene): Drawn {
    const own = ownOf((request) => isOpen(request) && !request.isComplete)
    return own && { do: 'upload', ...own }
  },
  download({ ownOf }: Scene): Drawn {
    const own = ownOf(({ isComplete }) => isComplete)
    return own && { do: 'download', ...own }
  },
  cancel({ ownOf }: Scene): Drawn {
    const own = ownOf()
    return own && { do: 'cancel', ...own }
  },
  decide({ w, a, b, c, d, e, f, present, by, idsOf }: Scene): Drawn {
    const id = pick(idsOf(c % 8 === 0 ? () => true : isWaiting), b)
    if (id === undefined) return undefined
    const request = at(w.requests, id)
    const deciders = decidersOf(w, request)
    const substitutes = deciders.filter(({ person, right }) => person !== right)
    const fit = (d % 2 === 0 && substitutes.length > 0 ? substitutes : deciders).map(({ person }) => person)
    const decider = pick(a % 4 !== 0 && fit.length > 0 ? fit : present, d) ?? ''
    const step = f % 9 === 0 ? 1 + (f % 3) : request.step
    return { do: 'decide', ...by(decider), id, step, decision: e % 6 === 0 ? Decision.REJECT : Decision.APPROVE }
  },
  leave({ w, a, b, c, d, e, f, people, present, by }: Scene, id: string): Drawn {
    const person = pick(a % 4 === 0 ? people : people.filter((name) => isApprover(w, name)), a) ?? ''
    const fit = people.filter((name) => name !== person && isUsable(w, name) && maySubstitute(w, person, name))
    const circle = Object.values(w.absences).flatMap((absence) => (absence.substitute === person ? absence.person : []))
    const substitute = pick(e % 4 === 0 ? people : circle.length > 0 && e % 4 === 1 ? circle : fit, b) ?? ''
    const actor = e % 3 === 0 ? OPERATOR : person
    const period = { begin: f % 3 === 0 ? d % 5 : 0, length: 1 + (c % 6) }
    return present.includes(actor) ? { do: 'leave', ...by(actor), id, person, substitute, ...period } : undefined
  },
  return({ w, b, c, present, by, person }: Scene): Drawn {
    const id = pick(Object.keys(w.absences), b)
    if (id === undefined) return undefined
    const actor = c % 4 === 0 ? person : at(w.absences, id).person
    return present.includes(actor) ? { do: 'return', ...by(actor), id } : undefined
  },
}

const CALLS_OF_THE_OPERATOR = {
  steps({ w, a, c, d, e, f, owner: group }: Scene): Drawn {
    const all = Object.keys(w.authorities)
    const chosen = (first: number) => [...new Set([pick(all, first), pick(all, e)])].flatMap((name) => name ?? [])
    const steps = { [Transfer.EXPORT]: chosen(c).slice(0, d % 3), [Transfer.IMPORT]: chosen(f).slice(0, a % 2) }
    return { do: 'steps', group, steps }
  },
  exports: ({ c, owner: group }: Scene): Drawn => {
    return { do: 'exports', group, rule: pick([FileExport.APPROVAL, ...FileExport.values], c) ?? FileExport.BLOCK }
  },
  members({ w, c, d, authority, person }: Scene): Drawn {
    const before = Object.keys(w.authorities[authority]?.members ?? {})
    const members = before.includes(person) ? before.filter((name) => name !== person) : [...before, person]
    const ends = members.includes(person) && c % 3 === 0 ? { [person]: d % 4 } : {}
    return { do: 'members', authority, members, ends }
  },
  authority({ w, c, d, e, authority, group }: Scene): Drawn {
    const levels = { [Transfer.EXPORT]: levelOf(c), [Transfer.IMPORT]: levelOf(d) }
    const groups = Object.keys(w.groups).filter((name, at) => name === group || ((e >> at) & 1) === 1)
    return { do: 'authority', authority, levels, groups }
  },
  removeAuthority: ({ authority }: Scene): Drawn => ({ do: 'removeAuthority', authority }),
  removeGroup: ({ w, group }: Scene): Drawn => (w.groups[group] === null ? undefined : { do: 'removeGroup', group }),
  move: ({ person, group }: Scene): Drawn => ({ do: 'move', person, group }),
  suspend: ({ person }: Scene): Drawn => ({ do: 'suspend', person }),
  release({ a, people, present }: Scene): Drawn {
    const person = pick(
      people.filter((name) => !present.includes(name)),
      a,
    )
    return person && { do: 'release', person }
  },
  remove: ({ person }: Scene): Drawn => ({ do: 'remove', person }),
  expire: ({ c, d, person }: Scene): Drawn => ({ do: 'expire', person, days: c % 3 === 0 ? null : 1 + (d % 3) }),
  jobs: (): Drawn => ({ do: 'jobs' }),
  pass: ({ c }: Scene): Drawn => ({ do: 'pass', days: 1 + (c % 3) }),
}
const levelOf = (number: number): Level => pick([Level.EDIT, Level.EDIT, Level.READ, Level.NONE], number) ?? Level.NONE

const CALLS = { ...CALLS_OF_PEOPLE, ...CALLS_OF_THE_OPERATOR }
/** Returns the operation of a draw, or nothing if the world has no object for it. `id`: of what it creates. */
export const operationOf = (w: World, { kind, numbers }: Draw, id: string): Operation | undefined =>
  CALLS[kind](sceneOf(w, numbers), id) || undefined
