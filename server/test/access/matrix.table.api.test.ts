// The page of all calls, matrix.md: who may make each one, and the sizes and bounds of its input. Derived from the
// contract and readable for auditors, so that a lost limit shows in a diff. matrix.api.test.ts tries it over HTTP.
import type { Access } from '@acc/contract/core/access'
import type { Route } from '@acc/contract/core/route'
import { expect, test } from 'vitest'
import { listBounds } from './bounds.ts'
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

/** Returns the sizes of a call and the bounds of its input. */
function boundsOf(route: Route): string {
  const sizes: { [name: string]: unknown } = route
  const named = ['maxBody', 'maxFile', 'maxRows'].filter((name) => sizes[name] !== undefined)
  return [...named.map((name) => `${name} ${sizes[name]}`), ...listBounds(route.input)].join('<br>')
}

const HEAD = `# Callers and bounds of each call

Made from the contract by matrix.table.api.test.ts. Callers: ${callers.map(({ name }) => name).join(', ')}. Numbers are levels of an authority; rows are narrowed by group as well. Bounds: 1..30 is from 1 to 30, 1.. from 1 on; (1..30) characters, [1..30] items.

| call | callers | bounds |
| --- | --- | --- |
`

test('the page of all calls is the committed one', async () => {
  const lines = ROUTES.map((route) =>
    [`| ${route.method} ${route.path}`, admittedBy(route.access), `${boundsOf(route)} |\n`].join(' | '),
  )
  await expect(HEAD + lines.join('')).toMatchFileSnapshot('matrix.md')
})

test('no call is registered twice (spec S1 §8)', () => {
  const names = ROUTES.map(({ method, path }) => `${method} ${path.toLowerCase()}`)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
