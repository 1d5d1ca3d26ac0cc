// Random numbers and calendar of the sample organization, and its past: each step calls the product's services with a
// clock set to its moment. The steps run in order of time, in one transaction.
import { FULL_PAGE_AUTH, NO_PAGE_AUTH } from '@acc/contract/core/access'
import type { AuditKind } from '@acc/contract/history/kinds'
import { Role } from '@acc/contract/labels/access'
import { LoginType } from '@acc/contract/labels/users'
import { later, minutes } from '../src/clock.ts'
import { insertHistory } from '../src/core/change.ts'
import type { Actor, Change } from '../src/core/context.ts'
import { scopeOf } from '../src/core/scope.ts'
import type { Services } from '../src/core/services.ts'
import type { Tx } from '../src/db/open.ts'
import type { Client } from './clients.ts'
import type { Groups } from './groups.ts'
import type { People } from './people.ts'

export type Random = ReturnType<typeof seeded>

/** Creates reproducible random numbers (Mulberry32, not for security). */
export function seeded(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** Returns an integer in the range, both ends included. */
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  const pick = <T>(list: readonly T[]): T => {
    const [picked] = list.slice(int(0, list.length - 1))
    if (picked === undefined) throw new RangeError('nothing to pick from')
    return picked
  }
  /** Returns several different elements. */
  const some = <T>(list: readonly T[], count: number): T[] => {
    const left = [...list]
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(int(0, left.length - 1), 1)).flat()
  }
  return { int, pick, some, chance: (probability: number) => next() < probability }
}

/** Days of history before today, at least. */
const LENGTH = 30
/** Steps of today are at most so many minutes ago. */
const LONGEST = 480

export type Calendar = {
  now: Date
  /** The number of today; the organization began on day 0. */
  today: number
  at(day: number, hour: number, minute?: number, second?: number): Date
  isWorkday(day: number): boolean
  /** The days until yesterday. */
  daysFrom(first: number): number[]
  /** Returns a moment so many minutes ago. Early in the day, moments of the last hours move together to be of today. */
  ago(count: number): Date
}

export function calendarOf(now: Date): Calendar {
  // Day 0 is a Monday, so that the fixed days are workdays.
  const today = LENGTH + ((now.getDay() + 6 - (LENGTH % 7) + 7) % 7)
  const at = (day: number, hour: number, minute = 0, second = 0) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - today + day, hour, minute, second)
  const share = Math.min(1, (now.getTime() - at(today, 0).getTime()) / minutes(LONGEST))
  const ago = (count: number) => later(now, -minutes(count) * (count > LONGEST ? 1 : share))
  const daysFrom = (first: number) => Array.from({ length: today - first }, (_, index) => first + index)
  return { now, today, at, ago, daysFrom, isWorkday: (day) => day % 7 < 5 }
}

/** Returns the value of a key that must exist. */
export function required<T>(map: ReadonlyMap<string, T>, key: string): T {
  const value = map.get(key)
  if (value === undefined) throw new RangeError(`${key} is not part of the sample organization`)
  return value
}

/** An actor: the administrator, or one of the sample people. */
export type DemoActor = Pick<Actor, 'idx' | 'id' | 'name' | 'email' | 'groupIdx' | 'groupName' | 'role'> & {
  ip: string
}

/** The context of a service call at a moment of the past, with its transaction. */
export type Past = Change<AuditKind> & { services: Services; tx: Tx; at: Date; by: DemoActor }
export type Run = (past: Past) => Promise<unknown>
export type Step = { at: Date; by: DemoActor; run: Run }

/** The state that the parts share. `on` adds a step. */
export type Cast = Calendar & {
  random: Random
  admin: DemoActor
  groups: Groups
  people: People
  clients: readonly Client[]
  /** The hash of the common password. */
  pwHash: string
  on: (at: Date, by: DemoActor, run: Run) => void
}

export function pastOf(services: Services, tx: Tx, at: Date, by: DemoActor): Past {
  const isUser = by.role === Role.USER
  const actor: Actor = {
    ...{ ...by, kind: isUser ? 'client' : 'web', pageAuth: isUser ? NO_PAGE_AUTH : FULL_PAGE_AUTH },
    ...{ sessionIdx: 0, deviceIdx: null, loginType: LoginType.DEFAULT, pwSetDT: null, expireDT: null },
    ...{ sessionExpireDT: at, rightsRevision: 0, isSubstitute: true },
  }
  return {
    services: { ...services, clock: { now: () => at } },
    ...{ tx, at, by, actor, read: tx, ip: by.ip },
    ...{ userAgent: 'demo', language: 'ko', timeZone: 'UTC', requestId: 'demo' },
    scope: (page, level) => scopeOf(actor, page, level),
    record: (work) => work(tx),
    change: async (work) => {
      const { result, log } = await work(tx)
      if (log !== 'unchanged') await insertHistory(tx, by, at, log)
      return result
    },
  }
}

/** Runs the past steps in order of time. */
export async function replay(services: Services, tx: Tx, steps: readonly Step[], now: Date): Promise<void> {
  const past = steps.filter(({ at }) => at < now).sort((a, b) => a.at.getTime() - b.at.getTime())
  for (const { at, by, run } of past) await run(pastOf(services, tx, at, by))
}
