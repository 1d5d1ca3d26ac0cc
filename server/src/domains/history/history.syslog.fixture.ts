// A real receiver of syslog over TLS for tests, which reads messages by their octet counts and can be made to fail.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { LOCAL_CERTIFICATE, LOCAL_KEY } from '../../mail/smtp.fixture.ts'

/** `drop`: closes after some bytes; `cut`: closes at once, without an error; `hang`: takes nothing. */
export type Behavior = 'take' | 'drop' | 'cut' | 'hang'

/** Splits what came on one connection into its messages; throws where a frame is not one (RFC 5425, section 4.3). */
export function messagesIn(bytes: Buffer): string[] {
  const messages: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const [head = '', length = ''] = /^([1-9]\d*) /.exec(bytes.toString('latin1', at, at + 12)) ?? []
    const end = at + head.length + Number(length)
    if (head === '' || end > bytes.length) throw new Error(`no frame at ${at}`)
    messages.push(bytes.toString('utf8', at + head.length, end))
    at = end
  }
  return messages
}

/** Listens on `port`, any free one without. Clients need the certificate, too. */
export async function startReceiver(port = 0) {
  const received: string[] = []
  const sockets = new Set<TLSSocket>()
  const receiver = { behavior: 'take' as Behavior, received, port: 0, stop: () => Promise.resolve() }
  const pem = { key: LOCAL_KEY, cert: LOCAL_CERTIFICATE }
  const server = createServer(
    { ...pem, ca: LOCAL_CERTIFICATE, requestCert: true, rejectUnauthorized: true },
    (socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      if (receiver.behavior === 'hang') return
      if (receiver.behavior === 'cut') return socket.end()
      const chunks: Buffer[] = []
      socket.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (receiver.behavior === 'drop') socket.destroy()
      })
      socket.on('end', () => received.push(...messagesIn(Buffer.concat(chunks))))
    },
  )
  server.on('tlsClientError', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  receiver.port = (server.address() as AddressInfo).port
  receiver.stop = async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }
  return receiver
}
