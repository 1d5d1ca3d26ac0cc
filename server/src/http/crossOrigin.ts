// Lets the pages of ACC_CONSOLE_ORIGINS call this server with the session cookie (CORS, WHATWG Fetch §3.2). Without the
// setting no response has a CORS header.
import type { FastifyInstance } from 'fastify'

const METHODS = 'GET, POST, PUT, DELETE'
const REQUEST_HEADERS = 'Accept, Accept-Language, Content-Type, X-Requested-With, X-Rights-Revision, X-Time-Zone'
const RESPONSE_HEADERS = 'Content-Disposition, Content-Length'
/** Seconds that a browser may reuse a preflight's answer. */
const MAX_AGE = '600'

export function allowOrigins(http: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  http.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    if (origin === undefined || !origins.includes(origin)) return
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': RESPONSE_HEADERS,
      vary: 'Origin',
    })
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return
    return reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': REQUEST_HEADERS,
        'access-control-max-age': MAX_AGE,
      })
      .send()
  })
}
