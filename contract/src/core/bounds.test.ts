// The bounds of every input in one table (bounds.md): a limit that moves shows in a diff, and turns this test red.
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

test('the bounds of the inputs are the committed ones', async () => {
  const lines = Object.values(api).flatMap((routes) =>
    Object.values(routes).flatMap((route: { method: string; path: string; input: z.ZodObject }) => {
      const schema = z.toJSONSchema(route.input, { io: 'input', unrepresentable: 'any', reused: 'inline' })
      const bounds = [...new Set(boundsOf(schema, ''))].map((bound) => bound.replace(/^\./, ''))
      return bounds.length === 0 ? [] : [`| ${route.method} ${route.path} | ${bounds.join('<br>')} |`]
    }),
  )
  await expect(
    `# The bounds of inputs\n\nMade from the contract by bounds.test.ts.\n\n| call | bounds |\n| --- | --- |\n${lines.join('\n')}\n`,
  ).toMatchFileSnapshot('bounds.md')
})
