// Creating, renaming and reordering groups, setting the DMS root and own policies: responses, rules, rows and history.
import { MAX_DEPTH, ROOT_GROUP } from '@acc/contract/groups'
import { GroupManage, PolicyManage } from '@acc/contract/labels/history'
import { DEFAULT_POLICY } from '@acc/contract/policyValues'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups, childrenOf } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import type { HubEvent } from '../../events/eventHub.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
const root = { idx: ROOT_GROUP }

const rowOf = (idx: number) => db.read.selectFrom('groups').selectAll().where('idx', '=', idx).executeTakeFirstOrThrow()
const logsOf = async (subjectIdx: number) =>
  (await historyOf(db, 'groupManage')).filter((row) => row.subjectIdx === subjectIdx)
const REFUSED = { error: 'GROUP_ACTION_REFUSED' }
const NOT_ALLOWED = { error: 'NOT_ALLOWED' }

test('a new group is the last child of its parent, with a generated key', async () => {
  const { sales } = await buildGroups(db, 'sales', 'sales/east')
  const { idx } = await as(admin).groups.create({ parentIdx: sales.idx, name: '  영업 2팀 ', description: 'Seoul' })
  expect(await rowOf(idx)).toMatchObject({
    parentIdx: sales.idx,
    name: '영업 2팀',
    description: 'Seoul',
    path: [ROOT_GROUP, sales.idx, idx],
    isMyPolicy: 0,
    revision: 1,
  })
  expect(await childrenOf(db, sales.idx)).toEqual(['east', '영업 2팀'])
  const { key } = await rowOf(idx)
  expect(key).toMatch(/^[\w-]{20,}$/)
  expect(await logsOf(idx)).toMatchObject([
    {
      type: GroupManage.CREATE,
      actorIdx: admin.idx,
      subject: '영업 2팀',
      groupIdx: idx,
      detail: {
        parentName: 'sales',
        targetName: '영업 2팀',
        targetOldName: null,
        targetKey: key,
        targetOldKey: null,
        targetDescription: 'Seoul',
        targetOldDescription: null,
      },
    },
  ])
})

test('names are unique among siblings in any case, keys everywhere', async () => {
  const { shop, office } = await buildGroups(db, 'shop', 'shop/Café', 'office')
  await as(admin).groups.create({ parentIdx: office.idx, name: 'Café', key: 'K-1' })
  const before = await historyOf(db, 'groupManage')
  for (const name of ['Café', 'CAFÉ', 'Cafe\u0301'])
    await expect(as(admin).groups.create({ parentIdx: shop.idx, name })).rejects.toMatchObject({
      error: 'DUPLICATE_NAME',
    })
  await expect(as(admin).groups.create({ parentIdx: shop.idx, name: 'new', key: 'k-1' })).rejects.toMatchObject({
    error: 'DUPLICATE_KEY',
  })
  await expect(as(admin).groups.update({ idx: shop.idx, key: 'K-1' })).rejects.toMatchObject({ error: 'DUPLICATE_KEY' })
  await expect(as(admin).groups.update({ idx: shop.idx, name: 'Office' })).rejects.toMatchObject({
    error: 'DUPLICATE_NAME',
  })
  expect(await childrenOf(db, shop.idx)).toEqual(['Café'])
  expect(await historyOf(db, 'groupManage')).toEqual(before)
})

test('of many who create the same group at once, one succeeds', async () => {
  const { rush } = await buildGroups(db, 'rush')
  const tries = await Promise.allSettled(
    Array.from({ length: 8 }, () => as(admin).groups.create({ parentIdx: rush.idx, name: 'first' })),
  )
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject({ error: 'DUPLICATE_NAME' })
  expect(await childrenOf(db, rush.idx)).toEqual(['first'])
})

test.each([
  { name: 'ab' },
  { name: 'x'.repeat(51) },
  { name: 'a/b/c' },
  { name: 'tab\there' },
  { name: 'nul\u0000l' },
  { name: 12 },
  { name: undefined },
  { description: 'd'.repeat(101) },
  { description: 'two\nlines' },
  { key: '' },
  { key: 'k'.repeat(101) },
  { parentIdx: 'one' },
  { parentIdx: -1 },
  { parentIdx: 2 ** 60 },
])('creating with %j is bad input', async (part) => {
  const before = await childrenOf(db, ROOT_GROUP)
  const call = as(admin).groups.create({ parentIdx: ROOT_GROUP, name: 'valid', ...part } as never)
  await expect(call).rejects.toMatchObject({ error: 'INVALID_INPUT' })
  expect(await childrenOf(db, ROOT_GROUP)).toEqual(before)
})

test('name, description and key change, with old and new values in the history', async () => {
  const { draft } = await buildGroups(db, 'draft')
  await as(admin).groups.update({ idx: draft.idx, name: 'final', description: 'done', key: 'F-1', revision: 1 })
  expect(await rowOf(draft.idx)).toMatchObject({ name: 'final', description: 'done', key: 'F-1', revision: 2 })
  expect(await logsOf(draft.idx)).toMatchObject([
    {
      type: GroupManage.UPDATE,
      subject: 'final',
      groupIdx: draft.idx,
      detail: {
        targetName: 'final',
        targetOldName: 'draft',
        targetDescription: 'done',
        targetOldDescription: '',
        targetKey: 'F-1',
        targetOldKey: draft.key,
      },
    },
  ])
  await as(admin).groups.update({ idx: draft.idx, name: 'final' })
  expect(await logsOf(draft.idx)).toHaveLength(1)
  expect(await rowOf(draft.idx)).toMatchObject({ revision: 2 })
  await as(admin).groups.update({ idx: ROOT_GROUP, description: 'head office' })
  expect(await rowOf(ROOT_GROUP)).toMatchObject({ description: 'head office' })
})

test('of two concurrent edits of one revision, one succeeds and the other gets an error', async () => {
  const { shared } = await buildGroups(db, 'shared')
  const edits = await Promise.allSettled(
    ['edited one', 'edited two'].map((name) => as(admin).groups.update({ idx: shared.idx, name, revision: 1 })),
  )
  expect(edits.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await logsOf(shared.idx)).toHaveLength(1)
})

test('managers neither see, set nor change keys', async () => {
  const { keyed } = await buildGroups(db, 'keyed')
  const manager = await buildManager(db, { groups: [keyed], policy: 2 })
  const { groups } = as(manager)
  await expect(groups.create({ parentIdx: keyed.idx, name: 'inner', key: 'M-1' })).rejects.toMatchObject(NOT_ALLOWED)
  await expect(groups.update({ idx: keyed.idx, key: 'M-1' })).rejects.toMatchObject(NOT_ALLOWED)
  await groups.create({ parentIdx: keyed.idx, name: 'inner' })
  await groups.update({ idx: keyed.idx, description: 'mine' })
  expect(await rowOf(keyed.idx)).toMatchObject({ key: keyed.key, description: 'mine' })
})

test('a deleted parent is named to an administrator', async () => {
  const newGroup = { parentIdx: 987_654, name: 'nowhere' }
  await expect(as(admin).groups.create(newGroup)).rejects.toMatchObject({ error: 'NO_GROUP' })
})

test('open screens are notified of a changed group after the commit', async () => {
  const { stage } = await buildGroups(db, 'stage')
  const { promise, resolve } = Promise.withResolvers<HubEvent>()
  const stop = app.events.subscribe((event) => event.idx === stage.idx && resolve(event))
  await as(admin).groups.update({ idx: stage.idx, name: 'stage 2' })
  expect(await promise).toEqual({ topic: 'groups', idx: stage.idx, groupIdx: stage.idx })
  stop()
})

test('open lists are notified of users who move to the parent of a deleted group', async () => {
  const { hall, nook } = await buildGroups(db, 'hall', 'hall/nook')
  await buildUser(db, { group: nook })
  const { promise, resolve } = Promise.withResolvers<HubEvent>()
  const stop = app.events.subscribe((event) => event.topic === 'users' && event.groupIdx === hall.idx && resolve(event))
  await as(admin).groups.remove({ idx: nook.idx })
  expect(await promise).toMatchObject({ topic: 'users', groupIdx: hall.idx })
  stop()
})

test('the tree has a maximum depth', async () => {
  let parentIdx = (await buildGroups(db, 'deep')).deep.idx
  const path = Array.from({ length: MAX_DEPTH - 2 }, (_, depth) => `level${depth}`)
  const { [path.at(-1) ?? '']: deepest } = await buildGroups(db, `deep/${path.join('/')}`)
  parentIdx = deepest?.idx ?? 0
  expect((await rowOf(parentIdx)).path).toHaveLength(MAX_DEPTH)
  await expect(as(admin).groups.create({ parentIdx, name: 'deeper' })).rejects.toMatchObject(REFUSED)
  expect(JSON.stringify(await as(admin).groups.searchAuthGroups({}))).toContain(`level${MAX_DEPTH - 3}`)
})

test('siblings are put into the given order, with one history row at their parent', async () => {
  const { queue, one, two, three } = await buildGroups(db, 'queue', 'queue/one', 'queue/two', 'queue/three')
  await as(admin).groups.reorder({ orderedIdxes: [three.idx, one.idx, two.idx] })
  expect(await childrenOf(db, queue.idx)).toEqual(['three', 'one', 'two'])
  expect(await logsOf(queue.idx)).toMatchObject([
    {
      type: GroupManage.UPDATE,
      subject: 'queue',
      groupIdx: queue.idx,
      detail: {
        targetName: 'queue',
        targetOldName: 'queue',
        targetChildren: 'three, one, two',
        targetOldChildren: 'one, two, three',
      },
    },
  ])
  await as(admin).groups.reorder({ orderedIdxes: [three.idx, one.idx, two.idx] })
  expect(await logsOf(queue.idx)).toHaveLength(1)
})

test('an order with missing, foreign or repeated groups changes nothing', async () => {
  const { line, a11, b22, c33 } = await buildGroups(db, 'line', 'line/a11', 'line/b22', 'line/c33')
  const { stray, solo } = await buildGroups(db, 'stray', 'stray/solo')
  const bad = [
    [a11.idx, b22.idx],
    [a11.idx, b22.idx, c33.idx, solo.idx],
    [a11.idx, b22.idx, solo.idx],
    [a11.idx, b22.idx, b22.idx],
    [line.idx, a11.idx, b22.idx],
    [],
  ]
  for (const orderedIdxes of bad)
    await expect(as(admin).groups.reorder({ orderedIdxes })).rejects.toMatchObject({ error: 'INVALID_INPUT' })
  await expect(as(admin).groups.reorder({ orderedIdxes: [a11.idx, b22.idx, 987_654] })).rejects.toMatchObject(
    NOT_ALLOWED,
  )
  await expect(as(admin).groups.reorder({ orderedIdxes: [solo.idx] })).rejects.toMatchObject(REFUSED)
  await expect(as(admin).groups.reorder({ orderedIdxes: [ROOT_GROUP] })).rejects.toMatchObject(REFUSED)
  expect(await childrenOf(db, line.idx)).toEqual(['a11', 'b22', 'c33'])
  expect(await childrenOf(db, stray.idx)).toEqual(['solo'])
})

test('a manager orders groups with a visible parent, but not the own top groups', async () => {
  const { dept, left, right } = await buildGroups(db, 'dept', 'dept/left', 'dept/right')
  const onlyBelow = await buildManager(db, { groups: [left, right], policy: 2 })
  const orderedIdxes = [right.idx, left.idx]
  await expect(as(onlyBelow).groups.reorder({ orderedIdxes })).rejects.toMatchObject(REFUSED)
  await buildAuthority(db, { groups: [dept], users: [onlyBelow], log: 1 })
  await as(onlyBelow).groups.reorder({ orderedIdxes })
  expect(await childrenOf(db, dept.idx)).toEqual(['right', 'left'])
})

test('setting another DMS root moves the flag, and neither the root nor the same group can be set', async () => {
  const { first, second } = await buildGroups(db, 'first', 'second')
  const call = (idx: number) => as(admin).groups.setIsDmsParent({ idx })
  await call(first.idx)
  await expect(call(first.idx)).rejects.toMatchObject(REFUSED)
  await expect(call(ROOT_GROUP)).rejects.toMatchObject(REFUSED)
  await expect(call(987_654)).rejects.toMatchObject(NOT_ALLOWED)
  await call(second.idx)
  expect([await rowOf(first.idx), await rowOf(second.idx)]).toMatchObject([{ isDmsParent: 0 }, { isDmsParent: 1 }])
  const [set, unset] = [
    { type: GroupManage.UPDATE, detail: { targetIsDmsParent: 1, targetOldIsDmsParent: 0 } },
    { type: GroupManage.UPDATE, detail: { targetIsDmsParent: 0, targetOldIsDmsParent: 1 } },
  ]
  expect(await logsOf(first.idx)).toMatchObject([set, unset])
  expect(await logsOf(second.idx)).toMatchObject([set])
  const both = await Promise.allSettled([call(first.idx), call((await buildGroups(db, 'third')).third.idx)])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect(await db.read.selectFrom('groups').select('idx').where('isDmsParent', '=', 1).execute()).toHaveLength(1)
})

test('groups below the DMS root are partner groups, which allow no subgroups and no deletion', async () => {
  const { suppliers } = await buildGroups(db, 'suppliers')
  await as(admin).groups.setIsDmsParent({ idx: suppliers.idx })
  const { idx } = await as(admin).groups.create({ parentIdx: suppliers.idx, name: 'supplier' })
  await expect(as(admin).groups.create({ parentIdx: idx, name: 'below' })).rejects.toMatchObject(REFUSED)
  await expect(as(admin).groups.remove({ idx })).rejects.toMatchObject(REFUSED)
  await expect(as(admin).groups.remove({ idx: suppliers.idx })).rejects.toMatchObject(REFUSED)
  await as(admin).groups.update({ idx, name: 'renamed' })
  expect(await childrenOf(db, suppliers.idx)).toEqual(['renamed'])
})

test('a group gets a copy of the policy that applied, and inherits again', async () => {
  const { above, below } = await buildGroups(db, 'above', 'above/below')
  await buildPolicy(db, { group: above, clipboard: 2 })
  const ofBelow = () => db.read.selectFrom('policies').selectAll().where('groupIdx', '=', below.idx).execute()
  await as(admin).groups.setIsMyPolicy({ idx: below.idx, isMyPolicy: 1 })
  await as(admin).groups.setIsMyPolicy({ idx: below.idx, isMyPolicy: 1 })
  const [own] = await ofBelow()
  expect(own).toMatchObject({ ...DEFAULT_POLICY, clipboard: 2, revision: 1 })
  expect(await rowOf(below.idx)).toMatchObject({ isMyPolicy: 1, revision: 2 })
  await as(admin).policies.update({ idx: own?.idx ?? 0, clipboard: 3 })
  await as(admin).groups.setIsMyPolicy({ idx: below.idx, isMyPolicy: 0 })
  expect(await ofBelow()).toEqual([])
  expect(await rowOf(below.idx)).toMatchObject({ isMyPolicy: 0, revision: 3 })
  const rows = (await historyOf(db, 'policyManage')).filter(({ subjectIdx }) => subjectIdx === below.idx)
  const common = { targetType: 0, targetName: 'below', diffOwnerName: 'above' }
  expect(rows).toMatchObject([
    {
      type: PolicyManage.SEPARATE,
      detail: { ...common, policyClipboard: 2, policyOldClipboard: 2, policyLoopback: 1 },
    },
    { type: PolicyManage.UPDATE_DESKTOP_ENVIRONMENT },
    {
      type: PolicyManage.INHERIT,
      detail: { ...common, policyClipboard: 2, policyOldClipboard: 3, policyOldLoopback: 1 },
    },
  ])
})

test('the root keeps its policy, and simultaneous separations of one group create one policy', async () => {
  await expect(as(admin).groups.setIsMyPolicy({ ...root, isMyPolicy: 0 })).rejects.toMatchObject(REFUSED)
  await as(admin).groups.setIsMyPolicy({ ...root, isMyPolicy: 1 })
  const { crowd } = await buildGroups(db, 'crowd')
  await Promise.all(Array.from({ length: 6 }, () => as(admin).groups.setIsMyPolicy({ idx: crowd.idx, isMyPolicy: 1 })))
  const rows = (await historyOf(db, 'policyManage')).filter(({ subjectIdx }) => subjectIdx === crowd.idx)
  expect(rows).toHaveLength(1)
})
