// People of a real OpenLDAP, and each way in which a directory can fail: the source is refused as a whole.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { ImportRefusal } from '@acc/contract/labels/userImports'
import { Attribute, Change } from 'ldapts'
import { expect, test } from 'vitest'
import { makeAuthority } from '../../../test/certificates.ts'
import { COUNT, PEOPLE, personOf, READER, READERS, SUFFIX, startSlapd } from '../../../test/slapd.ts'
import { startWire } from '../../../test/wire.ts'
import { RefusedSource } from '../userImports/source.ts'
import { type Directory, readDirectory } from './userSync.directory.ts'

const slapd = await startSlapd()

const LIMITS = { connect: 5_000, page: 5_000, all: 20_000 }
const BASE_KEY = 'base-group'
const READING = { baseKey: BASE_KEY, today: '2026-11-27' }
const DIRECTORY: Directory = {
  serverAddress: 'localhost',
  serverPort: slapd.tlsPort,
  encrypt: 1,
  authorities: slapd.authority.pem,
  bindDn: READER.dn,
  bindPw: READER.password,
  base: PEOPLE,
  filter: '(objectClass=inetOrgPerson)',
  groupBy: 1,
  attributes: { key: 'entryUUID', id: 'uid', name: 'cn', email: 'mail', group: '', expireDT: '' },
}
const START_TLS = { encrypt: 2, serverPort: slapd.port } as const
const read = (change: Partial<Directory> = {}) => readDirectory({ ...DIRECTORY, ...change }, READING, LIMITS)
/** Returns why a directory is refused. */
const refusalOf = (change: Partial<Directory>) =>
  read(change).then(
    ({ rows }) => `${rows.length} people`,
    (error: unknown) => (error instanceof RefusedSource ? error.refusal : error),
  )

test('all people are read, in pages, with LDAPS and with StartTLS', async () => {
  const source = await read()
  // The directory returns 200 entries at most without pages.
  expect(source.rows).toHaveLength(COUNT)
  expect(source.fields).toEqual(['key', 'id', 'name', 'email', 'group'])
  const found = source.rows.find(({ values }) => values.id === 'person1')
  expect(found).toEqual({
    line: null,
    values: {
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
      id: 'person1',
      name: '사람 1',
      // The first of two.
      email: 'person1@example.com',
      group: source.units?.find(({ name }) => name === 'Team 1')?.key,
    },
  })
  const again = await read(START_TLS)
  expect(again.hash).toBe(source.hash)
})

test('units are groups with their own IDs, the outer ones first', async () => {
  const { units = [] } = await read()
  expect(units.map(({ name }) => name).sort()).toEqual([
    'East',
    'Research, Development',
    'Team 1',
    'Team 2',
    '영업본부',
  ])
  const outer = units.find(({ name }) => name === '영업본부')
  const team = units.find(({ name }) => name === 'Team 1')
  expect(outer?.parentKey).toBeNull()
  expect(team?.parentKey).toBe(outer?.key)
  expect(units.indexOf(team as never)).toBeGreaterThan(units.indexOf(outer as never))
})

test('a unit that is renamed or moved keeps its ID, and its people keep it as their group', async () => {
  const before = await read()
  const teamOf = ({ units = [] }: typeof before, name: string) => units.find((unit) => unit.name === name)
  await slapd.root.modifyDN(`ou=Team 1,ou=영업본부,${PEOPLE}`, `ou=Platform,ou=East,${PEOPLE}`)
  const after = await read()
  expect(teamOf(after, 'Platform')).toEqual({
    key: teamOf(before, 'Team 1')?.key,
    parentKey: teamOf(before, 'East')?.key,
    name: 'Platform',
  })
  const groupsIn = (source: typeof before) => new Map(source.rows.map(({ values }) => [values.key, values.group]))
  expect(groupsIn(after)).toEqual(groupsIn(before))
  await slapd.root.modifyDN(`ou=Platform,ou=East,${PEOPLE}`, `ou=Team 1,ou=영업본부,${PEOPLE}`)
})

test('people outside of all units belong to the group of the setting', async () => {
  const dn = `uid=alone,${PEOPLE}`
  await slapd.root.add(dn, { ...personOf(9_000), uid: 'alone' })
  const { rows } = await read({ filter: '(uid=alone)' })
  expect(rows.map(({ values }) => values.group)).toEqual([BASE_KEY])
  await slapd.root.del(dn)
})

test('a group by attribute is its text, a fixed one no column', async () => {
  const attributes = { ...DIRECTORY.attributes, key: 'EMPLOYEENUMBER', group: 'sn' }
  const byAttribute = await read({ groupBy: 2, attributes, filter: '(uid=person7)' })
  expect(byAttribute.rows[0]?.values).toMatchObject({ key: 'E00007', group: '사람' })
  const fixed = await read({ groupBy: 0, filter: '(uid=person7)' })
  expect(fixed.fields).toEqual(['key', 'id', 'name', 'email'])
})

test.each([
  ['an account that expired', '20261126150000Z', { expireDT: '', isEnabled: '0' }],
  ['an account on its last day', '20261127120000Z', { expireDT: '', isEnabled: '' }],
  ['an account with days left', '20261128120000Z', { expireDT: '2026-11-28', isEnabled: '' }],
  ['a text that is no day', 'soon', { expireDT: 'soon', isEnabled: '' }],
  ['no day', undefined, { expireDT: '', isEnabled: '' }],
])('%s', async (_, title, values) => {
  const dn = `uid=mortal,${PEOPLE}`
  await slapd.root.add(dn, { ...personOf(9_003), uid: 'mortal', ...(title !== undefined && { title }) })
  const attributes = { ...DIRECTORY.attributes, expireDT: 'title' }
  const { rows } = await read({ filter: '(uid=mortal)', attributes })
  await slapd.root.del(dn)
  expect(rows[0]?.values).toMatchObject(values)
})

const other = makeAuthority(slapd.folder, 'other')
const closed = createServer().listen(0, '127.0.0.1')
await once(closed, 'listening')
const { port: closedPort } = closed.address() as AddressInfo
closed.close()

const REFUSALS: [string, Partial<Directory>, ImportRefusal, RegExp][] = [
  ['a wrong password', { bindPw: 'wrong' }, ImportRefusal.SIGN_IN, /LDAP 49/],
  ['an unknown account', { bindDn: `cn=nobody,${SUFFIX}` }, ImportRefusal.SIGN_IN, /LDAP 49/],
  ['an account that is no name', { bindDn: 'acc' }, ImportRefusal.SIGN_IN, /LDAP 34/],
  ['a wrong base', { base: `ou=nope,${SUFFIX}` }, ImportRefusal.NO_BASE, /LDAP 32/],
  ['a base of another directory', { base: 'dc=elsewhere' }, ImportRefusal.NO_BASE, /LDAP 32/],
  ['a base that is no name', { base: 'people' }, ImportRefusal.NO_BASE, /LDAP 34/],
  ['an empty base', { base: `ou=empty,${SUFFIX}` }, ImportRefusal.EMPTY, /^$/],
  ['nobody, who reads nothing', { bindDn: '', bindPw: '' }, ImportRefusal.NO_BASE, /LDAP 32/],
  ['a filter that does not parse', { filter: '(uid=*' }, ImportRefusal.SEARCH, /parens/],
  ['a filter that nobody matches', { filter: '(uid=nobody)' }, ImportRefusal.EMPTY, /^$/],
  [
    'a misspelt attribute',
    { attributes: { ...DIRECTORY.attributes, email: 'mial' } },
    ImportRefusal.MISSING_COLUMN,
    /^mial$/,
  ],
  ['a certificate of another authority', { authorities: other.pem }, ImportRefusal.CERTIFICATE, /certificate/],
  ['a certificate that the system does not know', { authorities: '' }, ImportRefusal.CERTIFICATE, /certificate/],
  ['another name of the host', { serverAddress: '127.0.0.1' }, ImportRefusal.CERTIFICATE, /altnames/],
  ['the same by StartTLS', { ...START_TLS, serverAddress: '127.0.0.1' }, ImportRefusal.CERTIFICATE, /altnames/],
  ['another authority by StartTLS', { ...START_TLS, authorities: other.pem }, ImportRefusal.CERTIFICATE, /certificate/],
  ['a port without TLS', { serverPort: slapd.port }, ImportRefusal.UNREACHABLE, /./],
  ['StartTLS on a port of TLS', { encrypt: 2 }, ImportRefusal.UNREACHABLE, /./],
  ['a closed port', { serverPort: closedPort }, ImportRefusal.UNREACHABLE, /ECONNREFUSED/],
  ['cloud metadata', { serverAddress: '169.254.169.254' }, ImportRefusal.UNREACHABLE, /no address of a directory/],
  ['no host', { serverAddress: '0.0.0.0' }, ImportRefusal.UNREACHABLE, /no address of a directory/],
  ['an unknown host', { serverAddress: 'nowhere.invalid' }, ImportRefusal.UNREACHABLE, /nowhere\.invalid/],
]

test.each(REFUSALS)('%s is refused', async (_, change, reason, text) => {
  expect(await refusalOf(change)).toEqual({ reason, line: null, text: expect.stringMatching(text), hint: '' })
})

test.each([
  ['127.0.0.2, localhost', 'nothing listens at the first one'],
  ['nowhere.invalid,localhost', 'the name of the first one is unknown'],
  ['169.254.169.254, localhost', 'the first one is no address of a directory'],
  ['localhost, 127.0.0.2', 'the first one answers'],
])('of %s the last or the first is read: %s', async (serverAddress) => {
  expect(await refusalOf({ serverAddress })).toBe(`${COUNT} people`)
  expect(await refusalOf({ ...START_TLS, serverAddress })).toBe(`${COUNT} people`)
})

test('directories that cannot be reached are all named', async () => {
  expect(await refusalOf({ serverAddress: '127.0.0.2, 127.0.0.3' })).toMatchObject({
    reason: ImportRefusal.UNREACHABLE,
    text: expect.stringMatching(/^127\.0\.0\.2: .*ECONNREFUSED.*; 127\.0\.0\.3: .*ECONNREFUSED/),
  })
})

test('no other directory is tried after a certificate that is not trusted, or a refused account', async () => {
  expect(await refusalOf({ serverAddress: '127.0.0.1, localhost' })).toMatchObject({
    reason: ImportRefusal.CERTIFICATE,
    text: expect.stringMatching(/^127\.0\.0\.1: .*altnames/),
  })
  const wire = await startWire(slapd.tlsPort)
  const twice = { serverAddress: 'localhost, localhost', serverPort: wire.port }
  expect(await refusalOf({ ...twice, bindPw: 'wrong' })).toMatchObject({ reason: ImportRefusal.SIGN_IN })
  expect(wire.connections()).toBe(1)
})

test('a directory that refuses StartTLS is not asked for anything else', async () => {
  const plain = await startSlapd({ hasTls: false })
  const wire = await startWire(plain.port)
  const refusal = await refusalOf({ encrypt: 2, serverPort: wire.port })
  expect(refusal).toMatchObject({ reason: ImportRefusal.UNREACHABLE, text: expect.stringContaining('StartTLS') })
  // The request for TLS alone: 31 bytes.
  expect(wire.sent()).toHaveLength(31)
  await plain.stop()
})

test('the password is never on the wire in the clear', async () => {
  const wires = { ldaps: await startWire(slapd.tlsPort), plain: await startWire(slapd.port) }
  expect(await refusalOf({ serverPort: wires.ldaps.port })).toBe(`${COUNT} people`)
  expect(await refusalOf({ encrypt: 2, serverPort: wires.plain.port })).toBe(`${COUNT} people`)
  await refusalOf({ encrypt: 1, serverPort: wires.plain.port })
  await refusalOf({ encrypt: 2, serverPort: wires.plain.port, authorities: other.pem })
  for (const { sent } of Object.values(wires)) {
    expect(sent().length).toBeGreaterThan(100)
    expect(sent().includes(READER.password)).toBe(false)
    expect(sent().includes(READER.dn)).toBe(false)
  }
})

test.each([5_000, 100_000, 250_000])('a connection that breaks after %i bytes refuses the source', async (bytes) => {
  const wire = await startWire(slapd.tlsPort, bytes)
  expect(await refusalOf({ serverPort: wire.port })).toMatchObject({ reason: ImportRefusal.UNREACHABLE })
})

const changeOf = (type: string, values: string[]) =>
  new Change({ operation: 'replace', modification: new Attribute({ type, values }) })

test('an account that lost its right to read is refused', async () => {
  const members = (dn: string[]) => slapd.root.modify(READERS, changeOf('member', dn))
  const root = `cn=root,${SUFFIX}`
  await members([root])
  expect(await refusalOf({})).toMatchObject({ reason: ImportRefusal.NO_BASE })
  await members([READER.dn, root])
  expect(await refusalOf({})).toBe(`${COUNT} people`)
})

test('names with escapes, control characters and long values arrive as they are', async () => {
  const dn = String.raw`uid=odd\+one\, two,ou=East,${PEOPLE}`
  const cn = `a\u0007${'b'.repeat(5_000)}`
  await slapd.root.add(dn, { ...personOf(9_001), uid: 'odd+one, two', cn })
  const { rows } = await read({ filter: '(employeeNumber=E09001)' })
  expect(rows[0]?.values).toMatchObject({ id: 'odd+one, two', name: cn.slice(0, 1_000) })
  await slapd.root.del(dn)
})
