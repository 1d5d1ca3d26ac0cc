// Finds the texts of writing calls whose schemas accept hostile text, and those that a test has sent.
import { api } from '@acc/contract'
import type { Route } from '@acc/contract/core/route'
import { z } from 'zod'

/** `createServer` and `updateServer` write the same columns. */
const recordOf = (group: string, call: string): string => `${group}.${call.replace(/^(create|update)/, '')}`

const WRITES = Object.entries(api).flatMap(([group, routes]) =>
  Object.entries<Route>(routes)
    .filter(([, { method }]) => method !== 'GET')
    .map(([call, route]) => ({ route, record: recordOf(group, call) })),
)

/** Returns the paths of the strings in a schema that accept one of the texts. */
function pathsOf(schema: z.core.$ZodType, texts: readonly string[], path: string): string[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, field]) => pathsOf(field, texts, `${path}.${name}`))
  if (schema instanceof z.ZodArray) return pathsOf(schema.element, texts, path)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => pathsOf(option, texts, path))
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return pathsOf(schema.unwrap(), texts, path)
  if (schema instanceof z.ZodPipe) return pathsOf(schema.def.out, texts, path)
  return texts.some((text) => z.safeParse(schema, text).success) ? [path] : []
}

/** Returns the texts of writing calls whose schemas accept one of these, such as `groups..name`. */
export const findStoredTexts = (texts: readonly string[]): string[] => [
  ...new Set(WRITES.flatMap(({ route, record }) => pathsOf(route.input, texts, record))),
]

/** Returns the paths of the strings in a value that contain one of the texts. */
function pathsIn(value: unknown, texts: readonly string[], path: string): string[] {
  if (typeof value === 'string') return texts.some((text) => value.includes(text)) ? [path] : []
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, texts, path))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, field]) => pathsIn(field, texts, `${path}.${name}`))
}

/** Collects the texts of writing calls that are sent while `during` runs and contain one of these. */
export async function collectSentTexts<T>(texts: readonly string[], during: () => Promise<T>) {
  const sent = new Set<string>()
  const { fetch } = globalThis
  globalThis.fetch = (input, init) => {
    const { pathname } = new URL(String(input))
    const write = WRITES.find(({ route }) => route.path === pathname && route.method === init?.method)
    if (write !== undefined && typeof init?.body === 'string')
      for (const path of pathsIn(JSON.parse(init.body), texts, write.record)) sent.add(path)
    return fetch(input, init)
  }
  try {
    return { sent, result: await during() }
  } finally {
    globalThis.fetch = fetch
  }
}
