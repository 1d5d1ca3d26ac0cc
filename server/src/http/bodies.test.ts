// Bodies that arrive slowly or never end must not hold a connection.
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { readBodies } from './bodies.ts'

const http = Fastify()
readBodies(http, 100, 100)
http.post('/call', async () => ({ errorCode: 0 }))
http.put('/upload', { config: { route: { kind: 'upload' } } }, async () => ({ errorCode: 960 }))
http.put('/file', { config: { route: { kind: 'upload' } } }, async (request) => {
  let length = 0
  for await (const chunk of request.body as AsyncIterable<Buffer>) length += chunk.length
  return { length }
})
await http.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => http.close())

/**
 * Announces a body of 20 bytes and sends `count` of them one by one. Returns all bytes until the server closes
 * the connection.
 */
async function drip(line: string, type: string, count: number): Promise<string> {
  const { port } = http.server.address() as AddressInfo
  const socket = connect({ port, allowHalfOpen: count > 0 })
  let answer = ''
  let sent = 0
  socket.write(`${line} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 20\r\n\r\n`)
  const timer = setInterval(() => {
    if (sent++ < count) socket.write(' ')
  }, 15)
  await new Promise((resolve) => {
    socket.on('close', resolve)
    // Written to a connection that the server has closed.
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      answer += String(data)
      if (sent >= count && count === 20) socket.end()
    })
  })
  clearInterval(timer)
  return answer
}

test('a JSON body that drips, or stops, is cut off with an answer', async () => {
  for (const count of [19, 0]) {
    const answer = await drip('POST /call', 'application/json', count)
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(answer).toMatch(/x-content-type-options: nosniff/)
    expect(answer.endsWith('{"errorCode":408,"message":"unreadable request"}')).toBe(true)
  }
})

test('so is one that no call is there for', async () => {
  expect(await drip('POST /nothing', 'application/json', 0)).toMatch(/^HTTP\/1\.1 408 /)
})

test('a sender that continues to send a file after the response is disconnected', async () => {
  expect(await drip('PUT /upload', 'application/octet-stream', 19)).toMatch(/"errorCode":960/)
})

test('a file may come slowly', async () => {
  expect(await drip('PUT /file', 'application/octet-stream', 20)).toMatch(/{"length":20}$/)
})
