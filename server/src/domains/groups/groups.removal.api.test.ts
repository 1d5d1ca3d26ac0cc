// Deleting groups: moved rows, rights and history.
import { ROOT_GROUP } from '@acc/contract/groups'
import { Role } from '@acc/contract/labels/access'
import { GroupManage } from '@acc/contract/labels/history'
import { RequestState } from '@acc/contract/labels/requests'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups, childrenOf } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildSignIns } from '../../../test/build/signIns.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { lockInScope } from '../../core/scope.ts'
import type { Tx } from '../../db/open.ts'

const { app, as, admin } = await startTestApp()
const { db } = app

const rowOf = (idx: number) => db.read.selectFrom('groups').selectAll().where('idx', '=', idx).executeTakeFirst()
const userOf = (idx: number) => db.read.selectFrom('users').selectAll().where('idx', '=', idx).executeTakeFirstOrThrow()
const buildRequest = (groupIdx: number, state: RequestState, write: Pick<Tx, 'insertInto'> = db.write) =>
  write
    .insertInto('fileEximports')
    .values({
      type: 1,
      requesterId: 'someone',
      requesterName: 'Someone',
      requesterEmail: 's@example.com',
      requesterGroupIdx: groupIdx,
      requesterGroupName: 'as it was',
      state,
      requestDT: new Date(),
      requestPurpose: 'test',
      fileCount: 0,
      fileSize: 0,
    })
    .returning('idx')
    .executeTakeFirstOrThrow()
const snapshot = async () => ({
  groups: await db.read.selectFrom('groups').selectAll().orderBy('idx').execute(),
  users: await db.read.selectFrom('users').select(['idx', 'groupIdx', 'revision']).orderBy('idx').execute(),
  history: await historyOf(db, 'groupManage'),
})
const REFUSED = { error: 'GROUP_ACTION_REFUSED' }
const NOT_ALLOWED = { error: 'NOT_ALLOWED' }

test('users, subgroups and requests move to the parent, subgroups after its children', async () => {
  const { hq, team, one, two, inner } = await buildGroups(
    db,
    'hq',
    'hq/team',
    'hq/last',
    'hq/team/one',
    'hq/team/two',
    'hq/team/one/inner',
  )
  const [member, deeper] = [await buildUser(db, { group: team }), await buildUser(db, { group: one })]
  const waiting = await buildRequest(team.idx, RequestState.REQUESTED)
  const decided = await buildRequest(team.idx, RequestState.APPROVED)
  await buildPolicy(db, { group: team, print: 1 })
  const authority = await buildAuthority(db, { groups: [team, hq], policy: 1 })
  await as(admin).groups.remove({ idx: team.idx })

  expect(await rowOf(team.idx)).toBeUndefined()
  expect(await childrenOf(db, hq.idx)).toEqual(['last', 'one', 'two'])
  expect(await rowOf(one.idx)).toMatchObject({ path: [ROOT_GROUP, hq.idx, one.idx], revision: 2 })
  expect(await rowOf(two.idx)).toMatchObject({ parentIdx: hq.idx, path: [ROOT_GROUP, hq.idx, two.idx] })
  expect(await rowOf(inner.idx)).toMatchObject({ path: [ROOT_GROUP, hq.idx, one.idx, inner.idx], revision: 1 })
  expect(await userOf(member.idx)).toMatchObject({ groupIdx: hq.idx, revision: 2 })
  expect(await userOf(deeper.idx)).toMatchObject({ groupIdx: one.idx, revision: 1 })
  const requests = await db.read
    .selectFrom('fileEximports')
    .select(['requesterGroupIdx', 'requesterGroupName'])
    .where('idx', 'in', [waiting.idx, decided.idx])
    .execute()
  const moved = { requesterGroupIdx: hq.idx, requesterGroupName: 'as it was' }
  expect(requests).toEqual([moved, moved])
  expect(await db.read.selectFrom('policies').select('idx').where('groupIdx', '=', team.idx).execute()).toEqual([])
  const given = await db.read
    .selectFrom('authorityGroups')
    .innerJoin('authorities', 'authorities.idx', 'authorityIdx')
    .select(['groupIdx', 'revision'])
    .where('authorityIdx', '=', authority.idx)
    .execute()
  expect(given).toEqual([{ groupIdx: hq.idx, revision: 2 }])

  const [row] = (await historyOf(db, 'groupManage')).filter(({ subjectIdx }) => subjectIdx === team.idx)
  expect(row).toMatchObject({
    type: GroupManage.DELETE,
    actorIdx: admin.idx,
    subject: 'team',
    groupIdx: hq.idx,
    detail: {
      parentName: 'hq',
      movedGroups: 'one, two',
      userCount: 1,
      requestCount: 2,
      authorityCount: 1,
      targetName: 'team',
      targetKey: team.key,
    },
  })
})

test('a subgroup with the name of a sibling of the deleted group prevents the deletion', async () => {
  const { west, dup } = await buildGroups(db, 'west', 'west/dup', 'west/shop')
  await buildGroups(db, 'west/dup/alpha', 'west/dup/SHOP')
  await buildUser(db, { group: dup })
  const before = await snapshot()
  await expect(as(admin).groups.remove({ idx: dup.idx })).rejects.toMatchObject({ error: 'DUPLICATE_NAME' })
  expect(await snapshot()).toEqual(before)
  expect(await childrenOf(db, west.idx)).toEqual(['dup', 'shop'])
})

test('a subgroup may have the name of the deleted group', async () => {
  const { owner } = await buildGroups(db, 'owner')
  const outer = (await buildGroups(db, 'owner/twin')).twin
  const innerTwin = (await buildGroups(db, 'owner/twin/twin')).twin
  await as(admin).groups.remove({ idx: outer.idx })
  expect(await childrenOf(db, owner.idx)).toEqual(['twin'])
  expect(await rowOf(innerTwin.idx)).toMatchObject({
    parentIdx: owner.idx,
    path: [ROOT_GROUP, owner.idx, innerTwin.idx],
  })
})

test('neither the root nor a nonexistent group can be deleted', async () => {
  const before = await snapshot()
  await expect(as(admin).groups.remove({ idx: ROOT_GROUP })).rejects.toMatchObject(REFUSED)
  await expect(as(admin).groups.remove({ idx: 987_654 })).rejects.toMatchObject(NOT_ALLOWED)
  await expect(as(admin).groups.remove({ idx: 'x' } as never)).rejects.toMatchObject({ error: 'INVALID_INPUT' })
  expect(await snapshot()).toEqual(before)
})

test('deleting needs level 2 on the group and on its parent, which receives its users', async () => {
  const levels = [undefined, 1, 2] as const
  for (const [onParent, onGroup] of levels.flatMap((a) => levels.map((b) => [a, b] as const))) {
    const name = `parent ${onParent ?? 0} group ${onGroup ?? 0}`
    const parent = (await buildGroups(db, name))[name]
    const child = (await buildGroups(db, `${name}/child`)).child
    const member = await buildUser(db, { group: child })
    const manager = await buildManager(db, { groups: [], policy: 2 })
    if (onParent) await buildAuthority(db, { groups: [{ idx: parent?.idx ?? 0 }], users: [manager], policy: onParent })
    if (onGroup) await buildAuthority(db, { groups: [child], users: [manager], policy: onGroup })
    const call = as(manager).groups.remove({ idx: child.idx })
    if (onParent === 2) await call
    else await expect(call).rejects.toMatchObject(onGroup === 2 && !onParent ? REFUSED : NOT_ALLOWED)
    expect(await userOf(member.idx)).toMatchObject({ groupIdx: onParent === 2 ? parent?.idx : child.idx })
  }
})

test('a manager cannot move stronger people by deleting their group, an administrator can', async () => {
  const { area, mixed } = await buildGroups(db, 'area', 'area/mixed')
  const manager = await buildManager(db, { groups: [area], policy: 2, as: { group: mixed } })
  const colleague = await buildManager(db, { groups: [area], policy: 1, as: { group: mixed } })
  await expect(as(manager).groups.remove({ idx: mixed.idx })).rejects.toMatchObject(NOT_ALLOWED)
  expect(await userOf(colleague.idx)).toMatchObject({ groupIdx: mixed.idx })
  await as(admin).groups.remove({ idx: mixed.idx })
  expect(await userOf(colleague.idx)).toMatchObject({ groupIdx: area.idx })
  expect(await userOf(manager.idx)).toMatchObject({ groupIdx: area.idx })
})

test('the DMS root moves up when the group above it is deleted', async () => {
  const { shell, dms, partner } = await buildGroups(db, 'shell', 'shell/dms', 'shell/dms/partner')
  await as(admin).groups.setIsDmsParent({ idx: dms.idx })
  await as(admin).groups.remove({ idx: shell.idx })
  expect(await rowOf(dms.idx)).toMatchObject({ isDmsParent: 1, path: [ROOT_GROUP, dms.idx] })
  await expect(as(admin).groups.remove({ idx: partner.idx })).rejects.toMatchObject(REFUSED)
})

test('of several who delete one group at once, one succeeds', async () => {
  const { base, gone } = await buildGroups(db, 'base', 'base/gone')
  const members = await Promise.all(Array.from({ length: 5 }, () => buildUser(db, { group: gone })))
  const tries = await Promise.allSettled(Array.from({ length: 6 }, () => as(admin).groups.remove({ idx: gone.idx })))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject(NOT_ALLOWED)
  for (const { idx } of members) expect(await userOf(idx)).toMatchObject({ groupIdx: base.idx })
})

test('users who are created in a group during its deletion move to the parent, or are refused', async () => {
  const { base, gone } = await buildGroups(db, 'base', 'base/gone')
  const ids = Array.from({ length: 20 }, (_, at) => `late-${at}`)
  const create = (id: string) =>
    as(admin).users.create({ id, name: id, email: `${id}@example.com`, groupIdx: gone.idx, isMortal: 0 })
  const [removal, ...tries] = await Promise.allSettled([as(admin).groups.remove({ idx: gone.idx }), ...ids.map(create)])
  expect(removal.status).toBe('fulfilled')
  const rows = await db.read.selectFrom('users').select(['id', 'groupIdx']).where('id', 'in', ids).execute()
  const created = ids.filter((_, at) => tries[at]?.status === 'fulfilled')
  expect(rows.map(({ id }) => id).toSorted()).toEqual(created.toSorted())
  expect(rows.filter(({ groupIdx }) => groupIdx !== base.idx)).toEqual([])
})

/** Waits until a statement of this database waits for a lock. */
async function untilBlocked(): Promise<void> {
  const blocked = sql<number>`(
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`
  const { count } = await db.read.selectNoFrom(blocked.as('count')).executeTakeFirstOrThrow()
  if (count === 0) await untilBlocked()
}

test('a right that is lowered while a deletion waits does not count', async () => {
  const { site, post } = await buildGroups(db, 'site', 'site/post')
  const manager = await buildManager(db, { groups: [site], policy: 2 })
  const calls: Promise<unknown>[] = []
  await db.write.transaction().execute(async (tx) => {
    await tx.selectFrom('groups').select('idx').where('idx', '=', post.idx).forUpdate().execute()
    calls.push(as(manager).groups.remove({ idx: post.idx }))
    await untilBlocked()
    await tx.updateTable('authorities').set({ policy: 1 }).where('idx', '=', manager.authorityIdx).execute()
  })
  await expect(Promise.all(calls)).rejects.toMatchObject(NOT_ALLOWED)
  expect(await rowOf(post.idx)).toBeDefined()
})

test('a user who is moved into a group during its deletion moves to the parent', async () => {
  const { camp, tent } = await buildGroups(db, 'camp', 'camp/tent')
  const calls: Promise<unknown>[] = []
  const comer = await buildUser(db)
  await db.write.transaction().execute(async (tx) => {
    await lockInScope(tx, { idx: admin.idx, role: Role.ADMIN, isSubstitute: false }, 'user', 2, {
      groupIdxes: [tent.idx],
    })
    calls.push(as(admin).groups.remove({ idx: tent.idx }))
    await untilBlocked()
    await tx.updateTable('users').set({ groupIdx: tent.idx }).where('idx', '=', comer.idx).execute()
  })
  await Promise.all(calls)
  expect(await userOf(comer.idx)).toMatchObject({ groupIdx: camp.idx })
})

test("a request created during the deletion of the requester's group succeeds and moves", async () => {
  const { ward, room } = await buildGroups(db, 'ward', 'ward/room')
  const person = await buildUser(db, { group: room })
  const calls: Promise<unknown>[] = []
  const { idx } = await db.write.transaction().execute(async (tx) => {
    // Lock order of change(): the caller's row, then the rows that the new one references.
    await tx.selectFrom('users').select('idx').where('idx', '=', person.idx).forShare().execute()
    calls.push(as(admin).groups.remove({ idx: room.idx }))
    await untilBlocked()
    // The deletion must not lock the group while it waits for the person: PostgreSQL would report a deadlock.
    await tx.selectFrom('groups').select('idx').where('idx', '=', room.idx).forKeyShare().noWait().execute()
    return buildRequest(room.idx, RequestState.REQUESTED, tx)
  })
  await Promise.all(calls)
  expect(await rowOf(room.idx)).toBeUndefined()
  const row = db.read.selectFrom('fileEximports').select('requesterGroupIdx').where('idx', '=', idx)
  expect(await row.executeTakeFirstOrThrow()).toEqual({ requesterGroupIdx: ward.idx })
})

test("readers of the parent's history find that of deleted groups, also after several deletions", async () => {
  const { site, wing, desk, other } = await buildGroups(db, 'site', 'site/wing', 'site/wing/desk', 'other')
  const person = await buildUser(db, { group: desk })
  const [row] = await buildSignIns(app, person, [{}])
  const [above, inside, foreign] = await Promise.all(
    [site, desk, other].map((group) => buildManager(db, { groups: [group], log: 1 })),
  )
  const rowsOf = async (manager: { idx: number } | undefined) => {
    if (manager === undefined) throw new Error('no manager was made')
    const { items } = await as(manager).history.clientLogin({})
    return items.map(({ idx }) => idx)
  }
  for (const group of [desk, wing]) {
    expect(await rowsOf(above)).toEqual([row])
    await as(admin).groups.remove({ idx: group.idx })
  }
  expect(await rowsOf(above)).toEqual([row])
  expect(await rowsOf(foreign)).toEqual([])
  // The authority has no group left and gives nothing.
  await expect(rowsOf(inside)).rejects.toMatchObject(NOT_ALLOWED)
  expect(await db.read.selectFrom('deletedGroups').selectAll().where('heirIdx', '=', site.idx).execute()).toHaveLength(
    2,
  )
  await as(admin).groups.remove({ idx: site.idx })
  await expect(rowsOf(above)).rejects.toMatchObject(NOT_ALLOWED)
  expect(await rowsOf(await buildManager(db, { groups: [{ idx: ROOT_GROUP }], log: 1 }))).toContain(row)
})
