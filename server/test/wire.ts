// A wire to a server on loopback. It shows all sent bytes and can break.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** A wire to a server that shows all sent bytes, and breaks after so many received bytes. */
export async function startWire(to: number, breaksAfter = Number.POSITIVE_INFINITY) {
  const sent: Buffer[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((client) => {
    connections += 1
    const target = connect(to, '127.0.0.1')
    let received = 0
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => [client, target].map((one) => one.destroy()))
    }
    client.on('data', (data) => {
      sent.push(data)
      target.write(data)
    })
    target.on('data', (data) => {
      received += data.length
      if (received > breaksAfter) client.destroy()
      else client.write(data)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    sent: () => Buffer.concat(sent),
    connections: () => connections,
  }
}
