// BIM settings: servers, their secrets, always-allowed addresses, allowed groups and users, and the effects of changes.
import { MAX_BIM } from '@acc/contract/bim'
import { BimManage } from '@acc/contract/labels/history'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildBimServer } from '../../../test/build/bim.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
const { app, as, admin, fetchAs } = await startTestApp({}, log)
const { db } = app
const client = as(admin)
const { sales, east, rnd } = await buildGroups(db, 'sales', 'sales/east', 'rnd')

const serverOf = async (idx: number) =>
  (await client.bim.searchServers({})).servers.find((server) => server.idx === idx)
const lastLogs = async (count: number) => (await historyOf(db, 'bimManage')).slice(-count)
const NOWHERE = 999_999

test('a server is created with the id that was given, changed and deleted, each in the history', async () => {
  const id = 'plant-1_SECRET-0123456789'
  const created = await client.bim.createServer({ id, pcName: '공장 1', ip: '10.1.0.1', description: '1라인' })
  expect(created).toEqual({ idx: expect.any(Number), id })
  const { idx } = created
  expect(await serverOf(idx)).toEqual({
    idx,
    id,
    pcName: '공장 1',
    ip: '10.1.0.1',
    description: '1라인',
    isOnline: 0,
    heartbeatDT: null,
    revision: 1,
  })
  await client.bim.updateServer({ idx, pcName: '공장 2', ip: '10.1.0.2', description: '', revision: 1 })
  expect(await serverOf(idx)).toMatchObject({ id, pcName: '공장 2', ip: '10.1.0.2', description: '', revision: 2 })
  await client.bim.updateServer({ idx, pcName: '공장 2', ip: '10.1.0.2', description: '' })
  await client.bim.removeServers({ idxes: [idx] })
  expect(await serverOf(idx)).toBeUndefined()
  const plain = { actorIdx: admin.idx, subjectIdx: idx, groupIdx: null }
  expect(await lastLogs(3)).toMatchObject([
    {
      ...plain,
      type: BimManage.CREATE_SERVER,
      subject: '공장 1',
      detail: { targetName: '공장 1', targetOldName: null, targetIp: '10.1.0.1', targetDescription: '1라인' },
    },
    {
      ...plain,
      type: BimManage.UPDATE_SERVER,
      subject: '공장 2',
      detail: {
        targetName: '공장 2',
        targetOldName: '공장 1',
        targetIp: '10.1.0.2',
        targetOldIp: '10.1.0.1',
        targetDescription: '',
        targetOldDescription: '1라인',
      },
    },
    { ...plain, type: BimManage.DELETE_SERVER, subject: '공장 2' },
  ])
})

test('without an id one of 256 bits is generated, and another one replaces it', async () => {
  const { idx, id } = await client.bim.createServer({ pcName: 'generated', ip: '10.1.1.1' })
  expect(Buffer.from(id, 'base64url')).toHaveLength(32)
  const next = 'x'.repeat(100)
  await client.bim.updateServer({ idx, id: next, pcName: 'generated', ip: '10.1.1.1' })
  expect(await serverOf(idx)).toMatchObject({ id: next })
  expect(await lastLogs(1)).toMatchObject([
    { type: BimManage.CHANGE_SERVER_ID, detail: { targetName: 'generated', targetOldName: 'generated' } },
  ])
})

test('ids of servers are stored sealed and hashed, and are in no history, log or refusal', async () => {
  const ids = (await client.bim.searchServers({})).servers.map(({ id }) => id)
  const typed = 'canary-0123456789-canary'
  await client.bim.createServer({ id: typed, pcName: 'canary', ip: '10.1.2.1' })
  const again = await fetchAs(admin)('/Bim/Server', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify({ id: typed, pcName: 'other', ip: '10.1.2.2' }),
  })
  expect(await again.text()).not.toContain(typed)
  const rows = await db.read.selectFrom('bimServers').selectAll().execute()
  const stored = rows.map((row) => [JSON.stringify(row), row.idSealed.toString('latin1')].join()).join()
  const history = JSON.stringify(await db.read.selectFrom('history').selectAll().execute())
  for (const id of [...ids, typed])
    for (const text of [stored, history, lines.join()]) expect(text.includes(id), id).toBe(false)
  // A secret that is copied to another row does not open there.
  const [one, other] = rows.slice(-2)
  const copy = (idx: number, idSealed: Buffer) =>
    db.write.updateTable('bimServers').set({ idSealed }).where('idx', '=', idx).execute()
  await copy(one?.idx ?? 0, other?.idSealed ?? Buffer.alloc(0))
  await expect(client.bim.searchServers({})).rejects.toMatchObject({ code: 500 })
  await copy(one?.idx ?? 0, one?.idSealed ?? Buffer.alloc(0))
})

test('duplicates are refused by id, PC name and address, also where one is created and renamed by fifty at once', async () => {
  const id = 'duplicate-0123456789'
  const { idx } = await client.bim.createServer({ id, pcName: 'Twin', ip: '10.1.3.1' })
  const other = await client.bim.createServer({ pcName: 'Sibling', ip: '10.1.3.2' })
  const create = (server: { id?: string; pcName: string; ip: string }) => client.bim.createServer(server)
  await expect(create({ id, pcName: 'a', ip: '10.1.3.3' })).rejects.toMatchObject({ code: 120 })
  await expect(create({ pcName: 'twin', ip: '10.1.3.3' })).rejects.toMatchObject({ code: 140 })
  await expect(create({ pcName: 'a', ip: '10.1.3.1' })).rejects.toMatchObject({ code: 145 })
  const rename = { idx: other.idx, pcName: 'Sibling', ip: '10.1.3.2' }
  await expect(client.bim.updateServer({ ...rename, id })).rejects.toMatchObject({ code: 120 })
  await expect(client.bim.updateServer({ ...rename, pcName: 'TWIN' })).rejects.toMatchObject({ code: 140 })
  await expect(client.bim.updateServer({ ...rename, ip: '10.1.3.1' })).rejects.toMatchObject({ code: 145 })
  const before = (await historyOf(db, 'bimManage')).length
  const many = await Promise.allSettled(
    Array.from({ length: 50 }, (_, at) => create({ pcName: `many ${at}`, ip: '10.1.3.50' })),
  )
  expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await historyOf(db, 'bimManage')).toHaveLength(before + 1)
  await client.bim.removeServers({ idxes: [idx, other.idx] })
})

const INVALID: [string, { id?: string; pcName: string; ip: string; description?: string }, string][] = [
  ['short id', { id: 'a'.repeat(15), pcName: 'x', ip: '10.1.4.1' }, 'id'],
  ['long id', { id: 'a'.repeat(101), pcName: 'x', ip: '10.1.4.1' }, 'id'],
  ['id of other characters', { id: 'has spaces and more', pcName: 'x', ip: '10.1.4.1' }, 'id'],
  ['no PC name', { pcName: ' ', ip: '10.1.4.1' }, 'pcName'],
  ['long PC name', { pcName: 'x'.repeat(31), ip: '10.1.4.1' }, 'pcName'],
  ['long description', { pcName: 'x', ip: '10.1.4.1', description: 'x'.repeat(101) }, 'description'],
  ['no address', { pcName: 'x', ip: '10.1.4.256' }, 'ip'],
]
test.each(INVALID)('983: %s', async (_, server, field) => {
  const before = (await client.bim.searchServers({})).servers.length
  await expect(client.bim.createServer(server)).rejects.toMatchObject({ code: 983, data: { fields: [field] } })
  expect((await client.bim.searchServers({})).servers).toHaveLength(before)
})

test('always-allowed addresses are created, changed and deleted; duplicates are 145', async () => {
  const { idx } = await client.bim.createException({ ip: '192.168.0.9', description: '본사' })
  const other = await client.bim.createException({ ip: '192.168.0.10' })
  await expect(client.bim.createException({ ip: '192.168.0.9' })).rejects.toMatchObject({ code: 145 })
  await expect(client.bim.updateException({ idx, ip: '192.168.0.10' })).rejects.toMatchObject({ code: 145 })
  await expect(client.bim.createException({ ip: '192.168.0.256' })).rejects.toMatchObject({ code: 983 })
  await client.bim.updateException({ idx, ip: '192.168.0.100', description: '별관', revision: 1 })
  await client.bim.updateException({ idx, ip: '192.168.0.100', description: '별관' })
  expect(await client.bim.searchExceptions({})).toEqual({
    exceptions: [
      { idx: other.idx, ip: '192.168.0.10', description: '', revision: 1 },
      { idx, ip: '192.168.0.100', description: '별관', revision: 2 },
    ],
  })
  await client.bim.removeExceptions({ idxes: [idx, other.idx] })
  expect((await client.bim.searchExceptions({})).exceptions).toEqual([])
  expect(await lastLogs(4)).toMatchObject([
    { type: BimManage.CREATE_EXCEPTION, subject: '192.168.0.10', detail: { targetName: null } },
    {
      type: BimManage.UPDATE_EXCEPTION,
      detail: { targetIp: '192.168.0.100', targetOldIp: '192.168.0.9', targetOldDescription: '본사' },
    },
    { type: BimManage.DELETE_EXCEPTION },
    { type: BimManage.DELETE_EXCEPTION },
  ])
})

test('groups and users are added once, system administrators too, and removed', async () => {
  const user = await buildUser(db, { group: east, name: '가나다' })
  const boss = await buildUser(db, { isAdmin: 1, name: '나라' })
  await client.bim.addUsers({ userIdxes: [user.idx, boss.idx] })
  await client.bim.addGroups({ groupIdxes: [east.idx, rnd.idx] })
  expect(await client.bim.searchUsers({})).toEqual({
    users: [
      { idx: user.idx, id: user.id, name: '가나다', email: user.email, groupName: 'east' },
      { idx: boss.idx, id: boss.id, name: '나라', email: boss.email, groupName: '전체 조직' },
    ],
  })
  expect(await client.bim.searchGroups({})).toEqual({
    groups: [
      { groupIdx: rnd.idx, name: 'rnd', path: '전체 조직 > rnd' },
      { groupIdx: east.idx, name: 'east', path: '전체 조직 > sales > east' },
    ],
  })
  await expect(client.bim.addUsers({ userIdxes: [admin.idx, user.idx] })).rejects.toMatchObject({ code: 127 })
  await expect(client.bim.addGroups({ groupIdxes: [sales.idx, rnd.idx] })).rejects.toMatchObject({ code: 127 })
  expect((await client.bim.searchUsers({})).users).toHaveLength(2)
  expect((await client.bim.searchGroups({})).groups).toHaveLength(2)
  await client.bim.removeUsers({ userIdxes: [boss.idx] })
  await client.bim.removeGroups({ groupIdxes: [rnd.idx] })
  expect(await lastLogs(4)).toMatchObject([
    { type: BimManage.ADD_TARGETS, subject: '', detail: { users: [{ userId: user.id, isOld: 0 }, { isOld: 0 }] } },
    { type: BimManage.ADD_TARGETS, detail: { groups: [{ groupName: 'east', groupKey: east.key }, { isOld: 0 }] } },
    { type: BimManage.REMOVE_TARGETS, subject: '나라', detail: { users: [{ userIdx: boss.idx, isOld: 1 }] } },
    { type: BimManage.REMOVE_TARGETS, subject: 'rnd', detail: { groups: [{ groupIdx: rnd.idx, isOld: 1 }] } },
  ])
  await client.users.remove({ idxes: [user.idx] })
  expect((await client.bim.searchUsers({})).users).toEqual([])
})

test('what does not exist, or is in no list, is 980, and nothing changes for the others', async () => {
  const user = await buildUser(db)
  const server = await buildBimServer(client, { ip: '10.1.5.1' })
  const exception = await client.bim.createException({ ip: '10.1.5.2' })
  const calls = [
    client.bim.updateServer({ idx: NOWHERE, pcName: 'x', ip: '10.1.5.3' }),
    client.bim.removeServers({ idxes: [server.idx, NOWHERE] }),
    client.bim.updateException({ idx: NOWHERE, ip: '10.1.5.3' }),
    client.bim.removeExceptions({ idxes: [exception.idx, NOWHERE] }),
    client.bim.addUsers({ userIdxes: [user.idx, NOWHERE] }),
    client.bim.removeUsers({ userIdxes: [user.idx] }),
    client.bim.addGroups({ groupIdxes: [sales.idx, NOWHERE] }),
    client.bim.removeGroups({ groupIdxes: [sales.idx] }),
  ]
  for (const call of await Promise.allSettled(calls)) expect(call).toMatchObject({ reason: { code: 980 } })
  expect(await serverOf(server.idx)).toBeDefined()
  expect((await client.bim.searchExceptions({})).exceptions).toHaveLength(1)
  expect((await client.bim.searchUsers({})).users).toEqual([])
})

test('Sync is in the history', async () => {
  await client.bim.syncServers({})
  expect(await lastLogs(1)).toMatchObject([{ type: BimManage.SYNC, actorIdx: admin.idx }])
})

test('each list has a limit: 149, also for two at once', async () => {
  const { servers } = await client.bim.searchServers({})
  const free = MAX_BIM.servers - servers.length - 1
  await db.write
    .insertInto('bimServers')
    .values(
      Array.from({ length: free }, (_, at) => ({
        idHash: Buffer.from(`full ${at}`),
        idSealed: Buffer.alloc(0),
        pcName: `full ${at}`,
        ip: `10.2.0.${at}`,
      })),
    )
    .execute()
  const last = await Promise.allSettled(
    [1, 2].map((at) => client.bim.createServer({ pcName: `last ${at}`, ip: `10.2.1.${at}` })),
  )
  expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(last.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 149, data: { max: MAX_BIM.servers } },
  })
  await db.write.deleteFrom('bimServers').where('pcName', 'like', 'full%').execute()
  await db.write
    .insertInto('bimExceptions')
    .values(Array.from({ length: MAX_BIM.exceptions - 1 }, (_, at) => ({ ip: `10.3.${at >> 8}.${at & 255}` })))
    .execute()
  await expect(client.bim.createException({ ip: '10.4.0.1' })).rejects.toMatchObject({ code: 149 })
  expect((await client.bim.searchExceptions({})).exceptions).toHaveLength(MAX_BIM.exceptions)
  await db.write.deleteFrom('bimExceptions').execute()
  await sql`insert into groups (idx, "parentIdx", name, key, path, position)
    select idx * 10000 + n, idx, 'full ' || n, 'full ' || n, path || idx * 10000 + n, n
    from groups, generate_series(1, ${MAX_BIM.groups}::int) n where idx = ${rnd.idx}`.execute(db.write)
  await db.write.deleteFrom('bimGroups').execute()
  await sql`insert into "bimGroups" select idx from groups where name like 'full %'`.execute(db.write)
  const { groups } = await client.bim.searchGroups({})
  await expect(client.bim.addGroups({ groupIdxes: [rnd.idx] })).rejects.toMatchObject({ code: 149 })
  expect((await client.bim.searchGroups({})).groups).toEqual(groups)
})
