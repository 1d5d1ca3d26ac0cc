// The history of people who move: their managers before and after read the row, others do not.
import { ROOT_GROUP } from '@acc/contract/groups'
import { UserManage } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { csvCells } from '../../../test/csvCells.ts'
import { historyOf } from '../../../test/history.ts'

const { app, as, fetchAs, admin } = await startTestApp()
const { db } = app
const { east, west, north, deep } = await buildGroups(db, 'east', 'west', 'north', 'west/deep')
const readers = {
  former: await buildManager(db, { groups: [east], log: 1 }),
  present: await buildManager(db, { groups: [west], log: 1 }),
  both: await buildManager(db, { groups: [east, west], log: 1 }),
  everywhere: await buildManager(db, { groups: [{ idx: ROOT_GROUP }], log: 1 }),
  stranger: await buildManager(db, { groups: [north], log: 1 }),
}

const moves = {
  'PUT /User': (idx: number) => as(admin).users.update({ idx, groupIdx: deep.idx }),
  'PUT /Users/Group': (idx: number) => as(admin).users.move({ idxes: [idx], groupIdx: deep.idx }),
}
for (const [call, move] of Object.entries(moves))
  test(`a person who moves by ${call} is in the history of both groups, once for each reader`, async () => {
    const person = await buildUser(db, { group: east })
    await move(person.idx)
    const filter = { targetId: person.id, type: UserManage.UPDATE }
    const moved = { targetGroupName: 'deep', targetOldGroupName: 'east' }
    for (const [name, reader] of Object.entries(readers)) {
      const { items, totalCount } = await as(reader).history.userManage(filter)
      const isReached = name !== 'stranger'
      expect([items.length, totalCount], name).toEqual(isReached ? [1, 1] : [0, 0])
      const headers = { accept: 'text/csv' }
      const csv = await (await fetchAs(reader)(`/Logs/UserManage?targetId=${person.id}`, { headers })).text()
      expect(csvCells(csv).slice(1), name).toHaveLength(isReached ? 1 : 0)
      const [row] = (await as(admin).history.userManage(filter)).items
      const found = as(reader).history.find({ log: 'userManage', idx: row?.idx ?? 0 })
      if (isReached) expect((await found).entry).toMatchObject(moved)
      else await expect(found).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
      expect(JSON.stringify(items)).not.toMatch(/formerGroup/)
    }
    for (const [group, count] of [
      [east, 1],
      [west, 1],
      [north, 0],
    ] as const)
      expect((await as(admin).history.userManage({ ...filter, groupIdxes: [group.idx] })).items).toHaveLength(count)
  })

test('later rows of a person who moved are those of the new group alone', async () => {
  const person = await buildUser(db, { group: east })
  await as(admin).users.move({ idxes: [person.idx], groupIdx: west.idx })
  await as(admin).users.update({ idx: person.idx, name: '새 이름' })
  const namesOf = async (reader: { idx: number }) =>
    (await as(reader).history.userManage({ targetId: person.id })).items.map(({ targetName }) => targetName)
  expect(await namesOf(readers.former)).toEqual([person.name])
  expect(await namesOf(readers.present)).toEqual(['새 이름', person.name])
})

test('the people of a deleted group have a row each, for the readers of the group above', async () => {
  const { hall, booth } = await buildGroups(db, 'hall', 'hall/booth')
  const people = [await buildUser(db, { group: booth }), await buildUser(db, { group: booth })]
  const [above, inside] = [
    await buildManager(db, { groups: [hall], policy: 2, log: 1 }),
    await buildManager(db, { groups: [booth, north], log: 1 }),
  ]
  await as(above).groups.remove({ idx: booth.idx })
  const rows = (await historyOf(db, 'userManage')).filter(({ subjectIdx }) =>
    people.some(({ idx }) => idx === subjectIdx),
  )
  const detail = { targetGroupName: 'hall', targetOldGroupName: 'booth', formerGroupIdx: booth.idx }
  expect(rows).toMatchObject(
    people.map(({ idx }) => ({
      ...{ type: UserManage.UPDATE, actorIdx: above.idx, subjectIdx: idx, groupIdx: hall.idx },
      detail,
    })),
  )
  const { items } = await as(above).history.userManage({ targetGroupName: 'hall' })
  expect(items.map(({ targetId }) => targetId).toSorted()).toEqual(people.map(({ id }) => id).toSorted())
  expect((await as(inside).history.userManage({ targetGroupName: 'hall' })).items).toEqual([])
})
