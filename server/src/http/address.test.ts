// The caller's address, with every form that systems and proxies give it.
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { addressOf } from './address.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['unknown', ''],
  ['"><script>', ''],
  ['1'.repeat(3000), ''],
])('%s', (ip, address) => {
  expect(addressOf({ ip, socket: new Socket() })).toBe(address)
})
