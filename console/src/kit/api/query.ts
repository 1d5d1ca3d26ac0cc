// Server data by TanStack Query. Keys are a route's path and its input. Each query carries the topics that its route
// shows, so that a write or a live event makes exactly the affected data stale. Failed reads are shown in their pane,
// failed writes by their caller or globally.
import { ApiError } from '@acc/contract/core/client'
import type { ErrorsOf } from '@acc/contract/core/errors'
import type { DataOf, InputOf, Route } from '@acc/contract/core/route'
import type { Topic } from '@acc/contract/core/topics'
import { keepPreviousData, type Query, QueryClient, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { showToast, type ToastLink } from '../dialogs/toast.tsx'
import { call, timeZoneHeader } from './call.ts'
import { endsPage, markHandled } from './errors.ts'

type ReadRoute = Extract<Route, { method: 'GET' }>
type WriteRoute = Extract<Route, { method: 'POST' | 'PUT' | 'DELETE' }>

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { shows?: readonly Topic[]; pace?: number }
  }
}

/** Codes worth a retry: the server was not reached or is starting. Its own errors would be the same again. */
const PASSING = [1000, 502, 503, 504]
const canRetry = (failures: number, error: Error): boolean =>
  error instanceof ApiError && error.type === 'network' && PASSING.includes(error.code) && failures < 2

export const queryClient = new QueryClient({
  defaultOptions: {
    // 'online' mode would pause calls silently while the browser reports offline, and send a decision much later.
    queries: { staleTime: 15_000, retry: canRetry, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

type ReadOptions = {
  /** Milliseconds at least between two fetches that live events cause; for figures that change all the time. */
  pace?: number
  /** The response depends on the time zone. */
  isLocal?: boolean
}

/** Refetches the groups (spec S1 §8, 982). Running reads continue, so that failed reads do not restart each other. */
const reloadGroups = () =>
  void queryClient.invalidateQueries(
    { predicate: ({ meta }) => meta?.shows?.includes('groups') === true },
    { cancelRefetch: false },
  )

/** A read of the server; its pane shows the error, so that only the end of the session interrupts. */
export const queryOf = <R extends ReadRoute>(route: R, input: InputOf<R>, { pace = 0, isLocal }: ReadOptions = {}) =>
  queryOptions({
    queryKey: [route.path, input],
    meta: { shows: route.shows, pace },
    queryFn: async ({ signal }): Promise<DataOf<R>> => {
      try {
        return await call(route, input, isLocal ? { signal, headers: timeZoneHeader() } : { signal })
      } catch (error) {
        if (!endsPage(error)) markHandled(error)
        if (error instanceof ApiError && error.error === 'GROUP_RIGHTS_CHANGED') reloadGroups()
        throw error
      }
    },
  })

type QueryChoices<D> = ReadOptions & {
  enabled?: boolean
  /** Seconds after which the data is out of date without an event; null if it is not. */
  checkAfter?: (data: NoInfer<D>) => number | null
  /** Keeps the previous data until the next is loaded: lists that are paged or filtered. */
  keepsFormer?: boolean
  /** Milliseconds between two fetches, for what no live event announces. */
  every?: number
}
export const useApiQuery = <R extends ReadRoute>(route: R, input: InputOf<R>, choices: QueryChoices<DataOf<R>> = {}) =>
  useQuery({
    ...queryOf(route, input, choices),
    enabled: choices.enabled ?? true,
    refetchInterval: ({ state: { data } }) => {
      const seconds = data === undefined ? null : (choices.checkAfter?.(data) ?? null)
      return seconds === null ? false : Math.max(1, seconds) * 1000
    },
    ...(choices.keepsFormer ? { placeholderData: keepPreviousData } : {}),
    ...(choices.every === undefined ? {} : { refetchInterval: choices.every }),
  })

/** Time of each query's last fetch, in milliseconds since 1970. */
const fetchedAt = new WeakMap<Query, number>()
queryClient.getQueryCache().subscribe((event) => {
  if (event.type === 'updated' && event.action.type === 'fetch') fetchedAt.set(event.query, Date.now())
})

const shows = (query: Query, topics: ReadonlySet<Topic>) =>
  query.meta?.shows?.some((topic) => topics.has(topic)) === true

/** Marks the data of these topics as stale and refetches the data on screen. */
export async function refresh(topics: Iterable<Topic>): Promise<void> {
  const changed = new Set(topics)
  await queryClient.invalidateQueries({ predicate: (query) => shows(query, changed) })
}

/** Aborts the reads that the server has not answered, and sends them again. */
export async function repeatReads(): Promise<void> {
  const waiting = queryClient.getQueryCache().findAll({ fetchStatus: 'fetching' })
  const predicate = (query: Query) => waiting.includes(query)
  await queryClient.cancelQueries({ predicate })
  await queryClient.refetchQueries({ predicate, type: 'active' })
}

/** Milliseconds until live events may cause the next fetch. */
const waitOf = (query: Query) => Math.max(0, (fetchedAt.get(query) ?? 0) + (query.meta?.pace ?? 0) - Date.now())

/**
 * Does the same after live events, given the time of each topic's last event. Data requested since is fresh, as after
 * the user's own write. If `refetches` returns false, data is only marked stale. Paced queries follow when due.
 */
export async function refreshAfter(events: ReadonlyMap<Topic, number>, refetches: () => boolean): Promise<void> {
  const isStale = (query: Query) =>
    [...events].some(([topic, at]) => shows(query, new Set([topic])) && (fetchedAt.get(query) ?? 0) < at)
  const early = queryClient.getQueryCache().findAll({ predicate: (query) => isStale(query) && waitOf(query) > 0 })
  if (early.length > 0) setTimeout(() => void refreshAfter(events, refetches), Math.min(...early.map(waitOf)))
  await queryClient.invalidateQueries({
    predicate: (query) => isStale(query) && waitOf(query) === 0,
    refetchType: refetches() ? 'active' : 'none',
  })
}

type ActionChoices<R extends WriteRoute> = {
  /** A quiet notice after success. */
  done?: string
  /** Where the notice leads on. */
  link?: ToastLink
  onDone?: (data: DataOf<R>, input: InputOf<R>) => void
  /** Errors that the caller handles; all others are shown globally. */
  handles?: Partial<Record<ErrorsOf<R>, (error: ApiError) => void>>
}

/** Somebody else has changed or deleted what the call names. */
export const isOutdated = ({ error }: ApiError): boolean => error === 'CHANGED_MEANWHILE' || error === 'NOT_ALLOWED'

type Attempt<R extends Route> = { input: InputOf<R>; leave: (() => void) | undefined }

/**
 * Returns a write without a form. It refetches the data that its route changes. `run` returns undefined if the call
 * failed: the user has seen why. `leave` runs before the refetch: it moves the focus away from a removed element.
 */
export function useApiAction<R extends WriteRoute>(route: R, choices: ActionChoices<R> = {}) {
  const mutation = useMutation({
    mutationFn: ({ input }: Attempt<R>) => call(route, input),
    onSuccess: async (data, { input, leave }) => {
      leave?.()
      await refresh(route.changes)
      if (choices.done) showToast(choices.done, 'done', choices.link)
      choices.onDone?.(data, input)
    },
  })
  const run = async (input: InputOf<R>, leave?: () => void): Promise<DataOf<R> | undefined> => {
    try {
      return await mutation.mutateAsync({ input, leave })
    } catch (error) {
      const handles: Partial<Record<string, (error: ApiError) => void>> = choices.handles ?? {}
      const handle = error instanceof ApiError && error.error ? handles[error.error] : undefined
      if (handle && error instanceof ApiError) {
        markHandled(error)
        handle(error)
      }
      if (error instanceof ApiError && isOutdated(error)) void refresh(route.changes)
      return undefined
    }
  }
  return { run, isRunning: mutation.isPending }
}
