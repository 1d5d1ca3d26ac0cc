// Resetting an authenticator, and the OTP setting of a user.
import { SettingManage, UserManage } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf as rowsOf } from '../../../test/history.ts'
import { mailsTo } from '../../../test/mails.ts'
import { registered } from '../../../test/otp.ts'

const { app, as, admin } = await startTestApp()
const { db } = app

const rowOf = (idx: number) => db.read.selectFrom('users').selectAll().where('idx', '=', idx).executeTakeFirstOrThrow()
const historyOf = (idx: number) =>
  db.read.selectFrom('history').select(['type', 'detail']).where('subjectIdx', '=', idx).orderBy('idx').execute()
const settingsOf = async ({ idx }: { idx: number }) =>
  (await rowsOf(db, 'settingManage')).filter(({ detail }) => JSON.stringify(detail).includes(`"userIdx":${idx},`))
const person = async (columns: Parameters<typeof buildUser>[1] = {}) => {
  const user = await buildUser(db, columns)
  await registered(app, user)
  return user
}

test('a reset removes the authenticator, ends the sessions, notifies the owner and is in the history', async () => {
  const user = await person({ otpFails: 2, otpStep: 7 })
  const browser = as(user)
  await browser.session.find({})
  expect(await as(admin).users.find({ idx: user.idx })).toMatchObject({ isOtpRegistered: 1, useOtp: 1 })
  await as(admin).users.resetTotpSecret({ idx: user.idx })
  await expect(browser.session.find({})).rejects.toMatchObject({ code: 962 })
  expect(await rowOf(user.idx)).toMatchObject({ otpSecret: null, otpStep: null, otpPending: null, otpFails: 0 })
  expect(await as(admin).users.find({ idx: user.idx })).toMatchObject({ isOtpRegistered: 0, useOtp: 1 })
  expect(await mailsTo(app, user.email)).toMatchObject([{ subject: expect.stringContaining('OTP was reset') }])
  expect(await historyOf(user.idx)).toMatchObject([{ type: UserManage.RESET_TOTP, detail: { targetId: user.id } }])
  await expect(as(admin).users.resetTotpSecret({ idx: user.idx })).rejects.toMatchObject({ code: 124 })
})

test('a suspended user and a user without an authenticator are refused', async () => {
  const suspended = await person({ state: 2 })
  await expect(as(admin).users.resetTotpSecret({ idx: suspended.idx })).rejects.toMatchObject({ code: 123 })
  const without = await buildUser(db)
  await expect(as(admin).users.resetTotpSecret({ idx: without.idx })).rejects.toMatchObject({ code: 124 })
  expect((await rowOf(suspended.idx)).otpSecret).not.toBeNull()
})

test('a manager sees the OTP setting and does not change it', async () => {
  const { ward } = await buildGroups(db, 'ward')
  const manager = await buildManager(db, { groups: [ward], user: 2, as: { group: ward } })
  const employee = await buildUser(db, { group: ward })
  for (const listed of [null, 0, 1] as const) {
    await db.write.updateTable('users').set({ useOtp: listed }).where('idx', '=', employee.idx).execute()
    expect(await as(manager).users.find({ idx: employee.idx })).toMatchObject({ useOtp: listed, isEditable: 1 })
    for (const user of [employee, manager])
      for (const useOtp of [null, 0, 1] as const)
        if (user === manager ? useOtp !== null : useOtp !== listed)
          await expect(as(manager).users.update({ idx: user.idx, useOtp })).rejects.toMatchObject({
            error: 'NOT_ALLOWED',
          })
    // A form that sends the unchanged value with another change is not refused.
    await as(manager).users.update({ idx: employee.idx, name: `Name ${listed}`, useOtp: listed })
    expect((await rowOf(employee.idx)).useOtp).toBe(listed)
  }
  expect(await settingsOf(employee)).toEqual([])
  expect(await mailsTo(app, employee.email)).toEqual([])
})

test('a changed OTP setting is in the history of users and in that of settings', async () => {
  const user = await buildUser(db)
  await as(admin).users.update({ idx: user.idx, useOtp: 1 })
  await as(admin).users.update({ idx: user.idx, useOtp: null })
  await as(admin).users.update({ idx: user.idx, useOtp: 0 })
  await as(admin).users.update({ idx: user.idx, useOtp: null })
  expect(await historyOf(user.idx)).toMatchObject([
    { type: UserManage.UPDATE, detail: { targetUseOtp: 1, targetOldUseOtp: null } },
    { type: UserManage.UPDATE, detail: { targetUseOtp: null, targetOldUseOtp: 1 } },
    { type: UserManage.UPDATE, detail: { targetUseOtp: 0, targetOldUseOtp: null } },
    { type: UserManage.UPDATE, detail: { targetUseOtp: null, targetOldUseOtp: 0 } },
  ])
  expect(await settingsOf(user)).toMatchObject([
    { type: SettingManage.ADD_OTP_ALWAYS, actorIdx: admin.idx, detail: { users: [{ userId: user.id, isOld: 0 }] } },
    { type: SettingManage.REMOVE_OTP_ALWAYS, detail: { targetName: user.name, users: [{ isOld: 1 }] } },
    { type: SettingManage.ADD_OTP_NEVER },
    { type: SettingManage.REMOVE_OTP_NEVER },
  ])
})

test('a user leaves one list of exceptions before entering the other', async () => {
  const user = await buildUser(db, { useOtp: 1 })
  const move = as(admin).users.update({ idx: user.idx, name: 'Another', useOtp: 0 })
  await expect(move).rejects.toMatchObject({ error: 'ALREADY_ADDED' })
  expect(await rowOf(user.idx)).toMatchObject({ useOtp: 1, name: user.name })
  expect([await historyOf(user.idx), await settingsOf(user)]).toEqual([[], []])
})
