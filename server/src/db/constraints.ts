// Maps violated constraints to errors. Nothing is checked before it is inserted: the database decides, so that of two
// simultaneous callers only one succeeds.
import type { ErrorName } from '@acc/contract/core/errors'

const CONSTRAINTS: Record<string, ErrorName> = {
  usersId: 'DUPLICATE_ID',
  usersEmail: 'DUPLICATE_EMAIL',
  usersKey: 'DUPLICATE_KEY',
  usersGroup: 'NO_GROUP',
  groupsName: 'DUPLICATE_NAME',
  groupsKey: 'DUPLICATE_KEY',
  groupsParent: 'NO_GROUP',
  authoritiesName: 'DUPLICATE_NAME',
  authorityUsersUser: 'NOT_ALLOWED',
  authorityGroupsGroup: 'NO_GROUP',
  shortcutsTarget: 'DUPLICATE_NAME',
  clientVersionsVersion: 'DUPLICATE_NAME',
  policyShortcutsShortcut: 'NOT_ALLOWED',
  policyApprovalStepsAuthority: 'NOT_ALLOWED',
  requestDecisionsFor: 'REQUEST_STATE',
  bimServersId: 'DUPLICATE_ID',
  bimServersPcName: 'DUPLICATE_NAME',
  bimServersIp: 'DUPLICATE_IP',
  bimExceptionsIp: 'DUPLICATE_IP',
  userImportsOpenUpload: 'REQUEST_STATE',
  userImportsOpenSync: 'REQUEST_STATE',
}

const UNIQUE = '23505'
const FOREIGN_KEY = '23503'

type DatabaseError = { code: string; constraint?: string }
const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

/** Returns the error that a failed statement means for its caller, or undefined for a defect. */
export function constraintError(error: unknown): ErrorName | undefined {
  if (!isDatabaseError(error)) return undefined
  if (error.code !== UNIQUE && error.code !== FOREIGN_KEY) return undefined
  return CONSTRAINTS[error.constraint ?? '']
}

/** Whether a newer version added a column that a prepared statement reads. PostgreSQL has no code for that alone. */
export const isStale = (error: unknown): boolean =>
  error instanceof Error && error.message === 'cached plan must not change result type'

// Serialization failure and deadlock: the same work may succeed when it is retried.
const AGAIN = new Set(['40001', '40P01'])
export const isWorthRetrying = (error: unknown): boolean =>
  (isDatabaseError(error) && AGAIN.has(error.code)) || isStale(error)

const INSUFFICIENT_PRIVILEGE = '42501'
/** Whether the role may not do what it tried. */
export const isRefused = (error: unknown): boolean => isDatabaseError(error) && error.code === INSUFFICIENT_PRIVILEGE

type Parts = Partial<Record<'message' | 'stack' | 'code' | 'constraint' | 'table' | 'where' | 'detail', string>>
/** Returns what a log may hold of an error. Where it is no conflict of locks, its details may be values of rows. */
export function causeOf(error: unknown) {
  const parts: Parts = error instanceof Error ? error : {}
  const { message: reason, code, constraint, table, stack } = parts
  const locks = code !== undefined && AGAIN.has(code) ? { where: parts.where, detail: parts.detail } : {}
  return { reason, code, constraint, table, ...locks, stack }
}

const LOCK_NOT_AVAILABLE = '55P03'
/** Whether a statement gave up waiting for a table, or two waited for each other. */
export const isTableBusy = (error: unknown): boolean =>
  isDatabaseError(error) && (error.code === LOCK_NOT_AVAILABLE || AGAIN.has(error.code))

// Connection exceptions, shutdowns, writes to a server that became a standby (25006), lack of disk space, memory or
// connections, and the errors of Node and the pool when the database does not respond.
const GONE = /^(08...|25006|57P0[123]|53[123]00|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/
const GONE_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|Connection ended|connection is closed|is not queryable/i

/** Whether the database is unreachable or lacks resources: the call fails with 503, and the pool recovers by itself. */
export const isDatabaseGone = (error: unknown): boolean =>
  (isDatabaseError(error) && (GONE.test(error.code) || ('syscall' in error && error.syscall === 'connect'))) ||
  (error instanceof Error && GONE_WORDS.test(error.message))

const QUERY_CANCELED = '57014'
/** Whether the statement exceeded its time limit. */
export const isTimeout = (error: unknown): boolean => isDatabaseError(error) && error.code === QUERY_CANCELED

/** Whether PostgreSQL rejected a value (class 22, data exception), for example a number that is too large. */
export const isInvalidValue = (error: unknown): boolean =>
  isDatabaseError(error) && error.code.startsWith('22') && 'severity' in error
