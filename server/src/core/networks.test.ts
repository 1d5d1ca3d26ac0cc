import { expect, test } from 'vitest'
import { networkOf } from './networks.ts'

test('an IPv4 address is a network of its own', () => {
  expect(networkOf('192.0.2.7')).toBe('192.0.2.7')
  expect(networkOf('192.0.2.8')).not.toBe(networkOf('192.0.2.7'))
})

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
  ['2001:db8:1:2::', '2001:0DB8:0001:0002:0:0:0:9'],
  ['2001:db8::7', '2001:db8:0:0:1::'],
  ['fe80::1%eth0', 'fe80::2%eth1'],
  ['::1', '::2'],
])('%s and %s are one network', (one, other) => {
  expect(networkOf(one)).toBe(networkOf(other))
})

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:3::1'],
  ['2001:db8::1', '2001:db8:0:1::1'],
])('%s and %s are two networks', (one, other) => {
  expect(networkOf(one)).not.toBe(networkOf(other))
})

test('a text that is not an address is returned as it is', () => {
  expect(networkOf('')).toBe('')
})
