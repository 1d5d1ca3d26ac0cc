// The PCs of one person, and the evaluation license.
import { SettingManage } from '@acc/contract/labels/history'
import { afterAll, expect, test } from 'vitest'
import { announced } from '../../../test/announced.ts'
import { startTestApp } from '../../../test/app.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { overtake } from '../../../test/overtake.ts'
import { updateSetting } from '../../settings/settings.ts'
import { EVALUATION_DEVICES } from './licenses.status.ts'

const PASSWORD = 'Qa9!zebra-Lm'
const { app, as, admin, anonymous } = await startTestApp()
const { db } = app
await db.write.transaction().execute((tx) => updateSetting(tx, 'devicesPerUser', 3))
const users = await Promise.all(Array.from({ length: 6 }, () => buildUser(db, { password: PASSWORD })))
const signInFrom = (user: { id: string } | undefined, deviceId: string) =>
  anonymous.agent.login({ id: user?.id ?? '', pw: PASSWORD, deviceId, deviceName: deviceId, clientVersion: '1.0.0' })
const refusalsOf = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) => (result.status === 'rejected' ? [result.reason.error] : []))
const countDevices = async () => (await db.read.selectFrom('devices').select('idx').execute()).length
afterAll(() => db.write.deleteFrom('devices').execute())

test('a person registers so many PCs, also at once, and then no further one', async () => {
  const [user] = users
  const results = await Promise.allSettled(Array.from({ length: 6 }, (_, at) => signInFrom(user, `pc-${at}`)))
  expect(refusalsOf(results)).toEqual(['NO_LICENSE_LEFT', 'NO_LICENSE_LEFT', 'NO_LICENSE_LEFT'])
  expect(await countDevices()).toBe(3)
  expect(await historyOf(db, 'licenseUse')).toHaveLength(3)
  await db.write.deleteFrom('devices').execute()
})

test('a PC that is removed while it signs in takes a license again', async () => {
  const user = await buildUser(db, { password: PASSWORD })
  await signInFrom(user, 'removed')
  const answer = await overtake(db, {
    lock: (tx) => tx.deleteFrom('devices').where('userIdx', '=', user.idx).execute(),
    call: () => signInFrom(user, 'removed'),
  })
  expect(answer).toMatchObject({ user: { idx: user.idx } })
  expect(await countDevices()).toBe(1)
  expect((await historyOf(db, 'licenseUse')).filter(({ subjectIdx }) => subjectIdx === user.idx)).toHaveLength(2)
  await db.write.deleteFrom('devices').execute()
})

test('an installation without a choice is not licensed; starting with the evaluation license is recorded once', async () => {
  const isLicensed = async () => (await anonymous.configs.find({})).isLicensed
  expect(await isLicensed()).toBe(0)
  const { licenses } = as(admin)
  expect(await announced(app, () => licenses.chooseEvaluation({}))).toEqual(
    expect.arrayContaining([{ topic: 'licenses' }, { topic: 'settings' }]),
  )
  await licenses.chooseEvaluation({})
  expect(await isLicensed()).toBe(1)
  expect(await licenses.find({})).toMatchObject({
    registerDT: null,
    licensee: null,
    expiry: null,
    maxCount: EVALUATION_DEVICES,
    isEvaluation: 1,
    isExpired: 0,
  })
  expect(await historyOf(db, 'settingManage')).toMatchObject([
    { type: SettingManage.CHOOSE_EVALUATION_LICENSE, subject: 'evaluationLicense', actorIdx: admin.idx },
  ])
})
