// The bounds of a schema as text, for tables that tests keep: a limit that moves shows in a diff.
import { z } from 'zod'

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

/** Returns the bounds of a schema in the order of its fields. */
export function listBounds(schema: z.core.$ZodType, io: 'input' | 'output'): string[] {
  const whole = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' })
  return [...new Set(boundsOf(whole, ''))].map((bound) => bound.replace(/^\./, ''))
}
