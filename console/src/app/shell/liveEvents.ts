// Open screens follow the server's events: what an event names is asked again. While nobody is at the page they are only
// marked stale, since asking uses the session, and an unattended console must run out (design: threats, B16).
import { api } from '@acc/contract'
import { addressOf } from '@acc/contract/core/client'
import { TOPICS, type Topic } from '@acc/contract/core/topics'
import { LiveEvent } from '@acc/contract/events'
import { serverAddress } from '../../kit/api/call.ts'
import { queryClient, refresh, refreshAfter } from '../../kit/api/query.ts'

/** Nobody is taken to be there after this time without a key or a pointer. */
const ATTENDED = 5 * 60_000
/** Events that come together are answered once. */
const GATHER = 300
const RECONNECT = 15_000

export const reloadGroups = (): void => void refresh(['groups'])

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
  const waiting = new Map<Topic, number>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const flush = () => {
    if (api.session.read.shows.some((topic) => waiting.has(topic))) onSession()
    void refreshAfter(new Map(waiting), presence.isThere())
    waiting.clear()
    timer = undefined
  }
  const note = (topic: Topic) => {
    waiting.set(topic, Date.now())
    timer ??= setTimeout(flush, GATHER)
  }
  const hangUp = keepLine(
    (event) => note(event.topic),
    () => TOPICS.forEach(note),
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
