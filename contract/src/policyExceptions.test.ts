import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ipNumber, maskNumber, subnetRange } from './core/ip.ts'
import { ExceptionType } from './labels/policies.ts'
import {
  ExceptionLists,
  LoopbackException,
  NetworkException,
  NO_EXCEPTIONS,
  rangeOf,
  targetOf,
} from './policyExceptions.ts'

const { DOMAIN, IP_RANGE, SUBNET } = ExceptionType
const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
const textOf = (parts: readonly number[]) => parts.join('.')
/** Model: an address as 32 bits. */
const bitsOf = (parts: readonly number[]) => parts.map((part) => part.toString(2).padStart(8, '0')).join('')

const base = {
  idx: -1,
  description: 'x',
  type: IP_RANGE,
  ip1: '10.0.0.1',
  ip2: '10.0.0.1',
  port: 0,
  access: 1,
} as const
const issuesOf = (fields: object) =>
  (NetworkException.safeParse({ ...base, ...fields }).error?.issues ?? []).map(
    ({ path, message, code }) => `${path.join('.')} ${code === 'custom' ? message : code}`,
  )

test('an address is a number of four bytes, ordered part by part', () => {
  fc.assert(
    fc.property(octets, octets, (one, other) => {
      const [first, second] = [ipNumber(textOf(one)) ?? -1, ipNumber(textOf(other)) ?? -1]
      expect(first).toBe(Number.parseInt(bitsOf(one), 2))
      expect(first < second).toBe(bitsOf(one) < bitsOf(other))
    }),
  )
})

test.each([
  '',
  '1.2.3',
  '1.2.3.4.5',
  '256.1.1.1',
  '1.1.1.999',
  '01.1.1.1',
  '1.1.1.1 ',
  '1e1.1.1.1',
  '-1.1.1.1',
  '١.1.1.1',
])('`%s` is no address', (text) => {
  expect(ipNumber(text)).toBeUndefined()
  expect(issuesOf({ ip1: text === '1.1.1.1 ' ? '1.1.1.1.' : text }).length).toBeGreaterThan(0)
})

test('a mask is ones and then zeros, and a subnet is what its mask leaves', () => {
  fc.assert(
    fc.property(octets, octets, fc.nat(32), (ip, other, ones) => {
      const bits = bitsOf(other)
      expect(maskNumber(textOf(other)) !== undefined).toBe(/^1*0*$/.test(bits))
      const mask = Number.parseInt('1'.repeat(ones).padEnd(32, '0'), 2)
      const text = textOf([mask >>> 24, (mask >>> 16) & 255, (mask >>> 8) & 255, mask & 255])
      expect(maskNumber(text)).toBe(mask)
      const { first, last } = subnetRange(ipNumber(textOf(ip)) ?? 0, mask)
      const prefix = bitsOf(ip).slice(0, ones)
      expect(first).toBe(Number.parseInt(prefix.padEnd(32, '0'), 2))
      expect(last).toBe(Number.parseInt(prefix.padEnd(32, '1'), 2))
    }),
  )
})

test('a range is valid exactly if it does not end before it starts, a subnet if its mask is contiguous', () => {
  fc.assert(
    fc.property(octets, octets, (one, other) => {
      const addresses = { ip1: textOf(one), ip2: textOf(other) }
      expect(issuesOf(addresses)).toEqual(bitsOf(one) > bitsOf(other) ? ['ip2 range'] : [])
      expect(issuesOf({ ...addresses, type: SUBNET })).toEqual(/^1*0*$/.test(bitsOf(other)) ? [] : ['ip2 mask'])
    }),
  )
})

test('exceptions have the same target exactly if they cover the same addresses on the same port', () => {
  const near = fc.tuple(fc.constant(10), fc.constant(0), fc.nat(1), fc.nat(3)).map(textOf)
  const exception = fc.oneof(
    fc.record({ type: fc.constant(IP_RANGE), ip1: near, ip2: near, port: fc.nat(1) }),
    fc.record({
      type: fc.constant(SUBNET),
      ip1: near,
      ip2: fc.constantFrom('255.255.255.255', '255.255.255.254', '255.255.255.252'),
      port: fc.nat(1),
    }),
  )
  const addresses = (range: { first: number; last: number } | undefined) =>
    range && Array.from({ length: Math.max(0, range.last - range.first + 1) }, (_, at) => range.first + at)
  fc.assert(
    fc.property(exception, exception, (one, other) => {
      const [first, second] = [addresses(rangeOf(one)), addresses(rangeOf(other))]
      fc.pre(first !== undefined && second !== undefined && first.length > 0 && second.length > 0)
      const isSame = JSON.stringify(first) === JSON.stringify(second) && one.port === other.port
      expect(targetOf(one) === targetOf(other)).toBe(isSame)
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['example.com', []],
  ['Portal.Example.COM', []],
  ['intranet', []],
  ['*.example.com', []],
  ['_dmarc.example.com', []],
  ['xn--3e0b707e.kr', []],
  ['a'.repeat(63), []],
  ['a'.repeat(64), ['ip1 domain']],
  [`${'a.'.repeat(49)}aa`, []],
  [`${'a.'.repeat(50)}a`, ['ip1 too_big']],
  ['https://example.com', ['ip1 domain']],
  ['example.com/path', ['ip1 domain']],
  ['example..com', ['ip1 domain']],
  ['-a.com', ['ip1 domain']],
  ['a.*.com', ['ip1 domain']],
  ['*', ['ip1 domain']],
  ['10.0.0.1', ['ip1 domain']],
  ['한국.kr', ['ip1 domain']],
  ['a b', ['ip1 domain']],
])('domain `%s`: %j', (ip1, issues) => {
  expect(issuesOf({ type: DOMAIN, ip1, ip2: '' })).toEqual(issues)
})

test('domains are lower case and stand alone', () => {
  const domain = { ...base, type: DOMAIN, ip1: ' Portal.Example.COM ', ip2: '' }
  expect(NetworkException.parse(domain).ip1).toBe('portal.example.com')
  expect(issuesOf({ ...domain, ip2: '10.0.0.1' })).toEqual(['ip2 domain'])
})

test('a list holds each target, each process and each idx once', () => {
  const network = (...rows: object[]) => ({
    ...NO_EXCEPTIONS,
    policyNetworkExceptions: rows.map((row, at) => ({ ...base, idx: -1 - at, ...row })),
  })
  const isValid = (lists: object) => ExceptionLists.safeParse(lists).success
  expect(isValid(network({}, { port: 80 }, { ip2: '10.0.0.2' }))).toBe(true)
  expect(isValid(network({}, { description: 'other', access: 0 }))).toBe(false)
  expect(isValid(network({}, { type: SUBNET, ip2: '255.255.255.255' }))).toBe(false)
  expect(isValid(network({ idx: 3 }, { idx: 3, port: 80 }))).toBe(false)
  const domain = { type: DOMAIN, ip1: 'a.com', ip2: '' }
  expect(isValid(network(domain, { ...domain, ip1: 'A.COM' }))).toBe(false)
  // The same target in the other list is another rule.
  const [row] = network({}).policyNetworkExceptions
  expect(isValid({ ...network({}), policyLocalNetworkExceptions: [row] })).toBe(true)
  const processes = (...names: string[]) => ({
    ...NO_EXCEPTIONS,
    policyLoopbackExceptions: names.map((processName, at) => ({ idx: -1 - at, description: 'x', processName })),
  })
  expect(isValid(processes('chrome.exe', 'edge.exe'))).toBe(true)
  expect(isValid(processes('chrome.exe', 'Chrome.EXE'))).toBe(false)
})

test('a process has a name of at most 30 characters without a path', () => {
  const isValid = (processName: string) =>
    LoopbackException.safeParse({ idx: -1, description: 'x', processName }).success
  expect(['a', 'My App.exe', 'x'.repeat(30)].map(isValid)).toEqual([true, true, true])
  expect(['', ' ', 'x'.repeat(31), 'C:\\a.exe', 'bin/a', '*.exe', 'a\nb'].map(isValid)).toEqual(Array(7).fill(false))
})
