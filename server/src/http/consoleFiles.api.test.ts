// Static files and redirects: nothing outside the two folders is served, and a redirect keeps what the address carries.
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'

const { baseUrl } = await startTestApp()

/** fetch would resolve the dots itself. */
const get = (path: string) =>
  new Promise<{ status: number; location: string | undefined; body: string }>((resolve, reject) => {
    const sent = request(baseUrl, { path }, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (part) => {
        body += part
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, location: answer.headers.location, body }))
    })
    sent.on('error', reject).end()
  })

const UP = ['..', '%2e%2e', '%2E.', '..%2f..', '..%5c..', '....//', '%252e%252e', '..%00', '..;']
const TARGETS = ['package.json', 'etc/passwd', 'server/src/main.ts', 'index.js', 'package.json%00.css']
const PREFIXES = ['/Docs/', '/acc/assets/', '/acc/', '/']

test.each(PREFIXES)('no path below %s leads outside of what is served', async (prefix) => {
  for (const up of UP)
    for (const target of TARGETS) {
      const { status, body } = await get(`${prefix}${`${up}/`.repeat(6)}${target}`)
      if (status === 200) expect(body).toBe('{"errorCode":983,"message":"INVALID_INPUT"}')
      else expect([302, 400, 404], `${prefix} ${up} ${target}`).toContain(status)
      expect(body).not.toMatch(/root:|"dependencies"|import |"name":/)
    }
})

test.each([
  '/Docs/package.json',
  '/Docs/index.js',
  '/Docs/swagger-ui.js',
  '/Docs/absolute-path.js',
  '/Docs/.npmignore',
])('a file beside those that the reference page needs is not served: %s', async (path) => {
  expect((await get(path)).status).toBe(404)
})

test('what the reference page needs is served', async () => {
  for (const path of ['/Docs', '/Docs/swagger-ui.css', '/Docs/openapi.json']) expect((await get(path)).status).toBe(200)
})

test('a redirect to the front route keeps the query, and goes nowhere else', async () => {
  expect(await get('/?tmpToken=abc&go=approvals/7')).toMatchObject({
    status: 302,
    location: '/acc/?tmpToken=abc&go=approvals/7',
  })
  expect(await get('/')).toMatchObject({ status: 302, location: '/acc/' })
  for (const path of ['//evil.example', '/\\evil.example', '/?//evil.example'])
    expect((await get(path)).location ?? '/acc/').toMatch(/^\/acc\//)
})

test('the row limit of JSON lists is in the reference', async () => {
  const { paths } = JSON.parse((await get('/Docs/openapi.json')).body)
  const { parameters, responses } = paths['/Users/Search'].get
  expect(parameters).toContainEqual(
    expect.objectContaining({ name: 'rowsCount', description: expect.stringContaining('1000') }),
  )
  const { schema } = responses[200].content['application/json']
  expect(JSON.stringify(schema)).toContain('"maxItems":1000')
})
