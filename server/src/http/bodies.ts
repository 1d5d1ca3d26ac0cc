// Which bodies a call takes: JSON, and a file's bytes as they come for uploads. Anything else is 415.
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'

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

/** Milliseconds that the rest of a body is read for after the answer. */
const LINGER = 2_000

/**
 * An upload may be answered before its body has ended. What still comes is read and dropped for a moment, so that the sender
 * hears the answer rather than a broken connection; then the connection is closed on whoever goes on sending.
 */
export function dropRest(body: Readable, reply: FastifyReply): void {
  reply.raw.once('finish', () => {
    if (body.readableEnded || body.destroyed) return
    const timer = setTimeout(() => body.destroy(), LINGER)
    body.once('close', () => clearTimeout(timer))
    body.resume()
  })
}
