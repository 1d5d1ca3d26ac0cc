// Directories that hang, end early, page oddly or speak nonsense, behind a certificate that is trusted.
import { createServer } from 'node:net'
import { ImportRefusal } from '@acc/contract/labels/userImports'
import { expect, test } from 'vitest'
import { entryMessage, resultMessage } from '../../../test/ldapMessages.ts'
import { type Play, playDirectories } from '../../../test/playedDirectory.ts'
import { RefusedSource } from '../userImports/source.ts'
import { readDirectory } from './userSync.directory.ts'
import { Operation } from './userSync.messages.ts'

const { authority, listen, startDirectory } = playDirectories()

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
/** Sends an entry again and again, as fast as it is read. */
const floods =
  (entry: (id: number, at: number) => Buffer): Play =>
  (socket, id) => {
    let at = 0
    const fill = () => {
      while (socket.writable && socket.write(entry(id, at++)));
    }
    socket.on('drain', fill)
    fill()
  }

const PLAYS: [string, Play][] = [
  ['answers nothing', () => undefined],
  ['stops within an entry', (socket, id) => void socket.write(cut(id))],
  ['closes after an entry', (socket, id) => void socket.end(personOf(id, 'first'))],
  ['resets the connection', (socket) => void socket.destroy()],
  [
    'pages without an end',
    (socket, id) => void socket.write(Buffer.concat([personOf(id, `p${id}`), doneWith(id, 'again')])),
  ],
  ['speaks HTTP', (socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n')],
  ['sends lengths that disagree', (socket, id) => void socket.write(overlong(id))],
  ['announces 2 GB', (socket) => void socket.write(Buffer.from('30847fffffff', 'hex'))],
  [
    'sends a byte at a time',
    (socket, id) => {
      const message = personOf(id, 'first')
      let at = 0
      const timer = setInterval(() => socket.write(message.subarray(at, ++at)), 30)
      socket.on('close', () => clearInterval(timer))
    },
  ],
  [
    'sends an entry of 10 MB',
    (socket, id) => void socket.write(entryMessage(id, 'uid=a,dc=b', { k: ['1'], cn: ['가'.repeat(3_500_000)] })),
  ],
  ['sends empty pages without an end', (socket, id) => void socket.write(doneWith(id, 'again'))],
  ['answers other requests without an end', floods((id) => personOf(id + 1, 'other'))],
]

const READABLE = /^[^\p{C}]{1,300}$/u

// At once, since most of them wait until the time is up.
test.concurrent.each(PLAYS)('a directory that %s is refused', async (_, play) => {
  const refusal = await read(await startDirectory(play))
  expect(refusal).toMatchObject({ reason: ImportRefusal.UNREACHABLE, text: expect.stringMatching(READABLE) })
})

test('control characters of a refusal are not shown', async () => {
  const text = 'a\u0000b\r\nc'
  const port = await startDirectory((socket, id) => void socket.write(resultMessage(id, Operation.DONE, 50, text)))
  const shown = expect.stringMatching(READABLE)
  expect(await read(port)).toMatchObject({ reason: ImportRefusal.NO_BASE, text: shown })
})

const PATIENT = { connect: 5_000, page: 10_000, all: 50_000 }

test('a million people are refused at the limit', async () => {
  const port = await startDirectory(floods((id, at) => personOf(id, `p${at}`)))
  expect(await read(port, 1, PATIENT)).toMatchObject({ reason: ImportRefusal.TOO_MANY_ROWS, text: '200000' })
})

test('entries that fill the memory are refused', async () => {
  const large = 'x'.repeat(3_000_000)
  const port = await startDirectory(floods((id) => entryMessage(id, 'uid=a,dc=b', { k: ['1'], cn: [large] })))
  const text = 'the entries are too large'
  expect(await read(port, 1, PATIENT)).toMatchObject({ reason: ImportRefusal.SEARCH, text })
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
