// The bounds of every input and its data in one table (bounds.md): a limit that moves shows in a diff, and turns this test red.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { api } from '../index.ts'

const BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'minItems', 'maxItems'] as const
/** Every whole number has these, which are JavaScript's and no rule of ours. */
const ANY = new Set<unknown>([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])

/** The bounds of a schema and of what is in it, each with its place: `files[].name`. */
function boundsOf(schema: z.core.JSONSchema.BaseSchema, place: string): string[] {
  const own = BOUNDS.filter((name) => schema[name] !== undefined && !ANY.has(schema[name])).map(
    (name) => `${place} ${name} ${schema[name]}`,
  )
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [`${place}.${name}`, field] as const)
  const others = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].map((one) => [place, one] as const)
  const items = schema.items && !Array.isArray(schema.items) ? [[`${place}[]`, schema.items] as const] : []
  const inner = [...fields, ...others, ...items].flatMap(([at, one]) =>
    typeof one === 'object' ? boundsOf(one, at) : [],
  )
  return [...own, ...inner]
}

type Schema = z.core.$ZodType
const linesOf = (schema: Schema, io: 'input' | 'output') => {
  const whole = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' })
  return [...new Set(boundsOf(whole, ''))].map((bound) => bound.replace(/^\./, '')).join('<br>')
}

test('the bounds of inputs and data are the committed ones', async () => {
  const routes = Object.values(api).flatMap((group): { method: string; path: string; input: Schema; data: Schema }[] =>
    Object.values(group),
  )
  const lines = routes
    .map(({ method, path, input, data }) => ({
      call: `${method} ${path}`,
      of: [linesOf(input, 'input'), linesOf(data, 'output')],
    }))
    .filter(({ of }) => of.some((bounds) => bounds !== ''))
    .map(({ call, of }) => `| ${call} | ${of.join(' | ')} |`)
  await expect(
    `# The bounds of inputs and data\n\nMade from the contract by bounds.test.ts.\n\n| call | of the input | of the data |\n| --- | --- | --- |\n${lines.join('\n')}\n`,
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
