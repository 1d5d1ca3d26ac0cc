// One connection with a directory: TLS from the start or by StartTLS. Its certificate is verified before a password is
// sent. The next address is tried if one cannot be reached. A search that breaks refuses the source.
import { lookup } from 'node:dns/promises'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls, getCACertificates, type TLSSocket } from 'node:tls'
import { DirectoryEncryption, ImportRefusal } from '@acc/contract/labels/userImports'
import { type DirectoryInput, directoryPort, hostsOf } from '@acc/contract/userSync'
import { ExtendedRequest, type Message } from 'ldapts'
import { isNoServer } from '../../mail/mailTest.ts'
import { RefusedSource } from '../userImports/source.ts'
import { BadMessage, decode, messagesOf, Operation, type Response } from './userSync.messages.ts'

/** Milliseconds for connecting, for the response to one request, and for everything. */
export type Limits = { connect: number; page: number; all: number }

export type Connection = {
  /** Returns the number of the next request. */
  nextId(): number
  send(message: Message): void
  /** Returns the next response. Throws RefusedSource once the connection is lost or silent. */
  receive(): Promise<Response>
  close(): void
}

type Server = Pick<DirectoryInput, 'serverAddress' | 'serverPort' | 'encrypt' | 'authorities'>

const START_TLS = '1.3.6.1.4.1.1466.20037'
/** Bytes of the response to StartTLS, and of any message of a search, at most. */
const MAX_GREETING = 4_096
const MAX_MESSAGE = 4 * 2 ** 20
const SHOWN = 300

/** Refuses the source. The text comes from a directory or from TLS, so that it is bounded and made one line. */
export function refused(reason: ImportRefusal, text: string): RefusedSource {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return new RefusedSource({ reason, text: line.slice(0, SHOWN) })
}

/** Codes of OpenSSL and Node about a certificate that was not accepted. */
const OF_CERTIFICATE = /^(?!ERR_SSL_).*(CERT|SIGNATURE|CRL|INVALID_CA|HOSTNAME|PATH_LENGTH)/

function refusalOf(error: unknown): RefusedSource {
  if (error instanceof RefusedSource) return error
  const { message, code = '' } = error as NodeJS.ErrnoException
  // OpenSSL's sentence; Node's advice about its own options follows.
  return refused(
    OF_CERTIFICATE.test(code) ? ImportRefusal.CERTIFICATE : ImportRefusal.UNREACHABLE,
    message.split('; ')[0] ?? '',
  )
}

/** Throws where the text has no certificates that can be read. */
function authoritiesOf({ authorities }: Server): string | string[] {
  return authorities.trim() === '' ? [...getCACertificates('default'), ...getCACertificates('system')] : authorities
}

/** Waits for an event of a socket; a failure or the end of the time rejects. */
function waitFor(socket: Socket, event: string, milliseconds: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => socket.destroy(new Error('the directory does not respond')), milliseconds)
  const lost = () => reject(new Error('the directory closed the connection'))
  socket.once(event, resolve).once('error', reject).once('close', lost)
  return promise.finally(() => {
    clearTimeout(timer)
    socket.off(event, resolve).off('error', reject).off('close', lost)
  })
}

/** Reads one message, and nothing that follows it: it would not be protected. */
async function receiveAlone(socket: Socket): Promise<Response> {
  const parts: Buffer[] = []
  async function* chunks() {
    for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      parts.push(chunk)
      yield chunk
    }
  }
  for await (const message of messagesOf(chunks(), MAX_GREETING)) {
    if (Buffer.concat(parts).length > message.length) break
    return decode(message)
  }
  throw new BadMessage('the directory does not begin TLS')
}

/** Connects without encryption and asks for TLS. */
async function startTls(server: Server, { address }: Target, limits: Limits): Promise<Socket> {
  const socket = connectPlain({ host: address, port: directoryPort(server) })
  socket.on('error', () => undefined)
  const timer = setTimeout(() => socket.destroy(new Error('the directory does not respond')), 2 * limits.connect)
  try {
    await waitFor(socket, 'connect', limits.connect)
    socket.write(new ExtendedRequest({ messageId: 1, oid: START_TLS }).write())
    const response = await receiveAlone(socket)
    const isTls = response.operation === Operation.EXTENDED && 'code' in response && response.code === 0
    if (!isTls) throw new Error(`the directory refuses StartTLS${'text' in response ? `: ${response.text}` : ''}`)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** An address of a host that was entered. */
type Target = { host: string; address: string }

/** Resolves a name once, so that the checked addresses are the connected ones. */
async function targetsOf(host: string): Promise<Target[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => ({ host, address }))
}

async function openTls(server: Server, target: Target, limits: Limits): Promise<TLSSocket> {
  const { host, address } = target
  if (isNoServer(address)) throw new Error(`${address} is no address of a directory`)
  const options = {
    host: address,
    port: directoryPort(server),
    // The name that the certificate must have; that of an address is in `host`.
    servername: isIP(host) === 0 ? host : '',
    ca: authoritiesOf(server),
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
  } as const
  const socket =
    server.encrypt === DirectoryEncryption.LDAPS
      ? connectTls(options)
      : connectTls({ ...options, socket: await startTls(server, target, limits) })
  socket.on('error', () => undefined)
  await waitFor(socket, 'secureConnect', limits.connect)
  return socket
}

/** Connects with the first address that can be reached. A certificate that is not trusted ends the search for one. */
async function openFirst(server: Server, limits: Limits, end: number): Promise<TLSSocket> {
  const hosts = hostsOf(server.serverAddress)
  const failed: string[] = []
  const attempt = async <T>(host: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      const { refusal } = refusalOf(error)
      const text = hosts.length > 1 ? `${host}: ${refusal.text}` : refusal.text
      if (refusal.reason !== ImportRefusal.UNREACHABLE) throw refused(refusal.reason, text)
      failed.push(text)
    }
  }
  for (const host of hosts)
    for (const target of (await attempt(host, () => targetsOf(host))) ?? []) {
      if (performance.now() > end) break
      const socket = await attempt(host, () => openTls(server, target, limits))
      if (socket !== undefined) return socket
    }
  throw refused(ImportRefusal.UNREACHABLE, failed.join('; '))
}

/** Opens a connection. Throws RefusedSource. */
export async function openConnection(server: Server, limits: Limits): Promise<Connection> {
  const last = performance.now() + limits.all
  const socket = await openFirst(server, limits, last)
  const late = () => socket.destroy(new Error('the directory takes too long'))
  const end = setTimeout(late, Math.max(last - performance.now(), 0))
  const messages = messagesOf(socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>, MAX_MESSAGE)
  const next = async () => {
    const { value } = await messages.next()
    if (value === undefined) throw new Error('the directory closed the connection')
    return decode(value)
  }
  let id = 1
  return {
    nextId: () => ++id,
    send: (message) => void socket.write(message.write()),
    receive: async () => {
      const timer = setTimeout(() => socket.destroy(new Error('the directory does not respond')), limits.page)
      try {
        return await next()
      } catch (error) {
        throw refusalOf(error)
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => {
      clearTimeout(end)
      socket.destroy()
    },
  }
}
