// The access matrix: every route against every kind of caller. Derived from the contract, and compared with the committed
// table matrix.md (readable for auditors); matrix.api.test.ts tries it over HTTP.
import { expect, test } from 'vitest'
import { CALLERS, ROUTES } from './callers.ts'

test('the matrix is the committed one', async () => {
  const head = ['call', ...CALLERS.map(({ name }) => name), 'client']
  const lines = ROUTES.map((route) => [
    `${route.method} ${route.path}`,
    ...CALLERS.map((caller) => (caller.allows(route.access) ? 'yes' : '-')),
    route.access === 'agent' || route.access === 'public' ? 'yes' : '-',
  ])
  const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  await expect(
    `# Who may call what\n\nMade from the contract by matrix.table.api.test.ts. Numbers are levels of an authority; rows are narrowed by group as well.\n\n${table}\n`,
  ).toMatchFileSnapshot('matrix.md')
})
