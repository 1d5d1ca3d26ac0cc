// What becomes of a failed call: whoever knows what to do about an error claims it; what nobody has claimed reaches the
// person through one global handler (S1 section 8). So nothing is shown twice, and nothing is swallowed by oversight.
import { ApiError } from '@acc/contract/core/client'
import { ERRORS, type Reaction } from '@acc/contract/core/errors'

const claimed = new WeakSet<ApiError>()
let report: (error: ApiError) => void = () => undefined

/** The caller has dealt with this error: the global handler leaves it alone. */
export function markHandled(error: unknown): void {
  if (error instanceof ApiError) claimed.add(error)
}

export const reportErrorsTo = (handler: (error: ApiError) => void): void => {
  report = handler
}

/** Every failed call passes here; its caller gets the error first, which takes microtasks only. */
export function passError(error: ApiError): void {
  setTimeout(() => {
    if (!claimed.has(error)) report(error)
  })
}

export const reactionOf = (error: ApiError): Reaction => (error.error ? ERRORS[error.error].reaction : 'dialog')

/** Errors that end the page's work whatever the caller does: the session is gone, or the account is. */
export const endsPage = (error: unknown): boolean => error instanceof ApiError && reactionOf(error) === 'reload'
