// Failed calls: a caller that can handle an error marks it as handled, and one global handler shows all others (spec S1
// §8). So no error is shown twice, and none is lost by mistake.
import { ApiError } from '@acc/contract/core/client'
import { ERRORS, type ErrorName, type Reaction } from '@acc/contract/core/errors'

const handled = new WeakSet<ApiError>()
let report: (error: ApiError) => void = () => undefined

/** Keeps the global handler from showing an error that the caller has dealt with. */
export function markHandled(error: unknown): undefined {
  if (error instanceof ApiError) handled.add(error)
}

const announced = new WeakSet<ApiError>()

/** Remembers that the contract lists the error for the call that failed. */
export function markAnnounced(error: unknown, errors: readonly ErrorName[]): void {
  if (error instanceof ApiError && error.error !== undefined && errors.includes(error.error)) announced.add(error)
}
export const isAnnounced = (error: ApiError): boolean => announced.has(error)

export const reportErrorsTo = (handler: (error: ApiError) => void): void => {
  report = handler
}

/** Called for every failed call. The caller receives the error first, within microtasks. */
export function passError(error: ApiError): void {
  setTimeout(() => {
    if (!handled.has(error)) report(error)
  })
}

export const reactionOf = (error: ApiError): Reaction => (error.error ? ERRORS[error.error].reaction : 'dialog')

/** Whether the page reloads after the error, independently of the caller: the session or the account is gone. */
export const endsPage = (error: unknown): boolean => error instanceof ApiError && reactionOf(error) === 'reload'
