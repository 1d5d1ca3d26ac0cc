// The list of exceptions: its findings, who sees which rows, and CSV.
import { SortOrder } from '@acc/contract/core/paging'
import { EndingKind, Finding } from '@acc/contract/labels/ends'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { days, later } from '../../clock.ts'

const { app, as, admin, fetchAs, clock } = await startTestApp()
const { db } = app
const { sales, lab } = await buildGroups(db, 'sales', 'lab')
const { POLICY, NETWORK, LOCAL_NETWORK, MEMBERSHIP } = EndingKind

const used = { lastClientLoginDT: later(clock.now(), -days(89)) }
const end = { endDT: later(clock.now(), days(30)) }
const NETWORK_ROW = { type: 0, ip1: 'a.example.com', ip2: '', port: 0, access: 1 } as const
const addException = (policyIdx: number, description: string, fields: object = {}) =>
  db.write
    .insertInto('policyNetworkExceptions')
    .values({ policyIdx, isLocal: 0, description, ...NETWORK_ROW, ...fields })
    .execute()

const busy = await buildUser(db, { group: sales, name: 'Busy', ...used })
const idle = await buildUser(db, { group: sales, name: 'Idle', lastClientLoginDT: later(clock.now(), -days(91)) })
const gone = await buildUser(db, { group: lab, name: 'Gone', state: 2, ...used })
const expired = await buildUser(db, { group: lab, name: 'Expired', isMortal: 1, expireDT: '2020-01-01', ...used })
const policies = new Map<string, number>()
for (const user of [busy, idle, gone, expired]) {
  const { idx } = await buildPolicy(db, { user })
  policies.set(user.name, idx)
  await db.write.updateTable('policies').set(end).where('idx', '=', idx).execute()
}
const policyOf = (name: string) => policies.get(name) ?? 0
await addException(policyOf('Busy'), 'Fine', end)
await addException(policyOf('Busy'), 'Endless')
await addException(policyOf('Busy'), 'Over', { endDT: later(clock.now(), -days(1)) })
await addException((await buildPolicy(db, { group: lab })).idx, 'Of the group', { isLocal: 1, endReason: '서버실' })
await buildAuthority(db, { groups: [sales], user: 1, users: [busy], name: 'Helpers' })

const search = async (user: { idx: number }, query: object = {}) => {
  const { items } = await as(user).ends.search({ sort: 'name', sortOrder: SortOrder.ASCENDING, ...query })
  return items.map(({ kind, name, what }) => [kind, name, what])
}

test('the list has what has no end, is unused, or belongs to people who left', async () => {
  const { items, totalCount } = await as(admin).ends.search({ sort: 'name' })
  const found = items.map(({ kind, name, what, isEndless, isUnused, hasLeft }) => [
    kind,
    name,
    what,
    [isEndless, isUnused, hasLeft].join(''),
  ])
  expect(found).toEqual(
    expect.arrayContaining([
      [NETWORK, 'Busy', 'Endless', '100'],
      [MEMBERSHIP, 'Busy', 'Helpers', '100'],
      [POLICY, 'Expired', '', '001'],
      [POLICY, 'Gone', '', '001'],
      [POLICY, 'Idle', '', '010'],
      [LOCAL_NETWORK, 'lab', 'Of the group', '100'],
    ]),
  )
  expect(totalCount).toBe(6)
  expect(items.find(({ what }) => what === 'Of the group')).toMatchObject({
    id: null,
    userIdx: null,
    groupIdx: lab.idx,
    endReason: '서버실',
    usedDT: null,
  })
  expect(new Set(items.map(({ idx }) => idx)).size).toBe(6)
})

test('filters narrow the list', async () => {
  expect(await search(admin, { finding: Finding.UNUSED })).toEqual([[POLICY, 'Idle', '']])
  expect(await search(admin, { finding: Finding.LEFT })).toEqual([
    [POLICY, 'Expired', ''],
    [POLICY, 'Gone', ''],
  ])
  expect(await search(admin, { kind: NETWORK })).toEqual([[NETWORK, 'Busy', 'Endless']])
  expect(await search(admin, { search: 'help' })).toEqual([[MEMBERSHIP, 'Busy', 'Helpers']])
  expect(await search(admin, { search: gone.id })).toEqual([[POLICY, 'Gone', '']])
})

test('managers see the exceptions of their groups and no memberships', async () => {
  const viewer = await buildManager(db, { groups: [sales], policy: 1 })
  expect(await search(viewer)).toEqual([
    [NETWORK, 'Busy', 'Endless'],
    [POLICY, 'Idle', ''],
  ])
  const everywhere = await buildManager(db, { groups: [{ idx: 1 }], policy: 2 })
  expect((await search(everywhere)).map(([kind]) => kind)).not.toContain(MEMBERSHIP)
  const other = await buildManager(db, { groups: [sales], user: 2 })
  await expect(search(other)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
})

test('CSV has the same rows', async () => {
  const response = await fetchAs(admin)('/Exceptions/Search?kind=0', { headers: { accept: 'text/csv' } })
  const text = await response.text()
  expect(text.trim().split('\r\n')).toHaveLength(4)
  expect(text).toContain('개별 정책')
  expect(text).toContain('Idle')
})
