// Calls to the server: `call(api.users.create, { ... })`, typed by the contract. Errors come as ApiError and are
// shown globally unless the caller marks them as handled (errors.ts).
import { ApiError, type CallOptions, type ClientOptions, createClient } from '@acc/contract/core/client'
import type { DataOf, InputOf, Route } from '@acc/contract/core/route'
import { noteAnswer, watchWrite } from '../browser/connection.ts'
import { createStore } from '../browser/store.ts'
import { language } from '../texts/texts.ts'
import { markAnnounced, passError } from './errors.ts'

const ABORTED = 'the call was aborted'

/**
 * Sends a form with its progress: fetch does not report how much of a body has been sent, XMLHttpRequest does. Returns
 * a fetch for forms that reports the bytes sent so far.
 */
const fetchWithProgress =
  (onSent: (bytes: number) => void): typeof fetch =>
  (input, { method = 'POST', headers, body, credentials, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, String(input))
      request.withCredentials = credentials === 'include'
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded }) => onSent(loaded)
      request.onload = () => {
        const { responseText, status, statusText } = request
        const type = request.getResponseHeader('content-type') ?? ''
        resolve(new Response(responseText, { status, statusText, headers: { 'content-type': type } }))
      }
      request.onerror = () => reject(new TypeError('the connection failed'))
      request.onabort = () => reject(new DOMException(ABORTED, 'AbortError'))
      signal?.addEventListener('abort', () => request.abort())
      request.send(body instanceof FormData ? body : null)
    })

type Reply = { path: string; status: number }
/** The server's latest reply, for the session checker. */
export const lastReply = createStore<Reply | null>(null)

const watched =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const answer = send(input, init)
    // Reads say so in their place, and sending a file takes its time.
    const response = await (typeof init?.body === 'string' ? watchWrite(answer) : answer)
    const { pathname } = new URL(String(input), location.href)
    if (response.status < 500) noteAnswer()
    lastReply.set({ path: pathname, status: response.status })
    return response
  }

/** Revision of the groups and rights that were loaded last. A call that fails because it is outdated returns 982. */
let rightsRevision: number | undefined
export const setRightsRevision = (revision: number): void => {
  rightsRevision = revision
}

const client: ClientOptions = {
  baseUrl: '',
  fetch: watched((input, init) => fetch(input, init)),
  headers: () => ({
    'Accept-Language': language(),
    ...(rightsRevision === undefined ? {} : { 'X-Rights-Revision': String(rightsRevision) }),
  }),
  onError: (error, route) => {
    // The portal names its routes without their errors, and handles those itself.
    if ('errors' in route) markAnnounced(error, route.errors)
    passError(error)
  },
}

/** Calls go to the page's own origin unless the runtime configuration names another (spec S1 §7). */
export const setServerAddress = (address: string): void => {
  client.baseUrl = address.replace(/\/+$/, '')
}
export const serverAddress = (): string => client.baseUrl

/** A route without its schemas, for the script of the first paint; `of` only carries the type. */
export type RouteRef<R extends Route> = Pick<R, 'method' | 'kind' | 'path'> & { of?: R }
type Callable<R extends Route> = R | RouteRef<R>

const sender = (route: Callable<Route>) => createClient({ routes: { send: route as Route } }, client).routes.send

export async function call<R extends Route>(
  route: Callable<R>,
  input: InputOf<R>,
  options?: CallOptions,
): Promise<DataOf<R>> {
  return (await sender(route)(input as Record<string, unknown>, options)) as DataOf<R>
}

type FormRoute = Route & { kind: 'form' }
/** Sends a form with a file. `onSent` receives how many of its bytes have been sent. */
export async function callForm<R extends FormRoute>(
  route: R,
  input: InputOf<R>,
  file: Blob,
  { onSent, ...options }: CallOptions & { onSent?: (bytes: number) => void } = {},
): Promise<DataOf<R>> {
  const form: FormRoute = route
  const way = onSent === undefined ? client : { ...client, fetch: watched(fetchWithProgress(onSent)) }
  const { send } = createClient({ routes: { send: form } }, way).routes
  return (await send(input as Record<string, unknown>, file, options)) as DataOf<R>
}

/** Returns the header of forms, and of reads that depend on the time zone. Others omit it: detecting it is slow. */
export const timeZoneHeader = () => ({ 'X-Time-Zone': Intl.DateTimeFormat().resolvedOptions().timeZone })

/** Returns a file instead of an envelope: the CSV form of a list, or a download. Files contain local times. */
export async function callFile<R extends Route>(
  route: Callable<R>,
  input: InputOf<R>,
  options: { signal?: AbortSignal } = {},
): Promise<Response> {
  const headers = {
    ...timeZoneHeader(),
    ...(route.kind === 'list' ? { Accept: 'text/csv' } : {}),
  }
  const answer: unknown = await sender(route)(input as Record<string, unknown>, { ...options, headers, timeout: 0 })
  if (answer instanceof Response) return answer
  throw new ApiError('client', 1000, 'not a file')
}
