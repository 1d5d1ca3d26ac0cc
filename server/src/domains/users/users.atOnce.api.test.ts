// Suspending, releasing and giving a last day to several users at once, all or none.
import { localDayOf } from '@acc/contract/labels/formats'
import { UserManage } from '@acc/contract/labels/history'
import { UserState } from '@acc/contract/labels/users'
import { MAX_AT_ONCE } from '@acc/contract/users'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser, type UserToBuild } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { days, later } from '../../clock.ts'

const { app, as, admin, clock } = await startTestApp()
const { db } = app
const { sales } = await buildGroups(db, 'sales')
const manager = await buildManager(db, { groups: [sales], user: 2, as: { group: sales } })

const build = (columns: UserToBuild = {}) => buildUser(db, { group: sales, ...columns })
const rowsOf = async (...users: { idx: number }[]) => {
  const idxes = users.map(({ idx }) => idx)
  return db.read.selectFrom('users').selectAll().where('idx', 'in', idxes).orderBy('idx').execute()
}
const logsOf = async (...users: { idx: number }[]) => {
  const idxes = new Set<number | null>(users.map(({ idx }) => idx))
  return (await historyOf(db, 'userManage')).filter(({ subjectIdx }) => idxes.has(subjectIdx))
}
const idxesOf = (users: readonly { idx: number }[]) => users.map(({ idx }) => idx)
const dayIn = (count: number) => localDayOf(later(clock.now(), days(count)))

test('users are suspended and released with a row each, unless they already are', async () => {
  const users = [await build(), await build({ state: UserState.NEW }), await build({ state: UserState.DISABLED })]
  const [browser, untouched] = [as(users[0] ?? admin), as(await build())]
  await browser.session.find({})
  await untouched.session.find({})
  const idxes = idxesOf(users)
  await as(manager).users.setDisabledOfMany({ idxes, state: UserState.DISABLED })
  expect((await rowsOf(...users)).map(({ state }) => state)).toEqual([2, 3, 2])
  await expect(browser.session.find({})).rejects.toMatchObject({ error: 'SESSION_ENDED' })
  await untouched.session.find({})
  await as(manager).users.setDisabledOfMany({ idxes, state: UserState.NORMAL })
  await as(manager).users.setDisabledOfMany({ idxes, state: UserState.NORMAL })
  expect((await rowsOf(...users)).map(({ state }) => state)).toEqual([0, 1, 0])
  const rows = await logsOf(...users)
  expect(rows.map(({ type, subjectIdx }) => [type, subjectIdx])).toEqual([
    ...idxes.slice(0, 2).map((idx) => [UserManage.DISABLED, idx]),
    ...idxes.map((idx) => [UserManage.ENABLED, idx]),
  ])
  expect(rows[1]).toMatchObject({ actorIdx: manager.idx, detail: { targetState: 3, targetOldState: 1 } })
})

test('releasing unlocks accounts that failures locked', async () => {
  const [byPassword, byCode] = [await build({ state: 2, loginFails: 5 }), await build({ state: 2, otpFails: 5 })]
  await as(manager).users.setDisabledOfMany({ idxes: idxesOf([byPassword, byCode]), state: 0 })
  const open = { state: 0, loginFails: 0, otpFails: 0, activeDT: clock.now() }
  expect(await rowsOf(byPassword, byCode)).toMatchObject([open, open])
})

test('a last day is set and removed with a row each', async () => {
  const [fresh, same] = [await build(), await build({ isMortal: 1, expireDT: dayIn(10) })]
  const idxes = idxesOf([fresh, same])
  await as(manager).users.setExpiry({ idxes, isMortal: 1, expireDT: dayIn(10) })
  const until = { isMortal: 1, expireDT: dayIn(10) }
  expect(await rowsOf(fresh, same)).toMatchObject([until, until])
  await as(manager).users.setExpiry({ idxes, isMortal: 0, expireDT: dayIn(10) })
  expect(await rowsOf(fresh, same)).toMatchObject(idxes.map(() => ({ isMortal: 0, expireDT: null })))
  expect(await logsOf(fresh, same)).toMatchObject([
    { type: UserManage.UPDATE, subjectIdx: fresh.idx, detail: { targetExpireDT: dayIn(10), targetOldIsMortal: 0 } },
    { type: UserManage.UPDATE, subjectIdx: fresh.idx, detail: { targetExpireDT: null, targetOldExpireDT: dayIn(10) } },
    { type: UserManage.UPDATE, subjectIdx: same.idx },
  ])
  for (const expireDT of [dayIn(-1), dayIn(0), null]) {
    const refused = as(manager).users.setExpiry({ idxes, isMortal: 1, expireDT })
    await expect(refused).rejects.toMatchObject({ error: 'INVALID_INPUT', data: { fields: ['expireDT'] } })
  }
})

const boss = await build({ isAdmin: 1 })
const colleague = await buildManager(db, { groups: [sales], user: 2, as: { group: sales } })
test.each([
  ['a system administrator', manager, boss, { error: 'ADMIN_SELECTED', data: { userIdxes: [boss.idx] } }],
  ['another manager', manager, colleague, { error: 'NOT_ALLOWED', data: { userIdxes: [colleague.idx] } }],
  ['somebody who does not exist', admin, { idx: 999_999 }, { error: 'NOT_ALLOWED', data: { missing: [999_999] } }],
])('%s prevents the change of all of them', async (_, actor, other, refusal) => {
  const fine = await build()
  const before = await rowsOf(fine, other)
  const idxes = [fine.idx, other.idx]
  for (const call of [
    () => as(actor).users.setDisabledOfMany({ idxes, state: 2 }),
    () => as(actor).users.setDisabledOfMany({ idxes, state: 0 }),
    () => as(actor).users.setExpiry({ idxes, isMortal: 1, expireDT: dayIn(5) }),
  ])
    await expect(call()).rejects.toMatchObject(refusal)
  expect(await rowsOf(fine, other)).toEqual(before)
  expect(await logsOf(fine, other)).toEqual([])
})

test('too many users, no user and a repeated user are refused', async () => {
  const { idx } = await build()
  const many = Array.from({ length: MAX_AT_ONCE + 1 }, (_, i) => i + 1)
  for (const idxes of [[], [idx, idx], many]) {
    const refused = { error: 'INVALID_INPUT', data: { fields: ['idxes'] } }
    await expect(as(admin).users.setDisabledOfMany({ idxes, state: 2 })).rejects.toMatchObject(refused)
    await expect(as(admin).users.setExpiry({ idxes, isMortal: 0 })).rejects.toMatchObject(refused)
  }
})

test('of two who suspend the same people at once, only one leaves rows', async () => {
  const users = [await build(), await build(), await build()]
  const suspend = (idxes: number[]) => as(admin).users.setDisabledOfMany({ idxes, state: 2 })
  await Promise.all([suspend(idxesOf(users)), suspend(idxesOf(users).toReversed())])
  expect((await rowsOf(...users)).map(({ state }) => state)).toEqual([2, 2, 2])
  expect(await logsOf(...users)).toHaveLength(3)
})
