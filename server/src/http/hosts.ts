// Refuses requests to other host names (421, RFC 9110 §15.5.20). A page of another site can make its name resolve to
// this server's address (DNS rebinding). Its requests would then count as those of our origin.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Env } from '../env.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]', '::1']
// Load balancers and orchestrators probe by address. These calls return nothing but the server's state.
const HEALTH = ['/Health/Live', '/Health/Ready']

class MisdirectedRequest extends Error {
  override readonly name = 'MisdirectedRequest'
  readonly statusCode = 421
}

/** Responds with 421 to requests that name neither the public address's host nor a loopback name. */
export function requireKnownHosts(http: FastifyInstance, { publicUrl, metricsToken }: Env): void {
  const hosts = new Set([...LOOPBACK, new URL(publicUrl).hostname])
  // A collector with the token may come by address, too.
  const open = new Set(metricsToken === undefined ? HEALTH : [...HEALTH, '/Metrics'])
  // HTTP/1.0 needs no Host; browsers always send one.
  const isKnown = ({ hostname, url }: FastifyRequest) =>
    !hostname || hosts.has(hostname.toLowerCase()) || open.has(url.split('?')[0] ?? '')
  // A callback, as in every hook that all calls pass: promises are most of the cost of such a hook.
  http.addHook('onRequest', (request, _reply, done) => done(isKnown(request) ? undefined : new MisdirectedRequest()))
}
