// Health checks and metrics in Prometheus' format. Metrics are for the bearer of ACC_METRICS_TOKEN, or without a token
// for loopback, unless the settings say that a proxy forwards the calls.
import { timingSafeEqual } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, type Registry } from 'prom-client'
import { type Clock, minutes } from '../clock.ts'
import { cacheFor } from '../core/cacheFor.ts'
import { NotReady } from '../core/errors.ts'
import { networkOf } from '../core/networks.ts'
import type { Services } from '../core/services.ts'
import { hashToken } from '../crypto/token.ts'
import { addressOf } from './address.ts'

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
// Headers that a proxy on this machine adds. With one of them the caller is not local, at any address.
const FORWARDED = ['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']

type MetricsSettings = Pick<Services['env'], 'metricsToken' | 'publicUrl' | 'trustProxy'>

function mayReadMetrics(request: FastifyRequest, settings: MetricsSettings): boolean {
  const { metricsToken: token, publicUrl, trustProxy } = settings
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (token !== undefined && given !== undefined) return timingSafeEqual(hashToken(given), hashToken(token))
  // A proxy of TCP connections on this machine adds no header.
  const isBehindProxy = trustProxy.length > 0 || publicUrl.startsWith('https:')
  const isForwarded = FORWARDED.some((name) => request.headers[name] !== undefined)
  return token === undefined && !isBehindProxy && LOOPBACK.has(request.ip) && !isForwarded
}

/** Wrong tokens of a network within this many milliseconds after which the right one is not looked at either. */
const MAX_GUESSES = 50
const GUESS_WINDOW = minutes(5)

/** Counts wrong tokens by network, on this node. */
function countGuesses(clock: Clock) {
  let began = 0
  let counts = new Map<string, number>()
  return {
    areTooMany(network: string) {
      const now = clock.now().getTime()
      if (Math.abs(now - began) >= GUESS_WINDOW) {
        began = now
        counts = new Map()
      }
      return (counts.get(network) ?? 0) >= MAX_GUESSES
    },
    add: (network: string) => void counts.set(network, (counts.get(network) ?? 0) + 1),
  }
}

/** A number that only grows, kept by the part that counts. */
export type Count = { name: string; help: string; read: () => number }

function measure(http: FastifyInstance, registry: Registry, counts: readonly Count[]): void {
  collectDefaultMetrics({ register: registry })
  const calls = new Counter({
    name: 'acc_calls_total',
    help: 'Calls',
    labelNames: ['method', 'path', 'status'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'acc_call_seconds',
    help: 'Duration of calls',
    labelNames: ['method', 'path'],
    registers: [registry],
  })
  for (const { name, help, read } of counts)
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  http.addHook('onResponse', (request, reply, done) => {
    const path = request.routeOptions.url ?? 'unknown'
    calls.inc({ method: request.method, path, status: reply.statusCode })
    seconds.observe({ method: request.method, path }, reply.elapsedTime / 1000)
    done()
  })
}

/**
 * Checks that the database can write; a standby only reads. Uses connections that calls rarely wait for: a busy server
 * must not look lost to load balancers, which would move its load to the next server.
 */
async function requireWritable({ sessions }: Services['db']): Promise<void> {
  const { rows } = await sessions.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"')
  if (rows[0]?.isStandby !== false) throw new NotReady('the database is a standby')
}

/** Milliseconds that a check may take. A database or file share that does not respond fails nothing by itself. */
const PATIENCE = 3_000
const tooLate = () =>
  wait(PATIENCE, undefined, { ref: false }).then(() => Promise.reject(new NotReady('no answer in time')))

/** Returns what keeps the server from answering calls; empty if it is ready. */
async function findFaults(services: Services): Promise<string[]> {
  const checks = { database: requireWritable(services.db), files: services.files.check() }
  const results = await Promise.allSettled(Object.values(checks).map((check) => Promise.race([check, tooLate()])))
  return Object.keys(checks).filter((_, i) => results[i]?.status === 'rejected')
}

/** Milliseconds that an answer about readiness is good for: anybody may ask, and each check writes to the disk. */
const READY_FOR = 2_000

/** Serves health and metrics; `registry` has the metrics of the domains already. */
export function serveHealth(
  http: FastifyInstance,
  services: Services,
  registry: Registry,
  counts: readonly Count[],
): void {
  measure(http, registry, counts)
  const findRecent = cacheFor(READY_FOR, services.clock, () => findFaults(services))
  http.get('/Health/Live', async () => ({ errorCode: 0, message: '', data: {} }))
  http.get('/Health/Ready', async (_request, reply) => {
    const { now } = http.phase
    const faults = now === 'serving' ? await findRecent() : [now]
    if (faults.length > 0) return reply.code(503).send({ errorCode: 503, message: 'not ready', data: { faults } })
    return { errorCode: 0, message: '', data: {} }
  })
  const guesses = countGuesses(services.clock)
  http.get('/Metrics', async (request, reply) => {
    const network = networkOf(addressOf(request))
    if (guesses.areTooMany(network)) return reply.callNotFound()
    if (!mayReadMetrics(request, services.env)) {
      guesses.add(network)
      return reply.callNotFound()
    }
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
