// Holds what a call does against its route: the errors that it throws and the topics that it announces. A call of a test
// fails where they differ; a running server logs it, since the caller is better off with the answer.
import { errorsOf, isCommonError } from '@acc/contract/core/errors'
import type { Route } from '@acc/contract/core/route'
import type { Topic } from '@acc/contract/core/topics'
import type { Summary } from '../core/change.ts'
import { Failure } from '../core/errors.ts'
import type { HandlerServices } from '../core/services.ts'
import { FileStoreError } from '../files/errors.ts'

/** A call did something that its route does not declare: a defect. */
class ContractBreach extends Error {
  override readonly name = 'ContractBreach'
}

type Reporter = Pick<HandlerServices, 'isStrict' | 'log'>

function report({ isStrict, log }: Reporter, route: Route, problem: string): void {
  const breach = new ContractBreach(`${route.method} ${route.path} ${problem}`)
  if (isStrict) throw breach
  log.error({ reason: breach.message }, 'a call does not keep to its contract')
}

/** Reports an error that the route does not list. */
export function requireDeclaredError(services: Reporter, route: Route, error: unknown): void {
  const name =
    error instanceof FileStoreError ? 'STORAGE_UNAVAILABLE' : error instanceof Failure ? error.error : undefined
  if (name === undefined || isCommonError(name) || errorsOf(route).includes(name)) return
  report(services, route, `throws ${name}, which it does not list`)
}

/** Reports announced topics that the route does not list, and a logged write that does not announce the first listed one. */
export function requireDeclaredTopics(services: Reporter, route: Route, { topics, isLogged }: Summary): void {
  const declared: readonly Topic[] = ('changes' in route && route.changes) || []
  const foreign = [...topics].filter((topic) => !declared.includes(topic))
  if (foreign.length > 0) report(services, route, `announces ${foreign.join(', ')}, which it does not list`)
  const [first] = route.method === 'GET' ? [] : declared
  if (isLogged && first !== undefined && !topics.has(first)) report(services, route, `does not announce ${first}`)
}
