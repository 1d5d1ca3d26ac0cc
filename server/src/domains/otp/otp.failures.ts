// Errors of the second factor, which are no refusals of a sign-in.
import type { ErrorName } from '@acc/contract/core/errors'
import { Failure } from '../../core/errors.ts'

/** Asks for a code, or refuses one: the sign-in continues with the next code, and a wrong code has a row of its own. */
export class FactorFailure extends Failure {}

/** Ends the call with an error of the second factor. */
export function failFactor(error: ErrorName, data?: unknown): never {
  throw new FactorFailure(error, data)
}
