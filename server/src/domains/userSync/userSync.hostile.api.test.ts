// Directories that hang, end early, page oddly or speak nonsense, behind a certificate that is trusted.
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { ImportRefusal } from '@acc/contract/labels/userImports'
import { afterAll, expect, test } from 'vitest'
import { makeAuthority, makeCertificate } from '../../../test/certificates.ts'
import { entryMessage, resultMessage } from '../../../test/ldapMessages.ts'
import { RefusedSource } from '../userImports/source.ts'
import { readDirectory } from './userSync.directory.ts'
import { decode, messagesOf, Operation } from './userSync.messages.ts'

const folder = mkdtempSync(join(tmpdir(), 'acc-hostile-'))
const authority = makeAuthority(folder, 'authority')
const { certificateFile, keyFile } = makeCertificate(authority, 'server', 'DNS:localhost')
const tls = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) }
const open = new Set<{ destroy(): void }>()
afterAll(() => {
  for (const one of open) one.destroy()
  rmSync(folder, { recursive: true, force: true })
})

/** Answers the request with this number; a bind is the first one. */
type Play = (socket: Socket, id: number, count: number) => void

async function listen(server: Server): Promise<number> {
  server.on('connection', (socket: Socket) => open.add(socket.on('error', () => undefined)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  open.add({ destroy: () => server.close() })
  return (server.address() as AddressInfo).port
}

/** Starts a directory that accepts every account and plays its searches. */
const startDirectory = (play: Play): Promise<number> =>
  listen(
    createTlsServer(tls, (socket) => {
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

const LIMITS = { connect: 500, page: 500, all: 2_000 }
const read = (serverPort: number, encrypt: 1 | 2 = 1, limits = LIMITS) =>
  readDirectory(
    {
      serverAddress: 'localhost',
      serverPort,
      encrypt,
      authorities: authority.pem,
      bindDn: 'cn=acc',
      bindPw: 'secret',
      base: 'dc=b',
      filter: '(uid=*)',
      groupBy: 0,
      attributes: { key: 'k', id: 'uid', name: 'cn', email: 'mail', group: '', expireDT: '' },
    },
    { baseKey: '', today: '2026-11-27' },
    limits,
  ).then(
    ({ rows }) => rows.map(({ values }) => values.id),
    (error: unknown) => (error instanceof RefusedSource ? error.refusal : error),
  )

const personOf = (id: number, uid: string) =>
  entryMessage(id, `uid=${uid},dc=b`, { k: [uid], uid: [uid], cn: [uid], mail: [`${uid}@x.kr`] })
const doneWith = (id: number, cookie: string) => resultMessage(id, Operation.DONE, 0, '', Buffer.from(cookie))

test('an empty page with a cookie is not the end', async () => {
  const port = await startDirectory((socket, id, count) => {
    if (count === 1) socket.write(Buffer.concat([personOf(id, 'first'), doneWith(id, 'one')]))
    else if (count === 2) socket.write(doneWith(id, 'two'))
    else socket.write(Buffer.concat([personOf(id, 'last'), doneWith(id, '')]))
  })
  expect(await read(port)).toEqual(['first', 'last'])
})

test('referrals between entries are not followed', async () => {
  const reference = Buffer.from('300f0201037 30a04086c6461703a2f2f78'.replaceAll(' ', ''), 'hex')
  const port = await startDirectory((socket, id) => {
    reference[4] = id
    socket.write(Buffer.concat([reference, personOf(id, 'first'), doneWith(id, '')]))
  })
  expect(await read(port)).toEqual(['first'])
})

const cut = (id: number) => personOf(id, 'first').subarray(0, 20)
/** A set that claims more bytes than the message has: a reader that trusts it never ends. */
function overlong(id: number): Buffer {
  const message = Buffer.from(personOf(id, 'first'))
  message[message.indexOf(0x31) + 1] = 0x7f
  return message
}
const PLAYS: [string, Play, ImportRefusal][] = [
  ['answers nothing', () => undefined, ImportRefusal.UNREACHABLE],
  ['stops within an entry', (socket, id) => void socket.write(cut(id)), ImportRefusal.UNREACHABLE],
  ['closes after an entry', (socket, id) => void socket.end(personOf(id, 'first')), ImportRefusal.UNREACHABLE],
  ['resets the connection', (socket) => void socket.destroy(), ImportRefusal.UNREACHABLE],
  [
    'pages without an end',
    (socket, id) => void socket.write(Buffer.concat([personOf(id, `p${id}`), doneWith(id, 'again')])),
    ImportRefusal.UNREACHABLE,
  ],
  ['speaks HTTP', (socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n'), ImportRefusal.UNREACHABLE],
  ['sends lengths that disagree', (socket, id) => void socket.write(overlong(id)), ImportRefusal.UNREACHABLE],
  ['announces 2 GB', (socket) => void socket.write(Buffer.from('30847fffffff', 'hex')), ImportRefusal.UNREACHABLE],
  ['is busy', (socket, id) => void socket.write(resultMessage(id, Operation.DONE, 51)), ImportRefusal.UNREACHABLE],
  [
    'stops at its size limit',
    (socket, id) => void socket.write(Buffer.concat([personOf(id, 'a'), resultMessage(id, Operation.DONE, 4)])),
    ImportRefusal.SEARCH,
  ],
  [
    'stops at its time limit',
    (socket, id) => void socket.write(Buffer.concat([personOf(id, 'a'), resultMessage(id, Operation.DONE, 3)])),
    ImportRefusal.SEARCH,
  ],
  [
    'names another server',
    (socket, id) => void socket.write(resultMessage(id, Operation.DONE, 10, 'ldap://other')),
    ImportRefusal.NO_BASE,
  ],
  [
    'does not permit it',
    (socket, id) => void socket.write(resultMessage(id, Operation.DONE, 50, 'a\u0000b\r\nc')),
    ImportRefusal.NO_BASE,
  ],
]

test.each(PLAYS)('a directory that %s is refused', async (_, play, reason) => {
  const refusal = await read(await startDirectory(play))
  expect(refusal).toMatchObject({ reason })
  expect((refusal as { text: string }).text).toMatch(/^[^\p{C}]{1,300}$/u)
})

test('the reason of a directory that ends the session is shown', async () => {
  const port = await startDirectory(
    (socket) => void socket.write(resultMessage(0, Operation.EXTENDED, 52, 'going down')),
  )
  expect(await read(port)).toMatchObject({ reason: ImportRefusal.UNREACHABLE, text: 'going down (LDAP 52)' })
})

test('a directory that never begins TLS is given up', async () => {
  const mute = await listen(createServer(() => undefined))
  expect(await read(mute)).toMatchObject({ reason: ImportRefusal.UNREACHABLE })
  expect(await read(mute, 2)).toMatchObject({ reason: ImportRefusal.UNREACHABLE })
})

test('what follows the response to StartTLS in the clear is refused, and no password is sent', async () => {
  let received = ''
  const port = await listen(
    createServer((socket) => {
      socket.on('data', (data) => {
        received += data.toString('latin1')
        const accepted = resultMessage(1, Operation.EXTENDED, 0)
        socket.write(Buffer.concat([accepted, resultMessage(2, Operation.BIND, 0), personOf(3, 'x'), doneWith(3, '')]))
      })
    }),
  )
  const text = 'the directory does not begin TLS'
  expect(await read(port, 2)).toMatchObject({ reason: ImportRefusal.UNREACHABLE, text })
  expect(received).not.toContain('secret')
})

test('a small directory with many attributes and values is read', async () => {
  const many = Array.from({ length: 20_000 }, (_, at) => `value ${at}`)
  const port = await startDirectory((socket, id) => {
    const one = entryMessage(id, 'uid=a,dc=b', {
      k: ['1'],
      uid: ['Aa', ...many],
      cn: ['a'],
      mail: ['a@x.kr'],
      other: many,
    })
    socket.write(Buffer.concat([one, doneWith(id, '')]))
  })
  expect(await read(port)).toEqual(['aa'])
})
