// The guard against requests that another site makes in a visitor's name: every state-changing call bears the AJAX marker
// header, which no foreign page can send without our leave, and comes from our own origin where the browser names one.
import type { FastifyRequest } from 'fastify'
import { fail } from '../core/errors.ts'

/** Ends the call with NOT_ALLOWED unless it bears the marker and, where there is an Origin, the right one. */
export function requireSameSite(request: FastifyRequest, publicUrl: string): void {
  const { headers } = request
  if (headers['x-requested-with'] !== 'XMLHttpRequest') fail('NOT_ALLOWED')
  requireOwnPage(request)
  const { origin } = headers
  if (origin === undefined) return
  // The address that the operator names, or the one that this very request came to (a host name of the machine).
  const own = new Set([new URL(publicUrl).origin, `${request.protocol}://${request.host}`])
  if (!own.has(origin)) fail('NOT_ALLOWED')
}

/** Ends the call with NOT_ALLOWED where another site's page made the browser send it, be it by a link to a download. */
export function requireOwnPage({ headers }: FastifyRequest): void {
  if (headers['sec-fetch-site'] === 'cross-site') fail('NOT_ALLOWED')
}
