// The access matrix: the routes of each set of callers. Derived from the contract, and compared with the committed
// matrix.md (readable for auditors); matrix.api.test.ts tries it over HTTP.
import type { Access } from '@acc/contract/core/access'
import type { Route } from '@acc/contract/core/route'
import { expect, test } from 'vitest'
import { CALLERS, ROUTES } from './callers.ts'

const client = {
  name: 'client',
  rights: undefined,
  allows: (access: Access) => ['agent', 'public'].includes(`${access}`),
}
const callers = [...CALLERS, client]
const people = callers.filter(({ rights }) => rights)

/** Returns the names of the callers that may call a route. */
function admittedBy(access: Access) {
  const admitted = callers.filter((caller) => caller.allows(access))
  if (admitted.length === callers.length) return 'everybody'
  const names = (some: typeof admitted) => some.map(({ name }) => name)
  const areAllPeople = people.every((person) => admitted.includes(person))
  return (
    areAllPeople ? ['everybody signed in', ...names(admitted.filter(({ rights }) => !rights))] : names(admitted)
  ).join(', ')
}

const HEAD = `# Who may call what

Made from the contract by matrix.table.api.test.ts. Callers: ${callers.map(({ name }) => name).join(', ')}.
Numbers are levels of an authority; rows are narrowed by group as well.
`

const lineOf = ({ method, path }: Route) => `| ${method} ${path} |`

test('the matrix is the committed one', async () => {
  const groups = Map.groupBy(ROUTES, (route) => admittedBy(route.access))
  const tables = [...groups].map(
    ([names, routes]) => `## ${names}\n\n| call |\n| --- |\n${routes.map(lineOf).join('\n')}\n`,
  )
  await expect([HEAD, ...tables].join('\n')).toMatchFileSnapshot('matrix.md')
})
