// The shortcuts of policies: chosen by an edit, followed when they change, inherited, in the history.
import { PolicyManage } from '@acc/contract/labels/history'
import { OwnerType } from '@acc/contract/labels/policies'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { findEffectivePolicy } from './policies.service.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
const calls = as(admin)

const policyOf = (group: { idx: number }) => calls.policies.find({ ownerIdx: group.idx, ownerType: OwnerType.GROUP })
const lastOf = async (subjectIdx: number) =>
  (await historyOf(db, 'policyManage')).filter((row) => row.subjectIdx === subjectIdx)
const linksOf = (policyIdx: number) =>
  db.read.selectFrom('policyShortcuts').select('shortcutIdx').where('policyIdx', '=', policyIdx).execute()
const namesOf = (shortcuts: { name: string }[]) => shortcuts.map(({ name }) => name)

const wiki = await calls.shortcuts.createWeb({ name: 'Wiki', url: 'https://wiki.example.com' })
const mail = await calls.shortcuts.createWeb({ name: 'Mail', url: 'https://mail.example.com' })
const cad = await calls.shortcuts.createProgram({ name: 'CAD', path: 'C:\\cad\\cad.exe' })

test('an edit chooses all shortcuts of a kind, and its history row has those before and after', async () => {
  const { desk } = await buildGroups(db, 'desk')
  const { idx } = await buildPolicy(db, { group: desk })
  await calls.policies.update({
    idx,
    revision: 1,
    shortcutWebIdxes: [wiki.idx, mail.idx],
    shortcutProgramIdxes: [cad.idx],
  })
  expect(await policyOf(desk)).toMatchObject({
    revision: 2,
    shortcutWebs: [
      { idx: mail.idx, name: 'Mail', url: 'https://mail.example.com', iconName: null, iconData: null },
      { idx: wiki.idx, name: 'Wiki', url: 'https://wiki.example.com', iconName: null, iconData: null },
    ],
    shortcutPrograms: [{ idx: cad.idx, name: 'CAD', path: 'C:\\cad\\cad.exe' }],
  })
  await calls.policies.update({ idx, revision: 2, shortcutWebIdxes: [wiki.idx], print: 1, network: 0 })
  expect(await policyOf(desk)).toMatchObject({ shortcutWebs: [{ name: 'Wiki' }], shortcutPrograms: [{ name: 'CAD' }] })
  const { UPDATE_DESKTOP_ENVIRONMENT, UPDATE_NETWORK, UPDATE_SHORTCUT } = PolicyManage
  const logs = await lastOf(desk.idx)
  expect(logs.map(({ type }) => type)).toEqual([
    UPDATE_SHORTCUT,
    UPDATE_DESKTOP_ENVIRONMENT,
    UPDATE_NETWORK,
    UPDATE_SHORTCUT,
  ])
  expect(logs[0]).toMatchObject({ actorIdx: admin.idx, groupIdx: desk.idx })
  expect(logs.at(-1)?.detail).toMatchObject({
    policyPrint: 1,
    policyOldPrint: 1,
    policyNetwork: 0,
    policyOldNetwork: 0,
    policyShortcutWebs: [
      { name: 'Mail', url: 'https://mail.example.com', isOld: 1 },
      { name: 'Wiki', url: 'https://wiki.example.com', isOld: 1 },
      { name: 'Wiki', url: 'https://wiki.example.com', isOld: 0 },
    ],
    policyShortcutPrograms: [
      { name: 'CAD', path: 'C:\\cad\\cad.exe', isOld: 1 },
      { name: 'CAD', path: 'C:\\cad\\cad.exe', isOld: 0 },
    ],
  })
  await calls.policies.update({ idx, shortcutWebIdxes: [wiki.idx], shortcutProgramIdxes: [cad.idx] })
  expect(await lastOf(desk.idx)).toHaveLength(4)
  expect((await policyOf(desk)).revision).toBe(3)
})

test('an own policy starts with the shortcuts of the inherited one', async () => {
  const { plant, hall } = await buildGroups(db, 'plant', 'plant/hall')
  const { idx } = await buildPolicy(db, { group: plant })
  await calls.policies.update({ idx, shortcutWebIdxes: [wiki.idx], shortcutProgramIdxes: [cad.idx] })
  expect(namesOf((await policyOf(hall)).shortcutWebs)).toEqual(['Wiki'])
  await calls.groups.setIsMyPolicy({ idx: hall.idx, isMyPolicy: 1 })
  const own = await policyOf(hall)
  expect(own).toMatchObject({ isMyPolicy: 1, shortcutWebs: [{ name: 'Wiki' }], shortcutPrograms: [{ name: 'CAD' }] })
  await calls.policies.update({ idx: own.idx, shortcutWebIdxes: [mail.idx], shortcutProgramIdxes: [] })
  expect(await policyOf(hall)).toMatchObject({
    shortcutWebs: [{ name: 'Mail' }],
    shortcutPrograms: [],
    above: { shortcutWebs: [{ idx: wiki.idx, name: 'Wiki' }], shortcutPrograms: [{ name: 'CAD' }] },
  })
  await calls.groups.setIsMyPolicy({ idx: hall.idx, isMyPolicy: 0 })
  expect(await linksOf(own.idx)).toEqual([])
  expect((await lastOf(hall.idx)).at(-1)).toMatchObject({
    type: PolicyManage.INHERIT,
    detail: {
      policyShortcutWebs: [
        { name: 'Mail', isOld: 1 },
        { name: 'Wiki', isOld: 0 },
      ],
      policyShortcutPrograms: [{ name: 'CAD', isOld: 0 }],
    },
  })
})

test('a manager of policies chooses; an idx of no such shortcut is refused and changes nothing', async () => {
  const { unit } = await buildGroups(db, 'unit')
  const { idx } = await buildPolicy(db, { group: unit })
  const manager = as(await buildManager(db, { groups: [unit], policy: 2 }))
  await manager.policies.update({ idx, shortcutWebIdxes: [wiki.idx] })
  for (const change of [
    { shortcutWebIdxes: [wiki.idx, 987_654] },
    { shortcutWebIdxes: [cad.idx] },
    { shortcutProgramIdxes: [mail.idx] },
    { shortcutWebIdxes: [], shortcutProgramIdxes: [987_654] },
  ])
    await expect(manager.policies.update({ idx, ...change })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  expect(await linksOf(idx)).toEqual([{ shortcutIdx: wiki.idx }])
  expect(await lastOf(unit.idx)).toHaveLength(1)
})

test('a policy follows changes of its shortcuts, and so does the revision that clients compare', async () => {
  const { crew } = await buildGroups(db, 'crew')
  const { idx } = await buildPolicy(db, { group: crew })
  const user = await buildUser(db, { group: crew })
  const seen = new Set<string | undefined>()
  const step = async (change?: Promise<unknown>) => {
    await change
    const revision = (await findEffectivePolicy(db.read, user.idx))?.revision
    expect(seen).not.toContain(revision)
    seen.add(revision)
  }
  await step()
  const web = await calls.shortcuts.createWeb({ name: 'News', url: 'https://news.example.com' })
  const program = await calls.shortcuts.createProgram({ name: 'Editor', path: 'C:\\editor.exe' })
  await step(calls.policies.update({ idx, shortcutWebIdxes: [web.idx] }))
  await step(calls.policies.update({ idx, shortcutProgramIdxes: [program.idx] }))
  await step(calls.shortcuts.updateWeb({ idx: web.idx, name: 'Newsroom', url: 'https://news.example.com' }))
  await step(calls.shortcuts.updateWeb({ idx: web.idx, name: 'Newsroom', url: 'https://news.example.com/today' }))
  await step(calls.shortcuts.updateProgram({ idx: program.idx, name: 'Editor', path: 'C:\\new\\editor.exe' }))
  const icon = { iconName: 'a.png', iconData: Buffer.from('one') }
  const setIcon = (columns: object) =>
    db.write.updateTable('shortcuts').set(columns).where('idx', '=', web.idx).execute()
  await step(setIcon(icon))
  await step(setIcon({ ...icon, iconData: Buffer.from('two') }))
  await step(setIcon({ ...icon, iconData: Buffer.from('two'), iconName: 'b.png' }))
  expect((await policyOf(crew)).shortcutWebs).toMatchObject([
    { name: 'Newsroom', iconName: 'b.png', iconData: Buffer.from('two').toString('base64') },
  ])
  await step(calls.shortcuts.removeWebs({ idxes: [web.idx] }))
  expect(await policyOf(crew)).toMatchObject({ shortcutWebs: [], revision: 4 })
  // An editor who still sees the shortcut does not send it back.
  const stale = { idx, revision: 3, shortcutWebIdxes: [web.idx, wiki.idx] }
  await expect(calls.policies.update(stale)).rejects.toMatchObject({ error: 'CHANGED_MEANWHILE' })
})

test('long icons come in one line, and those beyond 4 MiB are left out', async () => {
  const { wall } = await buildGroups(db, 'wall')
  const { idx } = await buildPolicy(db, { group: wall })
  const icon = Buffer.alloc(64 * 1024, 7)
  const rows = await db.write
    .insertInto('shortcuts')
    .values(
      Array.from({ length: 66 }, (_, at) => ({
        kind: 0 as const,
        name: `Icon ${100 + at}`,
        target: `https://icon${at}.example.com`,
        targetKey: `https://icon${at}.example.com/`,
        iconName: 'icon.png',
        iconData: icon,
      })),
    )
    .returning('idx')
    .execute()
  await calls.policies.update({ idx, shortcutWebIdxes: rows.map((row) => row.idx) })
  const { shortcutWebs } = await policyOf(wall)
  expect(shortcutWebs[0]?.iconData).toBe(icon.toString('base64'))
  expect(shortcutWebs.map(({ iconData }) => iconData !== null)).toEqual(shortcutWebs.map((_, at) => at < 64))
})

test('a shortcut that is deleted while an edit chooses it is not linked', async () => {
  const { race } = await buildGroups(db, 'race')
  const { idx } = await buildPolicy(db, { group: race })
  const web = await calls.shortcuts.createWeb({ name: 'Gone', url: 'https://gone.example.com' })
  const [edit, removal] = await Promise.allSettled([
    calls.policies.update({ idx, shortcutWebIdxes: [web.idx] }),
    calls.shortcuts.removeWebs({ idxes: [web.idx] }),
  ])
  expect(removal.status).toBe('fulfilled')
  if (edit.status === 'rejected') expect(edit.reason).toMatchObject({ error: 'NOT_ALLOWED' })
  expect(await linksOf(idx)).toEqual([])
})
