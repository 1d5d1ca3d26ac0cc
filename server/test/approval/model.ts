// Who may decide which request: the rules of docs/decisions/30-approval.md, written as plainly as that page. It has no
// database and no clock: time passes by days. Tests compare the server with it.
import { Level } from '@acc/contract/labels/access'
import type { ValueOf } from '@acc/contract/labels/enumOf'
import { FileExport } from '@acc/contract/labels/policies'
import { type Decision, RequestState, Transfer } from '@acc/contract/labels/requests'

/** `lastDay`: of the account. `session`: how often the sessions of the person were ended. */
export type Person = { isAdmin: boolean; group: string; isSuspended: boolean; lastDay: number | null; session: number }
/** `members`: each with the last day of the membership. */
export type Authority = {
  levels: Record<Transfer, Level>
  groups: string[]
  members: Record<string, { lastDay: number | null }>
}
export type ExportRule = ValueOf<typeof FileExport>
/** `setBy`: who gave it its rule for exports. */
export type Policy = { fileExport: ExportRule; setBy: string | null; steps: Record<Transfer, string[]> }
export type Absence = { person: string; substitute: string; from: number; to: number }
export type Taken = { step: number; decision: Decision; decider: string | null; absent: string | null }
export type Request = {
  type: Transfer
  requester: string | null
  group: string
  state: RequestState
  isComplete: boolean
  step: number
  /** The authorities of steps 2 and 3. */
  later: (string | null)[]
  decisions: Taken[]
}
/** Everything has a name. People are in the order of their numbers; each group names its parent. */
export type World = {
  day: number
  groups: Record<string, string | null>
  people: Record<string, Person>
  authorities: Record<string, Authority>
  policies: Record<string, Policy>
  absences: Record<string, Absence>
  requests: Record<string, Request>
}

const names = Object.keys

export const isUsable = (w: World, name: string): boolean => {
  const person = w.people[name]
  return person !== undefined && !person.isSuspended && !isOver(w, person.lastDay)
}
export const isOver = (w: World, lastDay: number | null): boolean => lastDay !== null && lastDay < w.day

/** Whether an authority gives a person level 2 in a direction. One without groups gives nothing. */
export const gives = (w: World, { levels, groups, members }: Authority, name: string, type: Transfer): boolean => {
  const member = members[name]
  return member !== undefined && !isOver(w, member.lastDay) && levels[type] === Level.EDIT && groups.length > 0
}
const decides = (w: World, name: string, type: Transfer): boolean =>
  Object.values(w.authorities).some((authority) => gives(w, authority, name, type))
/** Whether a person is admitted to the approval pages at all. */
export const isApprover = (w: World, name: string): boolean =>
  w.people[name]?.isAdmin === true || Transfer.values.some((type) => decides(w, name, type))

const isBelow = (w: World, group: string | null, top: string): boolean =>
  group === top || (group !== null && isBelow(w, w.groups[group] ?? null, top))
const covers = (w: World, name: string, { type, group }: Request): boolean =>
  Object.values(w.authorities).some(
    (authority) => gives(w, authority, name, type) && authority.groups.some((top) => isBelow(w, group, top)),
  )
const isMemberOfStep = (w: World, name: string, { type, later }: Request, step: number): boolean => {
  const authority = w.authorities[later[step - 2] ?? '']
  return authority !== undefined && gives(w, authority, name, type)
}

export const maySubstitute = (w: World, absent: string, substitute: string): boolean =>
  w.people[substitute]?.isAdmin === true ||
  (w.people[absent]?.isAdmin === false &&
    Transfer.values.every((type) => decides(w, substitute, type) || !decides(w, absent, type)))

/** The people whose rights a person has now: their own, and those of absent people. Not those of their substitutes. */
function actingFor(w: World, name: string): string[] {
  const absent = Object.values(w.absences).filter(
    ({ person, substitute, from, to }) =>
      substitute === name &&
      from <= w.day &&
      to >= w.day &&
      !isOver(w, w.people[person]?.lastDay ?? null) &&
      maySubstitute(w, person, name),
  )
  const others = absent.map(({ person }) => person)
  return [name, ...(others.length < 2 ? others : names(w.people).filter((person) => others.includes(person)))]
}

export const isWaiting = ({ state, isComplete }: Request): boolean => state === RequestState.REQUESTED && isComplete
const isInvolved = ({ decisions }: Request, name: string): boolean =>
  decisions.some(({ decider, absent }) => name === decider || name === absent)

/** The person whose right somebody uses for the step that a request waits for: their own first. */
export function rightOf(w: World, name: string, request: Request): string | undefined {
  const rights = actingFor(w, name)
  if (!isWaiting(request) || isInvolved(request, name)) return undefined
  if (request.requester !== null && rights.includes(request.requester)) return undefined
  const isHolder = (person: string) =>
    request.step > 1
      ? isMemberOfStep(w, person, request, request.step)
      : covers(w, person, request) || (person === name && w.people[name]?.isAdmin === true)
  return rights.find((person) => !isInvolved(request, person) && isHolder(person))
}

/** Whether a request exists for somebody who decides: by groups, by their step, or by an earlier one. */
export const isShown = (w: World, name: string, request: Request): boolean =>
  w.people[name]?.isAdmin === true ||
  actingFor(w, name).some(
    (person) =>
      covers(w, person, request) ||
      request.later.some((_, at) => at + 2 <= request.step && isMemberOfStep(w, person, request, at + 2)),
  )

/** The people who can decide a request now, each with the person whose right they use. */
export function decidersOf(w: World, request: Request): { person: string; right: string }[] {
  const members = new Set(Object.values(w.authorities).flatMap((authority) => names(authority.members)))
  const people = names(w.people).filter((name) => members.has(name) || at(w.people, name).isAdmin)
  return people.flatMap((person) => {
    const right = isUsable(w, person) ? rightOf(w, person, request) : undefined
    return right === undefined ? [] : [{ person, right }]
  })
}
export const undecidable = (w: World): string[] =>
  names(w.requests).filter((id) => isWaiting(at(w.requests, id)) && decidersOf(w, at(w.requests, id)).length === 0)

/** Returns what exists by its name. */
export function at<T>(all: Record<string, T>, name: string): T {
  const found = all[name]
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}

export function policyOf(w: World, group: string | null): Policy {
  if (group === null) throw new Error('a group without a policy')
  return w.policies[group] ?? policyOf(w, w.groups[group] ?? null)
}
/** The state that a new request has; undefined where it is refused. */
export const firstState = (w: World, name: string, type: Transfer): RequestState | undefined => {
  const { fileExport, setBy } = policyOf(w, at(w.people, name).group)
  if (type === Transfer.IMPORT || fileExport === FileExport.APPROVAL) return RequestState.REQUESTED
  if (fileExport === FileExport.BLOCK) return undefined
  // Nobody profits from what they allowed themselves.
  return setBy === name ? RequestState.REQUESTED : RequestState.ALLOWED
}
export const isBlocked = (w: World, { requester, type }: Request): boolean =>
  requester !== null && (!isUsable(w, requester) || firstState(w, requester, type) === undefined)

/** Undecided, or allowed while files are missing. */
export const isOpen = ({ state, isComplete }: Request): boolean =>
  state === RequestState.REQUESTED || (state === RequestState.ALLOWED && !isComplete)

/** Whether policies or waiting requests need an authority in a direction. */
export const isNeeded = (w: World, name: string, type: Transfer): boolean =>
  Object.values(w.policies).some(({ steps }) => steps[type].includes(name)) ||
  Object.values(w.requests).some(
    (request) =>
      request.type === type &&
      isWaiting(request) &&
      request.later.some((authority, at) => authority === name && at + 2 >= request.step),
  )

/** A world without ended memberships and absences, and without sessions: as the rows of the server show it. */
export type Shown = Omit<World, 'day' | 'people'> & { people: Record<string, Omit<Person, 'session'>> }
export function shown(w: World): Shown {
  const mapped = <T, U>(all: Record<string, T>, map: (one: T) => U | undefined): Record<string, U> =>
    Object.fromEntries(
      Object.entries(all).flatMap(([name, one]) => {
        const shown = map(one)
        return shown === undefined ? [] : [[name, shown]]
      }),
    )
  return {
    groups: w.groups,
    people: mapped(w.people, ({ session: _, ...person }) => person),
    authorities: mapped(w.authorities, ({ levels, groups, members }) => ({
      levels,
      groups: groups.toSorted(),
      members: mapped(members, (member) => (isOver(w, member.lastDay) ? undefined : member)),
    })),
    policies: w.policies,
    absences: mapped(w.absences, (absence) =>
      absence.to < w.day ? undefined : { ...absence, from: Math.max(absence.from, w.day) },
    ),
    requests: w.requests,
  }
}
