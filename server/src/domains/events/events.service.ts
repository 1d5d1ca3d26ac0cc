// Live events for one viewer: changes in covered groups, and the end of the own session. An event names a topic and a
// row, never their content, so that the client fetches it and the access check applies.
import { TOPICS, type Topic } from '@acc/contract/core/topics'
import type { LiveEvent } from '@acc/contract/events'
import { PAGES, type Page, Role } from '@acc/contract/labels/access'
import type { GroupTopic } from '../../core/change.ts'
import type { Actor } from '../../core/context.ts'
import type { HandlerServices } from '../../core/services.ts'
import { isDatabaseGone, isTimeout } from '../../db/constraints.ts'
import type { Reader } from '../../db/open.ts'
import type { StatementPool } from '../../db/statement.ts'
import { type HubEvent, MISSED } from '../../events/eventHub.ts'
import { type EventPace, openEventPace } from '../../events/eventPace.ts'
import { openEventQueue } from '../../events/eventQueue.ts'
import { type Coverage, followCoverage } from './events.coverage.ts'
import { isSessionOpen } from './events.queries.ts'

/** The session that receives the events. */
type Listener = {
  services: Pick<HandlerServices, 'events' | 'clock'>
  readonly read: Reader
  readonly sessions: StatementPool
  actor: Pick<Actor, 'idx' | 'role' | 'sessionIdx'>
}

type Audience = readonly Page[] | { anywhere: Page }
type Audiences = Record<GroupTopic, readonly Page[]> &
  Record<Exclude<Topic, GroupTopic>, { anywhere: Page } | 'admin' | 'own' | 'author'>
/**
 * Receivers of a topic besides administrators. `own`: the owner of the row. `author`: the manager who made it. Pages:
 * managers with a level on one of them for the event's group, or for any group if the row belongs to none.
 */
const AUDIENCE: Audiences = {
  requests: ['fileExportApprove', 'fileImportApprove', 'log'],
  signIns: ['log'],
  // Approvers see of a request whether its requester is suspended, and what the policy says.
  users: ['user', 'fileExportApprove', 'fileImportApprove'],
  groups: PAGES,
  policies: ['policy', 'fileExportApprove'],
  shortcuts: { anywhere: 'policy' },
  authorities: 'admin',
  mails: 'admin',
  licenses: 'admin',
  clientVersions: 'admin',
  settings: 'admin',
  bim: 'admin',
  bimConnections: 'admin',
  session: 'own',
  downloads: 'own',
  userImports: 'author',
}
/** Interval of session checks, in milliseconds. */
const SESSION_CHECK = 30_000
/** Milliseconds after which a stream ends if its session cannot be looked up, so that withdrawn rights end too. */
const UNCONFIRMED = 3 * SESSION_CHECK
/** Milliseconds between two events of the paced topics: in the morning, hundreds of people sign in at once. */
const PACE = 5_000
const PACED: readonly Topic[] = ['signIns']

const isTopic = (topic: string): topic is Topic => (TOPICS as readonly string[]).includes(topic)
const anyOf = (topic: Topic): LiveEvent => ({ topic, idx: null, groupIdx: null })

/** A single occurrence is no change that a viewer could fetch later. */
const FETCHED = TOPICS.filter((topic) => topic !== 'downloads')

/** Returns the events after missed notifications: every topic that may concern the viewer, without a row. */
function allTopics(role: Role): LiveEvent[] {
  if (role === Role.ADMIN) return FETCHED.map(anyOf)
  const isReceived = (topic: Topic) =>
    AUDIENCE[topic] === 'own' || (role === Role.MANAGER && AUDIENCE[topic] !== 'admin')
  return FETCHED.filter(isReceived).map(anyOf)
}

function covers(coverage: Coverage, audience: Audience, groupIdx: number | null | undefined): boolean {
  if ('anywhere' in audience) return coverage(null).has(audience.anywhere)
  return typeof groupIdx === 'number' && audience.some((page) => coverage(groupIdx).has(page))
}

/** Filters events in order for a viewer. */
function filterFor({ read, actor, services }: Listener) {
  const isAdmin = actor.role === Role.ADMIN
  const followed = isAdmin ? undefined : followCoverage(services.events, read, actor.idx)

  async function isReceived(topic: Topic, event: HubEvent): Promise<boolean> {
    if (followed === undefined) return true
    const audience = AUDIENCE[topic]
    if (typeof audience === 'string') return false
    // For created, moved or deleted groups, the coverage before and after the change counts.
    return (await followed.findCoverages(event)).some((coverage) => covers(coverage, audience, event.groupIdx))
  }
  const filter = async (event: HubEvent): Promise<LiveEvent[]> => {
    const { topic, idx = null, groupIdx = null, userIdx, authorityIdxes } = event
    if (topic === MISSED.topic) return allTopics(actor.role)
    if (!isTopic(topic)) return []
    if (userIdx !== undefined) return userIdx === actor.idx ? [anyOf(topic)] : []
    if (authorityIdxes !== undefined) return (await followed?.isMember(authorityIdxes)) ? [anyOf(topic)] : []
    return (await isReceived(topic, event)) ? [{ topic, idx, groupIdx }] : []
  }
  return { filter, close: () => followed?.close() }
}

const CHECK: HubEvent = { topic: 'check' }

type SessionState = 'open' | 'over' | 'unknown'

/**
 * Looks up the viewer's session. A look-up without a database connection is no result: otherwise all streams of a busy
 * server would end and reconnect at once.
 */
function watchSession({ services: { clock }, sessions, actor }: Listener) {
  let confirmed = clock.now()
  return {
    check: async (): Promise<SessionState> => {
      try {
        if (!(await isSessionOpen(sessions, actor.sessionIdx, clock.now()))) return 'over'
        confirmed = clock.now()
        return 'open'
      } catch (error) {
        if (!isPassing(error)) throw error
        return 'unknown'
      }
    },
    isOverdue: () => clock.now().getTime() - confirmed.getTime() >= UNCONFIRMED,
  }
}
const isPassing = (error: unknown) => isDatabaseGone(error) || isTimeout(error)

/** Puts the viewer's events into `ready`, in order. */
function listenFor(ctx: Listener, pace: EventPace, ready: LiveEvent[]) {
  const { actor } = ctx
  const filtered = filterFor(ctx)
  const session = watchSession(ctx)
  let isSkipped = false
  return {
    /** Adds the event if the viewer may receive it. After a lost database, all topics follow with the next look-up. */
    receive: async (event: HubEvent): Promise<void> => {
      try {
        const received = await filtered.filter(event)
        ready.push(...received.filter(({ topic }) => !PACED.includes(topic) || pace.allows(event)))
      } catch (error) {
        if (!isPassing(error)) throw error
        isSkipped = true
      }
    },
    /** Looks up the session if the event asks for it or may have ended it. Returns whether the stream continues. */
    continues: async ({ topic, userIdx }: HubEvent): Promise<boolean> => {
      const isOwn = userIdx === actor.idx
      if (topic !== CHECK.topic && topic !== MISSED.topic && !isOwn) return true
      const state = await session.check()
      if (state === 'unknown') return !isOwn && !session.isOverdue()
      if (state === 'over') ready.splice(0, ready.length, anyOf('session'))
      else if (isSkipped) ready.push(...allTopics(actor.role))
      isSkipped = false
      return state === 'open'
    },
    close: filtered.close,
  }
}

/**
 * Returns the viewer's events until the connection closes (`return`) or the session ends. A generator could not end
 * while it waits.
 */
export function followEvents(
  ctx: Listener,
  checkEvery = SESSION_CHECK,
  paceOf = PACE,
): AsyncIterableIterator<LiveEvent> {
  const { services } = ctx
  const queue = openEventQueue()
  const pace = openEventPace(paceOf, queue.push)
  const ready: LiveEvent[] = []
  const { receive, continues, close } = listenFor(ctx, pace, ready)
  const unsubscribe = services.events.subscribe(queue.push)
  const timer = setInterval(() => queue.push(CHECK), checkEvery)
  const end = () => {
    clearInterval(timer)
    pace.close()
    unsubscribe()
    close()
    queue.close()
  }

  async function next(): Promise<IteratorResult<LiveEvent, undefined>> {
    for (;;) {
      const value = ready.shift()
      if (value !== undefined) return { value, done: false }
      const event = await queue.take()
      if (event === undefined) return { value: undefined, done: true }
      await receive(event)
      if (!(await continues(event))) end()
    }
  }
  return {
    next,
    return: async () => {
      end()
      return { value: undefined, done: true }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
