// The setting of the source and its test: stored sealed, checked, and a password that does not go elsewhere.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { SettingManage } from '@acc/contract/labels/history'
import { ImportRefusal } from '@acc/contract/labels/userImports'
import type { DirectoryInput } from '@acc/contract/userSync'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { historyOf } from '../../../test/history.ts'
import { COUNT, READER, startSlapd } from '../../../test/slapd.ts'
import { findSetting } from '../../settings/settings.ts'
import { directoryOf, syncOf } from './userSync.fixture.ts'

const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line) => lines.push(line) })
const { app, as, admin, owner } = await startTestApp({}, log)
const { userSync } = as(admin)
const { sales } = await buildGroups(app.db, 'sales')
const slapd = await startSlapd()

const DIRECTORY = directoryOf(slapd)
const { bindPw: _, ...WITHOUT_PASSWORD } = DIRECTORY
const INPUT = syncOf(sales.idx, { directory: DIRECTORY })
const withDirectory = (change: Partial<DirectoryInput>) => ({ ...INPUT, directory: { ...WITHOUT_PASSWORD, ...change } })
const stored = () => findSetting(app.db.read, 'userSync', app.key)
const rows = () => historyOf(app.db, 'settingManage')
beforeEach(async () => {
  lines.length = 0
  await app.db.write.deleteFrom('settings').where('name', 'in', ['userSync', 'userSyncLook']).execute()
})

test('a source is saved, read without its password, sealed and recorded', async () => {
  expect(await userSync.find({})).toEqual({ sync: null, folder: null, nextDT: null, unchangedDT: null })
  await userSync.set(INPUT)
  const { sync, nextDT } = await userSync.find({})
  expect(sync).toEqual({ ...INPUT, directory: { ...WITHOUT_PASSWORD, hasBindPw: 1 }, groupName: 'sales' })
  expect(nextDT).toMatch(/T03:00:00/)
  expect(await stored()).toMatchObject({ bindPw: READER.password })
  const raw = await owner.selectFrom('settings').select('value').where('name', '=', 'userSync').executeTakeFirst()
  expect(JSON.stringify(raw)).not.toContain(READER.password)
  expect((await rows()).at(-1)).toMatchObject({
    type: SettingManage.SET_USER_SYNC,
    detail: {
      targetName: null,
      targetOldValue: null,
      targetValue: `LDAP or Active Directory, localhost:${slapd.tlsPort} (LDAPS), ${READER.dn}, ${DIRECTORY.base}, (objectClass=inetOrgPerson), key=entryUUID, id=uid, name=cn, email=mail, Organizational units, sales, addsGroups, every 24 h from 03:00 UTC`,
    },
  })
  expect(JSON.stringify(await rows())).not.toContain(READER.password)
  const before = (await rows()).length
  await userSync.set(INPUT)
  expect(await rows()).toHaveLength(before)
})

test('a source that is switched off keeps its settings and its sealed password', async () => {
  await userSync.set(INPUT)
  await userSync.set({ ...INPUT, kind: 0, directory: null, everyHours: 1 })
  expect((await rows()).at(-1)?.detail).toMatchObject({ targetValue: 'None' })
  const { sync, nextDT } = await userSync.find({})
  expect(nextDT).toBeNull()
  expect(sync).toMatchObject({ ...INPUT, kind: 0, directory: { ...WITHOUT_PASSWORD, hasBindPw: 1 } })
  expect(await stored()).toMatchObject({ bindPw: READER.password })
  const raw = await owner.selectFrom('settings').select('value').where('name', '=', 'userSync').executeTakeFirst()
  expect(JSON.stringify(raw)).not.toContain(READER.password)
  await expect(userSync.run({})).rejects.toMatchObject({ code: 170 })
  await userSync.set({ ...INPUT, directory: WITHOUT_PASSWORD })
  expect(await stored()).toMatchObject({ kind: 1, bindPw: READER.password })
  // A switched-off password does not go elsewhere, either.
  await userSync.set({ ...INPUT, kind: 0, directory: null })
  await expect(userSync.set(withDirectory({ serverAddress: '127.0.0.1' }))).rejects.toMatchObject({ code: 983 })
})

test('a source whose group is deleted is switched off', async () => {
  const { gone } = await buildGroups(app.db, 'gone')
  await userSync.set({ ...INPUT, groupIdx: gone.idx })
  await app.db.write.deleteFrom('groups').where('idx', '=', gone.idx).execute()
  await userSync.set({ ...INPUT, groupIdx: gone.idx, kind: 0, directory: null })
  expect(await stored()).toMatchObject({ kind: 0, groupIdx: gone.idx })
})

test('a source is switched off before one was set', async () => {
  await userSync.set({ ...INPUT, kind: 0, directory: null })
  expect(await userSync.find({})).toMatchObject({ sync: { kind: 0, directory: null }, nextDT: null })
})

test('a test shows the number and the first ten, and changes nothing', async () => {
  const { count, entries } = await userSync.test(INPUT)
  expect(count).toBe(COUNT)
  expect(entries).toHaveLength(10)
  expect(entries[1]).toEqual({
    key: expect.stringMatching(/^[0-9a-f-]{36}$/),
    id: 'person1',
    name: '사람 1',
    email: 'person1@example.com',
    group: '영업본부 > Team 1',
    expireDT: '',
  })
  expect(await stored()).toBeUndefined()
  expect(lines.join()).toContain('a source of users was tested')
  expect(lines.join()).not.toContain(READER.password)
})

test('a failed test names the reason, also in the operation log', async () => {
  const failed = userSync.test({ ...INPUT, directory: { ...DIRECTORY, bindPw: 'wrong' } })
  const data = { reason: ImportRefusal.SIGN_IN, line: null, text: 'result (LDAP 49)', hint: '' }
  await expect(failed).rejects.toMatchObject({ code: 998, data })
  expect(lines.join()).toContain('a source of users could not be read')
  expect(lines.join()).not.toContain('wrong"')
})

test('a password that is left out stays for the same directory and account only', async () => {
  await userSync.set(INPUT)
  await userSync.set(withDirectory({ base: 'ou=people,dc=example,dc=com', filter: '(uid=person1)' }))
  expect(await stored()).toMatchObject({ bindPw: READER.password })
  expect(await userSync.test(withDirectory({ filter: '(uid=person1)' }))).toMatchObject({ count: 1 })
  const elsewhere: Partial<DirectoryInput>[] = [
    { serverAddress: '127.0.0.1' },
    { serverPort: slapd.port },
    { serverPort: 0 },
    { encrypt: 2 },
    { bindDn: 'cn=other' },
    { bindPw: '' },
  ]
  for (const change of elsewhere)
    for (const call of [userSync.test, userSync.set]) {
      const failed = call(withDirectory(change))
      await expect(failed, JSON.stringify(change)).rejects.toMatchObject({
        code: 983,
        data: { fields: ['directory.bindPw'] },
      })
    }
  await userSync.set(withDirectory({ bindDn: '' }))
  expect(await stored()).toMatchObject({ bindPw: '' })
})

test.each([
  [{ serverAddress: 'ldaps://x' }, 'serverAddress'],
  [{ serverAddress: '' }, 'serverAddress'],
  [{ serverAddress: 'dc1.acc.kr,,dc2.acc.kr' }, 'serverAddress'],
  [{ serverAddress: 'dc1.acc.kr dc2.acc.kr' }, 'serverAddress'],
  [{ serverAddress: Array(9).fill('dc.acc.kr').join() }, 'serverAddress'],
  [{ serverPort: 65_536 }, 'serverPort'],
  [{ encrypt: 0 as 1 }, 'encrypt'],
  [{ authorities: 'no certificate' }, 'authorities'],
  [{ authorities: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }, 'authorities'],
  [{ base: '' }, 'base'],
  [{ base: 'people' }, 'base'],
  [{ base: 'ou=a\nou=b' }, 'base'],
  [{ filter: '(uid=*' }, 'filter'],
  [{ filter: '' }, 'filter'],
  [{ filter: `(${'&'.repeat(600)})` }, 'filter'],
  [{ groupBy: 2 as const }, 'attributes.group'],
  [{ attributes: { ...DIRECTORY.attributes, key: 'a b' } }, 'attributes.key'],
  [{ attributes: { ...DIRECTORY.attributes, id: '*' } }, 'attributes.id'],
  [{ bindPw: 'x'.repeat(129) }, 'bindPw'],
])('%o is refused', async (change, field) => {
  const input = { ...INPUT, directory: { ...DIRECTORY, ...change } }
  const expected = { code: 983, data: { fields: [`directory.${field}`] } }
  await expect(userSync.test(input)).rejects.toMatchObject(expected)
  await expect(userSync.set(input)).rejects.toMatchObject(expected)
})

test('a source needs its parts, and its group', async () => {
  await expect(userSync.set({ ...INPUT, directory: null })).rejects.toMatchObject({
    code: 983,
    data: { fields: ['directory'] },
  })
  for (const call of [userSync.set, userSync.test])
    await expect(call({ ...INPUT, kind: 2, directory: null })).rejects.toMatchObject({
      code: 983,
      data: { fields: ['kind'] },
    })
  await expect(userSync.set({ ...INPUT, groupIdx: 999_999 })).rejects.toMatchObject({ code: 122 })
  await expect(userSync.run({})).rejects.toMatchObject({ code: 170 })
})

test('one test runs at a time', async () => {
  const mute = createServer().listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const connected = once(mute, 'connection')
  const { port } = mute.address() as AddressInfo
  const first = userSync
    .test({ ...INPUT, directory: { ...DIRECTORY, serverPort: port } })
    .catch((error: unknown) => error)
  const [socket] = (await connected) as [Socket]
  await expect(userSync.test(INPUT)).rejects.toMatchObject({ code: 113 })
  socket.destroy()
  expect(await first).toMatchObject({ code: 998, data: { reason: ImportRefusal.UNREACHABLE } })
  expect(await userSync.test(INPUT)).toMatchObject({ count: COUNT })
  mute.close()
})
