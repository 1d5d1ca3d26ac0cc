// Builds the HTTP server: limits, headers, error handler, the modules' routes, the console's files.
import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { Registry } from 'prom-client'
import type { Services } from './core/services.ts'
import { findBimServer } from './domains/bimServer/bimServer.service.ts'
import { isRegisterDue } from './domains/configs/configs.register.ts'
import { hashesSoFar, refusedSoFar } from './domains/credentials/hashing.ts'
import { findActor } from './domains/session/session.service.ts'
import { measureSystemStatus } from './domains/systemStatus/systemStatus.metrics.ts'
import { removeFirstPassword } from './firstAdmin.ts'
import { readBodies } from './http/bodies.ts'
import { limitConnections, SILENCE } from './http/connections.ts'
import { CONSOLE, serveConsole } from './http/consoleFiles.ts'
import { allowOrigins } from './http/crossOrigin.ts'
import { serveDocs } from './http/docs.ts'
import { answerUnreadable, answerUnroutable, handleErrors } from './http/errorHandler.ts'
import { endStreamsAtClose } from './http/eventStream.ts'
import { setHeaders } from './http/headers.ts'
import { type Count, serveHealth } from './http/health.ts'
import { requireKnownHosts } from './http/hosts.ts'
import { limitCallers } from './http/limits.ts'
import { addPhase } from './http/phase.ts'
import { type Lookups, registerModule } from './http/route.ts'
import { MODULES } from './modules.ts'

/** Bytes of a JSON body at most. Uploads are streams without a bound of their own. */
const BODY_LIMIT = 1024 * 1024
/** Milliseconds that a client may take for its headers. */
const HEADERS_TIMEOUT = 15_000
/** Milliseconds between checks for connections that took longer. */
const CHECK_INTERVAL = 5_000

/** Bytes of a call's first line and headers at most: the files of a request named one by one (spec S2 §7) fit. */
const MAX_HEADER_SIZE = 64 * 1024

const COUNTS: readonly Count[] = [
  { name: 'acc_password_hashes_total', help: 'Passwords hashed or compared', read: hashesSoFar },
  { name: 'acc_sign_ins_refused_total', help: 'Sign-ins refused because too many waited', read: refusedSoFar },
]

/** Builds the server, which does not listen yet. */
export async function buildServer(services: Services): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = services.log
  const http: FastifyInstance = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: services.env.trustProxy.length > 0 ? services.env.trustProxy : false,
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: 200 },
    requestTimeout: 0,
    connectionTimeout: SILENCE,
    keepAliveTimeout: 65_000,
    http: {
      headersTimeout: HEADERS_TIMEOUT,
      connectionsCheckingInterval: CHECK_INTERVAL,
      maxHeaderSize: MAX_HEADER_SIZE,
    },
    clientErrorHandler: answerUnreadable,
    frameworkErrors: answerUnroutable,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    // Calls that arrive on open connections while the server closes are served, and their connections closed.
    return503OnClosing: false,
  })
  limitConnections(http.server, services.env.trustProxy)
  // First of all, so that what a later hook refuses has them, too.
  setHeaders(http, services.env)
  allowOrigins(http, services.env.consoleOrigins)
  requireKnownHosts(http, services.env)
  readBodies(http)
  await http.register(cookie)
  // Responses only: a compressed body could inflate to any size.
  await http.register(compress, { encodings: ['gzip', 'deflate'], threshold: 2048, globalDecompression: false })
  handleErrors(http, services.log)
  endStreamsAtClose(http)
  addPhase(http)
  limitCallers(http, services.clock, services.env.callsPerSecond)
  const lookups: Lookups = {
    findActor: (token, slides) => findActor(services, token, slides),
    isRegisterDue: (part) => isRegisterDue(services.db.read, services, part),
    findBimServer: (id, ip) => findBimServer(services, id, ip),
  }
  for (const { routes } of Object.values(MODULES)) if (routes) registerModule(http, services, lookups, routes)
  removeFirstPassword(http, services)
  const registry = new Registry()
  measureSystemStatus(registry, services)
  serveHealth(http, services, registry, COUNTS)
  serveDocs(http)
  await serveConsole(http, services.env.runtime.frontRoute, CONSOLE)
  return http
}
