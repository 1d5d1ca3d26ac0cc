// Limits the bodies of calls: JSON and forms must arrive within seconds, files and streamed forms at any pace. Other
// types and encodings, such as gzip, get 415. A body that never ends does not hold a connection.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Route } from '@acc/contract/core/route'
import type { FastifyInstance } from 'fastify'
import { Failure } from '../core/errors.ts'
import { isNestedDeeper } from '../core/nesting.ts'
import { answerUnreadable } from './errorHandler.ts'

/** A body that is not what the route takes. */
export class UnsupportedMedia extends Error {
  override readonly name = 'UnsupportedMedia'
  readonly statusCode = 415
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route of the contract. */
    route?: Pick<Route, 'kind'> & Partial<Pick<Route, 'errors'>> & { isStreamed?: true }
  }
}

/** Milliseconds that a body may take that is no file's. */
const BODY_TIMEOUT = 30_000
/** Milliseconds that the rest of a body is read for after the answer. */
const LINGER = 2_000

/** Arrays and objects of a JSON body within one another at most; calls need six. */
const MAX_NESTING = 32
/** Bytes of a body that are read before the caller is known. */
export const SMALL_BODY = 16 * 1024

/** Whether a body is, or may be, larger than those that are read of anyone. */
export const isLarge = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SMALL_BODY

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Whether a body is compressed (RFC 9110 §8.4): a few bytes could inflate to any size. */
function isEncoded({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding']
  return encoding !== undefined && encoding.trim().toLowerCase() !== 'identity'
}

export function readBodies(http: FastifyInstance, timeout = BODY_TIMEOUT, linger = LINGER): void {
  http.removeContentTypeParser('text/plain')
  const parseJson = http.getDefaultJsonParser('error', 'error')
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (isNestedDeeper(String(body), MAX_NESTING)) done(new Failure('INVALID_INPUT'))
    else parseJson(request, String(body), done)
  })
  // Without a bound of its own: the request says beforehand how long each file is, and no more is taken.
  const bodyLimit = Number.MAX_SAFE_INTEGER
  http.addContentTypeParser('application/octet-stream', { bodyLimit }, (request, payload, done) => {
    if (request.routeOptions.config.route?.kind === 'upload') done(null, payload)
    else done(new UnsupportedMedia())
  })
  // Read by the runner (forms.ts), once it is clear that the caller may send it.
  http.addContentTypeParser('multipart/form-data', { bodyLimit }, (request, payload, done) => {
    if (request.routeOptions.config.route?.kind === 'form') done(null, payload)
    else done(new UnsupportedMedia())
  })
  http.addHook('onRequest', (request, reply, done) => {
    if (!hasBody(request.raw)) return done()
    dropRest(request.raw, reply.raw, linger)
    if (isEncoded(request.raw)) return done(new UnsupportedMedia())
    const { kind, isStreamed } = request.routeOptions.config.route ?? {}
    if (kind !== 'upload' && isStreamed !== true) limitTime(request.raw, reply.raw, timeout)
    done()
  })
}

/**
 * Reads and drops the rest of a body for a moment after the response, so that the sender receives the response and not
 * a broken connection. Then closes the connection.
 */
function dropRest(body: IncomingMessage, answer: ServerResponse, linger: number): void {
  answer.once('finish', () => {
    if (body.readableEnded || body.destroyed) return
    const timer = setTimeout(() => body.destroy(), linger)
    body.once('close', () => clearTimeout(timer))
    body.resume()
  })
}

function limitTime(body: IncomingMessage, answer: ServerResponse, timeout: number): void {
  const timer = setTimeout(() => {
    if (answer.headersSent) body.destroy()
    else answerUnreadable(Object.assign(new Error('a slow body'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), body.socket)
  }, timeout)
  const stop = () => clearTimeout(timer)
  body.once('end', stop).once('close', stop)
}
