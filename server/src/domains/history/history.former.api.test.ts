// Rows of former versions, which kept the changed columns as `diff` and lacked the others: list, detail and CSV.
import { LOGS, type StoredLog } from '@acc/contract/history/kinds'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'

const { app, as, admin, clock, fetchAs } = await startTestApp()
const { db } = app
const { sales } = await buildGroups(db, 'sales')
const manager = await buildManager(db, { groups: [sales], log: 1 })

const actor = { actorId: 'admin', actorName: '관리자', actorGroupName: '본사', ip: '10.0.0.1' }
async function write(kind: StoredLog, type: number, subject: string, detail: object): Promise<number> {
  const { idx } = await db.write
    .insertInto('history')
    .values({ ...actor, kind, type, subject, groupIdx: sales.idx, logDT: clock.now(), detail: JSON.stringify(detail) })
    .returning('idx')
    .executeTakeFirstOrThrow()
  return idx
}
async function csvOf(user: { idx: number }, log: StoredLog): Promise<Record<string, string>[]> {
  const headers = { accept: 'text/csv', 'accept-language': 'en' }
  const text = await (await fetchAs(user)(LOGS[log].path, { headers })).text()
  const [head = [], ...lines] = text
    .replace('\ufeff', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))
  return lines.map((line) => Object.fromEntries(line.map((cell, at) => [head[at] ?? '', cell])))
}
const entryOf = async (user: { idx: number }, log: 'groupManage' | 'userManage' | 'policyManage', idx: number) =>
  (await as(user).history.find({ log, idx })).entry

test('groups: created, changed in one field, deleted', async () => {
  const key = 'SECRET-KEY'
  const created = await write('groupManage', 0, '영업팀', {
    diff: { name: { new: '영업팀' }, key: { new: key }, description: { new: '' }, isDmsParent: { new: 0 } },
    parentName: '본사',
  })
  const renamed = await write('groupManage', 1, '새 영업팀', { diff: { name: { old: '영업팀', new: '새 영업팀' } } })
  const rekeyed = await write('groupManage', 1, '새 영업팀', { diff: { key: { old: key, new: `${key}2` } } })
  const reordered = await write('groupManage', 1, '본사', { diff: { childrenOrder: { old: [1, 2], new: [2, 1] } } })
  const deleted = await write('groupManage', 2, '새 영업팀', {
    diff: { name: { old: '새 영업팀' }, key: { old: `${key}2` }, description: { old: '닫음' } },
    parentName: '본사',
    userCount: 3,
  })
  const { items } = await as(admin).history.groupManage({})
  expect(items.map(({ idx }) => idx)).toEqual([deleted, reordered, rekeyed, renamed, created])
  expect(items).toMatchObject([
    { targetName: '새 영업팀', targetOldName: null, targetDescription: '닫음', targetKey: `${key}2`, userCount: 3 },
    { targetName: '본사' },
    { targetName: '새 영업팀', targetKey: `${key}2`, targetOldKey: key },
    { targetName: '새 영업팀', targetOldName: '영업팀' },
    { targetName: '영업팀', targetOldName: null, targetKey: key, targetIsDmsParent: 0, parentName: '본사' },
  ])
  const found = async (filter: { targetName?: string; actorName?: string }) =>
    (await as(admin).history.groupManage(filter)).items.map(({ idx }) => idx)
  expect(await found({ targetName: '새 영업' })).toEqual([deleted, rekeyed, renamed])
  expect(await found({ targetName: '영업팀' })).toEqual([deleted, rekeyed, renamed, created])
  expect(await found({ targetName: '영업팀', actorName: '없는' })).toEqual([])
  // What a row never had is not made up.
  expect(items[3]).not.toHaveProperty('targetKey')
  expect(items[3]).not.toHaveProperty('targetDescription')
  for (const item of items) expect(await entryOf(admin, 'groupManage', item.idx)).toEqual(item)
  const lines = await csvOf(admin, 'groupManage')
  const COLUMNS = ['Group name', 'Old Group name', 'Group key', 'Old Group key']
  expect(lines.map((line) => COLUMNS.map((column) => line[column]))).toEqual([
    ['새 영업팀', '', `${key}2`, ''],
    ['본사', '', '', ''],
    ['새 영업팀', '', `${key}2`, key],
    ['새 영업팀', '영업팀', '', ''],
    ['영업팀', '', key, ''],
  ])
  const seen = [
    (await as(manager).history.groupManage({})).items,
    await entryOf(manager, 'groupManage', rekeyed),
    await csvOf(manager, 'groupManage'),
  ]
  expect(seen[0]).toHaveLength(5)
  expect(JSON.stringify(seen)).not.toContain(key)
})

test('users: fields that did not differ are unchanged, secrets stay hidden', async () => {
  const kept = {
    ...{ targetId: 'hong', targetName: '홍길순', targetEmail: 'hong@acme.example', targetGroupName: 'sales' },
    ...{ targetIsMortal: 0, targetExpireDT: null, targetKey: 'K', targetLoginType: 1, targetState: 0 },
  }
  const edited = await write('userManage', 2, 'hong', {
    ...kept,
    diff: { name: { old: '홍길동', new: '홍길순' }, pwHash: { old: '***', new: '***' }, email: { old: 7, new: 8 } },
  })
  const entry = await entryOf(admin, 'userManage', edited)
  expect(entry).toMatchObject({ ...kept, targetEmail: 'hong@acme.example', targetOldName: '홍길동' })
  expect(entry).toMatchObject({ targetOldId: 'hong', targetOldState: 0, targetOldExpireDT: null, targetOldKey: 'K' })
  expect(JSON.stringify(entry)).not.toContain('***')
  expect(await entryOf(manager, 'userManage', edited)).not.toHaveProperty('targetOldKey')
  expect((await csvOf(admin, 'userManage'))[0]).toMatchObject({ Name: '홍길순', 'Old Name': '홍길동', ID: 'hong' })
})

test('policies: the changed values alone', async () => {
  const detail = { targetType: 0, targetName: 'sales', targetId: null, targetGroupName: null }
  const idx = await write('policyManage', 2, 'sales', { ...detail, diff: { clipboard: { old: 0, new: 3 } } })
  const entry = await entryOf(admin, 'policyManage', idx)
  expect(entry).toMatchObject({ policyClipboard: 3, policyOldClipboard: 0, targetName: 'sales' })
  expect(entry).not.toHaveProperty('policyPrint')
  expect((await csvOf(admin, 'policyManage'))[0]).toMatchObject({ Clipboard: 'Both ways', 'Old Clipboard': 'Blocked' })
})
