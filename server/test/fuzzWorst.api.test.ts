// The most expensive input of each kind for every kind of field, up to the body limit. Each call must reject it
// within 100 ms of main-thread time, since all other calls wait for that thread. A slow or busy machine has more time.
// New routes are found through the contract.
import { api } from '@acc/contract'
import type { Route } from '@acc/contract/core/route'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startTestApp } from './app.ts'
import { buildBimServer } from './build/bim.ts'
import { openDesktopClient } from './desktopClients.ts'

const started = await startTestApp()
const { admin, fetchAs, baseUrl } = started
const pc = await openDesktopClient(started, admin)
const bimServer = await buildBimServer(started.as(admin))
const fetchAsAdmin = fetchAs(admin)

/** Milliseconds for which a rejected call may block the main thread. */
const LIMIT = 100
/** A call above the limit may take twenty times as long as parsing this object: 160 ms on the usual machine. */
const REFERENCE = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key ${i}`, `${i}`])))
/** Attempts per measurement, since JIT compilation or garbage collection may distort one. */
const MEASUREMENTS = 5
const limitOf = (route: Route) => {
  if ('maxBody' in route && route.maxBody !== undefined) return route.maxBody
  return route.access === 'public' ? 16 * 1024 : 1024 * 1024
}

/** Repeats a pattern as often as it fits into `bytes` of JSON. */
const fill = (pattern: string, bytes: number) =>
  pattern.repeat(Math.max(0, Math.floor(bytes / (Buffer.byteLength(JSON.stringify(pattern)) - 2))))
/** Texts of `bytes` bytes, each the worst case for one validation step. */
const TEXTS: Record<string, (bytes: number) => string> = {
  'marks out of order': (bytes) => `a${fill('\u0315', bytes / 2)}${fill('\u0316', bytes / 2 - 1)}`,
  'marks between letters': (bytes) => fill(`e${'\u0315'.repeat(15)}${'\u0316'.repeat(15)}`, bytes),
  'letters of syllables': (bytes) => fill('\u1112\u1161\u11ab', bytes),
  'hidden characters': (bytes) => fill('\u200b', bytes),
  'joined emojis': (bytes) => fill('\u{1f468}\u200d', bytes),
  blanks: (bytes) => fill(' ', bytes),
  'blanks and a letter': (bytes) => `${fill(' \u3164', bytes - 1)}a`,
  'line breaks': (bytes) => fill('\r\n', bytes),
  'labels of an address': (bytes) => `a@${fill('a-', bytes - 3)}!`,
  digits: (bytes) => fill('1.', bytes),
  quotes: (bytes) => fill('"', bytes),
}
const SHORT = 1000

/** Fills every text field with one value, and arrays with `count` items. */
function filled(schema: z.core.$ZodType, text: string, count: number): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return filled(schema.def.innerType, text, count)
  if (schema instanceof z.ZodArray) return Array.from({ length: count }, () => filled(schema.def.element, text, count))
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, filled(field, text, count)]))
  return text
}

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const deepObject = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const lengthOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** The fields of a route with a kind that no earlier route has, or all fields of the first route of a body limit. */
type Tried = { route: Route; fields: Record<string, string>; isFirstOfLimit: boolean }

/** Yields the bodies for the fields of a route as text, named by content. */
function* bodiesOf({ route, fields: kinds, isFirstOfLimit }: Tried, limit: number): Generator<[string, string]> {
  const fields = Object.keys(kinds)
  const each = (value: string) => `{${fields.map((name) => `"${name}":${value}`).join(',')}}`
  const share = Math.floor(limit / fields.length) - 40
  const input = z.object(
    Object.fromEntries(fields.map((name) => [name, z.object(route.input.shape).shape[name] ?? z.never()])),
  )
  const isIn = (word: string) => Object.values(kinds).some((kind) => kind.includes(word) || kind.includes(UNKNOWN))
  for (const [name, text] of isIn('"string"') ? Object.entries(TEXTS) : []) {
    yield [`${name}, long`, each(JSON.stringify(text(share)))]
    if (!isIn('"array"')) continue
    const one = filled(input, text(SHORT), 1)
    const count = Math.floor((limit * 0.99) / lengthOf(one))
    yield [`${name}, in each item`, JSON.stringify(filled(input, text(SHORT), Math.max(1, count)))]
  }
  const items = Math.min(100_000, Math.floor(share / 2) - 10)
  yield ['100,000 numbers', each(`[${Array.from({ length: items }, () => 1).join(',')}]`)]
  yield ['100,000 texts', each(`[${Array.from({ length: Math.floor(items / 2) }, () => '""').join(',')}]`)]
  yield ['100,000 objects', each(`[${Array.from({ length: Math.floor(items / 2) }, () => '{}').join(',')}]`)]
  yield ['deep arrays', each(deep(Math.floor(share / 2)))]
  yield ['deep objects', each(deepObject(Math.floor(share / 6)))]
  yield ['large numbers', each('9'.repeat(share))]
  if (!isFirstOfLimit) return
  yield ['long keys', `{"${'k'.repeat(limit / 2)}":1,${each('{}').slice(1)}`]
  const keys = Array.from({ length: Math.floor(limit / 12) }, (_, i) => `"${i}":1`)
    .join(',')
    .slice(0, limit - SHORT * 4)
  yield ['100,000 keys', `{${keys.slice(0, keys.lastIndexOf(','))},${each('""').slice(1)}`]
}

/** Milliseconds of processor time that this thread has spent since `before`. */
function spentSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** The limit on the machine as it is now. */
function limitNow(): number {
  const before = process.threadCpuUsage()
  JSON.parse(REFERENCE)
  return Math.max(LIMIT, 20 * spentSince(before))
}

async function call(route: Route, body: string) {
  const headers = {
    'x-requested-with': 'XMLHttpRequest',
    'content-type': 'application/json',
    ...(route.access === 'agent' && { authorization: `Bearer ${pc.token}` }),
    ...(route.access === 'bimServer' && { authorization: `Bearer ${bimServer.id}` }),
  }
  const before = process.threadCpuUsage()
  const send =
    route.access === 'agent' || route.access === 'bimServer' || route.access === 'public'
      ? (path: string, init: RequestInit) => fetch(baseUrl + path, init)
      : fetchAsAdmin
  const response = await send(route.path, { method: route.method, headers, body })
  const answer = await response.text()
  return { spent: spentSince(before), status: response.status, answer }
}

/** A limit of another size is no other kind: every input is far above it. */
const LIMITS = /"(m(?:in|ax)(?:imum|Length|Items))":-?\d+/g
const VALUES = /"(?:enum|const|default)":(?:\[[^\]]*\]|"[^"]*"|\d+)/g
/** The form of a field that has none in JSON Schema: two of them may differ. */
const UNKNOWN = '{}'
const kindOf = (field: z.core.$ZodType) => {
  const kind = JSON.stringify(z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }))
  return kind.includes(UNKNOWN) ? kind : kind.replace(LIMITS, '"$1"').replace(VALUES, '"values"')
}

/** Fields of a kind that no earlier route has, of routes with long bodies first: the others check the same. */
const known = new Set<string>()
const limits = new Set<number>()
const tried = Object.values(api)
  .flatMap((domain): Route[] => Object.values(domain))
  .filter(({ method, kind, input }) => method !== 'GET' && kind === 'json' && Object.keys(input.shape).length > 0)
  .sort((one, other) => limitOf(other) - limitOf(one))
  .flatMap((route): Tried[] => {
    const kinds = Object.entries(route.input.shape).map(([name, field]) => [name, kindOf(field)] as const)
    const isFirstOfLimit = !limits.has(limitOf(route))
    const fields = Object.fromEntries(kinds.filter(([, kind]) => isFirstOfLimit || !known.has(kind)))
    for (const [, kind] of kinds) known.add(kind)
    limits.add(limitOf(route))
    return Object.keys(fields).length > 0 ? [{ route, fields, isFirstOfLimit }] : []
  })

test.each(tried.map((one) => [`${one.route.method} ${one.route.path}`, one] as const))(
  '%s refuses the worst input at once',
  { timeout: 120_000 },
  async (_, one) => {
    const { route } = one
    for (const [what, body] of bodiesOf(one, limitOf(route))) {
      let best = Number.POSITIVE_INFINITY
      let limit = LIMIT
      for (let i = 0; i < MEASUREMENTS && best > limit; i++) {
        const { spent, status, answer } = await call(route, body)
        expect(status, what).toBe(200)
        expect(answer, what).not.toMatch(/^{"errorCode":0,/)
        expect(answer.length, what).toBeLessThan(10_000)
        best = Math.min(best, spent)
        if (best > LIMIT) limit = limitNow()
      }
      expect(best, what).toBeLessThan(limit)
    }
  },
)
