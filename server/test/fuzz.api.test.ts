// Bad input on every call: each route receives input that violates its schema, field by field and all at once. It
// answers 983 or one of its own codes, never 5xx, and always an envelope.
import { api } from '@acc/contract'
import { filePartOf, toQuery } from '@acc/contract/core/client'
import type { Route } from '@acc/contract/core/route'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestApp } from './app.ts'

const { admin, fetchAs, anonymous } = await startTestApp()

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])
const NASTY: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  'a',
  '한글 이름',
  'x'.repeat(5000),
  'a\u0000b',
  '\ud800',
  '\u202eexe.txt',
  '\u3164',
  'a\u200db\u{e0041}c',
  "'; drop table users; --",
  '%_\\',
  '../../etc/passwd',
  '=1+1',
  '{{HOST}}',
  '1e999',
  'NaN',
  0,
  1,
  2,
  -1,
  1.5,
  2 ** 31,
  Number.MAX_SAFE_INTEGER,
  2 ** 60,
  1e308,
  [],
  [1, 1],
  ['x'],
  Array.from({ length: 10_001 }, (_, i) => i + 1),
  {},
  { $gt: 0 },
  { toString: 1 },
  deep(200),
  '2026-13-45',
  '2026-11-21T00:00:00Z',
  '0001-01-01T00:00:00.000Z',
  'no-address',
]

// Calls that end the session that the next case needs, or stream endlessly.
const LEFT_OUT = new Set(['POST /Account/Logout', 'GET /Events'])
const routes = Object.values(api)
  .flatMap((domain): Route[] => Object.values(domain))
  .filter((route) => !LEFT_OUT.has(`${route.method} ${route.path}`))

const textOf = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)
const texts = (input: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, Array.isArray(value) ? value.map(textOf) : textOf(value)]),
  )

/** A form with the input in its parts, and a file of no known kind. */
function formOf(route: Route, input: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(texts(input))) form.append(name, String(value))
  form.append(filePartOf(route), new Blob(['bytes']), 'file.png')
  return form
}

type Call = ReturnType<typeof fetchAs>
async function send(call: Call, route: Route, input: Record<string, unknown>) {
  const isInQuery = route.method === 'GET' || route.kind === 'upload'
  const isJson = !isInQuery && route.kind !== 'form'
  const response = await call(route.path + (isInQuery ? toQuery(texts(input)) : ''), {
    method: route.method,
    headers: {
      'x-requested-with': 'XMLHttpRequest',
      ...(isJson && { 'content-type': 'application/json' }),
      ...(route.kind === 'upload' && { 'content-type': 'application/octet-stream' }),
    },
    ...(isJson && { body: JSON.stringify(input) }),
    ...(route.kind === 'form' && { body: formOf(route, input) }),
    ...(route.kind === 'upload' && { body: 'bytes' }),
  })
  const text = await response.text()
  const isFile = response.headers.get('content-type')?.startsWith('application/json') !== true
  return { status: response.status, text, isFile: isFile && (route.kind === 'page' || route.kind === 'download') }
}

function isEnvelope(text: string): boolean {
  try {
    return typeof (JSON.parse(text) as { errorCode?: unknown }).errorCode === 'number'
  } catch {
    return false
  }
}

type Exchange = Awaited<ReturnType<typeof send>>

/** Asserts an envelope (or a plain list) without internal details; the call of a file may also answer with the file. */
function expectEnvelope(what: string, { status, text, isFile }: Exchange): void {
  expect(status, `${what} → ${text.slice(0, 300)}`).toBeLessThan(500)
  if (isFile) return
  expect(isEnvelope(text), `${what} → ${text.slice(0, 300)}`).toBe(true)
  expect(text).not.toMatch(/node_modules|at \w+ \(|select \*|pg_catalog|stack/)
}

test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s rejects or accepts any input without a defect',
  { timeout: 60_000 },
  async (name, route) => {
    // A separate session, since some calls end sessions.
    const call = fetchAs(admin)
    const fields = Object.keys(route.input.shape)
    expectEnvelope(name, await send(call, route, {}))
    const record = fc.record(Object.fromEntries(fields.map((field) => [field, fc.constantFrom(...NASTY)])), {
      requiredKeys: [],
    })
    // The same cases in every run, so that failures are reproducible.
    for (const input of fc.sample(record, { numRuns: 12, seed: 42 })) {
      expectEnvelope(`${name} ${JSON.stringify(input).slice(0, 300)}`, await send(call, route, input))
    }
  },
)

test.each([
  ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['deep JSON', Buffer.from('['.repeat(100_000))],
  ['a document that is no object', Buffer.from('"text"')],
  ['nothing', Buffer.alloc(0)],
])('a body of %s is refused', async (_, body) => {
  const response = await fetchAs(admin)('/Group', {
    method: 'POST',
    headers: { 'x-requested-with': 'XMLHttpRequest', 'content-type': 'application/json' },
    body,
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ errorCode: 983 })
})

test('the server still answers', async () => {
  expect((await anonymous.configs.find({})).isLicensed).toBe(1)
})
