// Downloads are sent at the pace of their reader.
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
async function open() {
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
  http.get('/', async (_request, reply) => send(manuals.user, download, reply))
  await http.listen({ port: 0 })
  const call = get({ port: (http.server.address() as AddressInfo).port, agent: false })
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  return { parts, stream, response, http }
}

test('a download arrives complete', async () => {
  const { response, http } = await open()
  const received = await buffer(response)
  expect(received.length).toBe(PART * COUNT)
  for (let at = 0; at < COUNT; at++)
    expect(received.subarray(at * PART, (at + 1) * PART).equals(Buffer.alloc(PART, at))).toBe(true)
  await http.close()
})

test('a reader that goes away ends its source, which was read no faster than its reader reads', async () => {
  const { parts, stream, response, http } = await open()
  response.destroy()
  await expect.poll(() => stream.destroyed).toBe(true)
  expect(parts.length).toBeLessThan(COUNT)
  await http.close()
})
