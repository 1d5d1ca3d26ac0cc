// What operations do to the organization of model.ts, one rule for each, and what they answer.
import { Level } from '@acc/contract/labels/access'
import { Decision, RequestState, Transfer } from '@acc/contract/labels/requests'
import {
  type Absence,
  type Authority,
  at,
  type ExportRule,
  firstState,
  gives,
  isApprover,
  isBlocked,
  isNeeded,
  isOpen,
  isOver,
  isShown,
  isUsable,
  isWaiting,
  maySubstitute,
  policyOf,
  type Request,
  rightOf,
  type World,
} from './model.ts'

/** A call of a person in an open session. `session`: as it was when the call began. */
type By = { by: string; session: number }
/** The administrator who changes rights and people. */
export const OPERATOR = 'operator'

export type Operation =
  | (By & { do: 'create'; id: string; type: Transfer })
  | (By & { do: 'upload' | 'download' | 'cancel'; id: string })
  | (By & { do: 'decide'; id: string; decision: Decision; step?: number | undefined })
  | (By & { do: 'leave'; id: string; person: string; substitute: string; begin: number; length: number })
  | (By & { do: 'return'; id: string })
  | { do: 'steps'; group: string; steps: Record<Transfer, string[]> }
  | { do: 'exports'; group: string; rule: ExportRule }
  | { do: 'members'; authority: string; members: string[]; ends: Record<string, number> }
  | { do: 'authority'; authority: string; levels: Record<Transfer, Level>; groups: string[] }
  | { do: 'removeAuthority'; authority: string }
  | { do: 'removeGroup'; group: string }
  | { do: 'move'; person: string; group: string }
  | { do: 'suspend' | 'release' | 'remove'; person: string }
  | { do: 'expire'; person: string; days: number | null }
  | { do: 'jobs' }
  | { do: 'pass'; days: number }

const names = Object.keys
const entries = Object.entries

/** A request that begins to wait keeps the steps of the policy in force. */
function beginToWait(w: World, request: Request): void {
  const { steps } = policyOf(w, at(w.people, request.requester ?? '').group)
  Object.assign(request, { state: RequestState.REQUESTED, step: 1, later: [...steps[request.type]] })
}

const endSessions = (w: World, people: readonly string[]) => {
  for (const name of people) if (w.people[name] !== undefined) w.people[name].session++
}
const endAbsences = (w: World, isOf: (absence: Absence) => boolean) => {
  for (const [id, absence] of entries(w.absences)) if (isOf(absence)) delete w.absences[id]
}
type Do<Name> = Extract<Operation, { do: Name }>
/** Names of errors, or nothing. */
type Answer = string | undefined
type Rules = { [Name in Operation['do']]: (w: World, operation: Do<Name>) => Answer }

const REQUESTER_RULES: Pick<Rules, 'create' | 'upload' | 'download' | 'cancel'> = {
  create(w, { by, id, type }) {
    const state = firstState(w, by, type)
    if (state === undefined) return 'NOT_ALLOWED'
    const { group } = at(w.people, by)
    w.requests[id] = { type, requester: by, group, state, isComplete: false, step: 1, later: [], decisions: [] }
  },
  upload(w, { by, id }) {
    const request = at(w.requests, id)
    if (request.state !== RequestState.REQUESTED && request.state !== RequestState.ALLOWED) return 'REQUEST_STATE'
    const state = request.state === RequestState.ALLOWED ? firstState(w, by, request.type) : request.state
    if (state === undefined) {
      request.state = RequestState.CANCELED
      return 'NOT_ALLOWED'
    }
    request.isComplete = true
    if (state === RequestState.REQUESTED) beginToWait(w, request)
  },
  download(w, { by, id }) {
    const request = at(w.requests, id)
    const isReleased = request.state === RequestState.APPROVED || request.state === RequestState.ALLOWED
    if (!isReleased || !request.isComplete) return 'REQUEST_STATE'
    if (isBlocked(w, request)) return 'NOT_ALLOWED'
    if (request.state === RequestState.APPROVED || firstState(w, by, request.type) === request.state) return
    beginToWait(w, request)
    return 'REQUEST_STATE'
  },
  cancel(w, { id }) {
    const request = at(w.requests, id)
    if (!isOpen(request)) return 'REQUEST_STATE'
    request.state = RequestState.CANCELED
  },
}

const APPROVER_RULES: Pick<Rules, 'decide' | 'leave' | 'return'> = {
  decide(w, { by, id, decision, step }) {
    const request = at(w.requests, id)
    if (!isApprover(w, by) || !isShown(w, by, request) || request.requester === by) return 'NOT_ALLOWED'
    if (!isWaiting(request) || (step ?? request.step) !== request.step) return 'REQUEST_STATE'
    const right = rightOf(w, by, request)
    if (right === undefined) return 'REQUEST_STATE'
    if (decision === Decision.APPROVE && isBlocked(w, request)) return 'REQUEST_STATE'
    request.decisions.push({ step: request.step, decision, decider: by, absent: right === by ? null : right })
    if (decision === Decision.REJECT) request.state = RequestState.REJECTED
    else if (request.step === 1 + request.later.length) request.state = RequestState.APPROVED
    else request.step++
  },
  leave(w, { by, id, person, substitute, begin, length }) {
    const absence = { person, substitute, from: w.day + begin, to: w.day + begin + length - 1 }
    if (!isApprover(w, by) || (person !== by && !at(w.people, by).isAdmin)) return 'NOT_ALLOWED'
    if (!isUsable(w, person) || !isApprover(w, person)) return 'NOT_ALLOWED'
    if (person === substitute || !isUsable(w, substitute) || !maySubstitute(w, person, substitute))
      return 'SUBSTITUTE_REFUSED'
    const others = Object.values(w.absences)
    if (others.some((one) => one.person === person && one.from <= absence.to && one.to >= absence.from))
      return 'ABSENCE_OVERLAP'
    for (let day = absence.from; day <= absence.to; day++) {
      const next = (name: string) => others.find((one) => one.person === name && one.from <= day && one.to >= day)
      for (let name: string | undefined = substitute; name !== undefined; name = next(name)?.substitute)
        if (name === person) return 'SUBSTITUTION_CIRCLE'
    }
    w.absences[id] = absence
  },
  return(w, { by, id }) {
    const absence = w.absences[id]
    if (!isApprover(w, by) || absence === undefined || absence.to < w.day) return 'NOT_ALLOWED'
    if (absence.person !== by && !at(w.people, by).isAdmin) return 'NOT_ALLOWED'
    delete w.absences[id]
  },
}

const isSameList = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((name) => other.includes(name))

const AUTHORITY_RULES: Pick<Rules, 'members' | 'authority' | 'removeAuthority'> = {
  members(w, { authority: name, members, ends }) {
    const authority = w.authorities[name]
    if (authority === undefined || members.some((member) => w.people[member] === undefined)) return 'NOT_ALLOWED'
    if (members.some((member) => at(w.people, member).isAdmin)) return 'ADMIN_SELECTED'
    const before = authority.members
    const lastDayOf = (member: string) =>
      ends[member] === undefined ? (before[member]?.lastDay ?? null) : w.day + ends[member]
    authority.members = Object.fromEntries(members.map((member) => [member, { lastDay: lastDayOf(member) }]))
    const known = names(before)
    endSessions(
      w,
      [...known, ...members].filter((one) => !known.includes(one) || !members.includes(one)),
    )
  },
  authority(w, { authority: name, levels, groups }) {
    const authority = w.authorities[name]
    if (authority === undefined) return 'NOT_ALLOWED'
    if (groups.some((group) => w.groups[group] === undefined)) return 'NO_GROUP'
    if (Transfer.values.some((type) => levels[type] < Level.EDIT && isNeeded(w, name, type))) return 'AUTHORITY_IN_USE'
    const isSame = Transfer.values.every((type) => levels[type] === authority.levels[type])
    if (isSame && isSameList(groups, authority.groups)) return
    Object.assign(authority, { levels, groups })
    endSessions(w, names(authority.members))
  },
  removeAuthority(w, { authority: name }) {
    const authority = w.authorities[name]
    if (authority === undefined) return 'NOT_ALLOWED'
    if (Transfer.values.some((type) => isNeeded(w, name, type))) return 'AUTHORITY_IN_USE'
    endSessions(w, names(authority.members))
    for (const request of Object.values(w.requests))
      request.later = request.later.map((one) => (one === name ? null : one))
    delete w.authorities[name]
  },
}

const POLICY_RULES: Pick<Rules, 'steps' | 'exports' | 'removeGroup'> = {
  steps(w, { group, steps }) {
    const policy = w.policies[group]
    if (policy === undefined) return 'NOT_ALLOWED'
    for (const type of Transfer.values)
      for (const name of steps[type].filter((one) => !policy.steps[type].includes(one))) {
        const authority = w.authorities[name]
        if (authority?.levels[type] !== Level.EDIT || authority.groups.length === 0) return 'UNFIT_AUTHORITY'
        if (!names(authority.members).some((one) => isUsable(w, one) && gives(w, authority, one, type)))
          return 'NO_DECIDER'
      }
    policy.steps = steps
  },
  exports(w, { group, rule }) {
    const policy = w.policies[group]
    if (policy === undefined) return 'NOT_ALLOWED'
    if (policy.fileExport !== rule) Object.assign(policy, { fileExport: rule, setBy: OPERATOR })
  },
  removeGroup(w, { group }) {
    const parent = w.groups[group] ?? undefined
    if (parent === undefined) return 'NOT_ALLOWED'
    const named = entries(w.authorities).filter(([, { groups }]) => groups.includes(group))
    const isLast = ({ groups }: Authority) => groups.length === 1
    const isKept = (name: string) => Transfer.values.some((type) => isNeeded(w, name, type))
    if (named.some(([name, authority]) => isLast(authority) && isKept(name))) return 'AUTHORITY_IN_USE'
    for (const [, authority] of named) authority.groups = authority.groups.filter((one) => one !== group)
    const isManager = (name: string) =>
      Object.values(w.authorities).some(
        ({ groups, members }) => groups.length > 0 && members[name] && !isOver(w, members[name].lastDay),
      )
    const affected = new Set(named.flatMap(([, { members }]) => names(members)))
    endSessions(
      w,
      [...affected].filter((name) => !isManager(name)),
    )
    for (const one of [...Object.values(w.people), ...Object.values(w.requests)])
      if (one.group === group) one.group = parent
    for (const [name, above] of entries(w.groups)) if (above === group) w.groups[name] = parent
    delete w.groups[group]
    delete w.policies[group]
  },
}

const endAbsencesWith = (w: World, name: string) =>
  endAbsences(w, ({ person, substitute }) => person === name || substitute === name)

/** The person exists. */
const PEOPLE_RULES: Pick<Rules, 'move' | 'suspend' | 'release' | 'remove' | 'expire'> = {
  move(w, { person: name, group }) {
    const person = at(w.people, name)
    if (w.groups[group] === undefined) return 'NO_GROUP'
    if (person.group === group) return 'INVALID_INPUT'
    person.group = group
  },
  suspend(w, { person: name }) {
    if (at(w.people, name).isSuspended) return
    at(w.people, name).isSuspended = true
    endSessions(w, [name])
    endAbsencesWith(w, name)
  },
  release(w, { person: name }) {
    at(w.people, name).isSuspended = false
  },
  remove(w, { person: name }) {
    for (const request of Object.values(w.requests)) {
      if (request.requester === name && isOpen(request)) request.state = RequestState.CANCELED
      if (request.requester === name) request.requester = null
      for (const taken of request.decisions) {
        if (taken.decider === name) taken.decider = null
        if (taken.absent === name) taken.absent = null
      }
    }
    for (const { members } of Object.values(w.authorities)) delete members[name]
    endAbsencesWith(w, name)
    delete w.people[name]
  },
  expire(w, { person: name, days }) {
    at(w.people, name).lastDay = days === null ? null : w.day + days
  },
}

const RULES: Rules = {
  ...REQUESTER_RULES,
  ...APPROVER_RULES,
  ...AUTHORITY_RULES,
  ...POLICY_RULES,
  ...PEOPLE_RULES,
  /** What the server does each minute. */
  jobs(w) {
    const isExpired = (name: string) => isOver(w, w.people[name]?.lastDay ?? null)
    endAbsences(w, ({ person, substitute, to }) => to < w.day || isExpired(person) || isExpired(substitute))
    for (const { members } of Object.values(w.authorities))
      for (const [name, { lastDay }] of entries(members))
        if (isOver(w, lastDay)) {
          delete members[name]
          endSessions(w, [name])
        }
  },
  pass(w, { days }) {
    w.day += days
  },
}

/** Applies an operation; returns the name of its error, or `ok`. */
export function apply(w: World, operation: Operation): string {
  if ('by' in operation) {
    const person = w.people[operation.by]
    if (person?.session !== operation.session) return 'SESSION_ENDED'
    if (isOver(w, person.lastDay)) return 'ACCOUNT_EXPIRED'
  } else if ('person' in operation) {
    const person = w.people[operation.person]
    if (person === undefined) return 'NOT_ALLOWED'
    if (person.isAdmin && operation.do !== 'move')
      return operation.person === OPERATOR ? 'SELF_ACTION' : 'ADMIN_SELECTED'
  }
  const rule = RULES[operation.do] as (w: World, operation: Operation) => Answer
  return rule(w, operation) ?? 'ok'
}
