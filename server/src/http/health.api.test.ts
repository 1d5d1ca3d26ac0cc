// Metrics behind a proxy, which may be on the same machine and pass bytes on without a word about the caller.
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'

const TOKEN = 'the-token-of-metrics-1234567890'
const [trusting, secure, withToken] = await Promise.all([
  startTestApp({ ACC_TRUST_PROXY: '10.0.0.1' }),
  startTestApp({ ACC_PUBLIC_URL: 'https://acc.example.com' }),
  startTestApp({ ACC_TRUST_PROXY: '10.0.0.1', ACC_METRICS_TOKEN: TOKEN }),
])
const statusOf = async (nodeUrl: string, headers = {}) => (await fetch(`${nodeUrl}/Metrics`, { headers })).status

test.each([
  ['with trusted proxies', trusting],
  ['with a public URL of https', secure],
])('%s, a caller on the same machine needs the token', async (_, { nodeUrl }) => {
  expect(await statusOf(nodeUrl)).toBe(404)
  expect(await statusOf(nodeUrl, { authorization: 'Bearer undefined' })).toBe(404)
})

test('the token admits its callers there', async () => {
  expect(await statusOf(withToken.nodeUrl)).toBe(404)
  expect(await statusOf(withToken.nodeUrl, { authorization: `Bearer ${TOKEN}` })).toBe(200)
})
