// Which groups the viewers of this node's event streams cover. The tree and the grants of all viewers are read once for
// all streams, after each event that may change them, since hundreds of consoles share a node.
import type { Page } from '@acc/contract/labels/access'
import type { Reader } from '../../db/open.ts'
import { type EventHub, type HubEvent, MISSED } from '../../events/eventHub.ts'
import { findGrants, findMemberships, findPaths, type Grants, type Paths } from './events.queries.ts'

/** The pages that a viewer holds a level on over a group; over any group for null. */
export type Coverage = (groupIdx: number | null | undefined) => ReadonlySet<Page>

/** Topics that change the tree, and those that change grants: a deleted group takes its own with it. */
const OF_PATHS: readonly string[] = ['groups', MISSED.topic]
const OF_GRANTS: readonly string[] = ['groups', 'authorities', MISSED.topic]

/** A value that is read when it is needed, and again once it has expired. */
function openReading<T>(read: () => Promise<T>) {
  let current: Promise<T> | undefined
  let former: Promise<T> | undefined
  const start = () => {
    const reading = read()
    reading.catch(() => {
      if (current === reading) current = undefined
      if (former === reading) former = undefined
    })
    return reading
  }
  return {
    now: (): Promise<T> => {
      current ??= start()
      return current
    },
    /** The last value, current or not. */
    last: () => current ?? former,
    expire: (): void => {
      former = current ?? former
      current = undefined
    },
  }
}

const coverageOf =
  (paths: Paths, grants: Grants): Coverage =>
  (groupIdx) => {
    const named = typeof groupIdx === 'number' ? (paths.get(groupIdx) ?? []) : grants.keys()
    return new Set([...named].flatMap((idx) => [...(grants.get(idx) ?? [])]))
  }

type Read = { paths: Promise<Paths> | undefined; grants: Promise<ReadonlyMap<number, Grants>> | undefined }

function openViewers(hub: EventHub, db: Reader) {
  /** Open streams of each viewer. */
  const streams = new Map<number, number>()
  const paths = openReading(() => findPaths(db))
  const grants = openReading(() => findGrants(db, [...streams.keys()]))
  const memberships = openReading(() => findMemberships(db, [...streams.keys()]))
  /** The value before an event that made it stale. */
  const formers = new WeakMap<HubEvent, Read>()
  const unsubscribe = hub.subscribe((event) => {
    if (!OF_GRANTS.includes(event.topic)) return
    formers.set(event, { paths: paths.last(), grants: grants.last() })
    grants.expire()
    memberships.expire()
    if (OF_PATHS.includes(event.topic)) paths.expire()
  })
  return {
    add: (userIdx: number) => {
      // The grants were read without this person.
      if (!streams.has(userIdx)) {
        grants.expire()
        memberships.expire()
      }
      streams.set(userIdx, (streams.get(userIdx) ?? 0) + 1)
    },
    /** Returns whether others remain. */
    remove: (userIdx: number): boolean => {
      const left = (streams.get(userIdx) ?? 1) - 1
      if (left > 0) streams.set(userIdx, left)
      else streams.delete(userIdx)
      if (streams.size === 0) unsubscribe()
      return streams.size > 0
    },
    isMember: async (userIdx: number, authorityIdxes: readonly number[]): Promise<boolean> => {
      const own = (await memberships.now()).get(userIdx)
      return own !== undefined && authorityIdxes.some((idx) => own.has(idx))
    },
    findCoverages: async (userIdx: number, event: HubEvent): Promise<Coverage[]> => {
      const found: Coverage[] = []
      for (const read of [formers.get(event), { paths: paths.now(), grants: grants.now() }]) {
        if (read?.paths === undefined || read.grants === undefined) continue
        found.push(coverageOf(await read.paths, (await read.grants).get(userIdx) ?? new Map()))
      }
      return found
    },
  }
}

const viewersOf = new WeakMap<EventHub, ReturnType<typeof openViewers>>()

/** Follows the coverage of a stream's viewer until it is closed. */
export function followCoverage(hub: EventHub, db: Reader, userIdx: number) {
  const viewers = viewersOf.get(hub) ?? openViewers(hub, db)
  viewersOf.set(hub, viewers)
  viewers.add(userIdx)
  let isOpen = true
  return {
    /** Returns the current coverage and, if the event may have changed it, the previous one. */
    findCoverages: (event: HubEvent): Promise<Coverage[]> => viewers.findCoverages(userIdx, event),
    /** Whether the viewer belongs to one of some authorities. */
    isMember: (authorityIdxes: readonly number[]): Promise<boolean> => viewers.isMember(userIdx, authorityIdxes),
    close: () => {
      if (isOpen && !viewers.remove(userIdx)) viewersOf.delete(hub)
      isOpen = false
    },
  }
}
