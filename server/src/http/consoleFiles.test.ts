// Files of the console's build: compressed, kept by browsers for a year, and 404 for those of another version.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { serveConsole } from './consoleFiles.ts'

const folder = mkdtempSync(join(tmpdir(), 'acc-console-'))
mkdirSync(join(folder, 'assets/fonts'), { recursive: true })
const FILES = ['index.html', 'secret.js', 'assets/a.js', 'assets/a.js.gz', 'assets/a.js.br', 'assets/fonts/b.js']
for (const file of FILES) writeFileSync(join(folder, file), `content of ${file}`)
const http = Fastify()
await serveConsole(http, '/acc', folder)
afterAll(async () => {
  await http.close()
  rmSync(folder, { recursive: true })
})

const get = (url: string, accepts = 'identity') => http.inject({ url, headers: { 'accept-encoding': accepts } })

test.each([
  ['gzip, deflate, br', 'br', 'assets/a.js.br'],
  ['gzip', 'gzip', 'assets/a.js.gz'],
  ['identity', undefined, 'assets/a.js'],
])('a browser that accepts %s receives %s', async (accepts, encoding, file) => {
  const { statusCode, headers, body } = await get('/acc/assets/a.js', accepts)
  expect(statusCode).toBe(200)
  expect(headers['content-encoding']).toBe(encoding)
  expect(body).toBe(`content of ${file}`)
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'application/javascript; charset=utf-8',
    vary: 'accept-encoding',
  })
})

test('a file in a folder, or without a compressed form, is served as it is', async () => {
  expect((await get('/acc/assets/fonts/b.js', 'br')).body).toBe('content of assets/fonts/b.js')
})

test('a browser that has a file receives 304', async () => {
  const { etag = '' } = (await get('/acc/assets/a.js')).headers
  const response = await http.inject({ url: '/acc/assets/a.js', headers: { 'if-none-match': etag } })
  expect(response.statusCode).toBe(304)
})

test('a file of another version is 404, not the page', async () => {
  for (const path of ['old.js', 'fonts/old.js', 'fonts', ''])
    expect((await get(`/acc/assets/${path}`)).statusCode, path).toBe(404)
})

test.each(['..', '%2e%2e', '%252e%252e', 'fonts/%2e%2e/..', 'fonts%2f..%2f..', '..%5c', '%00/..'])(
  'nothing outside of the assets is served: %s',
  async (up) => {
    const { statusCode, body } = await get(`/acc/assets/${up}/secret.js`)
    expect([302, 400, 403, 404]).toContain(statusCode)
    expect(body).not.toContain('content of')
  },
)

test('every other path leads to the page', async () => {
  expect((await get('/acc/')).body).toBe('content of index.html')
  expect((await get('/acc/')).headers['cache-control']).toBe('no-cache')
  for (const path of ['/acc', '/acc/users', '/']) expect((await get(path)).headers.location).toBe('/acc/')
})
