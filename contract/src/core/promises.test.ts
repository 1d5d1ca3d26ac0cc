// The promises of each call in one table (promises.md): errors, topics, sizes, bounds of the input. No other test
// provokes every error or reaches every limit, so a lost one shows in the diff of this table.
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { api } from '../index.ts'
import { listBounds } from './bounds.fixture.ts'

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

test('the promises of the calls are the committed ones', async () => {
  const lines = calls.map(({ method, path, errors, changes = [], input, ...sizes }) => [
    `${method} ${path}`,
    errors.join(' '),
    changes.join(' '),
    ...[sizesOf(sizes), listBounds(input)].map((bounds) => bounds.join('<br>')),
  ])
  const head = ['call', 'errors', 'topics', 'sizes', 'bounds of the input']
  const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  await expect(
    `# Promises of the calls\n\nMade from the contract by promises.test.ts. 1..30 is from 1 to 30, 1.. from 1 on.\n\n${table}\n`,
  ).toMatchFileSnapshot('promises.md')
})

test('no call is registered twice (spec S1 §8)', () => {
  const names = calls.map(({ method, path }) => `${method} ${path.toLowerCase()}`)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
