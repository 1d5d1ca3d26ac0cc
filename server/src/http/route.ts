// The runner: the only way from an HTTP request to a handler. Session, gate, marker header, input schema, handler, data
// schema (which drops undeclared fields), envelope.
import { Readable } from 'node:stream'
import { MAX_ROWS } from '@acc/contract/core/paging'
import type { Route } from '@acc/contract/core/route'
import { Role } from '@acc/contract/labels/access'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { timeZoneOf } from '../clock.ts'
import { type Author, change, type FindPeople, type Summary, transact } from '../core/change.ts'
import type { Actor, BimServerCaller, Cookies, FormFile, Handlers, Language, StreamedFile } from '../core/context.ts'
import { fail } from '../core/errors.ts'
import { explainDenied } from '../core/rights.ts'
import { scopeOf } from '../core/scope.ts'
import type { HandlerServices, Services } from '../core/services.ts'
import { watchReads, watchWrites } from '../core/writtenTopics.ts'
import type { List } from '../db/list.ts'
import type { Tx } from '../db/open.ts'
import type { Readers } from '../db/replica.ts'
import type { StreamPool } from '../db/stream.ts'
import { addressOf } from './address.ts'
import { isLarge, SMALL_BODY, UnsupportedMedia } from './bodies.ts'
import { announceBreak } from './brokenDownloads.ts'
import {
  requireDeclaredDetails,
  requireDeclaredError,
  requireDeclaredTopics,
  requireShownTopics,
} from './conformance.ts'
import { bearerOf, cookiesOf, tokenOf } from './cookies.ts'
import { csvStream, wantsCsv } from './csv.ts'
import { type Form, readForm } from './forms.ts'
import { type IsRegisterDue, requireAccess, requireMode } from './gate.ts'
import { reservePlace } from './limits.ts'
import { requireOwnPage, requireSameSite } from './marker.ts'
import { packed } from './packed.ts'
import { fromQuery, readQuery } from './query.ts'
import { isRead, withReaders } from './readers.ts'
import { envelope, send } from './responses.ts'

/** One domain's routes and handlers; made by `routes`, registered by `registerModule`. */
export type Module = { contract: Record<string, Route>; handlers: Record<string, unknown> }

/** Binds a domain's handlers to its contract: a missing or an extra one does not compile. */
export const routes = <const M extends Record<string, Route>>(contract: M, handlers: Handlers<M>): Module => ({
  contract,
  handlers,
})

/** What the runner asks the domains before a handler runs. */
export type Lookups = {
  /** Finds the person behind the token of a session. */
  findActor(token: string, slides: boolean): Promise<Actor | undefined>
  isRegisterDue: IsRegisterDue
  /** Finds the BIM server with an id; fails where it calls from another address than its own. */
  findBimServer(id: string, ip: string): Promise<BimServerCaller | undefined>
}

/** A route with its handler and what the runner works with. */
type Endpoint = { route: Route; handler: AnyHandler; services: Services; lookups: Lookups }

/** What a handler learns about its request. */
type Call = {
  actor: Actor | undefined
  server: BimServerCaller | undefined
  cookies: Cookies
  body: Readable | undefined
  file: FormFile | StreamedFile | undefined
  ip: string
  userAgent: string
  language: Language
  timeZone: string
  requestId: string
}
type AnyHandler = (context: unknown, input: unknown) => unknown

const authorOf = ({ actor, ip }: Call): Author =>
  actor === undefined
    ? { idx: null, id: '', name: '', groupName: '', ip }
    : { idx: actor.idx, id: actor.id, name: actor.name, groupName: actor.groupName, ip }

/** Returns a handler's context. Only `change` opens the way to write, and while it runs nothing else may be read. */
export function contextOf(
  { route, services }: Pick<Endpoint, 'route' | 'services'>,
  call: Call,
  { read }: Pick<Readers, 'read'> = services.db,
) {
  const { db, ...handlerServices } = services
  const { actor } = call
  let isChanging = false
  const origin = {
    author: authorOf(call),
    actor,
    now: () => services.clock.now(),
    watch: services.isStrict ? watchWrites : undefined,
    requireDeclared: (summary: Summary) => {
      requireDeclaredTopics(services, route, summary)
      requireDeclaredDetails(services, route, summary)
    },
  }
  return {
    ...call,
    ...(route.kind === 'events' && { sessions: db.sessions }),
    services: handlerServices satisfies HandlerServices,
    get read() {
      if (isChanging) throw new Error('inside change() only its transaction may be used')
      return read
    },
    scope: (page: Parameters<typeof scopeOf>[1], level: Parameters<typeof scopeOf>[2]) =>
      scopeOf(actor ?? { idx: 0, role: Role.USER, isSubstitute: false }, page, level),
    change: async (work: Parameters<typeof change>[2], findPeople?: FindPeople) => {
      isChanging = true
      try {
        return await change(db, origin, work, findPeople)
      } finally {
        isChanging = false
      }
    },
    record: <T>(work: (tx: Tx) => Promise<T>) => transact(db, work),
  }
}

const languageOf = (header: string | undefined): Language =>
  header?.trim().toLowerCase().startsWith('en') ? 'en' : 'ko'

/** Fields at most that a refusal names. */
const MAX_NAMED = 100

function inputOf(route: Route, request: FastifyRequest, form: Form | undefined): unknown {
  const isInQuery = route.method === 'GET' || route.kind === 'upload'
  const pairs = isInQuery ? readQuery(request.url.split('?')[1] ?? '') : form?.parts
  if (isInQuery && pairs === undefined) fail('INVALID_INPUT')
  const raw = pairs === undefined ? (request.body ?? {}) : fromQuery(route.input, pairs)
  const parsed = route.input.safeParse(raw)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.slice(0, MAX_NAMED).map((issue) => issue.path.join('.'))
  return fail('INVALID_INPUT', { fields: [...new Set(fields)] })
}

async function answerList(
  { route }: Endpoint,
  list: List<unknown>,
  input: unknown,
  call: Call,
  { request, reply, streams }: { request: FastifyRequest; reply: FastifyReply; streams: StreamPool },
) {
  if (wantsCsv(request)) {
    reply.type('text/csv; charset=utf-8')
    const columns = 'columns' in route && route.columns !== undefined ? route.columns : {}
    const isAdmin = call.actor?.role === Role.ADMIN
    const shown = Object.fromEntries(Object.entries(columns).filter(([, column]) => column.for !== 'admin' || isAdmin))
    return reply.send(csvStream(shown, list.batches(streams), call.language, call.timeZone))
  }
  // More rows than this are for the CSV form: one answer must not fill the memory.
  const maxRows = 'maxRows' in route ? (route.maxRows ?? MAX_ROWS) : MAX_ROWS
  if ((input as { rowsCount: number }).rowsCount > maxRows) fail('INVALID_INPUT', { fields: ['rowsCount'] })
  return envelope(reply, route.data.parse(await list.page()))
}

/** Finds the person behind a request: by the desktop client's bearer token, or by the browser's cookie. */
async function findActor(lookups: Lookups, request: FastifyRequest, { publicUrl }: Services['env'], slides: boolean) {
  const token = tokenOf(request, publicUrl)
  return token === undefined ? undefined : lookups.findActor(token, slides)
}

/** Rejects requests that another site caused. The log names the person whose browser was used. */
async function requireOwnSite({ route, services: { env }, lookups }: Endpoint, request: FastifyRequest) {
  // Cookies open nothing there, and a page of another site cannot send the bearer token.
  if (route.access === 'bimServer') return
  try {
    if (route.method !== 'GET') requireSameSite(request, env)
    else if (route.access !== 'public') requireOwnPage(request, env)
  } catch (error) {
    request.caller = (await findActor(lookups, request, env, false).catch(() => undefined)) ?? null
    throw error
  }
}

/** Runs a call and checks its errors against the route. */
async function run(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  try {
    return await runCall(endpoint, request, reply)
  } catch (error) {
    requireDeclaredError(endpoint.services, endpoint.route, error)
    throw error
  }
}

/** Finds who calls: a person, or a BIM server on the calls that are made for one. The log names them. */
async function findCaller({ route, lookups, services: { env } }: Endpoint, request: FastifyRequest) {
  if (route.access === 'public') return {}
  const id = route.access === 'bimServer' ? bearerOf(request) : undefined
  const server = id === undefined ? undefined : await lookups.findBimServer(id, addressOf(request))
  request.bimServer = server ?? null
  if (server !== undefined) return { server }
  const slides = !('slides' in route) || route.slides !== false
  const actor = await findActor(lookups, request, env, slides)
  request.caller = actor ?? null
  return { actor }
}

/** Lets a caller through who may make the call. */
async function admit(endpoint: Endpoint, request: FastifyRequest) {
  const { route, services, lookups } = endpoint
  await requireOwnSite(endpoint, request)
  const { actor, server } = await findCaller(endpoint, request)
  requireAccess(route.access, actor, server)
  await requireMode(route, services.env.runtime.isExternalMode, lookups.isRegisterDue)
  return { actor, server }
}

/** Whether a caller is checked before the body is read: a large JSON body costs time to parse. */
const isCheckedEarly = ({ kind, access }: Route, request: FastifyRequest) =>
  kind === 'json' && access !== 'public' && isLarge(request.raw)

/** Counts a call. Fails with TOO_MANY_REQUESTS above the limit. */
function count({ actor, server }: Pick<Partial<Call>, 'actor' | 'server'>, { server: http }: FastifyRequest): void {
  if (actor !== undefined) http.limits.call(actor)
  if (server !== undefined) http.bimLimits.call(server)
}

async function runCall(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply) {
  const { route } = endpoint
  const caller = await admit(endpoint, request)
  if (!isCheckedEarly(route, request)) count(caller, request)
  if (caller.actor !== undefined) reservePlace(route, caller.actor, request, reply)
  if (route.kind === 'download' && caller.actor) announceBreak(endpoint.services, caller.actor, request, reply)
  const form = route.kind === 'form' ? await readForm(request, route) : undefined
  const answer = () => answerCall(endpoint, caller, form, request, reply)
  try {
    return await (caller.actor !== undefined && isRead(route) && !wantsCsv(request)
      ? request.server.limits.read(caller.actor, answer)
      : answer())
  } finally {
    await form?.close()
  }
}

async function answerCall(
  endpoint: Endpoint,
  caller: Pick<Call, 'actor' | 'server'>,
  form: Form | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { route, handler, services } = endpoint
  const input = inputOf(route, request, form)
  if (route.kind === 'upload' && !(request.body instanceof Readable)) throw new UnsupportedMedia()
  const call: Call = {
    ...caller,
    cookies: cookiesOf(reply, services.env, route.credentials),
    body: request.body instanceof Readable ? request.body : undefined,
    file: form?.file,
    ip: addressOf(request),
    userAgent: String(request.headers['user-agent'] ?? '').slice(0, 200),
    language: languageOf(request.headers['accept-language']),
    timeZone: timeZoneOf(request.headers['x-time-zone']),
    requestId: request.id,
  }
  const revision = request.headers['x-rights-revision']
  return withReaders(services.db, route, { request, reply }, async (readers) => {
    // Reads of managers also look up their scope, which belongs to no topic of the route.
    const watched = services.isStrict && isRead(route) && caller.actor?.role === Role.ADMIN ? watchReads() : undefined
    const read = watched === undefined ? readers.read : readers.read.withPlugin(watched.plugin)
    const context = contextOf(endpoint, call, { read })
    const answer = await explainDenied(services.db.read, revision, () => handler(context, input))
    if (watched !== undefined) requireShownTopics(services, route, watched.tables)
    if (route.kind !== 'list') return send(route, answer, reply)
    return answerList(endpoint, answer as List<unknown>, input, call, { request, reply, streams: readers.streams })
  })
}

/** Puts a module's routes on the server. */
export function registerModule(
  http: FastifyInstance,
  services: Services,
  lookups: Lookups,
  { contract, handlers }: Module,
): void {
  for (const [name, route] of Object.entries(contract)) {
    const endpoint: Endpoint = { route, handler: handlers[name] as AnyHandler, services, lookups }
    http.route({
      method: route.method,
      url: route.path,
      config: { route },
      ...(route.access === 'public' && { bodyLimit: SMALL_BODY }),
      ...('maxBody' in route && route.maxBody !== undefined && { bodyLimit: route.maxBody }),
      // A HEAD would do all that its GET does, down to the history of a download, for nothing.
      exposeHeadRoute: false,
      ...(route.access === 'public' && route.method === 'GET' && { onSend: packed(), compress: false as const }),
      // A file's own bytes: packing them would cost more than the network, and would hide the size.
      ...(route.kind === 'download' && { compress: false as const }),
      // `run` checks the caller once more when the body has arrived.
      onRequest: async (request) => {
        if (isCheckedEarly(route, request)) count(await admit(endpoint, request), request)
      },
      handler: (request, reply) => run(endpoint, request, reply),
    })
  }
}
