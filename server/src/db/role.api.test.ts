// What the server's role may and may not do: as somebody who has stolen its connection.
import { SettingManage } from '@acc/contract/labels/history'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { accAdminJson } from '../../test/accAdmin.ts'
import { startTestApp } from '../../test/app.ts'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { OWNER, SERVER, TEMPLATE, urlOf } from '../../test/postgres.ts'
import { days, later } from '../clock.ts'
import { insertHistory, SYSTEM } from '../core/change.ts'
import { settingLog } from '../core/settingLog.ts'
import { sealHistory } from '../domains/history/history.sealing.ts'
import { migrateAsOwner, prepareDatabase } from '../prepareDatabase.ts'
import { findGrants } from './grants.ts'
import { findMigrations } from './migrate.ts'
import { openDatabase } from './open.ts'
import { keepPartitions } from './partitions.ts'
import { TABLE_RIGHTS } from './rights.ts'
import { findRole } from './role.ts'

const { app, owner } = await startTestApp()
const { db } = app
const YEARS = { logRetentionDays: 1095 }
// A copied database has its tables' rights, and not its own.
beforeAll(() => migrateAsOwner(owner, YEARS, SERVER))

const HISTORY = `kind, "logDT", "actorId", "actorName", "actorGroupName", subject, ip, type, detail`
const ROW = `'settingManage', now(), '', '', '', '', '', 0, '{}'`

test.each([
  'truncate users',
  'truncate jobs.job',
  'drop table users',
  'drop function pairs(text)',
  'alter table history disable trigger user',
  'alter table users add column more text',
  'drop trigger "historyAppendOnly" on history',
  'create trigger mine before insert on users for each row execute function "refuseChange"()',
  'create table mine ()',
  'create table jobs.mine ()',
  'create temporary table mine ()',
  'create schema mine',
  `create function mine() returns int language sql as 'select 1'`,
  'create index on users (name)',
  'create role mine',
  `alter role ${OWNER} login`,
  'drop database postgres',
  `update history set subject = 'x'`,
  'delete from history',
  'truncate history',
  `insert into history (idx, ${HISTORY}) overriding system value values (1, ${ROW})`,
  `select setval('history_idx_seq', 1)`,
  `update "historySeals" set rows = 1`,
  'delete from "historySeals"',
  'delete from "signIns"',
  `update "signIns" set ip = ''`,
  'update "historyRetention" set days = 1',
  `update users set "isAdmin" = 1 where id = 'minjun.park'`,
  `insert into users (id, name, email, "groupIdx", key, "isAdmin") values ('mine', 'Mine', 'mine@example.com', 1, 'mine', 1)`,
  `update users set idx = idx + 1`,
  `update users set "createDT" = now()`,
  'delete from kysely_migration',
  `select "dropPartitions"('history', now()::date)`,
  `select "makePartitions"('users', now()::date, 1)`,
  'do $$ begin lock table history in share mode; end $$',
  `set role ${OWNER}`,
  'set session authorization postgres',
  'set session_replication_role = replica',
  `copy (select 1) to program 'true'`,
  `copy users from '/etc/passwd'`,
  'select * from pg_authid',
  `select pg_read_file('/etc/passwd')`,
])('%s is refused', async (statement) => {
  await expect(sql.raw(statement).execute(db.write)).rejects.toMatchObject({ code: '42501' })
})

test('the role holds what the list says and nothing else; what differs is mended, and nothing is written where nothing does', async () => {
  expect(await findGrants(owner, SERVER)).toEqual([])
  await sql
    .raw(`grant truncate, trigger on users to ${SERVER}; grant select on mails to public; grant temporary on database
      "${(await sql<{ name: string }>`select current_database() as name`.execute(owner)).rows[0]?.name}" to public;
      grant update (ip) on "signIns" to ${SERVER}; revoke insert on groups from ${SERVER}; grant create on schema public to ${SERVER}`)
    .execute(owner)
  expect((await findRole(db.write)).canAlter).toBe(true)
  expect((await findGrants(owner, SERVER)).map((line) => line.replace(/"test_\w+"/, 'this')).sort()).toEqual([
    `grant insert on table "public"."groups" to ${SERVER}`,
    `revoke create on schema "public" from ${SERVER}`,
    'revoke select on table "public"."mails" from public',
    'revoke temporary on database this from public',
    `revoke trigger on table "public"."users" from ${SERVER}`,
    `revoke truncate on table "public"."users" from ${SERVER}`,
    `revoke update ("ip") on table "public"."signIns" from ${SERVER}`,
  ])
  await migrateAsOwner(owner, YEARS, SERVER)
  expect(await findGrants(owner, SERVER)).toEqual([])
  expect(await findRole(db.write)).toEqual({ name: SERVER, canAlter: false })
})

test('a system administrator is added by the owner of the schema, after the one of the first start', async () => {
  const add = (env: Record<string, string>) =>
    accAdminJson(['admin', 'add', 'second.admin', '--name', 'Second', '--email', 'second@example.com'], {
      ACC_DATABASE_URL: urlOf(db.connection),
      ...env,
    })
  expect(await add({})).toMatchObject({
    status: 1,
    document: { error: expect.stringContaining('ACC_DATABASE_OWNER_URL') },
  })
  const owned = await add({ ACC_DATABASE_OWNER_URL: urlOf(db.connection).replace(`${SERVER}@`, `${OWNER}@`) })
  expect(owned).toMatchObject({ status: 0, document: { id: 'second.admin' } })
  const admins = db.read.selectFrom('users').select('id').where('isAdmin', '=', 1).orderBy('idx')
  expect(await admins.execute()).toEqual([{ id: 'admin' }, { id: 'second.admin' }])
})

test('every table has its rights', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition and relname !~ '^kysely_'`.execute(owner)
  const without = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(TABLE_RIGHTS, name))
  expect(without, 'say in server/src/db/rights.ts what the server does with this table').toEqual([])
})

test('months are dropped once they are older than the retention period that the owner stored, and sealed', async () => {
  const monthsOf = async (table: string) => {
    const { rows } = await sql<{ month: string }>`
      select right(c.relname, 6) as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = ${`"${table}"`}::regclass and c.relname ~ '_[0-9]{6}$' order by 1`.execute(db.read)
    return rows.map(({ month }) => month)
  }
  const present = await monthsOf('history')
  expect(present).toHaveLength(4)
  const recent = later(new Date(), -days(200)).toISOString().slice(0, 10)
  for (const table of ['history', 'signIns'])
    await sql`select "makePartitions"(${table}, '2019-01-01'::date, 2), "makePartitions"(${table}, ${recent}::date, 1)`.execute(
      owner,
    )
  const log = settingLog(SettingManage.SET_HOST_ADDRESS, 'x', { targetName: null, targetValue: 'x' })
  await db.write.transaction().execute((tx) => insertHistory(tx, SYSTEM, new Date('2019-01-15T00:00:00Z'), [log]))
  const kept = [recent.slice(0, 7).replace('-', ''), ...present]

  await keepPartitions(db, 1)
  expect(await monthsOf('signIns')).toEqual(kept)
  expect(await monthsOf('history')).toEqual(['201901', ...kept])
  await sealHistory(app)
  await keepPartitions(db, 1)
  expect(await monthsOf('history')).toEqual(kept)
  await keepPartitions(db, 36_500)
  await migrateAsOwner(owner, { logRetentionDays: 90 }, SERVER)
  await keepPartitions(db, 36_500)
  expect(await monthsOf('history')).toEqual(kept)
  await keepPartitions(db, 1)
  expect(await monthsOf('history')).toEqual(present)
  await owner.deleteFrom('historyRetention').execute()
  await sql`select "makePartitions"('history', '2019-01-01'::date, 1)`.execute(owner)
  await keepPartitions(db, 1)
  expect(await monthsOf('history')).toEqual(['201901', ...present])
  await migrateAsOwner(owner, YEARS, SERVER)
})

const superuser = async (...statements: string[]) => {
  const client = new pg.Client({ ...inject('postgres'), user: 'postgres', database: 'postgres' })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

test('a role that could become another one is no role for the server', async () => {
  const name = `member_${process.pid}`
  await superuser(`create role ${name} login in role ${OWNER}`)
  const member = openDatabase({ ...inject('postgres'), user: name, database: TEMPLATE }, app.log, 1)
  expect(await findRole(member.write)).toEqual({ name, canAlter: true })
  await superuser(`revoke ${OWNER} from ${name}`)
  expect(await findRole(member.write)).toEqual({ name, canAlter: false })
  await superuser(`alter role ${name} createrole`)
  expect(await findRole(member.write)).toEqual({ name, canAlter: true })
  await member.close()
  await superuser(`drop role ${name}`)
})

const open: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const one of open) await one.close()
})
function connect({ connection, owner }: TestDatabase) {
  const opened = { server: openDatabase(connection, app.log, 1), owner: openDatabase(owner, app.log, 1) }
  open.push(opened.server, opened.owner)
  return opened
}

test('a start needs the owner only if the schema differs from what this version needs, and names what it lacks', async () => {
  const lines: string[] = []
  const log = { warn: (_: object, line: string) => void lines.push(line) }
  const [one, other] = [await createTestDatabase(), await createTestDatabase()]
  const { server, owner } = connect(one)
  expect(await prepareDatabase(server, undefined, YEARS, log)).toEqual({ applied: [], newer: [] })
  expect(lines).toEqual([])
  await prepareDatabase(server, undefined, { logRetentionDays: 30 }, log)
  expect(lines.splice(0)).toEqual([expect.stringContaining('kept for longer than ACC_LOG_RETENTION_DAYS')])

  const last = (await findMigrations()).at(-1) ?? ''
  await sql`delete from kysely_migration where name = ${last}`.execute(owner.write)
  await expect(prepareDatabase(server, undefined, YEARS, log)).rejects.toThrow(
    `The schema lacks ${last}, and the role ${SERVER} may not change it: run acc-admin migrate`,
  )
  await sql`insert into kysely_migration values (${last}, now()::text)`.execute(owner.write)
  await sql.raw(`revoke all on kysely_migration from ${SERVER}`).execute(owner.write)
  await expect(prepareDatabase(server, undefined, YEARS, log)).rejects.toThrow('The schema lacks everything')
  expect(await prepareDatabase(server, owner, YEARS, log)).toEqual({ applied: [], newer: [] })
  await expect(prepareDatabase(server, connect(other).owner, YEARS, log)).rejects.toThrow('leads to another database')
  await expect(prepareDatabase(owner, owner, YEARS, log)).rejects.toThrow(`the role ${OWNER} may alter the tables`)
  expect(lines).toEqual([])
  expect(await prepareDatabase(owner, undefined, YEARS, log)).toEqual({ applied: [], newer: [] })
  expect(lines).toEqual([expect.stringContaining('owns the history and can empty it')])

  // What a newer version has given is left as it is.
  await sql`insert into kysely_migration values ('9999_next', now()::text)`.execute(owner.write)
  await sql.raw(`grant delete on "historyRetention" to ${SERVER}`).execute(owner.write)
  expect(await prepareDatabase(server, owner, YEARS, log)).toEqual({ applied: [], newer: ['9999_next'] })
  expect(await findGrants(owner.write, SERVER)).toHaveLength(1)
  open.push({ close: () => one.drop() }, { close: () => other.drop() })
})
