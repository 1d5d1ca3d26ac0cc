// The texts of the error catalogue: what happened, and what to do about it. The type requires every name of the catalogue, causes
// without a code (no connection, server not ready, server failure), and `removed`: NOT_ALLOWED as administrators read it. Each
// language is a separate module, so that a browser loads only one.
import type { ErrorName } from '../core/errors.ts'

export type ErrorTexts = Readonly<Record<ErrorName | 'network' | 'unavailable' | 'server' | 'removed', string>>
