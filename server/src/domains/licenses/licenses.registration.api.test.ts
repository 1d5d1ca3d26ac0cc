// Uploading license files: which ones are accepted and refused, and what each leaves behind.
import { generateKeyPairSync } from 'node:crypto'
import { localDayOf } from '@acc/contract/labels/formats'
import { SettingManage } from '@acc/contract/labels/history'
import type { LicenseTerms } from '@acc/contract/licenses'
import { afterEach, expect, test } from 'vitest'
import { announced } from '../../../test/announced.ts'
import { startTestApp } from '../../../test/app.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { days, later } from '../../clock.ts'
import { publicKeyText } from '../../crypto/signingKey.ts'
import { writeLicense } from './licenseFile.ts'

const vendor = generateKeyPairSync('ed25519')
const testApp = await startTestApp({ ACC_LICENSE_PUBLIC_KEY: publicKeyText(vendor.publicKey) })
const { app, as, anonymous, admin, clock } = testApp
const { db } = app
/** The calls of a session that is open now: some tests advance the clock by days. */
const licenses = () => as(admin).licenses

const inDays = (count: number) => later(clock.now(), days(count))
const termsOf = (change: Partial<LicenseTerms> = {}): LicenseTerms => ({
  licensee: '한빛전자',
  countType: 0,
  maxCount: 250,
  issued: clock.now().toISOString(),
  expiry: localDayOf(inDays(365)),
  ...change,
})
const fileOf = (change: Partial<LicenseTerms> = {}, key = vendor.privateKey) =>
  new File([writeLicense(termsOf(change), key)], 'license.json')
const stored = () => db.read.selectFrom('settings').selectAll().where('name', '=', 'license').executeTakeFirst()
const rows = () => historyOf(db, 'settingManage')
const isLicensed = async () => (await anonymous.configs.find({})).isLicensed
const addDevices = async (count: number) => {
  const { idx } = await buildUser(db)
  const pc = { userIdx: idx, deviceName: 'PC', ip: '', clientVersion: '1.0', useDT: clock.now() }
  const values = Array.from({ length: count }, (_, at) => ({ ...pc, deviceId: `${at}` }))
  await db.write.insertInto('devices').values(values).execute()
}
afterEach(async () => {
  await db.write.deleteFrom('settings').where('name', 'in', ['license', 'evaluationLicense']).execute()
  await db.write.deleteFrom('devices').execute()
})

test('passwords do not name the organization that holds the license', async () => {
  const { id } = await buildUser(db, { password: 'Qa9!zebra-L1' })
  const change = (newPw: string) => anonymous.account.changePw({ id, pw: 'Qa9!zebra-L1', newPw })
  await licenses().register({}, fileOf({ licensee: 'Nordlicht GmbH' }))
  const refused = { code: 108, data: { reason: 'context', word: 'Nordlicht' } }
  await expect(change('NordLicht#94x')).rejects.toMatchObject(refused)
  await licenses().register({}, fileOf())
  await change('NordLicht#94x')
})

test('an uploaded license is in force at once and recorded with the former one; the same file changes nothing', async () => {
  const before = (await rows()).length
  expect(await isLicensed()).toBe(0)
  const file = fileOf()
  expect(await announced(app, () => licenses().register({}, file))).toEqual(
    expect.arrayContaining([{ topic: 'licenses' }, { topic: 'settings' }]),
  )
  await licenses().register({}, file)
  expect(await isLicensed()).toBe(1)
  expect(await licenses().find({})).toEqual({
    registerDT: clock.now().toISOString(),
    countType: 0,
    useCount: 0,
    maxCount: 250,
    licensee: '한빛전자',
    expiry: termsOf().expiry,
    isEvaluation: 0,
    isExpired: 0,
    devicesPerUser: 5,
  })
  await licenses().register(
    {},
    fileOf({ maxCount: 300, expiry: undefined, issued: later(clock.now(), 1).toISOString() }),
  )
  const old = `250 (${termsOf().expiry})`
  expect((await rows()).slice(before)).toMatchObject([
    {
      type: SettingManage.REGISTER_LICENSE,
      actorIdx: admin.idx,
      detail: { targetName: '한빛전자', targetValue: old, targetOldValue: null },
    },
    { type: SettingManage.REGISTER_LICENSE, detail: { targetValue: '300', targetOldValue: old } },
  ])
  await expect(licenses().chooseEvaluation({})).rejects.toMatchObject({ error: 'LICENSE_FAILED' })
})

test('a preview shows file and present license, and changes nothing', async () => {
  await addDevices(3)
  const before = [await stored(), await rows()]
  const preview = await licenses().preview({}, fileOf({ maxCount: 2 }))
  expect(preview).toMatchObject({ ...termsOf({ maxCount: 2 }), obstacle: null, isRegistered: 0 })
  expect(preview.current).toMatchObject({ useCount: 3, maxCount: 10, isEvaluation: 1 })
  expect([await stored(), await rows()]).toEqual(before)
  const file = fileOf()
  await licenses().register({}, file)
  expect(await licenses().preview({}, file)).toMatchObject({ isRegistered: 1, current: { maxCount: 250 } })
})

const foreign = generateKeyPairSync('ed25519')
const genuine = await fileOf().text()
test.each([
  ['of a foreign key', () => fileOf({}, foreign.privateKey), 'signature'],
  ['of another extension', () => new File([genuine], 'license.txt'), 'extension'],
  ['of two extensions', () => new File([genuine], 'license.json.exe'), 'extension'],
  ['of 60 kB', () => new File([genuine, ' '.repeat(60_000)], 'license.json'), 'form'],
])('a file %s is refused with 986 and changes nothing', async (_what, file, reason) => {
  const before = await rows()
  for (const send of [licenses().register, licenses().preview])
    await expect(send({}, file())).rejects.toMatchObject({ error: 'INVALID_LICENSE', data: { reason } })
  expect(await stored()).toBeUndefined()
  expect(await rows()).toEqual(before)
})

test('a license that has expired, is older than the registered one or of the future is refused with 985', async () => {
  const replayed = fileOf({ maxCount: 1000 })
  clock.advance(days(1))
  await licenses().register({}, fileOf({ maxCount: 5 }))
  const before = [await stored(), await rows()]
  const cases = [
    [replayed, 'older'],
    [fileOf({ expiry: localDayOf(inDays(-1)) }), 'expired'],
    [fileOf({ issued: inDays(2).toISOString() }), 'future'],
  ] as const
  for (const [file, reason] of cases) {
    await expect(licenses().register({}, file)).rejects.toMatchObject({ error: 'LICENSE_FAILED', data: { reason } })
    expect((await licenses().preview({}, file)).obstacle).toBe(reason)
  }
  expect([await stored(), await rows()]).toEqual(before)
})

test('an expired license registers no new PC, and leaves the registered ones alone', async () => {
  const user = await buildUser(db, { password: 'Qa9!zebra-Lm' })
  const login = (deviceId: string) =>
    anonymous.agent.login({ id: user.id, pw: 'Qa9!zebra-Lm', deviceId, deviceName: 'PC', clientVersion: '1.0' })
  await licenses().register({}, fileOf({ expiry: localDayOf(clock.now()) }))
  await login('first')
  clock.advance(days(1))
  expect(await isLicensed()).toBe(0)
  expect(await licenses().find({})).toMatchObject({ isExpired: 1, isEvaluation: 0, maxCount: 250 })
  await expect(login('second')).rejects.toMatchObject({ error: 'NO_LICENSE_LEFT' })
  await login('first')
  await licenses().register({}, fileOf())
  expect(await isLicensed()).toBe(1)
  await login('second')
})

test('a license of fewer PCs than are in use keeps them and registers no further one', async () => {
  await addDevices(4)
  await licenses().register({}, fileOf({ maxCount: 3 }))
  expect(await licenses().find({})).toMatchObject({ useCount: 4, maxCount: 3 })
  const user = await buildUser(db, { password: 'Qa9!zebra-Lm' })
  const pc = { deviceId: 'x', deviceName: 'PC', clientVersion: '1.0' }
  const login = () => anonymous.agent.login({ id: user.id, pw: 'Qa9!zebra-Lm', ...pc })
  await expect(login()).rejects.toMatchObject({ error: 'NO_LICENSE_LEFT' })
  const [first, second] = (await licenses().searchUses({})).items
  await licenses().removeUses({ idxes: [first?.idx ?? 0] })
  await expect(login()).rejects.toMatchObject({ error: 'NO_LICENSE_LEFT' })
  await licenses().removeUses({ idxes: [second?.idx ?? 0] })
  await login()
})

test('a license that was altered in the database grants nothing', async () => {
  await licenses().register({}, fileOf())
  const row = await stored()
  const value = JSON.stringify(row?.value).replace('250', '999')
  await db.write.updateTable('settings').set({ value }).where('name', '=', 'license').execute()
  expect(await licenses().find({})).toMatchObject({ maxCount: 10, isEvaluation: 1, registerDT: null })
  expect(await isLicensed()).toBe(0)
})

test('of many uploads at once each but one is unchanged or older', async () => {
  const before = (await rows()).length
  const files = Array.from({ length: 10 }, (_, at) => fileOf({ issued: later(clock.now(), at).toISOString() }))
  // A person sends only two files at once.
  const admins = await Promise.all(files.map(() => buildUser(db, { isAdmin: 1 })))
  await Promise.allSettled(files.map((file, at) => as(admins[at] ?? admin).licenses.register({}, file)))
  expect(JSON.stringify((await stored())?.value)).toContain(later(clock.now(), 9).toISOString())
  const history = (await rows()).slice(before)
  expect(history.length).toBeGreaterThan(0)
  expect(history.filter(({ detail }) => detail.targetOldValue === null)).toHaveLength(1)
})
