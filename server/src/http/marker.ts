// Guards against requests that another site sends in a visitor's name. Every writing call carries the AJAX marker
// header, which a foreign page cannot send without permission, and comes from our origin if the browser names one.
import type { FastifyRequest } from 'fastify'
import { Failure } from '../core/errors.ts'
import type { Env } from '../env.ts'

type Origins = Pick<Env, 'publicUrl' | 'consoleOrigins'>

/** The header that every state-changing call carries, and its value. */
export const MARKER = { name: 'X-Requested-With', value: 'XMLHttpRequest' } as const

function deny(cause: string, data?: { header: string }): never {
  throw new Failure('NOT_ALLOWED', data, { cause })
}

/** Rejects with NOT_ALLOWED a call without the marker or, where there is an Origin, from a foreign one. */
export function requireSameSite(request: FastifyRequest, { publicUrl, consoleOrigins }: Origins): void {
  const { headers } = request
  if (headers['x-requested-with'] !== MARKER.value)
    deny('no marker header', { header: `${MARKER.name}: ${MARKER.value}` })
  requireOwnPage(request, { consoleOrigins })
  const { origin } = headers
  // The request's own host is the public address's or a loopback name (hosts.ts).
  const own = [publicUrl, `${request.protocol}://${request.host}`, ...consoleOrigins]
  if (origin !== undefined && !own.includes(origin)) deny('another origin')
}

/** Rejects with NOT_ALLOWED what another site's page made the browser send, for example by a link to a download. */
export function requireOwnPage({ headers }: FastifyRequest, { consoleOrigins }: Pick<Env, 'consoleOrigins'>): void {
  if (headers.origin !== undefined && consoleOrigins.includes(headers.origin)) return
  const site = headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') deny('a page of another site')
}
