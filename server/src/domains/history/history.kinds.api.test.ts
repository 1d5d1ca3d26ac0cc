// Every kind of history with hostile texts in every field: a row is in the list, the detail and the CSV file of those
// who may read it. A filter finds the characters that it names and nothing else, CSV has no formulas, and keys are for
// administrators alone. A new kind is tried by itself.
import type { Field, Fields, Lists } from '@acc/contract/history/fields'
import { listColumnsOf } from '@acc/contract/history/kind'
import { DETAILED_LOGS, LOGS, type LogName, STORED_LOGS, type StoredLog } from '@acc/contract/history/kinds'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildSignIns } from '../../../test/build/signIns.ts'
import { buildUser } from '../../../test/build/users.ts'
import { csvCells } from '../../../test/csvCells.ts'

const { app, as, fetchAs, admin, clock } = await startTestApp()
const { db } = app
const { sales, rnd } = await buildGroups(db, 'sales', 'rnd')
const manager = await buildManager(db, { groups: [sales], user: 2, policy: 2, fileExportApprove: 2, log: 1 })
const logOnly = await buildManager(db, { groups: [sales], log: 1 })
const foreigner = await buildManager(db, { groups: [rnd], log: 1 })

const HOSTILE = ['100% =1', "o'x_y", 'c:\\dir', '=1+1', '+2', '-3', '@sum', '\t=4', '＝5', 'a,"b"\r\nc', 'plain']
const KEY = 'secret-key-of-somebody'

function sampleOf(field: Field, text: string): unknown {
  if (field.for === 'admin') return KEY
  if (field.values) return Number(Object.keys(field.values)[0])
  if (field.as === 'moment') return '2026-01-31T09:30:00.000Z'
  if (field.as === 'day') return '2026-01-31'
  return field.schema.safeParse(text).success ? text : 1
}
/** Every field, each text by the name of its field. */
const detailOf = (fields: Fields, textOf: (name: string) => string) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, sampleOf(field, textOf(name))]))

/** The columns of a row that is about a text and written by it. */
const COLUMNS = { logDT: clock.now(), ip: '10.0.0.1', type: 0, actionType: 0, result: 0, resultType: 0 }
const rowOf = (kind: StoredLog, textOf: (name: string) => string) => ({
  ...{ kind, logDT: COLUMNS.logDT, subject: textOf('subject'), subjectIdx: 1, groupIdx: sales.idx, ip: COLUMNS.ip },
  ...{ actorId: textOf('actorId'), actorName: textOf('actorName'), actorGroupName: textOf('actorGroupName') },
  ...{ type: 0, result: 0, detail: JSON.stringify(detailOf(LOGS[kind].fields, textOf)) },
})
/** The texts of the newest row are the names of their fields. */
const nameOf = (name: string) => name
for (const log of STORED_LOGS)
  await db.write
    .insertInto('history')
    .values([...HOSTILE.map((text) => rowOf(log, () => text)), rowOf(log, nameOf)])
    .execute()
for (const [at, name] of HOSTILE.entries()) {
  const user = await buildUser(db, { group: sales, id: `hostile${at}`, name })
  await buildSignIns(app, user, [{ userId: name, deviceName: name, ip: '10.0.0.9' }])
  await buildSignIns(app, user, [{ kind: 'web', userId: name }])
  await buildRequest(app, user, { purpose: name })
}

type Row = Record<string, unknown>
/** One session each. */
const CALLS = new Map([admin, manager, logOnly, foreigner].map((user) => [user.idx, fetchAs(user)]))
const fetchBy = (user: { idx: number }, path: string, init?: RequestInit) =>
  CALLS.get(user.idx)?.(path, init) ?? Promise.reject(new Error('no session'))
/** The calls of this test sign in too. */
const FIXED: Partial<Record<LogName, object>> = { fileEximport: { type: 1 }, webLogin: { userGroupName: 'sales' } }
const pathOf = (log: LogName, filter: object) => {
  const pairs = Object.entries({ ...FIXED[log], rowsCount: 1000, ...filter })
  return `${LOGS[log].path}?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`
}
async function listOf(
  user: { idx: number },
  log: LogName,
  filter: object = {},
): Promise<{ code: number; rows: Row[] }> {
  const response = await fetchBy(user, pathOf(log, filter))
  const { errorCode, data }: { errorCode: number; data?: { items: Row[] } } = await response.json()
  return { code: errorCode, rows: data?.items ?? [] }
}

async function csvOf(user: { idx: number }, log: LogName): Promise<string[][]> {
  const headers = { accept: 'text/csv', 'accept-language': 'en', 'x-time-zone': 'UTC' }
  return csvCells(await (await fetchBy(user, pathOf(log, {}), { headers })).text())
}

const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
function cellOf(field: Field, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (field.values) return field.values[Number(value)]?.en ?? String(value)
  const text = field.as === 'moment' ? String(value).replace('T', ' ').slice(0, 19) : String(value)
  return FORMULA.test(text) ? `'${text}` : text
}

const NAMES = Object.keys(LOGS) as LogName[]
const FOR_MANAGERS = NAMES.filter((log) => LOGS[log].access !== 'admin')

test.each(NAMES)('the filters of %s take every character literally', async (log) => {
  const { filters, fields }: { filters: readonly string[]; fields: Fields } = LOGS[log]
  for (const name of filters.filter((one) => fields[one]?.values === undefined && one !== 'idx')) {
    for (const text of ['%', '_', '\\', "o'x_y"]) {
      const { code, rows } = await listOf(admin, log, { [name]: text })
      expect(code, `${name}=${text}`).toBe(0)
      const names = name === 'fileName' ? rows.map(() => text) : rows.map((row) => row[name])
      for (const found of names) expect(String(found).toLowerCase()).toContain(text)
    }
  }
})

test.each(FOR_MANAGERS)('%s as CSV has the rows of the screen', async (log) => {
  const { fields, lists, csv, store }: { fields: Fields; lists: Lists; csv?: object; store: string } = {
    ...{ lists: {}, csv: undefined },
    ...LOGS[log],
  }
  for (const user of [admin, manager, logOnly]) {
    const isAdmin = user.idx === admin.idx
    const { rows } = await listOf(user, log)
    expect(rows.length).toBe(HOSTILE.length + (store === 'history' ? 1 : 0))
    const [head = [], ...lines] = await csvOf(user, log)
    expect(lines).toHaveLength(rows.length)
    for (const cell of lines.flat()) expect(cell).not.toMatch(FORMULA)
    expect(JSON.stringify([rows, lines]).includes(KEY)).toBe(
      isAdmin && JSON.stringify(fields).includes('"for":"admin"'),
    )
    if (csv !== undefined) continue
    const shown = Object.entries(fields).filter(([, field]) => field.for !== 'admin' || isAdmin)
    const nested = Object.values(listColumnsOf(lists))
    expect(head).toEqual([...shown.map(([, field]) => field), ...nested].map(({ en }) => en))
    const cellsOf = (row: Row) => [...shown.map(([name, field]) => cellOf(field, row[name])), ...nested.map(() => '')]
    expect(lines).toEqual(rows.map(cellsOf))
  }
  expect((await listOf(foreigner, log)).rows).toEqual([])
  expect((await csvOf(foreigner, log)).slice(1)).toEqual([])
})

test.each(NAMES)('what was written is in the list of %s, where each filter finds it alone', async (log) => {
  const { fields, filters, store }: { fields: Fields; filters: readonly string[]; store: string } = LOGS[log]
  const [row = {}] = (await listOf(admin, log)).rows
  const found = async (filter: object) => (await listOf(admin, log, filter)).rows.map(({ idx }) => idx)
  for (const [name, value] of Object.entries(store === 'history' ? detailOf(fields, nameOf) : {}))
    if (!(name in COLUMNS)) expect(row[name], name).toEqual(value)
  for (const name of filters.filter((one) => one !== 'idx' && row[one] !== null && row[one] !== undefined)) {
    expect(await found({ [name]: row[name] }), name).toContain(row.idx)
    if (fields[name]?.values === undefined) expect(await found({ [name]: 'no such text' }), name).toEqual([])
  }
})

test.each(DETAILED_LOGS)('one entry of %s, by those who may read its list', async (log) => {
  const { fields }: { fields: Fields } = LOGS[log]
  const [row = {}] = (await listOf(admin, log)).rows
  const find = (user: { idx: number }, idx = Number(row.idx)) => as(user).history.find({ log, idx })
  expect(await find(admin)).toMatchObject({ log, entry: row })
  const refused = { error: 'NOT_ALLOWED' }
  await expect(find(admin, 999_999)).rejects.toMatchObject(refused)
  await expect(find(foreigner)).rejects.toMatchObject(refused)
  if (LOGS[log].access === 'admin') return expect(find(logOnly)).rejects.toMatchObject(refused)
  const { entry } = await find(logOnly)
  for (const [name, field] of Object.entries(fields)) if (field.for === 'admin') expect(entry).not.toHaveProperty(name)
})

test('sorted by every column that a list offers, and by no other', async () => {
  for (const log of NAMES) {
    const { sorts }: { sorts: readonly string[] } = LOGS[log]
    for (const sort of sorts) expect((await listOf(admin, log, { sort, sortOrder: 0 })).code, sort).toBe(0)
    expect((await listOf(admin, log, { sort: 'detail' })).code).toBe(983)
  }
})

test('nested entries beyond the bound of one response are left out of a list, not of the detail', async () => {
  const groups = Array.from({ length: 3000 }, (_, at) => ({ groupIdx: at + 1, groupName: 'g', groupKey: 'k' }))
  const detail = JSON.stringify({ ...detailOf(LOGS.authManage.fields, () => 'many'), groups })
  const row = { ...rowOf('authManage', () => 'many'), detail }
  await db.write.insertInto('history').values([row, row]).execute()
  const { rows } = await listOf(admin, 'authManage', { targetName: 'many' })
  expect(rows.map(({ groups: listed }) => (Array.isArray(listed) ? listed.length : 0))).toEqual([3000, 0])
  const found = await as(admin).history.find({ log: 'authManage', idx: Number(rows[1]?.idx) })
  expect(found.log === 'authManage' && found.entry.groups).toHaveLength(3000)
})
