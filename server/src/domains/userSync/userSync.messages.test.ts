// Messages of LDAP in any pieces. Anything else ends with an error, and never in a loop.
import { BerWriter } from 'ldapts'
import { expect, test } from 'vitest'
import { entryMessage, resultMessage } from '../../../test/ldapMessages.ts'
import { decode, messagesOf, Operation } from './userSync.messages.ts'

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
async function collect(bytes: Buffer, size = bytes.length, max = 10_000) {
  const messages: Buffer[] = []
  for await (const message of messagesOf(inPieces(bytes, size), max)) messages.push(message)
  return messages
}

const entry = entryMessage(3, 'uid=a,dc=b', { mail: ['a@x.kr', 'b@x.kr'], cn: ['가'.repeat(200)] })
const done = resultMessage(3, Operation.DONE, 0, '', Buffer.from('next'))

test.each([1, 2, 3, 7, 100, 5_000])('messages arrive in pieces of %i bytes', async (size) => {
  const messages = await collect(Buffer.concat([entry, done, entry]), size)
  expect(messages.map((message) => message.length)).toEqual([entry.length, done.length, entry.length])
  const [first, second] = messages.map(decode)
  expect(first).toMatchObject({ id: 3, operation: Operation.ENTRY, entry: { dn: 'uid=a,dc=b' } })
  expect(first !== undefined && 'entry' in first && first.entry.attributes.get('mail')?.map(String)).toEqual([
    'a@x.kr',
    'b@x.kr',
  ])
  expect(second).toMatchObject({ id: 3, operation: Operation.DONE, code: 0, cookie: Buffer.from('next') })
})

test('a result without a page has no cookie', () => {
  expect(decode(resultMessage(1, Operation.BIND, 49, 'no'))).toMatchObject({ code: 49, text: 'no', cookie: undefined })
})

test.each([
  ['HTTP', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), 'the server does not speak LDAP'],
  ['a length without an end', Buffer.from('3080', 'hex'), 'a length is not definite'],
  ['a message of 2 GB', Buffer.from('30847fffffff', 'hex'), 'a message has more than 10000 bytes'],
])('%s is refused as it arrives', async (_, bytes, message) => {
  await expect(collect(bytes)).rejects.toThrow(message)
})

test('every cut or changed byte of an entry is an error or another entry', () => {
  for (let at = 0; at < entry.length; at++) {
    for (const value of [0, 1, 0x30, 0x7f, 0x80, 0x84, 0xff]) {
      const changed = Buffer.from(entry)
      changed[at] = value
      try {
        decode(changed)
      } catch (error) {
        expect((error as Error).name).toBe('BadMessage')
      }
    }
    if (at > 0) expect(() => decode(entry.subarray(0, at))).toThrow()
  }
})

test('a set that claims to be longer than its message is cut off', () => {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(3)
  writer.startSequence(Operation.ENTRY)
  writer.writeString('uid=a')
  writer.startSequence()
  writer.startSequence()
  writer.writeString('mail')
  writer.writeBuffer(Buffer.from([0x04, 0x7f, 0x61]), 0x31)
  for (let depth = 0; depth < 4; depth++) writer.endSequence()
  expect(() => decode(writer.buffer)).toThrow('an element is cut off')
})
