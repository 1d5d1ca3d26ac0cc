// Looking up the addresses of a domain, against a DNS server of the test.
import { spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { ipv4, ipv6, startDnsServer } from '../../../test/dnsServer.ts'
import { minutes } from '../../clock.ts'

const many = (count: number) => Array.from({ length: count }, (_, at) => ipv4(10, 0, 0, at))
const dns = await startDnsServer(({ name, type }) => {
  if (name === 'silent.example.com') return undefined
  if (name === 'broken.example.com') return 2
  if (name === 'half.example.com') return type === 'A' ? [ipv4(10, 0, 0, 1)] : undefined
  if (name === 'many.example.com') return type === 'A' ? many(50) : []
  if (name === 'twice.example.com') return type === 'A' ? [ipv4(10, 0, 0, 1), ipv4(10, 0, 0, 1)] : []
  if (name === 'portal.example.com') return type === 'A' ? [ipv4(10, 0, 0, 1), ipv4(10, 0, 0, 2)] : [ipv6(7)]
  return 3
})
afterAll(() => dns.stop())
const { app, as, admin, clock } = await startTestApp({ ACC_DNS_SERVERS: dns.address })
const { north } = await buildGroups(app.db, 'north')
const lookUp = (domain: string) => as(admin).policies.nsLookup({ domain })
const NOTHING = { ipv4: [], ipv6: [], isCut: 0 }

test('a domain has the addresses of its A and AAAA records, asked once each and nothing else', async () => {
  dns.questions.length = 0
  expect(await lookUp('Portal.Example.COM')).toEqual({
    ipv4: ['10.0.0.1', '10.0.0.2'],
    ipv6: ['2001:db8::7'],
    isAnswered: 1,
    isCut: 0,
  })
  expect(dns.questions.toSorted((a, b) => a.type.length - b.type.length)).toEqual([
    { name: 'portal.example.com', type: 'A' },
    { name: 'portal.example.com', type: 'AAAA' },
  ])
})

test('a name that does not exist has no address, and a server that is silent ends the call, not its caller', async () => {
  const start = performance.now()
  const names = ['unknown', 'broken', 'silent', 'half']
  const [unknown, broken, silent, half] = await Promise.all(names.map((name) => lookUp(`${name}.example.com`)))
  expect(unknown).toEqual({ ...NOTHING, isAnswered: 1 })
  expect(broken).toEqual({ ...NOTHING, isAnswered: 0 })
  expect(silent).toEqual({ ...NOTHING, isAnswered: 0 })
  // After three seconds.
  expect(performance.now() - start).toBeLessThan(6_000)
  // One answer of two counts.
  expect(half).toEqual({ ...NOTHING, ipv4: ['10.0.0.1'], isAnswered: 1 })
})

test('no name has a process started', async () => {
  const started: unknown[] = []
  const note = (message: unknown) => void started.push(message)
  subscribe('child_process', note)
  try {
    for (const domain of ['portal.example.com', 'example.com;id', '$(id).example.com', '-x.example.com', '`id`'])
      await lookUp(domain).catch(() => undefined)
    expect(started).toEqual([])
    // What a process would have left.
    await once(spawn('true'), 'exit')
    expect(started).toHaveLength(1)
  } finally {
    unsubscribe('child_process', note)
  }
})

test('duplicates are dropped, and long answers are cut', async () => {
  expect(await lookUp('twice.example.com')).toMatchObject({ ipv4: ['10.0.0.1'], isCut: 0 })
  const { ipv4: addresses, isCut } = await lookUp('many.example.com')
  expect([addresses.length, isCut]).toEqual([32, 1])
})

test.each([
  '',
  'localhost',
  'intranet',
  '10.0.0.1',
  '1.2.3',
  '::1',
  'a..example.com',
  '.example.com',
  'example.com.',
  '-x.example.com',
  'example.com;id',
  '$(id).example.com',
  'exa mple.com',
  'example.com/path',
  '*.example.com',
  'https://example.com',
  'a\u0000.example.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(130)}com`,
  '한국.kr',
])('`%s` is refused before anything is asked', async (domain) => {
  const count = dns.questions.length
  await expect(lookUp(domain)).rejects.toMatchObject({ error: 'INVALID_INPUT', data: { fields: ['domain'] } })
  expect(dns.questions).toHaveLength(count)
})

test('a person asks 20 times a minute, also at once', async () => {
  const hasty = await buildManager(app.db, { groups: [north], policy: 2 })
  const question = { domain: 'portal.example.com' }
  const results = await Promise.allSettled(Array.from({ length: 60 }, () => as(hasty).policies.nsLookup(question)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
})

test('a person asks 20 times a minute, independently of others', async () => {
  const [eager, calm] = [
    await buildManager(app.db, { groups: [north], policy: 2 }),
    await buildManager(app.db, { groups: [north], policy: 2 }),
  ]
  const question = { domain: 'portal.example.com' }
  for (let i = 0; i < 20; i++) await as(eager).policies.nsLookup(question)
  const count = dns.questions.length
  await expect(as(eager).policies.nsLookup(question)).rejects.toMatchObject({
    error: 'TOO_MANY_REQUESTS',
    data: { retryAfter: 60 },
  })
  expect(dns.questions).toHaveLength(count)
  await as(calm).policies.nsLookup(question)
  clock.advance(minutes(1))
  await as(eager).policies.nsLookup(question)
})
