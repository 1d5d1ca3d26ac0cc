// Floods of connections: slow ones, silent ones, many of one network, large headers, compressed bodies, readers that do
// not read. Other callers are served during each.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { limitConnections } from './connections.ts'

const { http, baseUrl, anonymous } = await startTestApp()
const port = Number(new URL(baseUrl).port)

const opened: Socket[] = []
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy()
})

async function open(to = port): Promise<Socket> {
  const socket = connect({ port: to, host: '127.0.0.1' })
  opened.push(socket)
  // Closed by the server, as it may.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Returns what the server sends until it closes the connection. */
async function answerOf(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (data) => {
    text += String(data)
  })
  if (!socket.destroyed) await once(socket, 'close')
  return text
}

const countOpen = () =>
  new Promise<number>((resolve, reject) =>
    http.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

test('a thousand connections that send their headers slowly, or nothing, leave room for others and are closed', async () => {
  const headersTimeout = http.server.headersTimeout
  const flood = await Promise.all(Array.from({ length: 1000 }, () => open()))
  const ends = flood.map((socket) => answerOf(socket))
  for (const [at, socket] of flood.entries())
    if (at % 2 === 0) socket.write('GET /Configs HTTP/1.1\r\nHost: 127.0.0.1\r\nX-')
  for (let round = 0; round < 10; round++) {
    for (const [at, socket] of flood.entries()) if (at % 2 === 0) socket.write('a')
    expect((await anonymous.configs.find({})).serverVersion).not.toBe('')
  }
  expect(await countOpen()).toBeGreaterThanOrEqual(1000)
  http.server.headersTimeout = 100
  const answers = await Promise.all(ends)
  http.server.headersTimeout = headersTimeout
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

test('one network holds few of the connections, a proxy as many as there are', async () => {
  for (const [proxies, served] of [
    [[], 3],
    [['10.0.0.0/8', '127.0.0.1'], 5],
    [['127.0.0.0/8', '::1'], 5],
  ] as const) {
    const server = createServer()
    limitConnections(server, proxies, { all: 5, ofNetwork: 3 })
    server.on('connection', (socket) => !socket.destroyed && socket.write('served'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const to = typeof address === 'object' && address !== null ? address.port : 0
    const tryOne = async () => {
      const socket = await open(to)
      const isServed = await Promise.race([once(socket, 'data').then(() => true), answerOf(socket).then(() => false)])
      return { socket, isServed }
    }
    const callers = await Promise.all(Array.from({ length: 6 }, tryOne))
    const held = callers.filter(({ isServed }) => isServed)
    expect(held).toHaveLength(served)
    // A closed connection makes room.
    held[0]?.socket.destroy()
    await expect.poll(async () => (await tryOne()).isServed).toBe(true)
    for (const { socket } of held) socket.destroy()
    server.close()
  }
})

test.each([
  ['one long header', `X-Long: ${'x'.repeat(70_000)}\r\n`],
  ['many headers', 'a: b\r\n'.repeat(20_000)],
  ['many cookies', `Cookie: ${Array.from({ length: 9_000 }, (_, at) => `c${at}=1`).join('; ')}\r\n`],
])('more than 64 KiB of headers are refused: %s', async (_, headers) => {
  const socket = await open()
  const answer = answerOf(socket)
  socket.write(`GET /Configs HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`)
  expect(await answer).toMatch(/^HTTP\/1\.1 431 /)
})

test('a compressed body of twenty megabytes is not inflated', async () => {
  const bomb = new Uint8Array(gzipSync(Buffer.alloc(20 * 1024 * 1024, ' ')))
  const headers = {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'x-requested-with': 'XMLHttpRequest',
  }
  const response = await fetch(`${baseUrl}/Account/Login`, { method: 'POST', headers, body: bomb })
  expect(response.status).toBe(415)
})

test('a reader of assets that takes no bytes loses the connection', async () => {
  const { timeout } = http.server
  http.server.timeout = 200
  const held = once(http.server, 'connection')
  const socket = await open()
  const [connection]: Socket[] = await held
  http.server.timeout = timeout
  socket.pause()
  socket.write('GET /Docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(20))
  await expect.poll(() => connection?.bytesWritten).toBeGreaterThan(0)
  await expect.poll(() => connection?.destroyed).toBe(true)
})
