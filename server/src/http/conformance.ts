// Checks that a call keeps its contract: errors and their data, announced and shown topics, written history. A breach
// fails the call in tests and is logged by a running server.
import { channel } from 'node:diagnostics_channel'
import { isDeepStrictEqual } from 'node:util'
import { errorsOf, isCommonError } from '@acc/contract/core/errors'
import type { Route } from '@acc/contract/core/route'
import type { Topic } from '@acc/contract/core/topics'
import { errorDataOf } from '@acc/contract/errorData'
import { detailOf } from '@acc/contract/history/kinds'
import type { Summary } from '../core/change.ts'
import { Failure } from '../core/errors.ts'
import type { HandlerServices } from '../core/services.ts'
import { findUnshown } from '../core/writtenTopics.ts'
import { FileStoreError } from '../files/errors.ts'

/** A call did something that its route does not declare. Thrown in tests, which receive the message as the answer. */
export class ContractBreach extends Error {
  override readonly name = 'ContractBreach'
}

/** Receives each error with its route. Tests subscribe to find errors that a route lists and nothing throws. */
export const thrownErrors = channel('acc:thrown-error')

type Reporter = Pick<HandlerServices, 'isStrict' | 'log'>

function report({ isStrict, log }: Reporter, route: Route, problem: string): void {
  const breach = new ContractBreach(`${route.method} ${route.path} ${problem}`)
  if (isStrict) throw breach
  log.error({ reason: breach.message }, 'a call does not keep to its contract')
}

/** Reports an error that the route does not list, and data that the contract does not describe. */
export function requireDeclaredError(services: Reporter, route: Route, error: unknown): void {
  const name =
    error instanceof FileStoreError ? 'STORAGE_UNAVAILABLE' : error instanceof Failure ? error.error : undefined
  if (name === undefined) return
  if (services.isStrict) thrownErrors.publish({ route, name })
  if (!isCommonError(name) && !errorsOf(route).includes(name))
    report(services, route, `throws ${name}, which it does not list`)
  const data = error instanceof Failure ? error.data : undefined
  if (data !== undefined && !isDeepStrictEqual(errorDataOf(name)?.safeParse(data).data, data))
    report(services, route, `throws ${name} with data that errorData.ts does not describe`)
}

const isAudited = ({ audit }: Route) => audit !== undefined && (typeof audit === 'string' || Array.isArray(audit))

/**
 * Reports announced topics that the route does not list, written rows that are not announced, and a change that has
 * history without announcing the first listed topic, or the reverse.
 */
export function requireDeclaredTopics(services: Reporter, route: Route, { topics, log, written }: Summary): void {
  const declared: readonly Topic[] = ('changes' in route && route.changes) || []
  const foreign = [...topics].filter((topic) => !declared.includes(topic))
  if (foreign.length > 0) report(services, route, `announces ${foreign.join(', ')}, which it does not list`)
  const [first] = route.method === 'GET' ? [] : declared
  if (log.length > 0 && first !== undefined && !topics.has(first)) report(services, route, `does not announce ${first}`)
  // A mail is a record by itself: it may say that nothing was changed.
  const isRecord = first === undefined || first === 'mails'
  if (log.length === 0 && !isRecord && topics.has(first) && isAudited(route))
    report(services, route, `announces ${first} without a row of its history`)
  const silent = [...written].filter((topic) => !topics.has(topic))
  if (silent.length > 0) report(services, route, `changes rows of ${silent.join(', ')}, which it does not announce`)
}

/**
 * Reports a history row with more or other fields than its kind declares: no list, filter or detail would show them.
 * Runs only in tests, since a call may write 10,000 rows.
 */
export function requireDeclaredDetails(services: Reporter, route: Route, { log }: Summary): void {
  if (!services.isStrict) return
  const isDeclared = ({ kind, detail }: Summary['log'][number]) => {
    const written: unknown = JSON.parse(JSON.stringify(detail))
    return isDeepStrictEqual(detailOf(kind).safeParse(written).data, written)
  }
  const [foreign] = log.filter((entry) => !isDeclared(entry))
  if (foreign !== undefined)
    report(services, route, `writes a row of ${foreign.kind} with fields that it does not have`)
}

/** Tables that a read names although what it returns does not follow them. */
const INCIDENTAL: Readonly<Record<string, readonly string[]>> = {
  // The name of the PC, which only its own sign-in changes.
  '/Account/Sessions': ['devices'],
  // Read with the policy, whose owner is all that is returned.
  '/Policy/OwnerName': ['shortcuts'],
  // Faults and counts, which the screen fetches at intervals.
  '/SystemStatus': [
    ...['users', 'fileEximports', 'clientVersions'],
    ...['requestSteps', 'requestDecisions', 'authorities', 'authorityUsers', 'authorityGroups', 'groups', 'absences'],
  ],
}
/** Rows of the history do not change; other tables only say which of their links open. */
const isHistory = ({ path }: Route) => path.startsWith('/Logs/')

/** Reports a read of tables whose changes do not make its data stale. */
export function requireShownTopics(services: Reporter, route: Route, tables: ReadonlySet<string>): void {
  if (!('shows' in route) || isHistory(route)) return
  const unshown = findUnshown(tables, route.shows).filter((table) => !INCIDENTAL[route.path]?.includes(table))
  if (unshown.length > 0) report(services, route, `reads ${unshown.join(', ')}, of which it shows no topic`)
}
