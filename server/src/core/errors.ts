// Errors of the catalogue as they are thrown: by name, never by sentence. The error handler turns them into envelopes.
import { ERRORS, type ErrorName } from '@acc/contract/core/errors'
import type { MissingRows } from '@acc/contract/core/fields'
import type { z } from 'zod'

/** An answer of the catalogue. `data` goes out with it and must hold no secret. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly error: ErrorName
  readonly data: unknown
  /** The cause goes to the log only: a text, or the failure that was renamed. */
  constructor(error: ErrorName, data?: unknown, options?: { cause: string | Failure }) {
    super(error, options)
    this.error = error
    this.data = data
  }
  get code(): number {
    return ERRORS[this.error].code
  }
}

/** Ends the call with an error of the catalogue. */
export function fail(error: ErrorName, data?: unknown): never {
  throw new Failure(error, data)
}

/** Ends the call with NOT_ALLOWED and the missing rows, unless each named row was found. */
export function requireAll(named: readonly number[], found: readonly { idx: number }[]): void {
  const known = new Set(found.map(({ idx }) => idx))
  const missing = named.filter((idx) => !known.has(idx))
  if (missing.length > 0) fail('NOT_ALLOWED', { missing } satisfies z.output<typeof MissingRows>)
}

/** Ends the call with CHANGED_MEANWHILE if the caller has seen another revision. No revision is not compared. */
export function requireRevision<R extends number | string>(before: { revision: R }, revision: R | undefined): void {
  if (revision !== undefined && revision !== before.revision) fail('CHANGED_MEANWHILE')
}

/** The server cannot respond now (no database): HTTP 503, and the caller may try again. */
export class NotReady extends Error {
  override readonly name = 'NotReady'
}

/** Seconds after which a caller may try again that the server was too busy for. */
export const RETRY_AFTER = 5

/** Builds the refusal of a call that the server is too busy for: HTTP 503 with the time to wait. */
export const busyFailure = (cause: string): Failure =>
  new Failure('SERVER_BUSY', { retryAfter: RETRY_AFTER }, { cause })

/** Ends a call that the server is too busy for. */
export function busy(cause: string): never {
  throw busyFailure(cause)
}
