import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { readEnv } from '../env.ts'
import { endStreamsAtClose, streamEvents } from './eventStream.ts'
import { setHeaders } from './headers.ts'
import { addPhase } from './phase.ts'

async function* events() {
  yield { topic: 'users' }
}

const { publicUrl, runtime } = readEnv({})

async function headersOf(path: string, settings: Partial<Parameters<typeof setHeaders>[1]> = {}) {
  const http = Fastify()
  setHeaders(http, { publicUrl, runtime, ...settings })
  endStreamsAtClose(http)
  addPhase(http)
  http.get('/', async () => ({}))
  http.get('/asset', async (_request, reply) => reply.header('cache-control', 'immutable').send('text'))
  http.get('/events', (_request, reply) => streamEvents(reply, events()))
  const { headers } = await http.inject(path)
  await http.close()
  return headers
}

test.each(['/', '/asset', '/events', '/unknown'])('%s has the safe headers', async (path) => {
  expect(await headersOf(path)).toMatchObject({
    'content-security-policy': expect.stringContaining("default-src 'self';script-src 'self';"),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  })
})

test('a route may say how its response is kept, all others are not', async () => {
  expect((await headersOf('/'))['cache-control']).toBe('no-store')
  expect((await headersOf('/events'))['cache-control']).toBe('no-store')
  expect((await headersOf('/asset'))['cache-control']).toBe('immutable')
})

test('only https asks browsers to stay with https', async () => {
  expect((await headersOf('/', { publicUrl: 'https://acc.example.com' }))['strict-transport-security']).toMatch(
    /^max-age=31536000/,
  )
  expect(await headersOf('/')).not.toHaveProperty('strict-transport-security')
})

test('pages call their own server, and the one that the configuration names', async () => {
  expect((await headersOf('/'))['content-security-policy']).toContain("connect-src 'self';")
  const headers = await headersOf('/', { runtime: { ...runtime, serverAddress: 'https://calls.example.com' } })
  expect(headers['content-security-policy']).toContain("connect-src 'self' https://calls.example.com;")
})
