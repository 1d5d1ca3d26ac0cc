// Turns every error into an envelope: catalogued errors with HTTP 200, the transport's own with their status, and a
// defect with 500 and the request's id, under which the log has the details.
import type { Socket } from 'node:net'
import { ERRORS, type ErrorName } from '@acc/contract/core/errors'
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure, NotReady, RETRY_AFTER } from '../core/errors.ts'
import { causeOf, isDatabaseGone, isInvalidValue, isTimeout } from '../db/constraints.ts'
import { CallerGone } from '../db/reads.ts'
import { FileStoreError } from '../files/errors.ts'
import { ContractBreach } from './conformance.ts'
import { placeOf, type SecurityLog, securityLogOf } from './securityLog.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, once that is known: the log names them. */
    caller: { idx: number; id: string } | null
    /** The BIM server that calls. */
    bimServer: { idx: number; pcName: string } | null
  }
}

/** Whether a browser writes the response to the disk. With status 200 it would store a refusal as the file. */
const isForDisk = ({ routeOptions, headers }: FastifyRequest) =>
  routeOptions.config.route?.kind === 'download' && headers['sec-fetch-mode'] === 'navigate'

const catalogued = (reply: FastifyReply, name: ErrorName, data?: unknown) =>
  reply
    .code(isForDisk(reply.request) ? 409 : 200)
    .type('application/json')
    .send({ errorCode: ERRORS[name].code, message: name, ...(data !== undefined && { data }) })

const transport = (reply: FastifyReply, status: number, message: string, data?: unknown) =>
  reply
    .code(status)
    .type('application/json')
    .send({ errorCode: status, message, ...(data !== undefined && { data }) })

const isUnavailable = (error: unknown) => error instanceof NotReady || isDatabaseGone(error) || isTimeout(error)
/** Returns whether the caller closed the connection in the middle of a body: Node reports that as a lost connection. */
const isBrokenOff = (error: FastifyError | Failure, { raw }: FastifyRequest) =>
  raw.readableAborted && 'code' in error && error.code === 'ECONNRESET'

const STATUS_TEXTS: Record<number, string> = {
  413: 'too large',
  415: 'unsupported media type',
  421: 'unknown host: open the console at ACC_PUBLIC_URL',
  429: 'too many requests',
}

function answer(error: FastifyError | Failure, request: FastifyRequest, reply: FastifyReply, security: SecurityLog) {
  const at = placeOf(request)
  if (error instanceof Failure) {
    security.refused(request, error)
    if (error.error !== 'SERVER_BUSY') return catalogued(reply, error.error, error.data)
    return transport(reply.header('retry-after', RETRY_AFTER), 503, error.error, error.data)
  }
  if (error instanceof FileStoreError) {
    request.log.error({ ...at, reason: error.reason }, 'the file store failed')
    return catalogued(reply, 'STORAGE_UNAVAILABLE')
  }
  // A status of nginx: nobody receives it, and the metrics count it.
  if (error instanceof CallerGone || isBrokenOff(error, request)) return transport(reply, 499, 'the caller has gone')
  if (isUnavailable(error)) {
    request.log.error({ ...at, reason: error.message }, 'not ready')
    return transport(reply.header('retry-after', '2'), 503, 'not ready')
  }
  // A value that passed the schema but that the database cannot hold is bad input, not a defect.
  if (isInvalidValue(error)) {
    request.log.warn({ ...at, reason: error.message }, 'a value the database refuses')
    return catalogued(reply, 'INVALID_INPUT')
  }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500
  const text = STATUS_TEXTS[status]
  if (text !== undefined) {
    security.rejected(request, status, text)
    return transport(reply, status, text)
  }
  if (status >= 400 && status < 500) {
    security.refused(request, new Failure('INVALID_INPUT'))
    return catalogued(reply, 'INVALID_INPUT')
  }
  request.log.error({ ...at, ...causeOf(error) }, 'a call failed')
  const reason = error instanceof ContractBreach ? error.message : 'internal error'
  return transport(reply, 500, reason, { requestId: request.id })
}

/** Sets the error handler and the answer to unknown calls. */
export function handleErrors(http: FastifyInstance, log: FastifyBaseLogger): void {
  const security = securityLogOf(log)
  http.decorateRequest('caller', null)
  http.decorateRequest('bimServer', null)
  http.setErrorHandler((error: FastifyError | Failure, request, reply) => {
    // Bytes are on their way: the only honest sign left is a broken connection.
    if (reply.raw.headersSent) return void reply.raw.destroy()
    reply.removeHeader('content-disposition').removeHeader('content-length')
    return answer(error, request, reply, security)
  })
  http.setNotFoundHandler((request, reply) => {
    security.rejected(request, 404, 'unknown call')
    return transport(reply, 404, 'unknown call')
  })
}

// With their words: node:http has them, but importing it by name loads Node's client for fetch, too, which is 13 MiB.
const UNREADABLE: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** What cannot even be read as a request: an envelope with the transport's status, and the connection ends. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = UNREADABLE[error.code ?? ''] ?? '400 Bad Request'
  const body = JSON.stringify({ errorCode: Number.parseInt(status, 10), message: 'unreadable request' })
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Closes both directions: otherwise a client that continues to send would hold the connection.
  socket.destroySoon()
}

/** Responds to a malformed address (`/%`), which no route and no hook sees. */
export function answerUnroutable(_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  transport(reply, 400, 'unreadable request')
}
