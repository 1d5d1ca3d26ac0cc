// Resetting an authenticator and the OTP setting of a user: who may, what it leaves, and who may not.
import { UserManage } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { mailsTo } from '../../../test/mails.ts'
import { registered } from '../../../test/otp.ts'

const { app, as, admin } = await startTestApp()
const { db } = app

const rowOf = (idx: number) => db.read.selectFrom('users').selectAll().where('idx', '=', idx).executeTakeFirstOrThrow()
const historyOf = (idx: number) =>
  db.read.selectFrom('history').select(['type', 'detail']).where('subjectIdx', '=', idx).orderBy('idx').execute()
const person = async (columns: Parameters<typeof buildUser>[1] = {}) => {
  const user = await buildUser(db, columns)
  await registered(app, user)
  return user
}

test('a reset removes the authenticator, ends the sessions, notifies the owner and is in the history', async () => {
  const user = await person({ otpFails: 2, otpStep: 7 })
  const browser = as(user)
  await browser.session.read({})
  expect(await as(admin).users.find({ idx: user.idx })).toMatchObject({ isOtpRegistered: 1, useOtp: 1 })
  await as(admin).users.resetTotpSecret({ idx: user.idx })
  await expect(browser.session.read({})).rejects.toMatchObject({ code: 962 })
  expect(await rowOf(user.idx)).toMatchObject({ otpSecret: null, otpStep: null, otpPending: null, otpFails: 0 })
  expect(await as(admin).users.find({ idx: user.idx })).toMatchObject({ isOtpRegistered: 0, useOtp: 1 })
  expect(await mailsTo(app, user.email)).toMatchObject([{ subject: expect.stringContaining('OTP was reset') }])
  expect(await historyOf(user.idx)).toMatchObject([{ type: UserManage.RESET_TOTP, detail: { targetId: user.id } }])
  await expect(as(admin).users.resetTotpSecret({ idx: user.idx })).rejects.toMatchObject({ code: 124 })
})

test('a suspended user, a user without an authenticator and oneself are refused', async () => {
  const suspended = await person({ state: 2 })
  await expect(as(admin).users.resetTotpSecret({ idx: suspended.idx })).rejects.toMatchObject({ code: 123 })
  const without = await buildUser(db)
  await expect(as(admin).users.resetTotpSecret({ idx: without.idx })).rejects.toMatchObject({ code: 124 })
  await expect(as(admin).users.resetTotpSecret({ idx: admin.idx })).rejects.toMatchObject({ code: 125 })
  expect((await rowOf(suspended.idx)).otpSecret).not.toBeNull()
})

test('a manager resets and sets the people of their groups, no manager and no administrator', async () => {
  const { sales } = await buildGroups(db, 'sales')
  const manager = await buildManager(db, { groups: [sales], user: 2 })
  const other = await buildManager(db, { groups: [sales], user: 2 })
  await db.write
    .updateTable('users')
    .set({ groupIdx: sales.idx })
    .where('idx', 'in', [manager.idx, other.idx])
    .execute()
  const [employee, boss] = [await person({ group: sales }), await person({ group: sales, isAdmin: 1 })]
  await registered(app, other)
  const calls = as(manager).users
  await calls.update({ idx: employee.idx, useOtp: 0 })
  await calls.resetTotpSecret({ idx: employee.idx })
  for (const [user, code] of [
    [other, 980],
    [boss, 126],
    [manager, 125],
  ] as const) {
    await expect(calls.resetTotpSecret({ idx: user.idx })).rejects.toMatchObject({ code })
    await expect(calls.update({ idx: user.idx, useOtp: 0 })).rejects.toMatchObject({ code })
  }
  expect((await rowOf(other.idx)).otpSecret).not.toBeNull()
  expect((await rowOf(boss.idx)).otpSecret).not.toBeNull()
})

test('another administrator resets an administrator, who follows the login policy', async () => {
  const boss = await person({ isAdmin: 1 })
  await expect(as(admin).users.update({ idx: boss.idx, useOtp: 0 })).rejects.toMatchObject({ code: 126 })
  await expect(as(admin).users.update({ idx: admin.idx, useOtp: 0 })).rejects.toMatchObject({ code: 125 })
  await as(admin).users.resetTotpSecret({ idx: boss.idx })
  expect((await rowOf(boss.idx)).otpSecret).toBeNull()
})

test('the OTP setting of a user is in the history with its old value', async () => {
  const user = await buildUser(db)
  await as(admin).users.update({ idx: user.idx, useOtp: 1 })
  await as(admin).users.update({ idx: user.idx, useOtp: null })
  expect(await historyOf(user.idx)).toMatchObject([
    { type: UserManage.UPDATE, detail: { targetUseOtp: 1, targetOldUseOtp: null } },
    { type: UserManage.UPDATE, detail: { targetUseOtp: null, targetOldUseOtp: 1 } },
  ])
})
