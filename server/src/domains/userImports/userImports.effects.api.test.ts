// Rights at the moment of the change, and what a run leaves behind: history of each kind, and announcements.
import { UserManage } from '@acc/contract/labels/history'
import { ImportFault, ImportRefusal, ImportSource, ImportState } from '@acc/contract/labels/userImports'
import { UserState } from '@acc/contract/labels/users'
import { MAX_IMPORT_ROWS } from '@acc/contract/userImports'
import { afterEach, expect, test } from 'vitest'
import { announced } from '../../../test/announced.ts'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { SYSTEM } from '../../core/change.ts'
import { fileOf, importsOf } from './userImports.fixture.ts'
import { startImport } from './userImports.start.ts'

const { app, as, admin, owner } = await startTestApp()
const { db } = app
const { sales, rnd } = await buildGroups(db, 'sales', 'rnd')
const imports = importsOf(app, as(admin))
afterEach(imports.cancelOpen)
const build = (id: string, columns = {}) => buildUser(db, { group: sales, id, importSource: 0, ...columns })

test('people out of the rights that the author has at the application are not changed', async () => {
  const manager = await buildManager(db, { groups: [sales, rnd], user: 2 })
  const people = {
    foreign: await build('now.foreign', { group: rnd }),
    admin: await build('now.admin'),
    stronger: await build('now.manager'),
    own: await build('still.own'),
  }
  const own = importsOf(app, as(manager))
  const lines = Object.values(people).map(({ id }) => [id, 'New name'])
  const { idx, counts } = await own.plan(fileOf([['id', 'name'], ...lines]))
  expect(counts.update).toBe(4)
  await db.write.deleteFrom('authorityGroups').where('groupIdx', '=', rnd.idx).execute()
  await owner.updateTable('users').set({ isAdmin: 1 }).where('idx', '=', people.admin.idx).execute()
  await buildAuthority(db, { groups: [rnd], users: [people.stronger], log: 1 })
  expect((await own.apply(idx)).counts).toMatchObject({ applied: 1, failed: 3 })
  const faults = (await importsOf(app, as(admin)).rows(idx)).map(({ id, faults }) => [
    id,
    ...faults.map(({ fault }) => fault),
  ])
  expect(faults).toEqual([
    ['now.foreign', ImportFault.NOT_ALLOWED],
    ['now.admin', ImportFault.ADMIN],
    ['now.manager', ImportFault.NOT_ALLOWED],
    ['still.own'],
  ])
  const names = await db.read.selectFrom('users').select('name').where('name', '=', 'New name').execute()
  expect(names).toHaveLength(1)
})

test('each person has a history row of what the run did, with old and new values, author and address', async () => {
  const [renamed, moved, leaving, returning] = [
    await build('log.renamed', { name: 'Before' }),
    await build('log.moved'),
    await build('log.leaving'),
    await build('log.returning', { state: UserState.DISABLED, importSuspended: 1 }),
  ]
  const { idx } = await imports.plan(
    fileOf([
      ['id', 'name', 'group', 'isEnabled'],
      ['log.renamed', 'After', '', ''],
      ['log.moved', '', 'rnd', ''],
      ['log.leaving', '', '', '0'],
      ['log.returning', '', '', '1'],
    ]),
  )
  await imports.apply(idx)
  const rows = (await historyOf(db, 'userManage')).filter(({ detail }) => detail.importIdx === idx)
  expect(rows.map(({ type, subjectIdx, actorIdx }) => [type, subjectIdx, actorIdx])).toEqual([
    [UserManage.UPDATE, renamed.idx, admin.idx],
    [UserManage.UPDATE, moved.idx, admin.idx],
    [UserManage.DISABLED, leaving.idx, admin.idx],
    [UserManage.ENABLED, returning.idx, admin.idx],
  ])
  const addresses = db.read.selectFrom('history').select('ip').where('kind', '=', 'userManage')
  expect(new Set((await addresses.execute()).map(({ ip }) => ip))).toEqual(new Set(['127.0.0.1']))
  expect(rows[0]?.detail).toMatchObject({ targetName: 'After', targetOldName: 'Before' })
  expect(rows[1]?.detail).toMatchObject({ targetGroupName: 'rnd', targetOldGroupName: 'sales' })
})

test('author and administrators follow plan and application, and the viewers of both groups the people', async () => {
  const manager = await buildManager(db, { groups: [sales, rnd], user: 2 })
  await build('seen.moving')
  const file = fileOf([
    ['id', 'group'],
    ['seen.moving', 'rnd'],
  ])
  const { idx } = await as(manager).userImports.upload({}, file)
  const own = { topic: 'userImports', idx, userIdx: manager.idx }
  const planned = await announced(app, imports.settle)
  expect(planned).toEqual(expect.arrayContaining([{ topic: 'userImports', idx }, own]))
  const applied = await announced(app, async () => {
    await as(manager).userImports.apply({ idx })
    await imports.settle()
  })
  expect(applied).toEqual(
    expect.arrayContaining([
      { topic: 'users', groupIdx: sales.idx },
      { topic: 'users', groupIdx: rnd.idx },
    ]),
  )
  // The call, the block and the end.
  expect(applied.filter((event) => event.userIdx === manager.idx)).toEqual([own, own, own])
})

test('a directory of too many people is refused', async () => {
  const run = { source: ImportSource.DIRECTORY, fileName: 'ldap', baseGroupIdx: null, author: SYSTEM } as const
  const options = { addsGroups: 0, adopts: 0, isComplete: 1, mailsPasswords: 0 } as const
  const row = { line: null, values: { key: 'a' } }
  const rows = Array.from({ length: MAX_IMPORT_ROWS + 1 }, () => row)
  const idx = await startImport(app, { ...run, options }, async () => ({ hash: 'c'.repeat(64), fields: ['key'], rows }))
  expect(await as(admin).userImports.find({ idx })).toMatchObject({
    state: ImportState.REFUSED,
    refusal: { reason: ImportRefusal.TOO_MANY_ROWS, text: String(MAX_IMPORT_ROWS + 1) },
  })
})

test('who is moved into a partner group loses the sessions of the browser at once', async () => {
  const { partners } = await buildGroups(db, 'partners', 'partners/acme')
  await as(admin).groups.setIsDmsParent({ idx: partners.idx })
  const user = await build('to.partner')
  await as(user).session.find({})
  const { idx } = await imports.plan(
    fileOf([
      ['id', 'group'],
      ['to.partner', 'partners > acme'],
    ]),
  )
  await imports.apply(idx)
  const open = await db.read
    .selectFrom('sessions')
    .select('idx')
    .where('userIdx', '=', user.idx)
    .where('endDT', 'is', null)
  expect(await open.execute()).toEqual([])
})
