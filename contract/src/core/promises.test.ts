// The promises of each call in one table (promises.md): errors, topics, sizes and bounds of the input. No other test
// provokes every error or reaches every limit, so a lost one shows in the diff of this table.
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { api } from '../index.ts'
import { listBounds } from './bounds.fixture.ts'
import { paging } from './paging.ts'

type Sizes = { maxBody?: number; maxFile?: number; maxRows?: number }
type Call = Sizes & {
  method: string
  path: string
  errors: readonly string[]
  changes?: readonly string[]
  input: z.core.$ZodType
}

const calls = Object.values(api).flatMap((group): Call[] => Object.values(group))
const sizesOf = (sizes: Sizes) =>
  (['maxBody', 'maxFile', 'maxRows'] as const)
    .filter((name) => sizes[name] !== undefined)
    .map((name) => `${name} ${sizes[name]}`)

/** The bounds of a page of a list, which the table names once. */
const PAGE = listBounds(paging(['idx']))
function boundsOf(input: z.core.$ZodType) {
  const bounds = listBounds(input)
  const others = bounds.filter((bound) => !PAGE.includes(bound))
  return bounds.length - others.length === PAGE.length ? ['page', ...others] : bounds
}

const HEAD = `# Promises of the calls

Made from the contract by promises.test.ts. Calls that promise none of these are left out. Bounds of the input:
1..30 is a number from 1 to 30, (1..30) the length of a text, [1..30] the length of a list. 1.. has no upper bound.
A page has the bounds ${PAGE.join(', ')}.
`

test('the promises of the calls are the committed ones', async () => {
  const lines = calls
    .map(({ method, path, errors, changes = [], input, ...sizes }) => [
      `${method} ${path}`,
      errors.join(' '),
      changes.join(' '),
      [...sizesOf(sizes), ...boundsOf(input)].join('<br>'),
    ])
    .filter(([, ...promises]) => promises.some(Boolean))
  const head = ['call', 'errors', 'topics', 'sizes and bounds']
  const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  await expect(`${HEAD}\n${table}\n`).toMatchFileSnapshot('promises.md')
})

test('no call is registered twice (spec S1 §8)', () => {
  const names = calls.map(({ method, path }) => `${method} ${path.toLowerCase()}`)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
