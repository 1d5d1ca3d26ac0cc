// Limits of a person on a node: calls per second, and connections at the same time (event streams, uploads, downloads,
// CSV files). They count per person and not per session, so that signing in again does not raise them.
import type { ServerResponse } from 'node:http'
import type { Route } from '@acc/contract/core/route'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import { fail } from '../core/errors.ts'
import { openSlots, type Slots } from '../core/slots.ts'
import { wantsCsv } from './csv.ts'

/**
 * Connections of one person at the same time. `csv` is below the database connections for CSV files (db/open.ts). Files
 * of `form` are held in memory.
 */
export const MAX_OPEN = { stream: 30, csv: 2, form: 2 } as const
type HeldKind = keyof typeof MAX_OPEN

/** Reads of one person at the same time, far below the database connections for reading. Further ones wait. */
export const MAX_READS = 3
/** Reads of one person that wait; a screen that refreshes makes about ten. */
const MAX_WAITING_READS = 100

/** Milliseconds of calls that a person may make at once after a pause. */
const BURST = 10_000
/** Entries after which people who make no calls are forgotten. */
const MANY = 10_000

type Person = { idx: number }
export type Limits = {
  /** Counts a call. Fails with TOO_MANY_REQUESTS above the limit. */
  call(person: Person): void
  /** Takes a connection of a kind and returns its release. Fails with TOO_MANY_REQUESTS above the limit. */
  hold(person: Person, kind: HeldKind): () => void
  /** Runs a read in one of a person's turns. Fails with TOO_MANY_REQUESTS where too many wait. */
  read<T>(person: Person, work: () => Promise<T>): Promise<T>
}

declare module 'fastify' {
  interface FastifyInstance {
    limits: Limits
    /** Of BIM servers: their idxes are not those of people. */
    bimLimits: Limits
  }
}

const tooMany = (retryAfter: number) => fail('TOO_MANY_REQUESTS', { retryAfter })

export function openLimits(clock: Clock, callsPerSecond: number): Limits {
  const cost = 1000 / callsPerSecond
  /** For each person the moment at which all of their calls are paid for (generic cell rate algorithm). */
  const paidAt = new Map<number, number>()
  const open = { stream: new Map<number, number>(), csv: new Map<number, number>(), form: new Map<number, number>() }
  const reads = new Map<number, Slots>()
  const forget = (now: number) => {
    for (const [idx, at] of paidAt) if (at <= now) paidAt.delete(idx)
  }
  return {
    call({ idx }) {
      const now = clock.now().getTime()
      const paid = paidAt.get(idx) ?? now
      // Further ahead than any call could set it: the clock was set back.
      const at = paid > now + BURST + cost ? now : Math.max(paid, now)
      if (at - now >= BURST) tooMany(1)
      paidAt.set(idx, at + cost)
      if (paidAt.size > MANY) forget(now)
    },
    hold({ idx }, kind) {
      const counts = open[kind]
      const count = counts.get(idx) ?? 0
      if (count >= MAX_OPEN[kind]) tooMany(10)
      counts.set(idx, count + 1)
      return () => {
        const left = (counts.get(idx) ?? 1) - 1
        if (left === 0) counts.delete(idx)
        else counts.set(idx, left)
      }
    },
    async read({ idx }, work) {
      const turns = reads.get(idx) ?? openSlots(MAX_READS, MAX_WAITING_READS, () => tooMany(10))
      reads.set(idx, turns)
      try {
        return await turns.run(work)
      } finally {
        if (turns.isIdle()) reads.delete(idx)
      }
    },
  }
}

/** Milliseconds after which a reader that takes no bytes loses a response. */
const STALL = 60_000

/** Closes the connection of a response whose reader takes no bytes for `stall` milliseconds. */
export const endStalled = (response: ServerResponse, stall = STALL) =>
  response.setTimeout(stall, () => response.destroy())

/** Holds a place of a signed-in person for as long as a long response takes. */
export function reservePlace(route: Route, person: Person, request: FastifyRequest, { raw }: FastifyReply): void {
  const isCsv = route.kind === 'list' && wantsCsv(request)
  if (route.kind === 'json' || route.kind === 'redirect' || (route.kind === 'list' && !isCsv)) return
  const isInMemory = route.kind === 'form' && !('isStreamed' in route)
  raw.once('close', request.server.limits.hold(person, isCsv ? 'csv' : isInMemory ? 'form' : 'stream'))
  if (isCsv || route.kind === 'download') endStalled(raw)
}

/** Calls of one BIM server, which needs one every 30 seconds. */
const BIM_CALLS_PER_SECOND = 2

/** Gives the server its limits. */
export function limitCallers(http: FastifyInstance, clock: Clock, callsPerSecond: number): void {
  http.decorate('limits', openLimits(clock, callsPerSecond))
  http.decorate('bimLimits', openLimits(clock, BIM_CALLS_PER_SECOND))
}
