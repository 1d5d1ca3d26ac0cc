// Which bodies a call takes: JSON, and a file's bytes as they come for uploads. Anything else is 415.
import type { FastifyInstance } from 'fastify'

/** A body that is not what the route takes. */
export class UnsupportedMedia extends Error {
  override readonly name = 'UnsupportedMedia'
  readonly statusCode = 415
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract's route that stands here. */
    route?: { kind: string }
  }
}

export function readBodies(http: FastifyInstance): void {
  http.removeContentTypeParser('text/plain')
  // Without a bound of its own: the request says beforehand how long each file is, and no more is taken.
  const bodyLimit = Number.MAX_SAFE_INTEGER
  http.addContentTypeParser('application/octet-stream', { bodyLimit }, (request, payload, done) => {
    if (request.routeOptions.config.route?.kind === 'upload') done(null, payload)
    else done(new UnsupportedMedia())
  })
}
