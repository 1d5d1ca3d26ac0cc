// Every list of the history with hostile texts in every field: a filter finds the characters that it names and nothing
// else, CSV has the rows of the screen and no formulas, and keys are for administrators alone.
import type { Field, Fields, Lists } from '@acc/contract/history/fields'
import { listColumnsOf } from '@acc/contract/history/kind'
import { LOGS, type LogName } from '@acc/contract/history/kinds'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildSignIns } from '../../../test/build/signIns.ts'
import { buildUser } from '../../../test/build/users.ts'
import { csvCells } from '../../../test/csvCells.ts'

const { app, fetchAs, admin, clock } = await startTestApp()
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
const detailOf = (fields: Fields, text: string) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, sampleOf(field, text)]))

for (const [log, { store, fields }] of Object.entries(LOGS)) {
  if (store !== 'history') continue
  const rows = HOSTILE.map((text) => ({
    ...{ kind: log, logDT: clock.now(), subject: text, groupIdx: sales.idx, ip: '10.0.0.1', type: 0, result: 0 },
    ...{ actorId: text, actorName: text, actorGroupName: text, detail: JSON.stringify(detailOf(fields, text)) },
  }))
  await db.write.insertInto('history').values(rows).execute()
}
for (const [at, name] of HOSTILE.entries()) {
  const user = await buildUser(db, { group: sales, id: `hostile${at}`, name })
  await buildSignIns(app, user, [{ userId: name, deviceName: name, ip: '10.0.0.9' }])
  await buildSignIns(app, user, [{ kind: 'web', userId: name }])
  await buildRequest(app, user, { purpose: name })
}

type Row = Record<string, unknown>
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
  const response = await fetchAs(user)(pathOf(log, filter))
  const { errorCode, data }: { errorCode: number; data?: { items: Row[] } } = await response.json()
  return { code: errorCode, rows: data?.items ?? [] }
}

async function csvOf(user: { idx: number }, log: LogName): Promise<string[][]> {
  const headers = { accept: 'text/csv', 'accept-language': 'en', 'x-time-zone': 'UTC' }
  return csvCells(await (await fetchAs(user)(pathOf(log, {}), { headers })).text())
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
    for (const text of ['%', '_', '\\', "' or 1=1 --", "o'x_y"]) {
      const { code, rows } = await listOf(admin, log, { [name]: text })
      expect(code, `${name}=${text}`).toBe(0)
      const names = name === 'fileName' ? rows.map(() => text) : rows.map((row) => row[name])
      for (const found of names) expect(String(found).toLowerCase()).toContain(text)
    }
  }
})

test.each(NAMES)('%s refuses statements in the place of numbers, moments and columns', async (log) => {
  for (const filter of [
    { sort: 'idx; select pg_sleep(9)' },
    { sort: '"logDT"' },
    { sortOrder: '1 desc' },
    { logSDT: "now()'" },
    { rowsAfter: '0 offset 1' },
    { maxCount: '1); drop table history' },
  ])
    expect((await listOf(admin, log, filter)).code).toBe(983)
})

test.each(FOR_MANAGERS)('%s as CSV has the rows of the screen', async (log) => {
  const { fields, lists, csv }: { fields: Fields; lists: Lists; csv?: object } = {
    ...{ lists: {}, csv: undefined },
    ...LOGS[log],
  }
  for (const user of [admin, manager, logOnly]) {
    const isAdmin = user.idx === admin.idx
    const { rows } = await listOf(user, log)
    expect(rows.length).toBe(HOSTILE.length)
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

test('histories of the system are closed to managers, on the screen and as CSV', async () => {
  for (const log of NAMES.filter((one) => !FOR_MANAGERS.includes(one))) {
    expect((await listOf(manager, log)).code).toBe(980)
    expect((await csvOf(manager, log)).flat().join()).not.toContain('plain')
  }
})
