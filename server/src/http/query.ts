// Converts a query string into the input of a route's schema: indexed arrays (`idxes[0]=3`), repeated keys, comma lists
// become arrays, and digits become numbers, if the schema requires them. Nothing else is converted.
import { z } from 'zod'

type Kind = 'array' | 'number' | 'text'

function kindOf(schema: z.core.$ZodType): { kind: Kind; item?: Kind } {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return kindOf(schema.def.innerType)
  }
  if (schema instanceof z.ZodArray) return { kind: 'array', item: kindOf(schema.def.element).kind }
  if (schema instanceof z.ZodUnion) return kindOf(schema.def.options[0] ?? z.string())
  if (schema instanceof z.ZodLiteral) return { kind: typeof schema.def.values[0] === 'number' ? 'number' : 'text' }
  return { kind: schema instanceof z.ZodNumber ? 'number' : 'text' }
}

const NUMBER = /^-?\d{1,16}$/
const toNumber = (text: unknown) => (typeof text === 'string' && NUMBER.test(text) ? Number(text) : text)
const INDEXED = /^([A-Za-z]\w*)\[(\d{0,5})\]$/

/** How many pairs a query string may hold: 10,000 idxes and some filters. */
const MAX_PAIRS = 10_100

/** Reads a raw query string. Pairs past MAX_PAIRS make it undefined: the caller answers INVALID_INPUT. */
export function readQuery(text: string): Map<string, string[]> | undefined {
  const found = new Map<string, string[]>()
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > MAX_PAIRS) return undefined
    const key = INDEXED.exec(name)?.[1] ?? name
    const values = found.get(key)
    if (values === undefined) found.set(key, [value])
    else values.push(value)
  }
  return found
}

/** Shapes the pairs by the schema's fields. Fields that the schema does not know are dropped. */
export function fromQuery(schema: z.ZodObject, pairs: Map<string, string[]>): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.shape)) {
    const values = pairs.get(name)
    if (values === undefined) continue
    const { kind, item } = kindOf(field)
    if (kind === 'array') {
      const parts = values.flatMap((value) => value.split(',')).filter((part) => part !== '')
      input[name] = item === 'number' ? parts.map(toNumber) : parts
    } else if (values.length > 1) input[name] = values
    else if (values[0] !== '' || kind === 'text') input[name] = kind === 'number' ? toNumber(values[0]) : values[0]
  }
  return input
}
