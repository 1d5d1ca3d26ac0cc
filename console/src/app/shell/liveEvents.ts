// Open screens follow the server's events: what an event names is asked again. While nobody is at the page they are only
// marked stale, since asking uses the session, and an unattended console must run out (design: threats, B16).
import { api } from '@acc/contract'
import { addressOf } from '@acc/contract/core/client'
import type { Routes } from '@acc/contract/core/route'
import { LiveEvent } from '@acc/contract/events'
import { serverAddress } from '../../kit/api/call.ts'
import { queryClient, refresh } from '../../kit/api/query.ts'

/** What a topic makes stale. */
const DOMAINS: Record<LiveEvent['topic'], Routes[]> = {
  requests: [api.requests, api.history],
  users: [api.users, api.groups, api.authorities],
  groups: [api.groups, api.policies],
  policies: [api.policies, api.groups, api.users],
  authorities: [api.authorities, api.groups],
  mails: [api.mails],
  session: [],
}

/** Nobody is taken to be there after this time without a key or a pointer. */
const ATTENDED = 5 * 60_000
/** Events that come together are answered once. */
const GATHER = 300
const RECONNECT = 15_000

export const reloadGroups = (): void => void refresh(api.groups)

/** `onReturn`: somebody is there again after a time without a sign of them. */
function watchPresence(onReturn: () => void) {
  let lastSeen = Date.now()
  const note = () => {
    const wasAway = Date.now() - lastSeen >= ATTENDED
    lastSeen = Date.now()
    if (wasAway) onReturn()
  }
  const signs = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const
  for (const sign of signs) addEventListener(sign, note, { passive: true })
  return {
    isThere: () => document.visibilityState === 'visible' && Date.now() - lastSeen < ATTENDED,
    stop: () => {
      for (const sign of signs) removeEventListener(sign, note)
    },
  }
}

function read(data: string): LiveEvent | null {
  try {
    return LiveEvent.parse(JSON.parse(data))
  } catch {
    return null
  }
}

/** Keeps a line to `GET /Events`. `onLost`: events may have been missed, since the line was down. */
function keepLine(onEvent: (event: LiveEvent) => void, onLost: () => void): () => void {
  let source: EventSource
  let again: ReturnType<typeof setTimeout> | undefined
  let hadBreak = false
  const connect = () => {
    source = new EventSource(addressOf(serverAddress(), api.events.stream, {}), { withCredentials: true })
    source.onmessage = ({ data }) => {
      const event = read(String(data))
      if (event) onEvent(event)
    }
    source.onopen = () => {
      if (hadBreak) onLost()
      hadBreak = false
    }
    source.onerror = () => {
      hadBreak = true
      // The browser itself connects again after a broken line, but not after an answer that was no stream.
      if (source.readyState === EventSource.CLOSED) again = setTimeout(connect, RECONNECT)
    }
  }
  connect()
  return () => {
    clearTimeout(again)
    source.close()
  }
}

/** Follows the server's events until stopped. `onSession`: the session itself may have changed. */
export function followLiveEvents(onSession: () => void): () => void {
  const presence = watchPresence(askMissed)
  const waiting = new Set<LiveEvent['topic']>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const flush = () => {
    const domains = [...waiting].flatMap((topic) => DOMAINS[topic])
    if (waiting.has('session') || waiting.has('authorities')) onSession()
    waiting.clear()
    timer = undefined
    if (presence.isThere()) void refresh(...domains)
    else markStale(domains)
  }
  const note = (topic: LiveEvent['topic']) => {
    waiting.add(topic)
    timer ??= setTimeout(flush, GATHER)
  }
  const hangUp = keepLine(
    (event) => note(event.topic),
    () => {
      for (const topic of LiveEvent.shape.topic.options) note(topic)
    },
  )
  return () => {
    hangUp()
    clearTimeout(timer)
    presence.stop()
  }
}

/** Asks what was only marked stale while nobody was there. */
const askMissed = (): void =>
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.isInvalidated })

function markStale(domains: readonly Routes[]): void {
  const paths = new Set(domains.flatMap((routes) => Object.values(routes).map((route): string => route.path)))
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => paths.has(String(queryKey[0])),
    refetchType: 'none',
  })
}
