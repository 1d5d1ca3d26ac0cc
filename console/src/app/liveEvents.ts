// Open screens follow the server's events: what an event names is asked again. While nobody is at the page they are only
// marked stale, since asking uses the session, and an unattended console must run out (design: threats, B16).
import { api } from '@acc/contract'
import { addressOf } from '@acc/contract/client'
import { LiveEvent } from '@acc/contract/events'
import type { Routes } from '@acc/contract/route'
import { serverAddress } from '../kit/call.ts'
import { queryClient, refresh } from '../kit/query.ts'

/** What a topic makes stale. */
const DOMAINS: Record<LiveEvent['topic'], Routes[]> = {
  approvals: [api.approvals, api.history],
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

export const reloadGroups = (): void => void refresh(api.groups)

function watchPresence() {
  let lastSeen = Date.now()
  const note = () => {
    lastSeen = Date.now()
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

/** Follows `GET /Events` until stopped; the browser connects again by itself. `onSession`: the session itself changed. */
export function followLiveEvents(onSession: () => void): () => void {
  const presence = watchPresence()
  const waiting = new Set<LiveEvent['topic']>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let hadBreak = false

  const flush = () => {
    const domains = [...waiting].flatMap((topic) => DOMAINS[topic])
    if (waiting.has('session') || waiting.has('authorities')) onSession()
    waiting.clear()
    timer = undefined
    if (presence.isThere()) void refresh(...domains)
    else markStale(domains)
  }
  const source = new EventSource(addressOf(serverAddress(), api.events.stream, {}), { withCredentials: true })
  const note = (topic: LiveEvent['topic']) => {
    waiting.add(topic)
    timer ??= setTimeout(flush, GATHER)
  }
  source.onmessage = ({ data }) => {
    const event = read(String(data))
    if (event) note(event.topic)
  }
  source.onerror = () => {
    hadBreak = true
  }
  // What happened while the line was down is unknown: everything may be stale.
  source.onopen = () => {
    if (hadBreak) for (const topic of LiveEvent.shape.topic.options) note(topic)
    hadBreak = false
  }
  return () => {
    source.close()
    clearTimeout(timer)
    presence.stop()
  }
}

function markStale(domains: readonly Routes[]): void {
  const paths = new Set(domains.flatMap((routes) => Object.values(routes).map((route): string => route.path)))
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => paths.has(String(queryKey[0])),
    refetchType: 'none',
  })
}
