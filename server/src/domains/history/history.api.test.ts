// The histories of sign-ins and transfers: visibility, filters, order, and CSV.
import { ROOT_GROUP } from '@acc/contract/groups'
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildSignIns } from '../../../test/build/signIns.ts'
import { buildUser } from '../../../test/build/users.ts'
import { days, later } from '../../clock.ts'

const { app, as, admin, anonymous, clock } = await startTestApp()
const { db } = app
const { sales, east, rnd } = await buildGroups(db, 'sales', 'sales/east', 'rnd')
const hong = await buildUser(db, { group: east, id: 'honggildong', name: '홍길동' })
const lim = await buildUser(db, { group: rnd, id: 'limkkeokjeong', name: '임꺽정' })
const reader = await buildManager(db, { groups: [sales], log: 1 })
const everywhere = await buildManager(db, { groups: [sales, rnd], log: 1 })

const now = clock.now()
const ago = (count: number) => later(now, -days(count))
const [first, second, third, wrong, foreign] = await buildSignIns(app, hong, [
  { loginDT: ago(3), ip: '10.0.0.7', clientVersion: '1.2.0', logoutDT: ago(2), logoutType: 0 },
  { loginDT: ago(2), ip: '10.0.0.8', clientVersion: '1.3.0', logoutDT: ago(1), logoutType: 1 },
  { loginDT: ago(1), ip: '192.168.7.1', deviceName: '=cmd|calc', clientVersion: '2.0.0' },
  { loginDT: now, type: 8 },
]).then(async (own) => [...own, ...(await buildSignIns(app, lim, [{ loginDT: now }]))])
await buildSignIns(app, hong, [{ kind: 'web' }])

const signIns = async (user: { idx: number }, filter: object = {}) => {
  const { items, totalCount } = await as(user).history.clientLogin(filter)
  expect(totalCount).toBe(items.length)
  return items.map(({ idx }) => idx)
}
/** The lines of a list as CSV. */
async function csvOf(list: 'clientLogin' | 'fileEximport', user: { idx: number }, filter: object, headers = {}) {
  const options = { headers: { Accept: 'text/csv', ...headers } }
  const { history } = as(user)
  const answer: unknown =
    list === 'clientLogin'
      ? await history.clientLogin(filter, options)
      : await history.fileEximport({ type: Transfer.EXPORT, ...filter }, options)
  if (!(answer instanceof Response)) throw new Error('not a response')
  const text = await answer.text()
  return text.trimEnd().split('\r\n')
}

test('a sign-in with an unknown ID is of no group: not even a reader of all groups sees it', async () => {
  const all = await buildManager(db, { groups: [{ idx: ROOT_GROUP }], log: 1 })
  await anonymous.session.login({ id: 'nobody.of.us', pw: 'x' }).catch(() => undefined)
  const countOf = async (user: { idx: number }, groupIdxes?: number[]) => {
    const { items, totalCount } = await as(user).history.webLogin({ userId: 'nob***', groupIdxes })
    return [items.length, totalCount]
  }
  expect(await countOf(admin)).toEqual([1, 1])
  for (const chosen of [undefined, [ROOT_GROUP]]) expect(await countOf(all, chosen)).toEqual([0, 0])
  expect((await as(all).history.webLogin({ userId: hong.id })).totalCount).toBe(1)
})

test('a row has the user, address, device and end of a sign-in', async () => {
  const { items } = await as(reader).history.clientLogin({ logEDT: ago(2).toISOString() })
  expect(items).toEqual([
    {
      idx: first,
      loginDT: ago(3).toISOString(),
      logoutDT: ago(2).toISOString(),
      // The reader may not open users.
      targetIdx: null,
      userId: 'honggildong',
      userName: '홍길동',
      userGroupName: 'east',
      ip: '10.0.0.7',
      userRole: 2,
      type: 0,
      logoutType: 0,
      clientVersion: '1.2.0',
      deviceName: 'PC',
    },
  ])
})

test('the groups where one holds the log page, and all below them', async () => {
  expect(await signIns(reader)).toEqual([wrong, third, second, first])
  expect(await signIns(everywhere)).toEqual([foreign, wrong, third, second, first])
  expect(await signIns(admin)).toEqual([foreign, wrong, third, second, first])
  expect(await signIns(reader, { userName: '임꺽정' })).toEqual([])
})

test.each([
  [{ logSDT: ago(2).toISOString(), logEDT: now.toISOString() }, () => [third, second]],
  [{ userId: 'GILDONG' }, () => [wrong, third, second, first]],
  [{ userName: '길동' }, () => [wrong, third, second, first]],
  [{ userName: '홍' }, () => [wrong, third, second, first]],
  [{ userGroupName: 'rnd' }, () => [foreign]],
  [{ ip: '10.0.0.' }, () => [second, first]],
  [{ ip: '.7.1' }, () => [third]],
  [{ clientVersion: '1.3' }, () => [second]],
  [{ type: 8 }, () => [wrong]],
  [{ logoutType: 1 }, () => [second]],
  [{ userName: '홍길동', ip: '10.0', logoutType: 0 }, () => [first]],
])('%o', async (filter, expected) => {
  expect(await signIns(everywhere, filter)).toEqual(expected())
})

test('sorted by the columns of the list, and bounded filters', async () => {
  expect(await signIns(reader, { sort: 'ip', sortOrder: 0 })).toEqual([first, second, wrong, third])
  expect(await signIns(reader, { sort: 'loginDT', sortOrder: 0 })).toEqual([first, second, third, wrong])
  expect((await signIns(everywhere, { sort: 'userName', sortOrder: 0 }))[0]).toBe(foreign)
  for (const filter of [{ userName: 'x'.repeat(31) }, { ip: 'x'.repeat(16) }, { type: 1 }, { logSDT: 'yesterday' }]) {
    await expect(signIns(reader, filter)).rejects.toMatchObject({ error: 'INVALID_INPUT' })
  }
})

test('the count stops where it is asked to', async () => {
  const { items, totalCount } = await as(reader).history.clientLogin({ rowsCount: 1, rowsAfter: 1, maxCount: 2 })
  expect(items.map(({ idx }) => idx)).toEqual([third])
  expect(totalCount).toBe(3)
})

test('CSV has the rows of the screen, in the caller’s language and time, and no formula', async () => {
  const lines = await csvOf(
    'clientLogin',
    reader,
    { rowsCount: 2147483646, maxCount: 2147483646 },
    {
      'Accept-Language': 'en',
      'X-Time-Zone': 'UTC',
    },
  )
  expect(lines[0]).toBe('Signed in,Type,ID,Name,Group,IP,Role,Signed out,Ended by,PC name,Version')
  expect(lines).toHaveLength(1 + (await signIns(reader)).length)
  const stamp = (date: Date) => date.toISOString().slice(0, 19).replace('T', ' ')
  expect(lines[2]).toBe(`${stamp(ago(1))},Sign-in,honggildong,홍길동,east,192.168.7.1,User,,,'=cmd|calc,2.0.0`)
  expect((await csvOf('clientLogin', reader, {}))[0]).toMatch(/^로그인 일시,/)
  expect(await csvOf('clientLogin', reader, { userName: '임꺽정' })).toHaveLength(1)
})

test('transfers with their files, of one direction, by every filter', async () => {
  const file = (name: string) => ({ name, bytes: Buffer.from(name) })
  const approver = await buildUser(db, { id: 'approver1', name: '최승인' })
  const made = {
    old: await buildRequest(app, hong, {
      requestDT: ago(9),
      files: [file('계약서.pdf'), file('a.txt')],
      approver,
      state: 1,
    }),
    canceled: await buildRequest(app, hong, { requestDT: ago(8), state: RequestState.CANCELED }),
    incoming: await buildRequest(app, hong, { type: Transfer.IMPORT }),
    foreign: await buildRequest(app, lim, { requestDT: ago(7), isFileUploaded: 0 }),
  }
  const transfers = async (user: { idx: number }, filter: object = {}) => {
    const { items } = await as(user).history.fileEximport({ type: Transfer.EXPORT, ...filter })
    return items.map(({ idx }) => idx)
  }
  const { old, canceled, incoming, foreign } = made
  expect(await transfers(reader)).toEqual([canceled.idx, old.idx])
  expect(await transfers(reader, { type: Transfer.IMPORT })).toEqual([incoming.idx])
  expect(await transfers(everywhere)).toEqual([foreign.idx, canceled.idx, old.idx])
  for (const [filter, idxes] of [
    [{ fileName: '계약' }, [old.idx]],
    [{ approverName: '승인' }, [old.idx]],
    [{ approverId: 'APPROVER' }, [old.idx]],
    [{ requesterId: 'lim' }, [foreign.idx]],
    [{ requesterID: 'lim' }, [foreign.idx]],
    [{ requesterName: '길동' }, [canceled.idx, old.idx]],
    [{ requesterGroupName: 'rnd' }, [foreign.idx]],
    [{ state: RequestState.CANCELED }, [canceled.idx]],
    [{ idx: String(old.idx), state: 1 }, [old.idx]],
    [{ logSDT: ago(8).toISOString(), logEDT: ago(7).toISOString() }, [canceled.idx]],
  ] as const) {
    expect(await transfers(everywhere, filter)).toEqual(idxes)
  }
  const { items } = await as(reader).history.fileEximport({ type: 1, state: 1 })
  expect(items[0]?.files.map(({ fileName }) => fileName)).toEqual(['계약서.pdf', 'a.txt'])
  expect(items[0]).toMatchObject({ fileCount: 2, approverName: '최승인', requesterGroupName: 'east' })
  expect(await csvOf('fileEximport', reader, {})).toHaveLength(3)
  const [, line] = await csvOf('fileEximport', everywhere, { requesterGroupName: 'rnd' }, { 'Accept-Language': 'en' })
  expect(line).toMatch(new RegExp(`^${foreign.idx},Uploading,`))
})

/** Opens a long CSV without reading it. The caller keeps the response, or garbage collection would cancel it. */
async function openCsv(user: { idx: number }) {
  const stop = new AbortController()
  const options = { headers: { Accept: 'text/csv', 'Accept-Encoding': 'identity' }, signal: stop.signal }
  const answer: unknown = await as(user).history.clientLogin({ rowsCount: 2147483646 }, options)
  if (!(answer instanceof Response)) throw new Error('not a response')
  return { answer, stop }
}
async function countCursors(): Promise<number> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and query like 'fetch %' and state like 'idle in%'`.execute(db.write)
  return rows.length
}

test('unread CSV files block no other call, and free their resources when canceled', async () => {
  const wide = 'x'.repeat(1000)
  await sql`
    insert into "signIns" (kind, "loginDT", "userId", "userName", "userGroupName", "groupIdx", ip, "userRole", type, "deviceName")
    select 'client', ${ago(1)}, 'many', 'many', 'many', ${rnd.idx}, '127.0.0.1', 2, 0, ${wide} from generate_series(1, 20000)`.execute(
    db.write,
  )
  const given = await Promise.all([admin, admin, everywhere, everywhere].map(openCsv))
  await expect.poll(countCursors).toBe(4)
  expect(await as(admin).session.find({})).toMatchObject({ id: admin.id })
  for (const { stop } of given) stop.abort()
  await expect.poll(countCursors).toBe(0)
})
