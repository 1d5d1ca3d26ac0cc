// Replays the past: every step calls the product's own services with a clock set to its moment, so that rows, history and
// rules are those of the product. The steps run in order of time, in one transaction.
import { FULL_PAGE_AUTH, NO_PAGE_AUTH } from '@acc/contract/core/access'
import { Role } from '@acc/contract/labels/access'
import type { AuditKind } from '@acc/contract/labels/history'
import { LoginType } from '@acc/contract/labels/users'
import { type HistoryEntry, insertHistory } from '../src/core/change.ts'
import type { Actor, Change } from '../src/core/context.ts'
import { scopeOf } from '../src/core/scope.ts'
import type { Services } from '../src/core/services.ts'
import type { Tx } from '../src/db/open.ts'

/** An actor: the administrator, or one of the sample people. */
export type DemoActor = {
  idx: number
  id: string
  name: string
  email: string
  groupIdx: number
  groupName: string
  role: Role
  ip: string
}

export const actorOf = ({ ip: _ip, ...actor }: DemoActor, at: Date): Actor => ({
  ...actor,
  pageAuth: actor.role === Role.USER ? NO_PAGE_AUTH : FULL_PAGE_AUTH,
  sessionIdx: 0,
  kind: actor.role === Role.USER ? 'client' : 'web',
  deviceIdx: null,
  loginType: LoginType.DEFAULT,
  pwSetDT: null,
  expireDT: null,
  sessionExpireDT: at,
  rightsRevision: 0,
})

/** The moment of a step, and its actor. */
export type Moment = { services: Services; tx: Tx; at: Date; by: DemoActor }

/** Writes history rows of a moment. */
export const log = ({ tx, at, by }: Moment, entries: readonly HistoryEntry[]): Promise<void> =>
  insertHistory(tx, by, at, entries)

/** Returns the context of a service call at that moment. */
export function contextOf<K extends AuditKind>(moment: Moment): Change<K> {
  const { services, tx, at, by } = moment
  const actor = actorOf(by, at)
  return {
    services: { ...services, clock: { now: () => at } },
    actor,
    read: tx,
    scope: (page, level) => scopeOf(actor, page, level),
    ip: by.ip,
    userAgent: 'demo',
    language: 'ko',
    timeZone: 'UTC',
    requestId: 'demo',
    record: (work) => work(tx),
    change: async (work) => {
      const { result, log: entries } = await work(tx)
      if (entries !== 'unchanged') await log(moment, entries)
      return result
    },
  }
}

/** One event of the past. */
export type Step = { at: Date; by: DemoActor; run: (moment: Moment) => Promise<unknown> }

/** Runs the steps in order of time; those after `until` are left out. */
export async function replay(services: Services, tx: Tx, steps: readonly Step[], until: Date): Promise<void> {
  const past = steps.filter(({ at }) => at < until).sort((a, b) => a.at.getTime() - b.at.getTime())
  for (const { at, by, run } of past) await run({ services, tx, at, by })
}
