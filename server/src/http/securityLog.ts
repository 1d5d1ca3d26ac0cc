// Logs refused requests by their cause, with the person, the route and the idxes that the request names. ACC_LOG_LEVEL
// does not suppress them: somebody may be attacking.
import { ERRORS, type ErrorName } from '@acc/contract/core/errors'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { Failure } from '../core/errors.ts'
import { addressOf } from './address.ts'
import { readQuery } from './query.ts'

/** Denials that routes list among their errors. Others are refusals of access, input or limits. */
const LISTED: ReadonlySet<ErrorName> = new Set(['ADMIN_SELECTED', 'SELF_ACTION', 'CLIENT_REQUIRED'])
const isRefusal = (error: ErrorName, { routeOptions }: FastifyRequest) =>
  LISTED.has(error) || routeOptions.config.route?.errors?.includes(error) !== true

/** What is no denial of a right. */
const MESSAGES: Partial<Record<ErrorName, string>> = {
  NO_SESSION: 'no session',
  SESSION_EXPIRED: 'no session',
  SESSION_ENDED: 'no session',
  INVALID_INPUT: 'invalid input',
  TOO_MANY_REQUESTS: 'too many tries',
  SERVER_BUSY: 'server busy',
}

const MAX_TEXT = 200
const NAMED = /idx|^file/i
const MAX_NAMED = 20
const MAX_NAME = 40

/** Where a request went and who sent it, for any line of the log. */
export const placeOf = (request: FastifyRequest) => ({
  method: request.method,
  path: request.url.split('?')[0]?.slice(0, MAX_TEXT),
  ip: addressOf(request),
  ...(request.caller && { userIdx: request.caller.idx, user: request.caller.id }),
  ...(request.bimServer && { bimServerIdx: request.bimServer.idx, bimServer: request.bimServer.pcName }),
})

const IDX = /^\d{1,16}$/

/** Some of the idxes in a value of a query or body: a number, text with commas, or a list of these. */
const idxesOf = (value: unknown): number[] =>
  [value]
    .flat()
    .slice(0, MAX_NAMED)
    .filter((one) => typeof one === 'number' || typeof one === 'string')
    .flatMap((one) => String(one).slice(0, MAX_TEXT).split(','))
    .filter((text) => IDX.test(text))
    .slice(0, MAX_NAMED)
    .map(Number)

/** The idxes that the query or the body names, as `{ groupIdx: [7] }`; at most 20 a field. */
function namedIn({ url, body }: FastifyRequest): Record<string, number[]> {
  const isBody = typeof body === 'object' && body !== null
  const given: [string, unknown][] = [
    ...(readQuery(url.split('?')[1] ?? '') ?? []),
    ...(isBody ? Object.entries(body) : []),
  ]
  const named = given.filter(([name]) => NAMED.test(name)).slice(0, MAX_NAMED)
  return Object.fromEntries(named.map(([name, value]) => [name.slice(0, MAX_NAME), idxesOf(value)]))
}

export type SecurityLog = {
  /** A call that an error of the catalogue refused. */
  refused(request: FastifyRequest, failure: Failure): void
  /** A request that the transport refused: unknown, too large, of a wrong type or host. */
  rejected(request: FastifyRequest, status: number, message: string): void
}

export function securityLogOf(log: FastifyBaseLogger): SecurityLog {
  const always = log.child({}, { level: 'warn' })
  return {
    refused(request, failure) {
      // A denial to somebody whose groups are out of date is answered by another code.
      const { error, cause } = failure.cause instanceof Failure ? failure.cause : failure
      if (!isRefusal(error, request)) return
      const message = MESSAGES[error] ?? 'denied'
      // A page asks for its session before anybody has signed in.
      if (message === 'no session' && request.routeOptions.url === '/Account/Session') return
      const reason = typeof cause === 'string' ? { reason: cause } : {}
      const named = namedIn(request)
      always.warn({ requestId: request.id, ...placeOf(request), code: ERRORS[error].code, ...reason, named }, message)
    },
    rejected(request, status, message) {
      always.warn({ requestId: request.id, ...placeOf(request), status }, message)
    },
  }
}
