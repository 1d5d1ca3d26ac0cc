// Runs against a real domain controller. The tests are one story; they are skipped where Samba cannot run.
import { ImportRefusal, ImportState } from '@acc/contract/labels/userImports'
import { UserState } from '@acc/contract/labels/users'
import type { DirectoryInput } from '@acc/contract/userSync'
import { test as anyTest, beforeAll, expect } from 'vitest'
import { days, today } from '../src/clock.ts'
import { syncOf, syncsOf } from '../src/domains/userSync/userSync.fixture.ts'
import { startTestApp } from './app.ts'
import { buildGroups } from './build/groups.ts'
import { makeAuthority } from './certificates.ts'
import {
  COUNT,
  Control,
  DOMAIN,
  dnOf,
  PEOPLE,
  passwordOf,
  READER,
  replace,
  type Samba,
  startSamba,
  whyNoSamba,
} from './samba.ts'

const why = whyNoSamba()
if (why !== undefined) process.stderr.write(`The tests of Active Directory are skipped: ${why}\n`)
const test = anyTest.skipIf(why !== undefined)

const { app, as, admin, clock } = await startTestApp()
const { company } = await buildGroups(app.db, 'company')
const calls = as(admin)
const { run } = syncsOf(app, calls)
let samba: Samba
beforeAll(async () => {
  samba = await startSamba()
  return samba.stop
}, 180_000)

const NOT_DISABLED = '(!(userAccountControl:1.2.840.113556.1.4.803:=2))'
const inputOf = (change: Partial<DirectoryInput> = {}) => {
  const directory: DirectoryInput = {
    serverAddress: samba.address,
    serverPort: 0,
    encrypt: 1,
    authorities: samba.authority.pem,
    bindDn: READER.name,
    bindPw: READER.password,
    base: PEOPLE,
    filter: `(&(objectCategory=person)(objectClass=user)${NOT_DISABLED})`,
    groupBy: 1,
    attributes: {
      key: 'objectGUID',
      id: 'sAMAccountName',
      name: 'displayName',
      email: 'mail',
      group: '',
      expireDT: 'accountExpires',
    },
    ...change,
  }
  return syncOf(company.idx, { directory })
}

/** All accounts of the source. */
async function accounts() {
  const found = await app.db.read
    .selectFrom('users')
    .innerJoin('groups', 'groups.idx', 'users.groupIdx')
    .select(['users.idx', 'users.id', 'users.name', 'users.email', 'users.key', 'users.state', 'groups.name as group'])
    .select(['users.groupIdx', 'users.expireDT'])
    .where('users.importSource', 'is not', null)
    .orderBy('users.idx')
    .execute()
  return new Map(found.map((one) => [one.id, { ...one, isSuspended: (one.state & UserState.DISABLED) !== 0 }]))
}
const personOf = async (at: number) => (await accounts()).get(`person${at}`)

/** The file time of a moment: units of 100 nanoseconds from 1601 on. */
const fileTime = (moment: Date) => String((BigInt(moment.getTime()) + 11_644_473_600_000n) * 10_000n)
/** Noon in so many days, by the clocks of the server. */
function noonIn(count: number): Date {
  const moment = new Date(clock.now().getTime() + days(count))
  moment.setHours(12, 0, 0, 0)
  return moment
}

test('the first run creates everybody, in pages, with the groups of the units', async () => {
  await calls.userSync.set(inputOf())
  expect(await run()).toMatchObject({
    state: ImportState.DONE,
    counts: { create: COUNT, error: 0, disable: 0, groups: 3, applied: COUNT },
  })
  expect(await personOf(0)).toMatchObject({
    name: '사람 0',
    email: 'person0@corp.example',
    group: 'Team 1',
    key: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    expireDT: null,
  })
})

test('StartTLS reads the same people, and a run changes nobody', async () => {
  await calls.userSync.set(inputOf({ encrypt: 2 }))
  expect(await run()).toMatchObject({ state: ImportState.DONE, counts: { unchanged: COUNT, applied: 0, error: 0 } })
  await calls.userSync.set(inputOf())
})

test('the base may be the domain: its referrals are not followed', async () => {
  const { count } = await calls.userSync.test(inputOf({ base: DOMAIN, filter: '(sAMAccountName=Person0)' }))
  expect(count).toBe(1)
})

const nothing = async () => undefined
type Broken = [string, () => Promise<() => Promise<unknown>>, Partial<DirectoryInput>, ImportRefusal, RegExp]
const REFUSED: Broken[] = [
  ['a wrong password', async () => nothing, { bindPw: 'wrong' }, ImportRefusal.SIGN_IN, /data 52e.*LDAP 49/],
  ['nobody', async () => nothing, { bindDn: '', bindPw: '' }, ImportRefusal.SEARCH, /LDAP 1/],
  ['a wrong base', async () => nothing, { base: `OU=Poeple,${DOMAIN}` }, ImportRefusal.NO_BASE, /LDAP 32/],
  ['another domain', async () => nothing, { base: 'DC=other,DC=example' }, ImportRefusal.NO_BASE, /LDAP/],
  [
    'a disabled account',
    async () => {
      await samba.root.modify(READER.dn, replace('userAccountControl', Control.DISABLED))
      return () => samba.root.modify(READER.dn, replace('userAccountControl', Control.NORMAL))
    },
    {},
    ImportRefusal.SIGN_IN,
    /data 533.*LDAP 49/,
  ],
  [
    'an expired password',
    async () => {
      await samba.root.modify(READER.dn, replace('pwdLastSet', '0'))
      return () => samba.root.modify(READER.dn, passwordOf(READER.password))
    },
    {},
    ImportRefusal.SIGN_IN,
    /data (532|773).*LDAP 49/,
  ],
  [
    'a lost right to read units',
    () => samba.deny(PEOPLE, 'LCLORPRC'),
    {},
    ImportRefusal.MISSING_COLUMN,
    // Samba returns people in any order.
    /^entryUUID, objectGUID: (영업|East)$/,
  ],
]

test.each(REFUSED)('%s refuses the run and changes nobody', async (_, breakIt, change, reason, text) => {
  const before = await accounts()
  const mend = await breakIt()
  await calls.userSync.set(inputOf(change))
  const found = await run()
  await mend()
  await calls.userSync.set(inputOf())
  expect(found).toMatchObject({
    state: ImportState.REFUSED,
    refusal: { reason, text: expect.stringMatching(text) },
    counts: { applied: 0 },
  })
  expect(await accounts()).toEqual(before)
})

test('a certificate of another authority refuses the run', async () => {
  const other = makeAuthority(samba.authority.folder, 'other')
  await expect(calls.userSync.test(inputOf({ authorities: other.pem }))).rejects.toMatchObject({
    code: 998,
    data: { reason: ImportRefusal.CERTIFICATE },
  })
})

test('a lost right to read one unit waits for a person', async () => {
  const before = await accounts()
  const mend = await samba.deny(`OU=East,${PEOPLE}`, 'LCLORPRC')
  const stopped = await run()
  await mend()
  expect(stopped).toMatchObject({ state: ImportState.PLANNED, brake: { people: COUNT, disables: COUNT / 2 } })
  await calls.userImports.cancel({ idx: stopped.idx })
  expect(await accounts()).toEqual(before)
})

test('a person who is renamed, and moves to another unit, keeps the account', async () => {
  const before = await personOf(2)
  await samba.root.modifyDN(dnOf(2), `CN=홍길동,OU=East,${PEOPLE}`)
  await samba.root.modify(`CN=홍길동,OU=East,${PEOPLE}`, replace('displayName', '홍길동'))
  await samba.root.modify(`CN=홍길동,OU=East,${PEOPLE}`, replace('sAMAccountName', 'GilDong.Hong'))
  expect((await run()).counts).toMatchObject({ move: 1, create: 0, disable: 0, error: 0 })
  expect((await accounts()).get('gildong.hong')).toMatchObject({ idx: before?.idx, name: '홍길동', group: 'East' })
})

test('a unit that is renamed and moved is the same group', async () => {
  const before = await personOf(0)
  await samba.root.modifyDN(`OU=Team 1,OU=영업,${PEOPLE}`, `OU=Platform,OU=East,${PEOPLE}`)
  expect((await run()).counts).toMatchObject({ create: 0, move: 0, disable: 0, error: 0, groups: 0 })
  expect((await personOf(0))?.groupIdx).toBe(before?.groupIdx)
  await samba.root.modifyDN(`OU=Platform,OU=East,${PEOPLE}`, `OU=Team 1,OU=영업,${PEOPLE}`)
})

test('a disabled account is suspended, and released when it is enabled', async () => {
  await samba.root.modify(dnOf(1), replace('userAccountControl', Control.DISABLED))
  expect((await run()).counts).toMatchObject({ disable: 1, error: 0 })
  expect(await personOf(1)).toMatchObject({ isSuspended: true })
  await samba.root.modify(dnOf(1), replace('userAccountControl', Control.NORMAL))
  expect((await run()).counts).toMatchObject({ enable: 1, disable: 0, error: 0 })
  expect(await personOf(1)).toMatchObject({ isSuspended: false })
})

test('an account with an end has its last day, and is suspended once it has expired', async () => {
  await samba.root.modify(dnOf(3), replace('accountExpires', fileTime(noonIn(30))))
  await samba.root.modify(dnOf(5), replace('accountExpires', fileTime(noonIn(-1))))
  expect((await run()).counts).toMatchObject({ update: 1, disable: 1, error: 0 })
  const lastDay = today({ now: () => noonIn(30) })
  expect(await personOf(3)).toMatchObject({ expireDT: lastDay, isSuspended: false })
  expect(await personOf(5)).toMatchObject({ expireDT: null, isSuspended: true })
  // "Never" in both spellings.
  await samba.root.modify(dnOf(3), replace('accountExpires', '9223372036854775807'))
  await samba.root.modify(dnOf(5), replace('accountExpires', '0'))
  expect((await run()).counts).toMatchObject({ update: 1, enable: 1, error: 0 })
  expect(await personOf(3)).toMatchObject({ expireDT: null })
  expect(await personOf(5)).toMatchObject({ isSuspended: false })
})
