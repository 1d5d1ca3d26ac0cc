// The bounds of every call, its input and its data in one table (bounds.md): a limit that moves shows in a diff, and turns this test red.
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { api } from '../index.ts'
import { listBounds } from './bounds.fixture.ts'

type Schema = z.core.$ZodType
type Sizes = { maxBody?: number; maxFile?: number; maxRows?: number }
type BoundedCall = Sizes & { method: string; path: string; input: Schema; data: Schema }

const sizesOf = (sizes: Sizes) =>
  (['maxBody', 'maxFile', 'maxRows'] as const)
    .filter((name) => sizes[name] !== undefined)
    .map((name) => `${name} ${sizes[name]}`)
    .join('<br>')
const linesOf = (schema: Schema, io: 'input' | 'output') => listBounds(schema, io).join('<br>')

test('the bounds of calls are the committed ones', async () => {
  const routes = Object.values(api).flatMap((group): BoundedCall[] => Object.values(group))
  const lines = routes
    .map(({ method, path, input, data, ...sizes }) => ({
      call: `${method} ${path}`,
      of: [sizesOf(sizes), linesOf(input, 'input'), linesOf(data, 'output')],
    }))
    .filter(({ of }) => of.some((bounds) => bounds !== ''))
    .map(({ call, of }) => `| ${call} | ${of.join(' | ')} |`)
  await expect(
    `# The bounds of calls\n\nMade from the contract by bounds.test.ts. 1..30 is from 1 to 30, 1.. from 1 on.\n\n| call | of the call | of the input | of the data |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`,
  ).toMatchFileSnapshot('bounds.md')
})

test('no call is registered twice (spec S1 §8)', () => {
  const calls = Object.values(api).flatMap((routes) =>
    Object.values(routes).map(
      ({ method, path }: { method: string; path: string }) => `${method} ${path.toLowerCase()}`,
    ),
  )
  expect(calls.filter((call, at) => calls.indexOf(call) !== at)).toEqual([])
})
