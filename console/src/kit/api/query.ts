// Server data by TanStack Query: keys are a route's path and its input, so that a domain's answers can be made stale
// by naming its routes. Reads that fail are shown in their pane, writes that fail by their caller or globally.
import { ApiError } from '@acc/contract/core/client'
import type { ErrorName } from '@acc/contract/core/errors'
import type { DataOf, InputOf, Route, Routes } from '@acc/contract/core/route'
import { keepPreviousData, QueryClient, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { notice } from '../dialogs/notice.tsx'
import { call } from './call.ts'
import { claim, endsPage } from './errors.ts'

type ReadRoute = Extract<Route, { method: 'GET' }>

/** Codes of what never reached the server, or of a server that is not there yet; its own word would be the same again. */
const PASSING = [1000, 502, 503, 504]
const canRetry = (failures: number, error: Error): boolean =>
  error instanceof ApiError && error.type === 'network' && PASSING.includes(error.code) && failures < 2

export const queryClient = new QueryClient({
  defaultOptions: {
    // "always": a browser that takes itself for offline would hold calls back in silence, and send a decision much later.
    queries: { staleTime: 15_000, retry: canRetry, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

/** A read of the server; `claim`s what its pane shows, so that only the end of the session interrupts. */
export const queryOf = <R extends ReadRoute>(route: R, input: InputOf<R>) =>
  queryOptions({
    queryKey: [route.path, input],
    queryFn: async ({ signal }): Promise<DataOf<R>> => {
      try {
        return await call(route, input, { signal })
      } catch (error) {
        if (!endsPage(error)) claim(error)
        throw error
      }
    },
  })

type QueryChoices = {
  enabled?: boolean
  /** The former answer stays until the next one is there: lists that are paged or filtered. */
  keepsFormer?: boolean
}
export const useApiQuery = <R extends ReadRoute>(route: R, input: InputOf<R>, choices: QueryChoices = {}) =>
  useQuery({
    ...queryOf(route, input),
    enabled: choices.enabled ?? true,
    ...(choices.keepsFormer ? { placeholderData: keepPreviousData } : {}),
  })

/** Makes every answer of these domains stale; what is on screen is asked again. `refresh(api.users, api.groups)`. */
export async function refresh(...domains: Routes[]): Promise<void> {
  const paths = new Set(domains.flatMap((routes) => Object.values(routes).map((route): string => route.path)))
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => paths.has(String(queryKey[0])) })
}

/** The errors that a call of this route can answer. */
export type ErrorsOf<R extends Route> = R extends { errors: readonly (infer E extends ErrorName)[] } ? E : never

type ActionChoices<R extends Route> = {
  /** Domains that the action changes. */
  refreshes?: Routes[]
  /** A quiet notice after success. */
  done?: string
  onDone?: (data: DataOf<R>, input: InputOf<R>) => void
  /** Errors with a reaction of their own; all others are shown globally. */
  handles?: Partial<Record<ErrorsOf<R>, (error: ApiError) => void>>
}

/** A write without a form. `run` answers undefined where it failed: the person has then been told already. */
export function useApiAction<R extends Route>(route: R, choices: ActionChoices<R> = {}) {
  const mutation = useMutation({
    mutationFn: (input: InputOf<R>) => call(route, input),
    onSuccess: async (data, input) => {
      await refresh(...(choices.refreshes ?? []))
      if (choices.done) notice(choices.done)
      choices.onDone?.(data, input)
    },
  })
  const run = async (input: InputOf<R>): Promise<DataOf<R> | undefined> => {
    try {
      return await mutation.mutateAsync(input)
    } catch (error) {
      const handles: Partial<Record<string, (error: ApiError) => void>> = choices.handles ?? {}
      const handle = error instanceof ApiError && error.error ? handles[error.error] : undefined
      if (handle && error instanceof ApiError) {
        claim(error)
        handle(error)
      }
      return undefined
    }
  }
  return { run, isRunning: mutation.isPending }
}
