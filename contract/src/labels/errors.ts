// The sentences of the error catalogue: what happened, and what to do about it. The type demands every name of the
// catalogue, and three causes without a code: no connection, a server that is not ready, a server that failed.
// Each language is a module of its own, so that a browser loads one of them.
import type { ErrorName } from '../core/errors.ts'

export type ErrorTexts = Readonly<Record<ErrorName | 'network' | 'unavailable' | 'server', string>>
