// Who manages a group: through which authority, and from which group above it holds.
import { MAX_LISTED_MANAGERS, ROOT_GROUP } from '@acc/contract/groups'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
const managersOf = (group: { idx: number }) => as(admin).groups.findManagers({ idx: group.idx })

test('a group has the authorities over it and over the groups above, the nearest group of each named', async () => {
  const { shop, till, roof } = await buildGroups(db, 'shop', 'shop/till', 'roof')
  const [bora, ada] = [await buildUser(db, { name: 'Bora' }), await buildUser(db, { name: 'Ada', state: 2 })]
  const levels = { policy: 2, user: 1, fileExportApprove: 2, fileImportApprove: 0, log: 1 } as const
  const near = await buildAuthority(db, { name: 'A near', groups: [shop, till, roof], users: [bora, ada], ...levels })
  const far = await buildAuthority(db, { name: 'B far', groups: [shop], log: 1 })
  await buildAuthority(db, { name: 'C roof', groups: [roof], policy: 1 })

  const { authorities, admins, adminCount } = await managersOf(till)
  expect(authorities).toEqual([
    {
      idx: near.idx,
      name: 'A near',
      ...levels,
      groupName: 'till',
      isOfGroup: 1,
      users: [
        { idx: ada.idx, id: ada.id, name: 'Ada', state: 2 },
        { idx: bora.idx, id: bora.id, name: 'Bora', state: 0 },
      ],
      userCount: 2,
    },
    expect.objectContaining({ idx: far.idx, groupName: 'shop', isOfGroup: 0, users: [], userCount: 0 }),
  ])
  expect(admins).toMatchObject([{ idx: admin.idx }])
  expect(adminCount).toBe(1)
  expect((await managersOf({ idx: ROOT_GROUP })).authorities).toEqual([])
  await expect(managersOf({ idx: 999_999 })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
})

test('an authority with very many people names the first of them and their number', async () => {
  const { crowd } = await buildGroups(db, 'crowd')
  const users = []
  for (let at = 0; at <= MAX_LISTED_MANAGERS; at++) users.push(await buildUser(db))
  await buildAuthority(db, { groups: [crowd], users, log: 1 })
  const [authority] = (await managersOf(crowd)).authorities
  expect(authority?.users).toHaveLength(MAX_LISTED_MANAGERS)
  expect(authority?.userCount).toBe(MAX_LISTED_MANAGERS + 1)
})
