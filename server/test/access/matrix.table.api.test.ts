// The access matrix: every route with the callers that it admits. Derived from the contract, and compared with the
// committed table matrix.md (readable for auditors); matrix.api.test.ts tries it over HTTP.
import type { Access } from '@acc/contract/core/access'
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

test('the matrix is the committed one', async () => {
  const lines = ROUTES.map((route) => `| ${route.method} ${route.path} | ${admittedBy(route.access)} |`)
  await expect(
    `# Who may call what\n\nMade from the contract by matrix.table.api.test.ts. Callers: ${callers.map(({ name }) => name).join(', ')}. Numbers are levels of an authority; rows are narrowed by group as well.\n\n| call | callers |\n| --- | --- |\n${lines.join('\n')}\n`,
  ).toMatchFileSnapshot('matrix.md')
})
