// Directories that a test plays, behind a certificate that is trusted: they hang, end early or speak nonsense.
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo, Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { afterAll } from 'vitest'
import { decode, messagesOf, Operation } from '../src/domains/userSync/userSync.messages.ts'
import { makeAuthority, makeCertificate } from './certificates.ts'
import { resultMessage } from './ldapMessages.ts'

/** Answers the request with this number; a bind is the first one. */
export type Play = (socket: Socket, id: number, count: number) => void

/** Makes the authority of a test file, whose directories end after its last test. */
export function playDirectories() {
  const folder = mkdtempSync(join(tmpdir(), 'acc-played-'))
  const authority = makeAuthority(folder, 'authority')
  const usual = makeCertificate(authority, 'server', 'DNS:localhost')
  const open = new Set<{ destroy(): void }>()
  afterAll(() => {
    for (const one of open) one.destroy()
    rmSync(folder, { recursive: true, force: true })
  })
  /** Returns the port. */
  const listen = async (server: Server): Promise<number> => {
    server.on('connection', (socket: Socket) => open.add(socket.on('error', () => undefined)))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    open.add({ destroy: () => server.close() })
    return (server.address() as AddressInfo).port
  }
  /** Starts a directory that accepts every account and plays its searches. Returns its port. */
  const startDirectory = (play: Play, { certificateFile, keyFile } = usual): Promise<number> =>
    listen(
      createServer({ cert: readFileSync(certificateFile), key: readFileSync(keyFile) }, (socket) => {
        const serve = async () => {
          let count = 0
          for await (const message of messagesOf(socket, 100_000)) {
            const { id } = decode(message)
            if (count === 0) socket.write(resultMessage(id, Operation.BIND, 0))
            else play(socket, id, count)
            count += 1
          }
        }
        serve().catch(() => socket.destroy())
      }),
    )
  return { authority, listen, startDirectory }
}
