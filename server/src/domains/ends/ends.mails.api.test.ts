// Mails 7 days and 1 day before an end: to the person concerned and to the one who set it, each once.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy, PORTAL_EXCEPTION } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { mailsTo } from '../../../test/mails.ts'
import { days, hours } from '../../clock.ts'
import { runEnds } from './ends.jobs.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
const { sales } = await buildGroups(db, 'sales')
const calls = as(admin)
const at = (milliseconds: number) => new Date(Date.now() + milliseconds)

/** Moves the end of a policy as if time passed. */
const setEnd = (user: { idx: number }, milliseconds: number) =>
  db.write
    .updateTable('policies')
    .set({ endDT: at(milliseconds) })
    .where('userIdx', '=', user.idx)
    .execute()
const runTwice = () => Promise.all([runEnds(app), runEnds(app)])
const countOf = async ({ email }: { email: string }) => (await mailsTo(app, email)).length

test('an own policy is announced 7 days and 1 day before, to both, once each', async () => {
  const [user, manager] = [
    await buildUser(db, { group: sales }),
    await buildManager(db, { groups: [sales], policy: 2 }),
  ]
  const own = { idx: user.idx, isMyPolicy: 1 } as const
  await as(manager).users.setIsMyPolicy({ ...own, endDT: at(days(30)).toISOString() })
  const counts = async () => [await countOf(user), await countOf(manager)]
  await runTwice()
  expect(await counts()).toEqual([0, 0])
  await setEnd(user, days(7) - hours(1))
  await runTwice()
  await runEnds(app)
  expect(await counts()).toEqual([1, 1])
  await setEnd(user, days(1) - hours(1))
  await runTwice()
  expect(await counts()).toEqual([2, 2])
  expect((await mailsTo(app, manager.email))[0]?.text).toContain(`${user.name} · 개별 정책`)
  // A new end is announced anew.
  await as(manager).users.setIsMyPolicy({ ...own, endDT: at(days(60)).toISOString() })
  await setEnd(user, days(6))
  await runTwice()
  expect(await counts()).toEqual([3, 3])
})

test('a short end is announced only where a day lies between', async () => {
  const [week, day] = [await buildUser(db), await buildUser(db)]
  await calls.users.setIsMyPolicy({ idx: week.idx, isMyPolicy: 1, endDT: at(days(7) + hours(5)).toISOString() })
  await calls.users.setIsMyPolicy({ idx: day.idx, isMyPolicy: 1, endDT: at(days(1) + hours(5)).toISOString() })
  for (const user of [week, day]) await setEnd(user, hours(20))
  await runTwice()
  expect([await countOf(week), await countOf(day)]).toEqual([1, 0])
})

test('everything that ends for a person is in one mail', async () => {
  const user = await buildUser(db, { group: sales })
  const setter = await buildManager(db, { groups: [sales], policy: 2 })
  const { idx } = await buildPolicy(db, { user })
  const end = at(days(30)).toISOString()
  await as(setter).policies.update({
    idx,
    policyNetworkExceptions: [{ ...PORTAL_EXCEPTION, endDT: end }],
    policyLocalNetworkExceptions: [{ ...PORTAL_EXCEPTION, description: 'Lab <b>', endDT: end }],
  })
  const ofGroup = await buildPolicy(db, { group: sales })
  await as(setter).policies.update({
    idx: ofGroup.idx,
    policyNetworkExceptions: [{ ...PORTAL_EXCEPTION, description: 'All', endDT: end }],
  })
  const authority = await buildAuthority(db, { groups: [sales], user: 1, name: 'Helpers' })
  await calls.authorities.setMembers({
    idx: authority.idx,
    userIdxes: [user.idx],
    ends: [{ userIdx: user.idx, endDT: end }],
  })
  for (const table of ['policyNetworkExceptions', 'authorityUsers'])
    await sql`update ${sql.table(table)} set "endDT" = now() + interval '6 days' where "endDT" is not null`.execute(
      db.write,
    )
  await runTwice()
  const [toUser, ...others] = await mailsTo(app, user.email)
  expect(others).toEqual([])
  expect(toUser?.text).toContain('가상 네트워크 예외 · Portal')
  expect(toUser?.text).toContain('Local network exception · Lab <b>')
  expect(toUser?.text).toContain('Authority · Helpers')
  expect(toUser?.text).not.toContain('· All')
  const [toSetter, ...more] = await mailsTo(app, setter.email)
  expect(more).toEqual([])
  expect(toSetter?.text).toContain('sales · Virtual network exception · All')
  expect(toSetter?.text).not.toContain('Helpers')
})

test('suspended, expired and deleted people get no mail', async () => {
  const user = await buildUser(db, { state: 2 })
  const expired = await buildUser(db, { isMortal: 1, expireDT: '2020-01-01' })
  const leaver = await buildManager(db, { groups: [{ idx: 1 }], policy: 2 })
  for (const { idx } of [user, expired])
    await as(leaver).users.setIsMyPolicy({ idx, isMyPolicy: 1, endDT: at(days(30)).toISOString() })
  await calls.users.remove({ idxes: [leaver.idx] })
  for (const one of [user, expired]) await setEnd(one, days(5))
  await runTwice()
  expect([await countOf(user), await countOf(expired), await countOf(leaver)]).toEqual([0, 0, 0])
})
