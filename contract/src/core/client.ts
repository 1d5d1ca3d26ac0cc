// The API client: typed calls over fetch, `createClient(api, {...}).users.search({...})`. Handles the envelope,
// time-outs, cancellation, indexed arrays and the marker header (spec S1 §7, §8). Runs in browsers and in Node.
import type { z } from 'zod'
import { type ErrorName, errorName } from './errors.ts'
import type { Route, Routes } from './route.ts'

/** Default time-out of a call: 5 minutes (spec S1 §9). */
export const DEFAULT_TIMEOUT = 300_000
/** Generic communication failure (spec S1 §8). */
export const COMMUNICATION_FAILURE = 1000

export type Envelope = { errorCode: number; message: string; data?: unknown }

/** A failed call: rejected by the server, failed in the network (code: HTTP status or 1000) or failed in the client. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: number
  readonly type: 'server' | 'network' | 'client'
  /** Name of the code in the catalogue, if it has one. */
  readonly error: ErrorName | undefined
  readonly data: unknown
  constructor(type: 'server' | 'network' | 'client', code: number, message: string, data?: unknown) {
    super(message)
    this.type = type
    this.code = code
    this.error = type === 'server' ? errorName(code) : undefined
    this.data = data
  }
}

export type CallOptions = {
  signal?: AbortSignal
  /** Milliseconds; 0 disables the time-out. */
  timeout?: number
  headers?: Record<string, string>
}
export type ClientOptions = {
  /** Origin of the server without a trailing slash; empty for the origin of the page. */
  baseUrl: string
  fetch?: typeof fetch
  /** Called before each call: bearer token, language. */
  headers?: () => Record<string, string>
  /** Called once with every error before it is thrown. */
  onError?: (error: ApiError, route: Route) => void
}

/** The part of a form that holds its file, unless its route names another one. */
const FILE_PART = 'file'
export const filePartOf = (route: Route): string => ('filePart' in route ? route.filePart : undefined) ?? FILE_PART
/** Kinds of routes that answer an envelope and nothing else. */
const ENVELOPES: ReadonlySet<Route['kind']> = new Set(['json', 'upload', 'form'])
/** Kinds of routes whose calls take bytes in addition to the input. */
const WITH_BYTES: ReadonlySet<Route['kind']> = new Set(['upload', 'form'])

type Body = string | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>
type Call<R> = R extends { kind: 'upload'; input: infer I extends z.ZodType; data: infer D extends z.ZodType }
  ? (input: z.input<I>, body: Body, options?: CallOptions) => Promise<z.output<D>>
  : R extends { kind: 'form'; input: infer I extends z.ZodType; data: infer D extends z.ZodType }
    ? (input: z.input<I>, file: Blob, options?: CallOptions) => Promise<z.output<D>>
    : R extends { kind: 'download' | 'events' | 'page' | 'redirect'; input: infer I extends z.ZodType }
      ? (input: z.input<I>, options?: CallOptions) => Promise<Response>
      : R extends { input: infer I extends z.ZodType; data: infer D extends z.ZodType }
        ? (input: z.input<I>, options?: CallOptions) => Promise<z.output<D>>
        : never
export type Client<A extends Record<string, Routes>> = { [M in keyof A]: { [K in keyof A[M]]: Call<A[M][K]> } }

/** Longer lists of numbers are sent with commas, so that the URL stays within the limits of servers and proxies. */
const MANY = 100
const isMany = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > MANY && value.every((item) => typeof item === 'number')

/** Builds a query string. Arrays: `idxes[0]=3&idxes[1]=5`, long ones `idxes=3,5`. Omits undefined and null. */
export function toQuery(input: Record<string, unknown>): string {
  const query = new URLSearchParams()
  const lists: string[] = []
  for (const [name, value] of Object.entries(input)) {
    if (isMany(value)) lists.push(`${encodeURIComponent(name)}=${value.join(',')}`)
    else if (Array.isArray(value))
      for (const [index, item] of value.entries()) query.append(`${name}[${index}]`, String(item))
    else if (value !== undefined && value !== null) query.append(name, String(value))
  }
  const text = [query.toString(), ...lists].filter((part) => part !== '').join('&')
  return text === '' ? '' : `?${text}`
}

/** Returns the URL of a GET call, for links and for downloads by the browser. */
export const addressOf = (baseUrl: string, route: Route, input: Record<string, unknown>): string =>
  baseUrl + route.path + toQuery(input)

async function readEnvelope(response: Response): Promise<unknown> {
  const text = await response.text()
  let envelope: Envelope
  try {
    envelope = JSON.parse(text) as Envelope
  } catch {
    throw new ApiError('network', response.ok ? COMMUNICATION_FAILURE : response.status, response.statusText || 'Error')
  }
  const name = errorName(envelope.errorCode)
  const isNamed = name !== undefined && envelope.message === name
  if (!response.ok && !isNamed) throw new ApiError('network', response.status, envelope.message, envelope.data)
  if (envelope.errorCode !== 0) throw new ApiError('server', envelope.errorCode, envelope.message, envelope.data)
  return envelope.data ?? {}
}

/** Makes the form of a call. What no form can hold is an error of type client. */
function toForm(route: Route, input: Record<string, unknown>, file: unknown): FormData {
  if (!(file instanceof Blob)) throw new ApiError('client', COMMUNICATION_FAILURE, 'Form conversion failed: no file')
  const form = new FormData()
  for (const [name, value] of new URLSearchParams(toQuery(input))) form.append(name, value)
  form.append(filePartOf(route), file)
  return form
}

function requestOf(route: Route, input: Record<string, unknown>, body: unknown, headers: Record<string, string>) {
  const inQuery = route.method === 'GET' || route.kind === 'upload'
  const isJson = !inQuery && route.kind !== 'form'
  const init: RequestInit & { duplex?: 'half' } = {
    method: route.method,
    credentials: route.credentials ?? 'include',
    cache: 'no-store',
    headers: {
      'X-Requested-With': 'XMLHttpRequest',
      ...(isJson ? { 'Content-Type': 'application/json' } : {}),
      ...(route.kind === 'upload' ? { 'Content-Type': 'application/octet-stream' } : {}),
      ...headers,
    },
  }
  if (isJson) init.body = JSON.stringify(input)
  if (route.kind === 'form') init.body = toForm(route, input, body)
  if (route.kind === 'upload') {
    init.body = body as BodyInit
    init.duplex = 'half'
  }
  return { query: inQuery ? toQuery(input) : '', init }
}

async function send(
  route: Route,
  input: Record<string, unknown>,
  body: unknown,
  client: ClientOptions,
  options: CallOptions,
) {
  const timeout = options.timeout ?? DEFAULT_TIMEOUT
  const signals = [options.signal, timeout > 0 ? AbortSignal.timeout(timeout) : undefined].filter(
    (s) => s !== undefined,
  )
  try {
    const { query, init } = requestOf(route, input, body, { ...client.headers?.(), ...options.headers })
    if (signals.length > 0) init.signal = AbortSignal.any(signals)
    const response = await (client.fetch ?? fetch)(client.baseUrl + route.path + query, init)
    const isEnvelope = response.headers.get('content-type')?.startsWith('application/json') ?? false
    if (ENVELOPES.has(route.kind) || (route.kind === 'list' && !headersWantCsv(options)))
      return await readEnvelope(response)
    if (isEnvelope || !response.ok) await readEnvelope(response)
    return response
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (options.signal?.aborted) throw error
    throw new ApiError('network', COMMUNICATION_FAILURE, error instanceof Error ? error.message : 'Error')
  }
}

const headersWantCsv = (options: CallOptions) => options.headers?.Accept === 'text/csv'

/** Builds the typed calls of a contract. The server validates input, so that tests can send invalid input. */
export function createClient<A extends Record<string, Routes>>(api: A, client: ClientOptions): Client<A> {
  const call = async (route: Route, args: unknown[]) => {
    const input = (args[0] ?? {}) as Record<string, unknown>
    const [body, options = {}] = (WITH_BYTES.has(route.kind) ? args.slice(1) : [undefined, args[1]]) as [
      unknown,
      CallOptions?,
    ]
    try {
      return await send(route, input, body, client, options)
    } catch (error) {
      if (error instanceof ApiError) client.onError?.(error, route)
      throw error
    }
  }
  const domain = (routes: Routes) =>
    Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, (...args: unknown[]) => call(route, args)]))
  return Object.fromEntries(Object.entries(api).map(([name, routes]) => [name, domain(routes)])) as Client<A>
}
