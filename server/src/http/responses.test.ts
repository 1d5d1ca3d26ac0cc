// The memory of a download: what is sent once is freed as it leaves, at the pace of its reader.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { manuals } from '@acc/contract/manuals'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { send } from './responses.ts'

const PART = 256 * 1024
/** More than the connection holds by itself. */
const COUNT = 120

/** Sends as many parts, each in memory of its own, and starts to receive them. */
async function open(isSentOnce: boolean) {
  const parts: Buffer[] = []
  const bytes = (function* () {
    for (let at = 0; at < COUNT; at++) {
      const part = Buffer.allocUnsafeSlow(PART).fill(at)
      parts.push(part)
      yield part
    }
  })()
  const stream = Readable.from(bytes, { objectMode: false })
  const http = Fastify()
  const download = { fileName: 'a.bin', mediaType: 'application/octet-stream', size: PART * COUNT, stream }
  http.get('/', async (_request, reply) =>
    send(manuals.user, isSentOnce ? { ...download, isSentOnce: true } : download, reply),
  )
  await http.listen({ port: 0 })
  const call = get({ port: (http.server.address() as AddressInfo).port, agent: false })
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  return { parts, stream, response, http }
}
const held = (parts: readonly Buffer[]) => parts.filter(({ length }) => length > 0).length

test('bytes that are sent once are freed as they are sent, and arrive whole', async () => {
  const { parts, response, http } = await open(true)
  const received = await buffer(response)
  expect(received.length).toBe(PART * COUNT)
  for (let at = 0; at < COUNT; at++)
    expect(received.subarray(at * PART, (at + 1) * PART).equals(Buffer.alloc(PART, at))).toBe(true)
  await expect.poll(() => held(parts)).toBe(0)
  await http.close()
})

test('other bytes stay', async () => {
  const { parts, response, http } = await open(false)
  await buffer(response)
  expect(held(parts)).toBe(COUNT)
  await http.close()
})

test('a reader that goes away ends its source, which was read no faster than its reader reads', async () => {
  const { parts, stream, response, http } = await open(true)
  response.destroy()
  await expect.poll(() => stream.destroyed).toBe(true)
  expect(parts.length).toBeLessThan(COUNT)
  await http.close()
})
