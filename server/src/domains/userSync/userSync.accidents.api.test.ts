// Accidents that synchronizations with directories had in other products, each with the sentence that the administrator
// reads. Nobody is suspended in any of them. Files have theirs in userImports.accidents.api.test.ts.
import { ImportAction, ImportFault, ImportRefusal, ImportState } from '@acc/contract/labels/userImports'
import { UserState } from '@acc/contract/labels/users'
import type { ImportRow } from '@acc/contract/userImports'
import type { DirectoryInput } from '@acc/contract/userSync'
import { Attribute, Change } from 'ldapts'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { makeDatedCertificate } from '../../../test/certificates.ts'
import { entryMessage, resultMessage } from '../../../test/ldapMessages.ts'
import { mailsTo } from '../../../test/mails.ts'
import { type Play, playDirectories } from '../../../test/playedDirectory.ts'
import { dnOf, PEOPLE, personOf, SUFFIX, startSlapd } from '../../../test/slapd.ts'
import { startWire } from '../../../test/wire.ts'
import { directoryOf, syncOf, syncsOf } from './userSync.fixture.ts'
import { Operation } from './userSync.messages.ts'

const { app, as, admin } = await startTestApp()
const { company } = await buildGroups(app.db, 'company')
const slapd = await startSlapd()
const { authority, startDirectory } = playDirectories()
const calls = as(admin)
const { run, rows } = syncsOf(app, calls)

const FILTER = '(uid=person1*)'
/** 1, 10 to 19, 100 to 199, 1000 to 1099. */
const FOUND = 211
const { attributes } = directoryOf(slapd)
const KEYED = { ...attributes, key: 'employeeNumber' }
const USUAL: Partial<DirectoryInput> = { filter: FILTER, attributes: KEYED }
const set = (change: Partial<DirectoryInput> = {}) =>
  calls.userSync.set(syncOf(company.idx, { directory: directoryOf(slapd, { ...USUAL, ...change }) }))
const replace = (type: string, ...values: string[]) =>
  new Change({ operation: 'replace', modification: new Attribute({ type, values }) })
const change = (at: number, type: string, ...values: string[]) => slapd.root.modify(dnOf(at), replace(type, ...values))

/** Everybody of the source, as it is stored. */
const people = () =>
  app.db.read
    .selectFrom('users')
    .select(['idx', 'id', 'name', 'email', 'key', 'groupIdx', 'state', 'isMortal'])
    .where('importSource', '=', 2)
    .orderBy('idx')
    .execute()
const suspended = async () => (await people()).filter(({ state }) => (state & UserState.DISABLED) !== 0)
const lastMail = async () => (await mailsTo(app, 'admin@localhost')).at(-1)?.text ?? ''
/** What the console shows at a row. */
const sentencesOf = (row: ImportRow | undefined) => row?.faults.map(({ fault }) => ImportFault.labels[fault].en) ?? []

test('everybody has an account before the accidents', async () => {
  await set()
  expect(await run()).toMatchObject({ state: ImportState.DONE, counts: { create: FOUND, applied: FOUND, error: 0 } })
})

const personMessage = (id: number) =>
  entryMessage(id, `uid=person1,${PEOPLE}`, {
    employeenumber: ['E00001'],
    uid: ['person1'],
    cn: ['person1'],
    mail: ['person1@example.com'],
  })
/** A directory that sends one person of many, and then this result. */
const ends =
  (code: number, text = ''): Play =>
  (socket, id) =>
    void socket.write(Buffer.concat([personMessage(id), resultMessage(id, Operation.DONE, code, text)]))
const played = async (play: Play): Promise<Partial<DirectoryInput>> => ({
  serverPort: await startDirectory(play),
  authorities: authority.pem,
  groupBy: 0,
})
const dated = async (name: string, from: number, to: number): Promise<Partial<DirectoryInput>> => ({
  serverPort: await startDirectory(ends(0), makeDatedCertificate(authority, name, from, to)),
  authorities: authority.pem,
})

const REFUSED: [name: string, source: () => Promise<Partial<DirectoryInput>>, sentence: string][] = [
  ['an empty answer suspended everybody', async () => ({ base: `ou=empty,${SUFFIX}` }), 'It contains nobody.'],
  [
    'a base that was moved away did',
    async () => ({ base: `ou=staff,${SUFFIX}` }),
    'The search base does not exist or cannot be read. result (LDAP 32)',
  ],
  [
    'half an answer was taken for all',
    async () => ({ serverPort: (await startWire(slapd.tlsPort, 40_000)).port }),
    'The directory cannot be reached. the directory closed the connection',
  ],
  [
    'a size limit cut the answer',
    () => played(ends(4, 'size limit exceeded')),
    'The directory refused the search. size limit exceeded (LDAP 4)',
  ],
  ['a time limit cut the answer', () => played(ends(3)), 'The directory refused the search. result (LDAP 3)'],
  [
    'an administrative limit cut the answer',
    () => played(ends(11, 'admin limit exceeded')),
    'The directory refused the search. admin limit exceeded (LDAP 11)',
  ],
  [
    'a referral was an empty answer',
    () => played(ends(10, 'ldap://dc2.corp.example')),
    'The search base does not exist or cannot be read. ldap://dc2.corp.example (LDAP 10)',
  ],
  ['a busy directory was an empty one', () => played(ends(51)), 'The directory cannot be reached. result (LDAP 51)'],
  [
    'an expired certificate was accepted',
    () => dated('expired', 2020, 2021),
    'The certificate of the directory is not trusted. certificate has expired',
  ],
  [
    'a wrong clock made a certificate invalid, and the check was switched off',
    () => dated('future', 2090, 2091),
    'The certificate of the directory is not trusted. certificate is not yet valid',
  ],
  [
    'a password that changed locked the account by retries',
    async () => ({ bindPw: 'old' }),
    'The directory refused the account. result (LDAP 49)',
  ],
  [
    'an attribute that was renamed emptied all names',
    async () => ({ attributes: { ...KEYED, name: 'fullName' } }),
    'A required column is missing. fullName',
  ],
]

test.each(REFUSED)('%s', async (_, source, sentence) => {
  const before = await people()
  await set(await source())
  const refused = await run()
  await set()
  expect(refused).toMatchObject({ state: ImportState.REFUSED, counts: { applied: 0 } })
  expect(await lastMail()).toContain(sentence)
  expect(await people()).toEqual(before)
  expect(await run()).toMatchObject({ state: ImportState.DONE, counts: { applied: 0, unchanged: FOUND } })
})

test('a directory without TLS got the password', async () => {
  const plain = await startSlapd({ hasTls: false })
  await set({ encrypt: 2, serverPort: plain.port })
  expect(await run()).toMatchObject({ refusal: { reason: ImportRefusal.UNREACHABLE } })
  expect(await lastMail()).toMatch(/The directory cannot be reached\. the directory refuses StartTLS: \S/)
  await set()
  await plain.stop()
})

/** Makes a run that changes nobody, and returns the sentences of its errors by ID. */
async function errorsOf(): Promise<Record<string, string[]>> {
  const before = await people()
  const { idx, state } = await run()
  expect(state).toBe(ImportState.DONE)
  expect(await people()).toEqual(before)
  const failed = await rows(idx, ImportAction.ERROR)
  return Object.fromEntries(failed.map((row) => [row.id, sentencesOf(row)]))
}

test('one employee number of two people merged their accounts', async () => {
  await change(10, 'employeeNumber', 'E00011')
  const sentences = ['Another row has the same value.']
  expect(await errorsOf()).toEqual({ person10: sentences, person11: sentences })
  // The case of a key does not make two of it.
  await change(10, 'employeeNumber', 'e00011')
  expect(await errorsOf()).toEqual({ person10: sentences, person11: sentences })
  await change(10, 'employeeNumber', 'E00010')
})

test('a key of another attribute created everybody again, and suspended the first accounts', async () => {
  await set({ attributes })
  const errors = await errorsOf()
  await set()
  expect(Object.keys(errors)).toHaveLength(FOUND)
  expect(errors.person10).toEqual(expect.arrayContaining(['Another user has this value.']))
})

test('a person who was deleted and created again got a second account', async () => {
  await slapd.root.del(dnOf(12))
  await slapd.root.add(dnOf(12), { ...personOf(12), employeeNumber: 'E99912' })
  expect((await errorsOf()).person12).toEqual(expect.arrayContaining(['Another user has this value.']))
  await change(12, 'employeeNumber', 'E00012')
  expect(await errorsOf()).toEqual({})
})

test('a person without a number took the account of another one without a number', async () => {
  await change(14, 'employeeNumber')
  await change(15, 'employeeNumber')
  const sentences = ['A value is missing.']
  expect(await errorsOf()).toEqual({ person14: sentences, person15: sentences })
  for (const at of [14, 15]) await change(at, 'employeeNumber', personOf(at).employeeNumber)
})

test('an account that was made by hand was taken over', async () => {
  await buildUser(app.db, { group: company, id: 'person1.hand', email: 'hand@example.com' })
  const dn = `uid=person1.hand,ou=East,${PEOPLE}`
  await slapd.root.add(dn, { ...personOf(9_001), uid: 'person1.hand' })
  expect(await errorsOf()).toEqual({ 'person1.hand': ['This source does not manage the user.'] })
  await slapd.root.del(dn)
})

test('a person named like the system administrator became one', async () => {
  const dn = `cn=Admin,ou=East,${PEOPLE}`
  await slapd.root.add(dn, { ...personOf(9_002), cn: 'Admin', uid: ['person1x'], employeeNumber: 'E09002' })
  await slapd.root.modify(dn, replace('uid', admin.id))
  await set({ filter: `(|${FILTER}(uid=${admin.id}))` })
  expect((await errorsOf())[admin.id]).toContain('System administrators cannot be changed.')
  await slapd.root.del(dn)
  await set()
})

test('an address of another person was given twice', async () => {
  await change(16, 'mail', 'person17@example.com')
  const sentences = ['Another row has the same value.']
  expect(await errorsOf()).toEqual({ person16: sentences, person17: sentences })
  await change(16, 'mail', 'person16@example.com')
})

test('an address that was removed emptied that of the account', async () => {
  await change(16, 'mail')
  expect(await errorsOf()).toEqual({})
  await change(16, 'mail', 'person16@example.com')
})

test('upper case made other people and other units', async () => {
  await change(18, 'mail', 'person18@example.com')
  await set({ base: 'OU=People, DC=Example,DC=COM', filter: '(UID=PERSON1*)' })
  await change(18, 'employeeNumber', 'e00018')
  const { counts } = await run()
  expect(counts).toMatchObject({ create: 0, move: 0, disable: 0, error: 0, groups: 0 })
  await change(18, 'employeeNumber', 'E00018')
  await set()
  expect((await run()).counts).toMatchObject({ create: 0, disable: 0, error: 0 })
})

test('a department that was renamed lost its people', async () => {
  const change = (path: string) =>
    Promise.all([10, 14, 18].map((at) => slapd.root.modify(dnOf(at), replace('departmentNumber', path))))
  await change('Head office > Sales')
  await set({ groupBy: 2, attributes: { ...KEYED, group: 'departmentNumber' } })
  expect((await run()).counts).toMatchObject({ move: 3, groups: 2, disable: 0, error: 0 })
  await change('Head office > Global sales')
  // A path names another group, which the plan says; a key or a unit would be the same one.
  expect((await run()).counts).toMatchObject({ move: 3, groups: 1, disable: 0, create: 0, error: 0 })
  expect(await suspended()).toEqual([])
  await set()
})

test('a part of the directory that could not be read suspended its people', async () => {
  const before = await people()
  await set({ filter: '(&(uid=person1*)(!(uid=person10*)))' })
  const waiting = await run()
  expect(waiting).toMatchObject({ state: ImportState.PLANNED, brake: { people: FOUND, disables: 111 } })
  expect(await lastMail()).toContain('It would suspend 111 of 211 users. Nothing is applied before you confirm it.')
  await expect(calls.userSync.run({})).rejects.toMatchObject({ code: 170 })
  await calls.userImports.cancel({ idx: waiting.idx })
  expect(await people()).toEqual(before)
})
