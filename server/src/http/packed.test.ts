// What anyone may ask for is compressed once.
import { gunzipSync } from 'node:zlib'
import Fastify, { type onSendAsyncHookHandler } from 'fastify'
import { expect, test } from 'vitest'
import { packed } from './packed.ts'

let text = 'a'.repeat(5000)
const sent: unknown[] = []
const http = Fastify()
const watch: onSendAsyncHookHandler = async (_request, _reply, payload) => {
  sent.push(payload)
  return payload
}
http.get('/', { onSend: [packed(), watch] }, async () => text)
const ask = (encoding?: string) =>
  http.inject({ url: '/', headers: encoding === undefined ? {} : { 'accept-encoding': encoding } })

test.each(['gzip', 'br, gzip', 'deflate, GZIP;q=0.5', '*'])(
  'callers that accept %s share the same bytes',
  async (encoding) => {
    const { headers, rawPayload } = await ask(encoding)
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(headers['content-length']).toBe(String(rawPayload.length))
    expect(gunzipSync(rawPayload).toString()).toBe(text)
    await ask(encoding)
    expect(sent.at(-1)).toBe(sent[0])
  },
)

test.each([undefined, 'br', 'gzip;q=0', 'gzip; q=0.0, br', 'xgzip'])(
  'others receive the text: %s',
  async (encoding) => {
    const { headers, body } = await ask(encoding)
    expect(sent.at(-1)).toBeInstanceOf(Buffer)
    expect(headers['content-encoding']).toBeUndefined()
    expect(body).toBe(text)
  },
)

test('a text that changed is compressed anew, one of another language is kept, a short one is sent as it is', async () => {
  const [korean, english] = ['k'.repeat(5000), 'e'.repeat(5000)]
  for (const one of [korean, english, korean, english]) {
    text = one
    await ask('gzip')
  }
  expect(sent.at(-1)).toBe(sent.at(-3))
  expect(sent.at(-2)).toBe(sent.at(-4))
  const first = sent.at(-2)
  text = 'b'.repeat(5000)
  expect(gunzipSync((await ask('gzip')).rawPayload).toString()).toBe(text)
  // Two texts are kept.
  text = korean
  await ask('gzip')
  expect(sent.at(-1)).toEqual(first)
  expect(sent.at(-1)).not.toBe(first)
  text = 'short'
  expect((await ask('gzip')).body).toBe('short')
})
