// The registered PCs as the license screen lists and removes them.
import { SettingManage } from '@acc/contract/labels/history'
import { afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'
import { historyOf } from '../../../test/history.ts'
import { later, minutes } from '../../clock.ts'
import type { HubEvent } from '../../events/eventHub.ts'

const testApp = await startTestApp()
const { app, as, anonymous, admin, clock, fetchAs } = testApp
const { db } = app
const { licenses } = as(admin)
const { sales, plant } = await buildGroups(db, 'sales', 'plant')
const people = await Promise.all([
  buildUser(db, { id: 'hong.gildong', name: '홍길동', group: sales }),
  buildUser(db, { id: 'kim_seoyeon', name: '김서연', group: sales }),
  buildUser(db, { id: 'hong.axel', name: 'Axel', group: plant }),
])
afterEach(() => db.write.deleteFrom('devices').execute())

const idxesOf = async () =>
  (await db.read.selectFrom('devices').select('idx').orderBy('idx').execute()).map(({ idx }) => idx)

/** A PC for each of the people, the last of the latest use. */
const registerPcs = async () => {
  const values = people.map((user, at) => ({
    userIdx: user.idx,
    deviceId: `pc-${at}`,
    deviceName: `PC-${10 - at}`,
    ip: `10.0.0.${at}`,
    clientVersion: `4.${at}.10`,
    useDT: later(clock.now(), minutes(at)),
  }))
  await db.write.insertInto('devices').values(values).execute()
  return idxesOf()
}

test('each PC is listed with its user, in JSON and in CSV', async () => {
  const [first] = await registerPcs()
  const { totalCount, items } = await licenses.searchUses({ userId: 'gildong' })
  expect({ totalCount, items }).toMatchObject({
    totalCount: 1,
    items: [
      {
        idx: first,
        userId: 'hong.gildong',
        userName: '홍길동',
        userEmail: people[0]?.email,
        groupName: 'sales',
        deviceName: 'PC-10',
        deviceIp: '10.0.0.0',
        clientVersion: '4.0.10',
        useDT: clock.now().toISOString(),
      },
    ],
  })
  const csv = await fetchAs(admin)('/License/Uses/Search?sort=useDT&sortOrder=0', {
    headers: { accept: 'text/csv', 'accept-language': 'en' },
  })
  const lines = (await csv.text()).replace('\ufeff', '').split('\r\n')
  expect(lines.slice(1, -1).map((line) => line.split(',')[0])).toEqual(['hong.gildong', 'kim_seoyeon', 'hong.axel'])
})

test.each([
  [{ userId: 'hong', userName: 'hong' }, ['hong.axel', 'hong.gildong']],
  [{ userId: '서연', userName: '서연' }, ['kim_seoyeon']],
  [{ filterType: 1, userId: 'hong', userName: '길동' }, ['hong.gildong']],
  [{ filterType: 1, userId: 'hong', userName: '서연' }, []],
  [{ userId: 'a_b', userName: '%' }, []],
  [{ groupName: 'SALES' }, ['kim_seoyeon', 'hong.gildong']],
  [{ clientVersion: '4.2' }, ['hong.axel']],
  [{ sort: 'userName', sortOrder: 0 }, ['hong.axel', 'kim_seoyeon', 'hong.gildong']],
  [{ sort: 'groupName', sortOrder: 0 }, ['hong.axel', 'hong.gildong', 'kim_seoyeon']],
  [{ sort: 'deviceName', sortOrder: 0 }, ['hong.axel', 'kim_seoyeon', 'hong.gildong']],
  [{ sort: 'clientVersion', sortOrder: 0, rowsAfter: 1, rowsCount: 1 }, ['kim_seoyeon']],
] as const)('a search for %j', async (filter, ids) => {
  await registerPcs()
  const { items } = await licenses.searchUses(filter)
  expect(items.map(({ userId }) => userId)).toEqual(ids)
})

test('removed PCs give their licenses back, end the sessions that they opened, and learn it', async () => {
  const events: HubEvent[] = []
  const unsubscribe = app.events.subscribe((event) => void events.push(event))
  const [gildong, seoyeon] = people
  if (gildong === undefined || seoyeon === undefined) throw new Error('there are people')
  const pcs = [await openDesktopClient(testApp, gildong), await openDesktopClient(testApp, seoyeon)]
  const other = await openDesktopClient(testApp, gildong)
  const [link] = await Promise.all([pcs[0]?.agent.tmpToken({})])
  await anonymous.session.consumeTmpToken({ tmpToken: link?.tmpToken ?? '' })
  expect((await licenses.find({})).useCount).toBe(3)
  const before = (await historyOf(db, 'licenseUse')).length

  await licenses.removeUses({ idxes: pcs.map(({ deviceIdx }) => deviceIdx) })
  expect(await idxesOf()).toEqual([other.deviceIdx])
  expect((await licenses.find({})).useCount).toBe(1)
  for (const pc of pcs) await expect(pc.agent.heartbeat({})).rejects.toMatchObject({ error: 'DEVICE_REMOVED' })
  await other.agent.heartbeat({})
  const open = db.read.selectFrom('sessions').select('kind').where('userIdx', '=', gildong.idx)
  expect(await open.where('kind', '=', 'web').where('endDT', 'is', null).execute()).toEqual([])
  const history = (await historyOf(db, 'licenseUse')).slice(before)
  expect(history.map(({ type, actorIdx, subject }) => [type, actorIdx, subject]).sort()).toEqual([
    [1, admin.idx, 'hong.gildong'],
    [1, admin.idx, 'kim_seoyeon'],
  ])
  expect(history[0]?.detail).toMatchObject({ userGroupName: 'sales', deviceIp: '127.0.0.1' })
  await expect.poll(() => events.some(({ topic }) => topic === 'licenses')).toBe(true)
  unsubscribe()
})

test('one PC that is not there keeps all of them, and nothing is recorded', async () => {
  const idxes = await registerPcs()
  const before = await historyOf(db, 'licenseUse')
  for (const wrong of [[...idxes, 999_999], [999_999]])
    await expect(licenses.removeUses({ idxes: wrong })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  for (const wrong of [[], [...idxes, ...idxes], [0], [-1], [1.5]])
    await expect(licenses.removeUses({ idxes: wrong })).rejects.toMatchObject({ error: 'INVALID_INPUT' })
  expect(await idxesOf()).toEqual(idxes)
  expect(await historyOf(db, 'licenseUse')).toEqual(before)
})

test('two administrators who remove the same PC leave one row of history', async () => {
  const idxes = await registerPcs()
  const before = (await historyOf(db, 'licenseUse')).length
  const results = await Promise.allSettled([1, 2, 3, 4].map(() => licenses.removeUses({ idxes })))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await historyOf(db, 'licenseUse')).toHaveLength(before + idxes.length)
})

test("the number of PCs that one user may register is the administrator's", async () => {
  expect((await licenses.find({})).devicesPerUser).toBe(5)
  const before = (await historyOf(db, 'settingManage')).length
  await licenses.setDevicesPerUser({ devicesPerUser: 2 })
  await licenses.setDevicesPerUser({ devicesPerUser: 2 })
  expect((await licenses.find({})).devicesPerUser).toBe(2)
  const history = (await historyOf(db, 'settingManage')).slice(before)
  expect(history).toMatchObject([
    {
      type: SettingManage.SET_DEVICES_PER_USER,
      actorIdx: admin.idx,
      subject: 'devicesPerUser',
      detail: { targetValue: '2', targetOldValue: '5' },
    },
  ])
  const user = await buildUser(db, { password: 'Qa9!zebra-Lm' })
  const login = (deviceId: string) =>
    anonymous.agent.login({ id: user.id, pw: 'Qa9!zebra-Lm', deviceId, deviceName: 'PC', clientVersion: '1.0' })
  await login('a')
  await login('b')
  await expect(login('c')).rejects.toMatchObject({ error: 'NO_LICENSE_LEFT' })
  await login('b')
  for (const devicesPerUser of [0, 1001, 1.5])
    await expect(licenses.setDevicesPerUser({ devicesPerUser })).rejects.toMatchObject({ error: 'INVALID_INPUT' })
})
