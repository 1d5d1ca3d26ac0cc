import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { withDatabase } from '../src/admin/openForAdmin.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open.ts'
import type { DB } from '../src/db/schema.gen.ts'
import { createTestDatabase } from './database.ts'
import { createDatabase, dropDatabase, OWNER, urlOf } from './postgres.ts'
import { SCHEMA_FILES, schemaSql, schemaTypes } from './schemaText.ts'

const STALE = 'the migrations make another schema than the one written down: run npm run db:dump'

const database = await createTestDatabase()
const { write: db, close } = openDatabase(database.connection, { warn: () => undefined })
afterAll(async () => {
  await close()
  await database.drop()
})

test('schema.sql is what the migrations make', async () => {
  expect(readFileSync(SCHEMA_FILES.sql, 'utf8'), STALE).toBe(await schemaSql(db))
})

test('schema.gen.ts is what the migrations make', async () => {
  expect(readFileSync(SCHEMA_FILES.types, 'utf8'), STALE).toBe(await schemaTypes(db))
})

test('a migration may take longer than any other statement; a newer schema is left as it is, and to acc-admin of its version', async () => {
  const postgres = inject('postgres')
  const name = `migrated_${process.pid}`
  await createDatabase(postgres, name, 'template0')
  const databaseUrl = urlOf({ ...postgres, user: OWNER, database: name })
  const options = '-c statement_timeout=50ms'
  const pool = new pg.Pool({ ...postgres, user: OWNER, database: name, max: 1, options })
  const empty = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  try {
    const openForAdmin = () => withDatabase({ databaseUrl, dataDir: '' }, async () => 'opened')
    await expect(openForAdmin()).rejects.toThrow('The database is empty or of an older version')
    expect((await migrate(empty)).applied.at(0)).toBe('0001_schema')
    // Afterwards the limit is back.
    await expect(sql`select pg_sleep(1)`.execute(empty)).rejects.toThrow('statement timeout')
    await sql`insert into kysely_migration values ('9997_next', now()::text)`.execute(empty)
    expect(await migrate(empty)).toEqual({ applied: [], newer: ['9997_next'] })
    await expect(openForAdmin()).rejects.toThrow('The database is of a newer version: use acc-admin of that version.')
    await sql`insert into kysely_migration values ('9999_contracts9997_next', now()::text)`.execute(empty)
    await expect(migrate(empty)).rejects.toThrow(
      'A newer version removed from the database what this one uses (9999_contracts9997_next)',
    )
  } finally {
    await empty.destroy()
    await dropDatabase(postgres, name)
  }
})

test('migrations wait for tables in turns, and one that fails leaves the schema as it was', {
  timeout: 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'acc-migrations-'))
  await cp(join(import.meta.dirname, '../src/db/migrations'), folder, { recursive: true })
  const [reader, owner] = [database.owner, database.owner].map((one) => openDatabase(one, { warn: () => undefined }, 1))
  if (reader === undefined || owner === undefined) throw new Error('two connections')
  const columns = async () =>
    (await owner.write.introspection.getTables())
      .find(({ name }) => name === 'users')
      ?.columns.filter(({ name }) => name.startsWith('tried'))
      .map(({ name }) => name)
  try {
    await writeFile(join(folder, '8001_tried.sql'), 'alter table users add column tried text;')
    await writeFile(join(folder, '8002_fails.sql'), 'alter table users add column "triedToo" text; select 1 / 0;')
    await expect(migrate(owner.write, folder)).rejects.toThrow('division by zero')
    expect(await columns()).toEqual([])

    await rm(join(folder, '8002_fails.sql'))
    const isWaiting = async () =>
      (await sql`select from pg_locks where not granted and relation = 'users'::regclass`.execute(db)).rows.length > 0
    // As somebody who reads a CSV file slowly.
    const upgraded = await reader.write.transaction().execute(async (tx) => {
      await sql`lock table users in access share mode`.execute(tx)
      const migrating = migrate(owner.write, folder)
      await expect.poll(isWaiting, { timeout: 10_000 }).toBe(true)
      // It gives up for a while, so that calls behind it are served.
      await expect.poll(isWaiting, { timeout: 10_000 }).toBe(false)
      return { migrating }
    })
    expect(await upgraded.migrating).toEqual({ applied: ['8001_tried'], newer: [] })
    expect(await columns()).toEqual(['tried'])
  } finally {
    await Promise.all([reader.close(), owner.close()])
    await rm(folder, { recursive: true })
  }
})
