// Every change that names a revision refuses an old one, so that nobody overwrites what they did not see, and records
// nothing where nothing differs. The inputs are in samples.ts.
import type { ErrorName } from '@acc/contract/core/errors'
import type { Route } from '@acc/contract/core/route'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { announced } from '../announced.ts'
import { startTestApp } from '../app.ts'
import { buildAuthority } from '../build/authorities.ts'
import { buildBimServer } from '../build/bim.ts'
import { buildGroups } from '../build/groups.ts'
import { buildUser } from '../build/users.ts'
import { CALLS, type CallName } from './callers.ts'
import { buildRowsOf, callByName, inputOf } from './samples.ts'

const testApp = await startTestApp()
const { app, as, admin } = testApp
const calls = as(admin)
const { group } = await buildGroups(app.db, 'group')
const person = await buildUser(app.db, { group })
const { idx: authority } = await buildAuthority(app.db, { groups: [group], user: 1 })
const { idx: web } = await calls.shortcuts.createWeb({ name: 'Web', url: 'https://example.com' })
const { idx: program } = await calls.shortcuts.createProgram({ name: 'Program', path: 'C:\\program.exe' })
const server = await buildBimServer(calls)
const exception = await calls.bim.createException({ ip: '10.9.0.1' })
await calls.configTexts.setSiteConfig({ siteConfig: '<site/>' })
await calls.configTexts.setClientPolicy({ clientPolicy: '{"a": 1}' })

const rows = {
  ...(await buildRowsOf(testApp, person)),
  ...{ group: group.idx, authority, web, program },
  ...{ bimServer: server.idx, bimException: exception.idx },
}

/** Changes of settings without a revision: the last one wins. */
const WITHOUT: { [N in CallName]?: string } = {
  'loginPolicy.setDefaultOtp': 'one value',
  'loginPolicy.addOtpExceptions': 'adds, whatever others add',
  'loginPolicy.removeOtpExceptions': 'removes, whatever others remove',
  'notices.setOverdue': 'two values, each sent only where it is changed',
  'licenses.register': 'a signed file',
  'licenses.chooseEvaluation': 'one choice of the register step',
  'licenses.setDevicesPerUser': 'one value',
  'mails.resend': 'changes no setting',
  'mails.chooseOutbox': 'one choice of the register step',
  'mailServer.set': 'the form is saved as a unit, after its test mail',
  'sso.setPolicy': 'the form is saved as a unit',
  'userSync.set': 'the form is saved as a unit',
  'infos.setHostServerAddress': 'one value',
  'infos.setFileRetention': 'one value',
  'infos.setLoginPageLogo': 'one picture',
  'infos.setManagePageLogo': 'one picture',
  'infos.removeLoginPageLogo': 'one picture',
  'infos.removeManagePageLogo': 'one picture',
}

const hasRevision = ({ route }: { route: Route }) => 'revision' in route.input.shape

test('no change of a setting without a revision goes unnamed', () => {
  const settings = CALLS.filter(({ route }) => route.method !== 'GET' && route.audit === 'settingManage')
  const names = settings.filter((one) => !hasRevision(one)).map(({ name }) => name)
  expect(Object.keys(WITHOUT).sort()).toEqual(names.sort())
})

/** Returns a revision that the schema of a call takes and that no row has. */
function oldRevision({ input }: Route): unknown {
  const revision: z.ZodType = z.object(input.shape).shape.revision
  return [-1, 'old', 0].find((old) => revision.safeParse(old).success)
}

const { rows: tables } = await sql<{ name: string }>`
  select table_name as name from information_schema.columns
  where table_schema = 'public' and column_name = 'revision'`.execute(app.db.write)
const sums = tables.map(({ name }) => sql`(select sum(revision) from ${sql.table(name)})`)
/** Counts the rows of the history and the revisions of all records. */
const countChanges = async (): Promise<unknown> =>
  (await sql`select array[(select count(*) from history), ${sql.join(sums)}] as counts`.execute(app.db.write)).rows

test.each(CALLS.filter(hasRevision))('$name refuses an old revision and changes nothing', async ({ name, route }) => {
  const before = await countChanges()
  const refused: { error: ErrorName } = { error: 'CHANGED_MEANWHILE' }
  const input = { ...inputOf(name, rows), revision: oldRevision(route) }
  await expect(callByName(calls, name, input)).rejects.toMatchObject(refused)
  expect(await countChanges()).toEqual(before)
})

test.each(CALLS.filter(hasRevision))('$name with the same input once more changes nothing', async ({ name }) => {
  const save = () => announced(app, () => callByName(calls, name, inputOf(name, rows)))
  await save()
  const before = await countChanges()
  expect(await save()).toEqual([])
  expect(await countChanges()).toEqual(before)
})
