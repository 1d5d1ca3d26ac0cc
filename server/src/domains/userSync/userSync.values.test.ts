// Values of directories: GUIDs, days, several values and bytes that are no text.
import { expect, test } from 'vitest'
import type { Entry } from './userSync.messages.ts'
import { dayOf, textIn } from './userSync.values.ts'

const entryOf = (name: string, ...values: Buffer[]): Entry => ({ dn: '', attributes: new Map([[name, values]]) })
const GUID = Buffer.from('00112233445566778899aabbccddeeff', 'hex')

test.each(['objectGUID', 'OBJECTguid', 'objectGUID;binary', 'msExchMailboxGuid'])('%s is a GUID', (name) => {
  expect(textIn(entryOf(name.toLowerCase(), GUID), name)).toBe('33221100-5544-7766-8899-aabbccddeeff')
})

test('a GUID whose bytes are text is one, too', () => {
  const text = Buffer.from('abcdefghijklmnop')
  expect(textIn(entryOf('objectguid', text), 'objectGUID')).toBe('64636261-6665-6867-696a-6b6c6d6e6f70')
  expect(textIn(entryOf('employeenumber', text), 'employeeNumber')).toBe('abcdefghijklmnop')
})

test('the first of several values counts, other bytes are hexadecimal, a long value stays too long', () => {
  expect(textIn(entryOf('mail', Buffer.from('b@x.kr'), Buffer.from('a@x.kr')), 'mail')).toBe('b@x.kr')
  expect(textIn(entryOf('mail'), 'mail')).toBe('')
  expect(textIn(entryOf('mail', Buffer.from('x')), 'cn')).toBe('')
  expect(textIn(entryOf('photo', Buffer.from([0xff, 0xfe])), 'photo')).toBe('fffe')
  const huge = textIn(entryOf('cn', Buffer.from('가'.repeat(1_000_000))), 'cn')
  expect(huge).toBe('가'.repeat(1_000))
})

/** 2027-02-01T00:00 by the clocks of the server, as Active Directory stores "end of January 31". */
const MIDNIGHT = new Date(2027, 1, 1)
const fileTime = (moment: Date) => String((BigInt(moment.getTime()) + 11_644_473_600_000n) * 10_000n)
const generalized = (moment: Date) => `${moment.toISOString().replace(/[-:T]|\.000/g, '')}`

test.each([
  ['0', '-'],
  ['9223372036854775807', '-'],
  [fileTime(MIDNIGHT), '2027-01-31'],
  [fileTime(new Date(2027, 1, 1, 12)), '2027-02-01'],
  [generalized(MIDNIGHT), '2027-01-31'],
  [generalized(MIDNIGHT).replace('Z', '.0Z'), '2027-01-31'],
  [generalized(new Date(MIDNIGHT.getTime() + 9 * 3_600_000)).replace('Z', '+0900'), '2027-01-31'],
  ['2027-01-31', '2027-01-31'],
  ['soon', 'soon'],
  ['99999999999999999999', '99999999999999999999'],
  ['', ''],
])('the last day of %s is %s', (text, day) => {
  expect(dayOf(text)).toBe(day)
})
