// The bounds of a schema as text, for matrix.md.
import { z } from 'zod'

/** The bounds of numbers, texts and lists: the least, the most, how they are written. */
const BOUNDS = [
  ['minimum', 'maximum', (bounds: string) => bounds],
  ['exclusiveMinimum', 'exclusiveMaximum', (bounds: string) => `${bounds} exclusive`],
  ['minLength', 'maxLength', (bounds: string) => `(${bounds})`],
  ['minItems', 'maxItems', (bounds: string) => `[${bounds}]`],
] as const
/** Every whole number has these, which are JavaScript's and no rule of ours. */
const ANY = new Set<unknown>([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])

/** The bounds of a schema and of all schemas in it, each with its place: `files[].name`. */
function boundsOf(schema: z.core.JSONSchema.BaseSchema, place: string): string[] {
  const limitOf = (name: (typeof BOUNDS)[number][0 | 1]) => (ANY.has(schema[name]) ? '' : (schema[name] ?? ''))
  const own = BOUNDS.map(([least, most, write]) => ({ bounds: `${limitOf(least)}..${limitOf(most)}`, write }))
    .filter(({ bounds }) => bounds !== '..')
    .map(({ bounds, write }) => `${place} ${write(bounds)}`)
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [`${place}.${name}`, field] as const)
  const others = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].map((one) => [place, one] as const)
  const items = schema.items && !Array.isArray(schema.items) ? [[`${place}[]`, schema.items] as const] : []
  const inner = [...fields, ...others, ...items].flatMap(([at, one]) =>
    typeof one === 'object' ? boundsOf(one, at) : [],
  )
  return [...own, ...inner]
}

/** Returns the bounds of an input in the order of its fields. */
export function listBounds(schema: z.core.$ZodType): string[] {
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })
  return [...new Set(boundsOf(whole, ''))].map((bound) => bound.replace(/^\./, ''))
}
