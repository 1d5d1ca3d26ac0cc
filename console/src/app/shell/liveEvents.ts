// Open screens follow the server's events: data that an event names is fetched again. While the user is away it is only
// marked stale, since fetching extends the session and an unattended console must expire.
import { api } from '@acc/contract'
import { addressOf } from '@acc/contract/core/client'
import { TOPICS, type Topic } from '@acc/contract/core/topics'
import { LiveEvent } from '@acc/contract/events'
import { call, serverAddress } from '../../kit/api/call.ts'
import { endsPage, markHandled } from '../../kit/api/errors.ts'
import { queryClient, refresh, refreshAfter } from '../../kit/api/query.ts'
import { reportBrokenDownload } from '../../kit/api/useBrowserDownload.ts'
import { liveConnection } from '../../kit/browser/connection.ts'

/** The user counts as away after this long (ms) without input. */
const AWAY_AFTER = 5 * 60_000
/** Events within this time (ms) cause one refetch. */
const GATHER = 300
/** Milliseconds until the next attempt to connect, the first one and the later ones at the most. */
const RECONNECT = 2_000
const RECONNECT_MOST = 6_000

export const reloadGroups = (): void => void refresh(['groups'])

/** `onReturn` is called at the first input after the user was away. */
function watchPresence(onReturn: () => void) {
  let lastSeen = Date.now()
  const note = () => {
    const wasAway = Date.now() - lastSeen >= AWAY_AFTER
    lastSeen = Date.now()
    if (wasAway) onReturn()
  }
  const inputs = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const
  for (const input of inputs) addEventListener(input, note, { passive: true })
  return {
    isPresent: () => document.visibilityState === 'visible' && Date.now() - lastSeen < AWAY_AFTER,
    stop: () => {
      for (const input of inputs) removeEventListener(input, note)
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

/** Returns the wait after failed attempts to connect. It is random: all consoles lose a server at the same time. */
const delayAfter = (failed: number): number => Math.min(RECONNECT * 2 ** failed, RECONNECT_MOST) * (0.5 + Math.random())

/** Keeps a connection to `GET /Events`. `onLost` is called after a reconnection: events may have been missed. */
function connectEvents(onEvent: (event: LiveEvent) => void, onLost: () => void): () => void {
  let source: EventSource
  let again: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  let failed = 0
  const connectLater = () => {
    if (!isStopped) again = setTimeout(reconnect, delayAfter(failed++))
  }
  const connect = () => {
    if (isStopped) return
    source = new EventSource(addressOf(serverAddress(), api.events.stream, {}), { withCredentials: true })
    source.onmessage = ({ data }) => {
      const event = read(String(data))
      if (event) onEvent(event)
    }
    source.onopen = () => {
      if (liveConnection.get() === 'lost') onLost()
      liveConnection.set('up')
      failed = 0
    }
    source.onerror = () => {
      liveConnection.set('lost')
      // The browser would reconnect on its own even to a response that is no stream, as of an ended session.
      source.close()
      connectLater()
    }
  }
  const reconnect = async () => {
    try {
      await call(api.session.find, {})
      connect()
    } catch (error) {
      // The end of the session is shown by the global handler; the server itself is there.
      if (endsPage(error)) {
        liveConnection.set('none')
        return
      }
      markHandled(error)
      connectLater()
    }
  }
  connect()
  return () => {
    isStopped = true
    clearTimeout(again)
    source.close()
    liveConnection.set('none')
  }
}

/** Follows the server's events until stopped. `onSession`: the session itself may have changed. */
export function followLiveEvents(onSession: () => void): () => void {
  const presence = watchPresence(fetchMissed)
  const waiting = new Map<Topic, number>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const flush = () => {
    if (api.session.find.shows.some((topic) => waiting.has(topic))) onSession()
    void refreshAfter(new Map(waiting), presence.isPresent)
    waiting.clear()
    timer = undefined
  }
  const note = (topic: Topic) => {
    waiting.set(topic, Date.now())
    timer ??= setTimeout(flush, GATHER)
  }
  const disconnect = connectEvents(
    ({ topic }) => (topic === 'downloads' ? void reportBrokenDownload() : note(topic)),
    () => TOPICS.forEach(note),
  )
  return () => {
    disconnect()
    clearTimeout(timer)
    presence.stop()
  }
}

/** Fetches the data on screen that was only marked stale while the user was away. */
const fetchMissed = (): void =>
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.isInvalidated })
